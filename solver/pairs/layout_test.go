package pairs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel/countdown"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// A pattern has a letter for each axis of an array: the letters of orders, and 1 for an axis of length one.
type pattern string

func (p pattern) layout() string {
	if p.axisAt('x') < p.axisAt('n') {
		return config.PointsFirst
	}
	return config.FunctionsFirst
}

// String formats the shape for people.
func (p pattern) String() string {
	names := map[rune]string{'n': "count", 's': "2", 'x': "K", 'y': "r", '1': "1"}
	if p.axisAt('y') >= 0 {
		names['x'] = "r"
	}
	var axes []string
	for _, letter := range p {
		axes = append(axes, names[letter])
	}
	return "(" + strings.Join(axes, ", ") + ")"
}

func (p pattern) axisAt(letter rune) int { return strings.IndexRune(string(p), letter) }

// arranged returns the array of pairs with the axes of the pattern.
func arranged(p pattern, pairs dataset.Pairs, points int) npy.Array {
	dims := 1
	if p.axisAt('y') >= 0 {
		dims = 2
	}
	sizes := map[rune]int{'n': pairs.Count(), 's': 2, 'x': points, 'y': points, '1': 1}
	var a npy.Array
	for _, letter := range p {
		a.Shape = append(a.Shape, sizes[letter])
	}
	strides := npy.Strides(a.Shape)
	total := 1
	for _, n := range a.Shape {
		total *= n
	}
	a.Data = make([]float64, total)
	at := func(letter rune, i int) int {
		if d := p.axisAt(letter); d >= 0 {
			return i * strides[d]
		}
		return 0
	}
	for s, b := range []grid.Batch{pairs.Inputs, pairs.Outputs} {
		if s == 1 && p.axisAt('s') < 0 {
			break
		}
		for i := range b.Count {
			for x := range points {
				if dims == 1 {
					a.Data[at('n', i)+at('s', s)+at('x', x)] = b.At(i)[x]
					continue
				}
				for y := range points {
					a.Data[at('n', i)+at('s', s)+at('x', x)+at('y', y)] = b.At(i)[x*points+y]
				}
			}
		}
	}
	return a
}

// inFortranOrder rewrites a file of an array as columns.
func inFortranOrder(t *testing.T, a npy.Array) string {
	t.Helper()
	reversed := npy.Array{Shape: a.Shape, Data: make([]float64, len(a.Data))}
	strides, step := npy.Strides(a.Shape), 1
	columns := make([]int, len(a.Shape))
	for d, n := range a.Shape {
		columns[d] = step
		step *= n
	}
	for at, v := range a.Data {
		to, rest := 0, at
		for d, stride := range strides {
			to += rest / stride * columns[d]
			rest %= stride
		}
		reversed.Data[to] = v
	}
	name := writeArray(t, reversed)
	text, err := os.ReadFile(name)
	noError(t, err)
	noError(t, os.WriteFile(name, []byte(strings.Replace(string(text), "'fortran_order': False", "'fortran_order': True ",
		1)), 0o600))
	return name
}

// gaussian returns pairs of periodic functions on K points: draws, and smoother functions far from zero.
func gaussian(count, K int) dataset.Pairs {
	a := grid.NewBatch(grid.Torus, K, count)
	grf.Measure{Tau: 7, Alpha: 2.5, Scale: 1, Space: grid.Torus}.On(K).Draw(a, 3, draw.InputTrain, 0)
	u := grid.NewBatch(grid.Torus, K, count)
	for i, v := range a.Data {
		u.Data[i] = 10 + math.Tanh(v)
	}
	return dataset.Pairs{Inputs: a, Outputs: u}
}

func TestEveryLayoutOfFunctionsIsTold(t *testing.T) {
	for _, size := range []struct{ count, K int }{{6, 65}, {64, 65}, {65, 65}, {240, 33}, {33, 257}, {200, 129}} {
		closed := gaussian(size.count, size.K)
		open := dataset.Pairs{Inputs: without(closed.Inputs), Outputs: without(closed.Outputs)}
		for _, p := range []pattern{"xns", "nxs", "nsx", "snx", "sxn", "xsn"} {
			for _, endpoint := range []bool{true, false} {
				pairs := map[bool]dataset.Pairs{true: closed, false: open}[endpoint]
				a := arranged(p, pairs, pairs.Inputs.Values())
				for order, file := range map[string]string{"C": writeArray(t, a), "Fortran": inFortranOrder(t, a)} {
					for _, layout := range []string{config.AutoLayout, p.layout()} {
						source := Source{File: file, Endpoint: endpoint, Layout: layout}
						got, err := ReadPairs(t.Context(), source, 0)
						if info, e := StatPairs(t.Context(), source, 1); err != nil || e != nil || !equal(got, closed) ||
							info.Arrays != p.String() || (info.By != "") != (layout == config.AutoLayout) {
							t.Fatalf("%v as %v, %s order, %s: %+v, %v", size, p, order, layout, info, err)
						}
					}
				}
			}
		}
	}
}

func TestEveryLayoutOfNamedFunctionsIsTold(t *testing.T) {
	const count, K = 40, 33
	want := gaussian(count, K)
	for _, p := range []pattern{"nx", "xn", "nx1", "n1x", "xn1", "x1n"} {
		a := arranged(p, dataset.Pairs{Inputs: want.Inputs, Outputs: want.Outputs}, K)
		u := arranged(p, dataset.Pairs{Inputs: want.Outputs, Outputs: want.Inputs}, K)
		file := archive(t, "a u", a.Shape, grid.Batch{Data: a.Data}, grid.Batch{Data: u.Data})
		if got, err := ReadPairs(t.Context(), Source{File: file, Endpoint: true}, 0); err != nil || !equal(got, want) {
			t.Errorf("%v: got %v, want the pairs as they were arranged", p, err)
		}
		chosen, err := ReadChosen(t.Context(), Source{File: file, Endpoint: true}, 1, []int{17, 3, 39})
		if err != nil || !equal(chosen, want.Take([]int{17, 3, 39})) {
			t.Errorf("%v, chosen: %v", p, err)
		}
	}
}

func TestEveryLayoutOfFieldsIsTold(t *testing.T) {
	for _, size := range []struct{ count, r int }{{7, 9}, {9, 9}, {33, 33}} {
		want := dataset.Pairs{Inputs: fields(size.count, size.r, 0), Outputs: fields(size.count, size.r, 5)}
		for _, p := range []pattern{"xyns", "nsxy", "nxys", "snxy", "sxyn", "xysn"} {
			got, err := ReadFieldPairs(t.Context(), Source{File: writeArray(t, arranged(p, want, size.r)), Endpoint: true}, 0)
			if err != nil || !equal(got, want) {
				t.Errorf("%v as %v: got %v, want the pairs as they were arranged", size, p, err)
			}
		}
		for _, p := range []pattern{"nxy", "xyn", "nxy1", "n1xy"} {
			a, u := arranged(p, want, size.r), arranged(p, dataset.Pairs{Inputs: want.Outputs, Outputs: want.Inputs}, size.r)
			file := archive(t, "a u", a.Shape, grid.Batch{Data: a.Data}, grid.Batch{Data: u.Data})
			if got, err := ReadFieldPairs(t.Context(), Source{File: file, Endpoint: true}, 0); err != nil || !equal(got, want) {
				t.Errorf("%v as %v, named: %v", size, p, err)
			}
		}
	}
}

// Identical pairs have no variation along any line of functions.
func TestIdenticalPairsHaveTheirLayout(t *testing.T) {
	one := gaussian(1, 33)
	same := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, 33, 20), Outputs: grid.NewBatch(grid.Torus, 33, 20)}
	for i := range 20 {
		copy(same.Inputs.At(i), one.Inputs.At(0))
		copy(same.Outputs.At(i), one.Outputs.At(0))
	}
	for _, p := range []pattern{"xns", "nxs"} {
		if got, err := ReadPairs(t.Context(), Source{File: writeArray(t, arranged(p, same, 33)), Endpoint: true},
			0); err != nil || !equal(got, same) {
			t.Errorf("%v: got %v, want the pairs as they were arranged", p, err)
		}
	}
}

func TestPredictionsHaveTheAxesOfTheInputs(t *testing.T) {
	want := gaussian(20, 33)
	for _, p := range []pattern{"nx", "xn", "nx1", "n1x"} {
		for _, endpoint := range []bool{true, false} {
			pairs := want
			if !endpoint {
				pairs = dataset.Pairs{Inputs: without(want.Inputs)}
			}
			a := arranged(p, pairs, pairs.Inputs.Values())
			got, info, err := ReadInputs(t.Context(), Source{File: writeArray(t, a), Endpoint: endpoint}, 1)
			noError(t, err)
			if back := info.Arrange(got); fmt.Sprint(back) != fmt.Sprint(a) {
				t.Errorf("%v, endpoint %v: other numbers, shape %v", p, endpoint, back.Shape)
			}
		}
	}
}

// Reading checks the context every 64 KiB for any size of file, and stops once it has ended.
func TestReadingLooksAtTheContextAllTheTime(t *testing.T) {
	const count, K = 1000, 513 // 8 MB
	pairs := dataset.Pairs{Inputs: waves(count, K, 0), Outputs: waves(count, K, 1)}
	for name, file := range map[string]string{
		"npy": writeArray(t, arranged("nsx", pairs, K)),
		"npz": archive(t, "a u", []int{count, K}, pairs.Inputs, pairs.Outputs),
	} {
		source := Source{File: file, Endpoint: true, Layout: config.FunctionsFirst}
		whole := countdown.After(math.MaxInt)
		if _, err := ReadPairs(whole, source, 0); err != nil {
			t.Fatal(err)
		}
		if least := 2 * 8 * count * K >> 16; whole.Looks() < least {
			t.Errorf("%s: the context is looked at %d times, want at least %d", name, whole.Looks(), least)
		}
		for part := range 10 {
			looks := whole.Looks() * part / 10
			ctx := countdown.After(looks)
			if _, err := ReadPairs(ctx, source, 0); !errors.Is(err, context.Canceled) || ctx.Looks() > looks+4 {
				t.Errorf("%s: cancelled after %d looks, %v after %d", name, looks, err, ctx.Looks())
			}
		}
	}
}

// Pairs read on a coarser grid equal the pairs of the file, restricted, in every layout.
func TestPairsAreReadOnCoarserGrids(t *testing.T) {
	const count, K = 40, 33
	closed := gaussian(count, K)
	open := dataset.Pairs{Inputs: without(closed.Inputs), Outputs: without(closed.Outputs)}
	want, err := closed.Restrict(9)
	noError(t, err)
	for _, p := range []pattern{"xns", "nxs", "nsx", "sxn", "ns1x"} {
		for _, endpoint := range []bool{true, false} {
			pairs := map[bool]dataset.Pairs{true: closed, false: open}[endpoint]
			source := Source{File: writeArray(t, arranged(p, pairs, pairs.Inputs.Values())), Endpoint: endpoint, Step: 4}
			if got, err := ReadPairs(t.Context(), source, 0); err != nil || !equal(got, want) {
				t.Errorf("%v: got %v, want every fourth point of the pairs", p, err)
			}
			rows := []int{30, 2, 11}
			if got, err := ReadChosen(t.Context(), source, 1, rows); err != nil || !equal(got, want.Take(rows)) {
				t.Errorf("%v, chosen: %v", p, err)
			}
		}
	}
	file := archive(t, "a u", []int{count, K}, closed.Inputs, closed.Outputs)
	// The check of the ends uses all points.
	if _, err := ReadPairs(t.Context(), Source{File: file, Endpoint: false, Step: 3}, 0); err == nil {
		t.Error("a grid with the right end is read as one without")
	}
}

// Fields on a coarser grid, of arrays that differ by an axis of length one, such as outputs with one channel.
func TestArraysMayDifferByAxesOfLengthOne(t *testing.T) {
	const count, r = 7, 9
	want := dataset.Pairs{Inputs: fields(count, r, 1), Outputs: fields(count, r, 2)}
	name := saved(t, map[string]npy.Array{"nu": {Shape: []int{count, r, r}, Data: want.Inputs.Data},
		"tensor": {Shape: []int{count, 1, r, r}, Data: want.Outputs.Data}})
	coarse, err := want.Restrict(5)
	noError(t, err)
	turned := func(p dataset.Pairs) dataset.Pairs { return dataset.Pairs{Inputs: p.Outputs, Outputs: p.Inputs} }
	for step, want := range map[int]dataset.Pairs{0: want, 2: coarse} {
		got, err := ReadFieldPairs(t.Context(), Source{File: name, Input: "nu", Output: "tensor", Endpoint: true,
			Step: step}, 0)
		back, failure := ReadFieldPairs(t.Context(), Source{File: name, Input: "tensor", Output: "nu", Endpoint: true,
			Step: step}, 0)
		if err != nil || failure != nil || !equal(got, want) || !equal(back, turned(want)) {
			t.Errorf("step %d: %v, %v", step, err, failure)
		}
	}
}
