package truth_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/pde/darcy"
	"rfm/solver/pde/equation"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

var (
	periodic   = config.Field{Tau: 7, Alpha: 2.5}
	smallDarcy = darcy.Problem{Input: grf.Measure{Tau: 3, Alpha: 2, Axis: 2, Space: grid.Square},
		Level:    darcy.LevelSet{Plus: 12, Minus: 3},
		Equation: darcy.Paper(), Points: 33, Seed: 1}
)

// evolving returns the operator of an equation on so many points along an axis.
func evolving(inputs config.Field, e config.Equation, points int) *truth.Operator {
	e.Tolerance = 1e-4
	return equation.Problem{Equation: e, Input: inputs, Points: points, Seed: 1}.Operator()
}

func smallBurgers(viscosity float64, points int) *truth.Operator {
	e := config.Reference().Equation
	e.Tolerance, e.Parameters = 1e-6, fmt.Sprint("nu = ", viscosity)
	return equation.Problem{Equation: e, Input: config.Reference().Input, Points: points, Seed: 1}.Operator()
}

// operators lists the operators under test, with times of outputs: add new operators here.
var operators = map[string]struct {
	operator *truth.Operator
	times    []float64
	coarse   int // a grid contained in the operator's grid
}{
	"burgers": {smallBurgers(1e-2, 129), []float64{0.5, 1}, 33},
	"darcy":   {smallDarcy.Operator(), nil, 9},
	"advection": {evolving(periodic, config.Equation{Text: "u_t = -(1 + 0.2*sin(2*pi*x))*u_x", Length: 1, Time: 0.5}, 129),
		[]float64{0.2, 0.5}, 33},
	"heat": {evolving(periodic, config.Equation{Text: "u_t = 0.01*u_xx", Length: 1, Time: 1}, 65), []float64{0.5, 1}, 17},
	"ks": {evolving(config.Field{Tau: 7, Alpha: 2.5, Scale: 3},
		config.Equation{Text: "u_t = -u*u_x - u_xx - u_xxxx", Length: 22, Time: 2}, 65),
		[]float64{1, 2}, 17},
	"navier-stokes": {evolving(config.Field{Tau: 7, Alpha: 2.5, Scale: math.Sqrt2},
		config.Equation{Text: "w_t = 0.001*lap(w) - (dy(p)*dx(w) - dx(p)*dy(w)) + 0.1*sin(2*pi*(x + y)); p = -ilap(w)",
			Dims: 2, Length: 1, Time: 1}, 33), []float64{0.5, 1}, 9},
}

// generate makes training pairs; u contains the outputs at the last time.
func generate(t *testing.T, o *truth.Operator, w truth.Wanted, workers int) (a, u grid.Batch) {
	t.Helper()
	w.Purpose = draw.InputTrain
	a, all, err := truth.Generate(t.Context(), o, w, workers, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a, all[len(all)-1]
}

func same(a, b grid.Batch) bool { return a.SameGrid(b) && slices.Equal(a.Data, b.Data) }

func TestPairsDependOnNothingButTheirNumber(t *testing.T) {
	for name, c := range operators {
		const count = 29
		a, u := generate(t, c.operator, truth.Wanted{Count: count, Times: c.times}, 1)
		for _, workers := range []int{2, 8} {
			if b, v := generate(t, c.operator, truth.Wanted{Count: count, Times: c.times}, workers); !same(a, b) || !same(u, v) {
				t.Errorf("%s: %d workers differ from one", name, workers)
			}
		}
		if b, v := generate(t, c.operator, truth.Wanted{Count: 5, Times: c.times}, 2); !same(a.First(5), b) ||
			!same(u.First(5), v) {
			t.Errorf("%s: the first 5 of %d pairs are not the 5 pairs", name, count)
		}
		first := 2 * c.operator.Block
		if b, v := generate(t, c.operator, truth.Wanted{First: first, Count: count - first, Times: c.times},
			3); !same(a.Range(first, count-first), b) || !same(u.Range(first, count-first), v) {
			t.Errorf("%s: the rest of the pairs differs", name)
		}
	}
}

func TestKeptPairsAreRestrictions(t *testing.T) {
	for name, c := range operators {
		a, u := generate(t, c.operator, truth.Wanted{Count: 11}, 2)
		b, v := generate(t, c.operator, truth.Wanted{Count: 11, Points: c.coarse}, 2)
		for _, pair := range [][2]grid.Batch{{a, b}, {u, v}} {
			if want, err := pair[0].Restrict(c.coarse); err != nil || !same(want, pair[1]) {
				t.Errorf("%s: pairs kept on a coarse grid are not those of the fine one, restricted; %v", name, err)
			}
		}
		_, _, err := truth.Generate(t.Context(), c.operator, truth.Wanted{Count: 1, Points: c.coarse + 1}, 1, nil)
		var data *fault.Data
		if !errors.As(err, &data) {
			t.Errorf("%s: a grid that does not divide: %v", name, err)
		}
	}
}

func TestInputsAreThoseOfAnyGrid(t *testing.T) {
	for name, c := range operators {
		points := c.operator.Points
		fine := c.operator.With(2*(points-1)+1, c.operator.Tolerance)
		if fine.Domain != c.operator.Domain || fine.Points != 2*points-1 {
			t.Errorf("%s: got the grid %s, want %d points", name, fine.Domain.Grid(fine.Points), 2*points-1)
		}
		if !(c.operator.Tolerance > 0) || fine.Block != c.operator.Block ||
			!slices.Equal(fine.Times, c.operator.Times) {
			t.Errorf("%s: another grid changes more", name)
		}
	}
}

// Inputs of block b are states after b mod Steps times T, and outputs are the states a time T later.
func TestInputsAreStatesAlongTrajectories(t *testing.T) {
	drawn := equation.Problem{Equation: config.Equation{Text: "u_t = -u*u_x - u_xx - u_xxxx", Length: 22, Time: 1,
		Tolerance: 1e-8}, Input: config.Field{Tau: 7, Alpha: 2.5, Scale: 3}, Points: 65, Seed: 1}
	along := drawn
	along.Steps = 3
	const block, close = 8, 1e-7
	a, u := generate(t, drawn.Operator(), truth.Wanted{Count: 4 * block}, 2)
	b, v := generate(t, along.Operator(), truth.Wanted{Count: 4 * block}, 2)
	for _, first := range []int{0, 3 * block} {
		if !same(a.Range(first, block), b.Range(first, block)) || !same(u.Range(first, block), v.Range(first, block)) {
			t.Errorf("block %d is not as drawn", first/block)
		}
	}
	expect := func(what string, got, want grid.Batch) {
		t.Helper()
		for i := range got.Count {
			if d := got.Domain.Distance2(got.At(i), want.At(i)); !(d < close*close) {
				t.Errorf("%s: function %d differs by %.2g", what, i, math.Sqrt(d))
			}
		}
	}
	expect("inputs after T", b.Range(block, block), u.Range(block, block))
	for first := block; first < 3*block; first += block {
		out := b.Like(block)
		err := drawn.Operator().NewWorker().Solve(t.Context(), []grid.Batch{out}, b.Range(first, block), []float64{1}, "")
		if err != nil {
			t.Fatal(err)
		}
		expect("outputs", v.Range(first, block), out)
	}
}

func TestEveryPairIsReported(t *testing.T) {
	for name, c := range operators {
		var pairs atomic.Int64
		_, _, err := truth.Generate(t.Context(), c.operator, truth.Wanted{Purpose: draw.InputTest, Count: 21}, 2,
			func(_ int, a, u grid.Batch) {
				if a.Count != u.Count {
					t.Errorf("%s: %d inputs, %d outputs", name, a.Count, u.Count)
				}
				pairs.Add(int64(a.Count))
			})
		if err != nil || pairs.Load() != 21 {
			t.Errorf("%s: %d pairs reported, %v", name, pairs.Load(), err)
		}
	}
}

func TestGenerationEndsWithItsContext(t *testing.T) {
	for name, c := range operators {
		ctx, cancel := context.WithCancel(t.Context())
		_, _, err := truth.Generate(ctx, c.operator, truth.Wanted{Count: 4000}, 2,
			func(int, grid.Batch, grid.Batch) { cancel() })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestPairsThatCannotBeSolvedAreNamed(t *testing.T) {
	stubborn := smallDarcy
	stubborn.Equation.Iterations = 5
	for want, o := range map[string]*truth.Operator{"input-train pairs 0 to 7": smallBurgers(1e-5, 33),
		"input-train pair 0": stubborn.Operator()} {
		_, _, err := truth.Generate(t.Context(), o, truth.Wanted{Purpose: draw.InputTrain, Count: 4}, 2, nil)
		var numerical *fault.Numerical
		if !errors.As(err, &numerical) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v", err)
		}
	}
}

func TestPermeabilitiesHaveTwoValuesInEqualShares(t *testing.T) {
	plus := 0
	inputs, _ := generate(t, smallDarcy.Operator(), truth.Wanted{Count: 64}, 2)
	for _, v := range inputs.Data {
		switch v {
		case 12:
			plus++
		case 3:
		default:
			t.Fatalf("value %g", v)
		}
	}
	// The shares of single functions vary by about 0.2.
	if share := float64(plus) / float64(len(inputs.Data)); share < 0.4 || share > 0.6 {
		t.Errorf("share of 12 is %.2f", share)
	}
	if err := smallDarcy.Operator().Check("file",
		inputs.Plus(-3, slices.Repeat([]float64{1}, inputs.Values()))); err == nil ||
		!strings.Contains(err.Error(), "function") {
		t.Errorf("permeability 0: %v", err)
	}
}
