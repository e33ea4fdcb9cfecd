package grid

import (
	"errors"
	"math"
	"slices"
	"testing"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/filetest"
)

var noError = filetest.NoError

const rounding = 1e-13 // of some hundred terms below 1

func TestWeightsAreTheInnerProducts(t *testing.T) {
	for _, d := range Domains() {
		points := 12 + d.ends()
		f, g := NewBatch(d, points, 1).Data, NewBatch(d, points, 1).Data
		difference, sum, distance := 0.0, 0.0, 0.0
		for x := range f {
			f[x], g[x] = math.Sin(float64(3*x)), math.Cos(float64(x))
		}
		for x, w := range d.Weights(points) {
			sum += w * f[x] * g[x]
			difference = f[x] - g[x]
			distance += w * difference * difference
		}
		if got := d.Inner(f, g); math.Abs(sum-got) > rounding {
			t.Errorf("%s: inner product %g by weights, %g", d.Name(), sum, got)
		}
		if got := d.Distance2(f, g); math.Abs(distance-got) > rounding {
			t.Errorf("%s: distance %g by weights, %g", d.Name(), distance, got)
		}
	}
}

func TestPointsIsTheInverseOfValues(t *testing.T) {
	all := Domains()
	for _, a := range []Aspect{{8, 1}, {1, 8}, {13, 2}} {
		all = append(all, Domain{Dims: 2, Aspect: a}, Domain{Dims: 2, Periodic: true, Aspect: a},
			Domain{Dims: 2, Cells: true, Aspect: a})
	}
	for _, d := range all {
		for points := 2; points < 40; points++ {
			if !d.Exists(points) {
				continue
			}
			if got, ok := d.Points(d.Values(points)); !ok || got != points {
				t.Errorf("%s: %d values are %d points, %v", d.Name(), d.Values(points), got, ok)
			}
			product := 1
			for _, n := range d.Shape(points) {
				product *= n
			}
			if product != d.Values(points) {
				t.Errorf("%s: shape %v for %d values", d.Name(), d.Shape(points), d.Values(points))
			}
		}
	}
	if _, ok := Square.Points(10); ok {
		t.Error("10 is a square")
	}
}

// Functions of the coordinates agree on the coarse and on the fine grid at common points; the means of a linear
// function over cells are its values at their centres.
func TestRestrictionKeepsTheCoordinates(t *testing.T) {
	on := func(d Domain, points int) Batch {
		b := NewBatch(d, points, 2)
		_, columns := d.Axes(points)
		h := 1 / float64(d.Intervals(points))
		half := float64(1-d.ends()) / 2
		for i := range b.Count {
			for v := range b.At(i) {
				b.At(i)[v] = float64(i) + (float64(v%columns)+half)*h + 10*(float64(v/columns)+half)*h
				if d.Dims == 1 {
					b.At(i)[v] = float64(i) + (float64(v)+half)*h
				}
			}
		}
		return b
	}
	for _, d := range Domains() {
		for _, intervals := range [][2]int{{8, 4}, {8, 2}, {8, 8}, {12, 4}, {420, 70}} {
			fine, coarse := intervals[0]+d.ends(), intervals[1]+d.ends()
			got, err := on(d, fine).Restrict(coarse)
			noError(t, err)
			if want := on(d, coarse); got.Domain != d || !slices.EqualFunc(got.Data, want.Data,
				func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
				t.Errorf("%s from %d to %d points", d.Name(), fine, coarse)
			}
		}
	}
}

func TestMeansOverCellsKeepTheIntegral(t *testing.T) {
	for _, d := range []Domain{{Dims: 1, Cells: true}, {Dims: 2, Cells: true, Aspect: AspectOf(12, 18)}} {
		fine, one := NewBatch(d, 12, 1), NewBatch(d, 12, 1)
		for v := range fine.Data {
			fine.Data[v], one.Data[v] = math.Sin(float64(v*v)), 1
		}
		coarse, err := fine.Restrict(4)
		noError(t, err)
		if got, want := d.Inner(coarse.Data, one.Data[:coarse.Values()]),
			d.Inner(fine.Data, one.Data); math.Abs(got-want) > rounding {
			t.Errorf("%s: integral %g on coarse cells, %g on fine ones", d.Name(), got, want)
		}
	}
}

func TestRectanglesHaveTheirGridsOnly(t *testing.T) {
	d := Domain{Dims: 2, Aspect: AspectOf(60, 47)} // only the grid itself
	if rows, columns := d.Axes(61); rows != 61 || columns != 48 {
		t.Errorf("%d x %d points", rows, columns)
	}
	for points := 2; points < 61; points++ {
		if d.Exists(points) || d.Contains(61, points) {
			t.Errorf("there is a grid of %d points", points)
		}
	}
	if AspectOf(16, 16) != (Aspect{}) || AspectOf(16, 32) != (Aspect{1, 2}) {
		t.Error("aspects are not in lowest terms")
	}
	if _, err := NewBatch(d, 61, 1).Restrict(31); err == nil {
		t.Error("restricted to a grid that does not exist")
	}
}

func TestTakeAndRange(t *testing.T) {
	b := NewBatch(Square, 3, 4)
	for i := range b.Data {
		b.Data[i] = float64(i)
	}
	if got, want := b.Take([]int{2, 0}), append(slices.Clone(b.At(2)), b.At(0)...); !slices.Equal(got.Data, want) ||
		got.Count != 2 || got.Points != 3 {
		t.Errorf("got %v", got)
	}
	if got := b.Range(1, 2); got.Count != 2 || &got.Data[0] != &b.Data[9] || !got.SameGrid(b) {
		t.Errorf("got %v", got)
	}
}

func TestValuesOfAnotherRectangleAreRefused(t *testing.T) {
	square, wide := NewBatch(Square, 17, 2), Domain{Dims: 2, Cells: true, Aspect: AspectOf(17, 34)}
	if b, err := square.On(Domain{Dims: 2, Cells: true}, "x"); err != nil || !b.Domain.Cells || b.Points != 17 {
		t.Errorf("got %v, %v, want the square at centres of 17 cells", b.Domain, err)
	}
	for _, d := range []Domain{wide, Torus, {Dims: 2, Aspect: AspectOf(16, 24)}, {Dims: 2, Aspect: AspectOf(3, 2)}} {
		var data *fault.Data
		if _, err := square.On(d, "x"); !errors.As(err, &data) {
			t.Errorf("%v: got %v, want *fault.Data", d, err)
		}
	}
}

func TestChannelsAreFunctionsOfTheirOwn(t *testing.T) {
	for _, d := range Domains() {
		points := 12 + d.ends()
		b := NewBatch(d.With(3), points, 2)
		for x := range b.Data {
			b.Data[x] = math.Sin(float64(x * x))
		}
		if n := b.Values(); n != 3*d.Values(points) {
			t.Fatalf("%s: %d values", b.Domain.Name(), n)
		}
		if got, ok := b.Domain.Points(b.Values()); !ok || got != points {
			t.Errorf("%s: %d points, %v", b.Domain.Name(), got, ok)
		}
		sum, weighed := 0.0, 0.0
		for x, w := range b.Domain.Weights(points) {
			weighed += w * b.At(0)[x] * b.At(1)[x]
		}
		var parts []Batch
		for c := range 3 {
			part := b.Channel(c)
			sum += d.Inner(part.At(0), part.At(1))
			parts = append(parts, part)
		}
		if got := b.Domain.Inner(b.At(0), b.At(1)); math.Abs(got-sum) > rounding || math.Abs(got-weighed) > rounding {
			t.Errorf("%s: inner product %g, of channels %g, by weights %g", d.Name(), got, sum, weighed)
		}
		if all := Stack(parts[0], Stack(parts[1:]...)); all.Domain != b.Domain || !slices.Equal(all.Data, b.Data) {
			t.Errorf("%s: channels do not make the functions", d.Name())
		}
		if b.Split().Join(3).Domain != b.Domain {
			t.Errorf("%s: not joined", d.Name())
		}
		coarse, err := b.Restrict(6 + d.ends())
		noError(t, err)
		one, err := parts[2].Restrict(6 + d.ends())
		noError(t, err)
		if !slices.Equal(coarse.Channel(2).Data, one.Data) {
			t.Errorf("%s: restricted channels differ", d.Name())
		}
	}
}
