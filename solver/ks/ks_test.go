package ks

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

func inputs(K int) grid.Batch {
	a := grid.NewBatch(grid.Torus, K, spectral.BlockSize)
	grf.NewSampler(grf.Periodic{Tau: 7, Alpha: 2.5, Scale: 3}, K).Draw(a, 3, draw.InputTest, 0)
	return a
}

func TestStepper(t *testing.T) {
	for length, K := range map[float64]int{22: 65, 64: 129} {
		t.Run(fmt.Sprintf("l=%g", length), func(t *testing.T) {
			spectraltest.Run(t, spectraltest.Case{New: func(tolerance float64) *spectral.Solver {
				return New(length, tolerance,
					K)
			},
				Inputs: inputs(K), Time: 5, Steps: 2000, Growth: 2})
		})
	}
}

// start is cos 2 pi x + 1/2 sin 4 pi x + 1/5 cos(6 pi x + 1).
func start(K int) grid.Batch {
	a := grid.NewBatch(grid.Torus, K, 1)
	for i := range a.Data {
		x := 2 * math.Pi * float64(i) / float64(K-1)
		a.Data[i] = math.Cos(x) + 0.5*math.Sin(2*x) + 0.2*math.Cos(3*x+1)
	}
	return a
}

// Values at x = 0, 1/4, 1/2, 3/4 by scipy's DOP853 with relative tolerance 1e-12 on 96 points, products dealiased.
func TestAgreesWithAnotherProgram(t *testing.T) {
	want := []float64{1.3088964729434, -1.2759348547655, 0.3428555126743, -0.9019371857068}
	u := spectraltest.Solve(t, New(22, 1e-9, 97), start(97), 20)[0]
	for i, w := range want {
		if d := math.Abs(u.Data[24*i] - w); d > 1e-8 {
			t.Errorf("u(%g, 20) = %.12f, want %.12f", float64(i)/4, u.Data[24*i], w)
		}
	}
}

// Small functions grow and decay mode by mode.
func TestSmallModesGrowAsTheirSymbol(t *testing.T) {
	const K, length, time, amplitude, modes = 65, 22, 2, 1e-13, 5
	a, exact := grid.NewBatch(grid.Torus, K, modes), grid.NewBatch(grid.Torus, K, modes)
	for i := range modes {
		q := 2 * math.Pi * float64(i+1) / length
		for x := range K {
			u := amplitude * math.Sin(2*math.Pi*float64(i+1)*float64(x)/(K-1)+0.3)
			a.At(i)[x], exact.At(i)[x] = u, math.Exp((q*q-q*q*q*q)*time)*u
		}
	}
	if e := spectraltest.Distance(spectraltest.Solve(t, New(length, 1e-8, K), a, time)[0], exact); e > 1e-11 {
		t.Errorf("relative error %.2g", e)
	}
}

// The equation is the same for an observer who moves: u + c travels with speed c/l in units of the torus.
func TestGalileanInvariance(t *testing.T) {
	const length, time, turn = 22, 4, 32
	a := inputs(129)
	u := spectraltest.Solve(t, New(length, 1e-10, a.Points), a, time)[0]
	c := length * turn / 128. / time // so many points of the grid in that time
	one := make([]float64, a.Points)
	for x := range one {
		one[x] = 1
	}
	moved := spectraltest.Solve(t, New(length, 1e-10, a.Points), a.Plus(c, one), time)[0]
	for i := range u.Count {
		for x := range 128 {
			if d := math.Abs(moved.At(i)[(x+turn)%128] - c - u.At(i)[x]); d > 1e-8 {
				t.Fatalf("function %d at point %d: differs by %.2g", i, x, d)
			}
		}
	}
}

// The nonlinear term moves energy and neither makes nor takes it: d|u|^2/dt = 2 (|u_x|^2 - |u_xx|^2). Means stay.
func TestEnergyBalanceAndMean(t *testing.T) {
	const K, length, time, h = 97, 22, 10, 1e-2
	u := spectraltest.Solve(t, New(length, 1e-11, K), inputs(K), time-2*h, time-h, time, time+h, time+2*h)
	one := make([]float64, K)
	for x := range one {
		one[x] = 1
	}
	for i := range u[0].Count {
		energy := func(j int) float64 { return grid.Torus.Inner(u[j].At(i), u[j].At(i)) }
		change := (8*(energy(3)-energy(1)) - (energy(4) - energy(0))) / (12 * h)
		ux := derivative(u[2].At(i), length)
		uxx := derivative(ux, length)
		want := 2 * (grid.Torus.Inner(ux, ux) - grid.Torus.Inner(uxx, uxx))
		if math.Abs(change-want) > 1e-6*grid.Torus.Inner(ux, ux) {
			t.Errorf("function %d: energy changes by %.9g, its balance is %.9g", i, change, want)
		}
		if mean := grid.Torus.Inner(u[4].At(i), one); math.Abs(mean) > 1e-13 {
			t.Errorf("function %d: mean %.2g", i, mean)
		}
	}
}

// derivative is that of the trigonometric interpolant, by the dense differentiation matrix.
func derivative(f []float64, length float64) []float64 {
	N := len(f) - 1
	d := make([]float64, N+1)
	for i := range N {
		for j := range N {
			if i != j {
				d[i] += math.Pi * math.Pow(-1, float64(i+j)) / math.Tan(math.Pi*float64(i-j)/float64(N)) * f[j] / length
			}
		}
	}
	d[N] = d[0]
	return d
}

// Spectral accuracy: twice the points square the error, until time steps are left.
func TestSpaceIsSpectrallyAccurate(t *testing.T) {
	errors := map[int]float64{}
	exact := spectraltest.Solve(t, New(22, 1e-10, 129), start(129), 5)[0]
	for _, K := range []int{17, 33, 65} {
		a := start(K)
		u := a.Like(1)
		New(22, 1e-10, K).NewWorker().Equal(u, a, 5, 4000)
		want, err := exact.Restrict(K)
		if err != nil {
			t.Fatal(err)
		}
		errors[K] = spectraltest.Distance(u, want)
	}
	t.Logf("errors by K: %v", errors)
	for K := 17; K < 65; K = 2*K - 1 {
		if fine := errors[2*K-1]; fine > math.Max(10*errors[K]*errors[K], 1e-8) {
			t.Errorf("errors %.2g and %.2g on K=%d and %d", errors[K], fine, K, 2*K-1)
		}
	}
}

// Chaos: a difference of one in a million is seen at the end, but much later than in the equation's own time.
func TestNearbySolutionsPart(t *testing.T) {
	const length, size = 64, 1e-6
	a := inputs(129)
	b := a.Plus(size, a.At(0))
	s := New(length, 1e-8, 129)
	u, v := spectraltest.Solve(t, s, a, 20, 60), spectraltest.Solve(t, s, b, 20, 60)
	early, late := spectraltest.Distance(u[0], v[0]), spectraltest.Distance(u[1], v[1])
	t.Logf("a difference of %g is %.2g at t=20, %.2g at t=60", size, early, late)
	if rate := math.Log(late/early) / 40; rate < 0.02 || rate > 0.25 {
		t.Errorf("distances grow as exp(%.3g t)", rate)
	}
}

// A grid that cannot carry the waves is refused.
func TestCoarseGridsAreRefused(t *testing.T) {
	a := inputs(17)
	if New(64, 1e-6, 17).NewWorker().Solve(t.Context(), []grid.Batch{a.Like(a.Count)}, a, []float64{20},
		"test block") == nil {
		t.Error("17 points on a torus of length 64 were accepted")
	}
}
