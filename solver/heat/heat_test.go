package heat

import (
	"math"
	"testing"

	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/spectral/spectraltest"
)

// Every mode decays by its own factor, on grids of any number of points and whatever the time.
func TestModesDecayExactly(t *testing.T) {
	for _, K := range []int{33, 64, 102, 1025} {
		for _, time := range []float64{1e-4, 0.1, 2} {
			const nu, modes = 0.01, 8
			a, exact := grid.NewBatch(grid.Torus, K, modes), grid.NewBatch(grid.Torus, K, modes)
			for i := range modes {
				decay := math.Exp(-nu * math.Pow(2*math.Pi*float64(i), 2) * time)
				for x := range K {
					u := math.Cos(2*math.Pi*float64(i)*float64(x)/float64(K-1) + 0.3)
					a.At(i)[x], exact.At(i)[x] = u, decay*u
				}
			}
			u := spectraltest.Solve(t, New(nu, K), a, time)[0]
			for i := range modes {
				if e := math.Sqrt(grid.Torus.Distance2(u.At(i), exact.At(i))); e > 1e-14 {
					t.Errorf("K=%d, t=%g, mode %d: error %.2g", K, time, i, e)
				}
			}
		}
	}
}

// The heat kernel: a Gaussian of variance s becomes one of variance s + 2 nu t, repeated with period one.
func TestGaussianSpreads(t *testing.T) {
	const K, nu, s, time = 257, 0.01, 1e-3, 0.2
	gaussian := func(x, variance float64) float64 {
		sum := 0.0
		for shift := -4.0; shift <= 4; shift++ {
			sum += math.Exp(-(x-0.5+shift)*(x-0.5+shift)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
		}
		return sum
	}
	a, exact := grid.NewBatch(grid.Torus, K, 1), grid.NewBatch(grid.Torus, K, 1)
	for x := range K {
		at := float64(x) / (K - 1)
		a.Data[x], exact.Data[x] = gaussian(at, s), gaussian(at, s+2*nu*time)
	}
	if e := spectraltest.Distance(spectraltest.Solve(t, New(nu, K), a, time)[0], exact); e > 1e-13 {
		t.Errorf("error %.2g", e)
	}
}

// Half the time twice is the whole time; means stay, norms shrink.
func TestDecayComposes(t *testing.T) {
	a := grid.NewBatch(grid.Torus, 129, 8)
	grf.NewSampler(grf.Periodic{Tau: 7, Alpha: 2.5}, 129).Draw(a, 1, draw.InputTest, 0)
	a = a.Plus(1, a.At(0))
	s := New(0.02, 129)
	both := spectraltest.Solve(t, s, a, 0.5, 1)
	if e := spectraltest.Distance(spectraltest.Solve(t, s, both[0], 0.5)[0], both[1]); e > 1e-14 {
		t.Errorf("half the time twice differs by %.2g", e)
	}
	for i := range a.Count {
		if grid.Torus.Inner(both[1].At(i), both[1].At(i)) >= grid.Torus.Inner(both[0].At(i), both[0].At(i)) {
			t.Errorf("function %d does not decay", i)
		}
	}
}

func TestUnphysicalDiffusivityPanics(t *testing.T) {
	for _, nu := range []float64{0, -1, math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("nu=%g: no panic", nu)
				}
			}()
			New(nu, 33)
		}()
	}
}
