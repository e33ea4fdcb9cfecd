package advection

import (
	"fmt"
	"math"
	"testing"

	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/spectral"
	"rfm/solver/spectral/spectraltest"
)

var speeds = []Speed{{Mean: 1}, {Mean: -0.5}, {Mean: 1, Variation: 0.5}, {Mean: 0.3, Variation: -0.2}, {Variation: 0.1}}

// inputs are smooth enough for the grid, rough ones are those of the paper on Burgers' equation.
func inputs(K int) grid.Batch { return drawn(K, 8) }

func rough(K int) grid.Batch { return drawn(K, 2.5) }

func drawn(K int, alpha float64) grid.Batch {
	a := grid.NewBatch(grid.Torus, K, spectral.BlockSize)
	grf.NewSampler(grf.Periodic{Tau: 7, Alpha: alpha}, K).Draw(a, 3, draw.InputTest, 0)
	return a
}

func TestStepper(t *testing.T) {
	for _, c := range []Speed{{Mean: 1}, {Mean: 1, Variation: 0.3}} {
		t.Run(c.String(), func(t *testing.T) {
			spectraltest.Run(t, spectraltest.Case{New: func(tolerance float64) *spectral.Solver {
				return New(c, tolerance,
					129)
			},
				Inputs: inputs(129), Time: 1, Steps: 200, Growth: 2})
		})
	}
}

// departure is where the characteristic that is at x at time t begins, to 1e-10 or so.
func (c Speed) departure(x, t float64) float64 {
	steps := math.Ceil(700 * t)
	h := -t / steps
	for range int(steps) {
		k1 := c.At(x)
		k2 := c.At(x + h/2*k1)
		k3 := c.At(x + h/2*k2)
		k4 := c.At(x + h*k3)
		x += h / 6 * (k1 + 2*k2 + 2*k3 + k4)
	}
	return x
}

func bump(x float64) float64 { return math.Exp(math.Sin(2*math.Pi*x) + math.Cos(4*math.Pi*x)) }

// characteristics has the functions before and after time t.
func characteristics(c Speed, K int, t float64) (a, u grid.Batch) {
	a, u = grid.NewBatch(grid.Torus, K, 1), grid.NewBatch(grid.Torus, K, 1)
	for x := range K {
		at := float64(x) / float64(K-1)
		a.Data[x], u.Data[x] = bump(at), bump(c.departure(at, t))
	}
	u.Data[K-1] = u.Data[0]
	return a, u
}

func TestValuesTravelAlongCharacteristics(t *testing.T) {
	for _, c := range speeds {
		for _, time := range []float64{0.3, 1, 2.7} {
			const tolerance = 1e-7
			a, exact := characteristics(c, 257, time)
			u := spectraltest.Solve(t, New(c, tolerance, a.Points), a, time)[0]
			if e := spectraltest.Distance(u, exact); e > 2*tolerance {
				t.Errorf("c=%v, t=%g: error %.2g", c, time, e)
			}
		}
	}
}

// Spectral accuracy: twice the points square the error, until time steps and rounding are left.
func TestSpaceIsSpectrallyAccurate(t *testing.T) {
	c, errors := Speed{1, 0.5}, map[int]float64{}
	for _, K := range []int{33, 65, 129, 257} {
		a, exact := characteristics(c, K, 0.5)
		u := a.Like(1)
		New(c, 1e-8, K).NewWorker().Equal(u, a, 0.5, 4000)
		errors[K] = spectraltest.Distance(u, exact)
	}
	t.Logf("errors by K: %v", errors)
	for K := 33; K < 257; K = 2*K - 1 {
		if fine := errors[2*K-1]; fine > math.Max(10*errors[K]*errors[K], 1e-9) {
			t.Errorf("errors %.2g and %.2g on K=%d and %d", errors[K], fine, K, 2*K-1)
		}
	}
}

// At constant speed functions return to where they were, with their mean and norm.
func TestConstantSpeedIsAShift(t *testing.T) {
	a := inputs(129)
	u := spectraltest.Solve(t, New(Speed{Mean: 2}, 1e-9, a.Points), a, 0.25, 0.5)
	if e := spectraltest.Distance(u[1], a); e > 2e-9 {
		t.Errorf("after one turn: error %.2g", e)
	}
	for i := range a.Count {
		f, shifted := a.At(i), u[0].At(i) // half a turn
		for x := range 64 {
			if d := math.Abs(shifted[x+64] - f[x]); d > 1e-8 {
				t.Fatalf("function %d at %d: differs by %.2g", i, x, d)
			}
		}
		if lost := 1 - grid.Torus.Inner(shifted, shifted)/grid.Torus.Inner(f, f); math.Abs(lost) > 1e-9 {
			t.Errorf("function %d: lost %.2g of its energy", i, lost)
		}
	}
}

// The phases of all waves of a rough function are right, not only those of most of its energy.
func TestRoughFunctionsMeetTheTolerance(t *testing.T) {
	a := rough(129)
	for _, tolerance := range []float64{1e-4, 1e-6} {
		u := spectraltest.Solve(t, New(Speed{Mean: 1}, tolerance, a.Points), a, 1)[0]
		if e := spectraltest.Distance(u, a); e > tolerance || e < tolerance/50 {
			t.Errorf("error %.2g at tolerance %g", e, tolerance)
		}
	}
}

// A solution that its grid cannot carry must be refused before its error is visible.
func TestUnderResolution(t *testing.T) {
	refused := 0
	for _, variation := range []float64{0.3, 0.6} {
		c, fine := Speed{1, variation}, rough(513)
		exact := spectraltest.Solve(t, New(c, 1e-4, fine.Points), fine, 0.5)[0]
		for _, K := range []int{33, 65, 129, 257} {
			a, err := fine.Restrict(K)
			if err != nil {
				t.Fatal(err)
			}
			want, err := exact.Restrict(K)
			if err != nil {
				t.Fatal(err)
			}
			u := a.Like(a.Count)
			if err := New(c, 1e-4, K).NewWorker().Solve(t.Context(), []grid.Batch{u}, a, []float64{0.5},
				"test block"); err != nil {
				refused++
			} else if e := spectraltest.Distance(u, want); e > 2e-3 {
				t.Errorf("c=%v, K=%d: accepted with an error of %.2g", c, K, e)
			}
		}
	}
	if refused == 0 || refused == 8 {
		t.Errorf("%d of 8 solutions were refused", refused)
	}
}

// What the speed does not compress is conserved: the integral of u/c.
func TestWeightedIntegralIsConserved(t *testing.T) {
	c, a := Speed{1, 0.4}, inputs(257)
	weight := make([]float64, a.Points)
	for x := range weight {
		weight[x] = 1 / c.At(float64(x)/float64(a.Points-1))
	}
	for _, u := range spectraltest.Solve(t, New(c, 1e-9, a.Points), a, 0.5, 2) {
		for i := range u.Count {
			if d := grid.Torus.Inner(u.At(i), weight) - grid.Torus.Inner(a.At(i), weight); math.Abs(d) > 1e-9 {
				t.Errorf("function %d: integral of u/c moved by %.2g", i, d)
			}
		}
	}
}

// Where characteristics meet, solutions steepen for ever: a grid that does not follow is refused.
func TestSteepSolutionsAreRefused(t *testing.T) {
	a := inputs(129)
	err := New(Speed{Variation: 1}, 1e-6, a.Points).NewWorker().Solve(t.Context(), []grid.Batch{a.Like(a.Count)}, a,
		[]float64{2}, "test block")
	if want := "Advection solver, test block, c=0+1 sin(2 pi x), K=129: the solution at t="; err == nil ||
		fmt.Sprint(err)[:len(want)] != want {
		t.Errorf("error %v", err)
	}
}
