package burgers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/fft"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/spectral/spectraltest"
)

// paperInputs draws a block from the paper's input measure.
func paperInputs(K int, scale float64) grid.Batch {
	a := grid.NewBatch(grid.Torus, K, BlockSize)
	grf.NewSampler(grf.Periodic{Tau: 7, Alpha: 2.5}, K).Draw(a, 3, draw.InputTest, 0)
	for i := range a.Data {
		a.Data[i] *= scale
	}
	return a
}

// advance integrates with a fixed number of equal steps.
func advance(s *Solver, a grid.Batch, T float64, steps int) grid.Batch {
	out := a.Like(a.Count)
	s.NewWorker().Equal(out, a, T, steps)
	return out
}

func TestStepper(t *testing.T) {
	spectraltest.Run(t, spectraltest.Case{New: func(tolerance float64) *Solver { return New(1e-2, tolerance, 129) },
		Inputs: paperInputs(129, 1), Time: 1, Steps: 200, Growth: 1.5})
}

// The error at the end must be what was asked for, for rough and smooth, advective and diffusive problems. Where the
// solution decays by orders of magnitude the estimate is less sharp; it may miss the tolerance by half.
func TestTolerance(t *testing.T) {
	for _, c := range []struct {
		viscosity, scale float64
		K                int
	}{{1e-2, 1, 257}, {2e-3, 1, 1025}, {1e-2, 4, 1025}, {1e-1, 20, 257}, {1e-1, 1, 129}, {0.6, 1, 129}} {
		a := paperInputs(c.K, c.scale)
		reference := spectraltest.Solve(t, New(c.viscosity, 1e-11, c.K), a, 1)[0]
		for _, tolerance := range []float64{1e-4, 1e-6, 1e-8} {
			if c.K == 1025 && tolerance < 1e-6 {
				continue // too slow for a test; the smaller grids cover it
			}
			got := spectraltest.Distance(spectraltest.Solve(t, New(c.viscosity, tolerance, c.K), a, 1)[0], reference)
			if got > 1.5*tolerance {
				t.Errorf("nu=%g, scale %g, K=%d: error %.2g at tolerance %g", c.viscosity, c.scale, c.K, got, tolerance)
			}
			if c.viscosity <= 0.1 && got < tolerance/50 {
				t.Errorf("nu=%g, scale %g, K=%d: error %.2g at tolerance %g: steps are wasted", c.viscosity, c.scale, c.K, got,
					tolerance)
			}
		}
	}
}

// With the Cole-Hopf transform, u = -2 nu v_x/v for any positive solution v of the heat equation.
func coleHopf(K int, nu, t float64) []float64 {
	const b = 0.8
	u := make([]float64, K)
	for i := range u {
		x := 2 * math.Pi * float64(i) / float64(K-1)
		d := b * math.Exp(-nu*4*math.Pi*math.Pi*t)
		u[i] = 2 * nu * 2 * math.Pi * d * math.Sin(x) / (1 + d*math.Cos(x))
	}
	return u
}

func coleHopfError(t *testing.T, K int) float64 {
	const nu, T = 0.05, 0.3
	a := grid.BatchOf(grid.Torus, K, coleHopf(K, nu, 0))
	exact := grid.BatchOf(grid.Torus, K, coleHopf(K, nu, T))
	return spectraltest.Distance(advance(New(nu, 1e-8, K), a, T, 1000), exact)
}

func TestColeHopfSolution(t *testing.T) {
	const roundingAndTime = 2e-13
	if e := coleHopfError(t, 129); e > roundingAndTime {
		t.Errorf("error %.2g", e)
	}
}

// Spectral accuracy: the error falls geometrically, so doubling the points squares it until rounding.
func TestSpaceIsSpectrallyAccurate(t *testing.T) {
	e17, e33, e65 := coleHopfError(t, 17), coleHopfError(t, 33), coleHopfError(t, 65)
	if e33 > 50*e17*e17 || e65 > math.Max(50*e33*e33, 2e-13) {
		t.Errorf("errors %.2g, %.2g, %.2g on K = 17, 33, 65", e17, e33, e65)
	}
}

// For small amplitudes Burgers' equation is the heat equation, up to a relative error of the order of the amplitude.
func TestHeatLimitDecaysExactly(t *testing.T) {
	const K, nu, T, amplitude = 65, 0.02, 0.5, 1e-13
	a, exact := grid.NewBatch(grid.Torus, K, 3), grid.NewBatch(grid.Torus, K, 3)
	for i, k := range []float64{1, 2, 3} {
		for x := range K {
			s := math.Sin(2*math.Pi*k*float64(x)/(K-1) + 0.3)
			a.At(i)[x] = amplitude * s
			exact.At(i)[x] = amplitude * math.Exp(-nu*4*math.Pi*math.Pi*k*k*T) * s
		}
	}
	got := spectraltest.Solve(t, New(nu, 1e-8, K), a, T)[0]
	for i := range 3 {
		one := func(b grid.Batch) grid.Batch { return grid.BatchOf(grid.Torus, K, b.At(i)) }
		if e := spectraltest.Distance(one(got), one(exact)); e > 1e-11 {
			t.Errorf("mode %d: relative error %.2g", i, e)
		}
	}
}

func TestMeanIsConserved(t *testing.T) {
	a := paperInputs(257, 1)
	for i := range a.Count {
		for x := range a.Points {
			a.At(i)[x] += float64(i) / 10
		}
	}
	one := make([]float64, 257)
	for x := range one {
		one[x] = 1
	}
	for _, u := range spectraltest.Solve(t, New(1e-2, 1e-8, 257), a, 0.5, 1) {
		for i := range u.Count {
			if d := grid.Torus.Inner(u.At(i), one) - grid.Torus.Inner(a.At(i), one); math.Abs(d) > 1e-13 {
				t.Errorf("function %d: mean moved by %.2g", i, d)
			}
		}
	}
}

func TestEnergyNeverGrows(t *testing.T) {
	a := paperInputs(257, 1)
	times := []float64{0.05, 0.1, 0.2, 0.4, 0.8, 1.6}
	before := a
	for j, u := range spectraltest.Solve(t, New(1e-2, 1e-8, 257), a, times...) {
		for i := range u.Count {
			if grid.Torus.Inner(u.At(i), u.At(i)) > grid.Torus.Inner(before.At(i), before.At(i)) {
				t.Errorf("function %d gained energy before t=%g", i, times[j])
			}
		}
		before = u
	}
}

// Numbers of intervals may be even, odd and prime.
func TestGridsThatAreNotPowersOfTwo(t *testing.T) {
	for fine, coarse := range map[int]int{481: 241, 1011: 102} {
		a, b := paperInputs(fine, 1), paperInputs(coarse, 1) // the same functions but for modes above the coarse grid's
		want, err := spectraltest.Solve(t, New(1e-2, 1e-9, fine), a, 1)[0].Restrict(coarse)
		if err != nil {
			t.Fatal(err)
		}
		if e := spectraltest.Distance(spectraltest.Solve(t, New(1e-2, 1e-9, coarse), b, 1)[0], want); e > 2e-5 {
			t.Errorf("K=%d and K=%d differ by %.2g", coarse, fine, e)
		}
	}
}

// A solution that its grid cannot carry must be refused before its error is visible in a plot.
func TestUnderResolution(t *testing.T) {
	for _, viscosity := range []float64{1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 1e-4, 1e-6} {
		const K = 257
		a := paperInputs(K, 1)
		out := grid.NewBatch(grid.Torus, K, BlockSize)
		err := New(viscosity, 1e-6, K).NewWorker().Solve(context.Background(), []grid.Batch{out}, a, []float64{1},
			"test block")
		if err != nil {
			var numerical *fault.Numerical
			if !errors.As(err, &numerical) {
				t.Errorf("nu=%g: %T %v", viscosity, err, err)
			}
			continue
		}
		fineInput := grid.NewBatch(grid.Torus, 2049, BlockSize) // band-limited interpolation of the same functions
		interpolate(fineInput, a)
		fine, err := spectraltest.Solve(t, New(viscosity, 1e-6, 2049), fineInput, 1)[0].Restrict(K)
		if err != nil {
			t.Fatal(err)
		}
		if e := spectraltest.Distance(out, fine); e > 1e-4 {
			t.Errorf("nu=%g: accepted with an error of %.2g", viscosity, e)
		}
	}
	a := paperInputs(257, 1)
	out := grid.NewBatch(grid.Torus, 257, BlockSize)
	if New(1e-4, 1e-6, 257).NewWorker().Solve(context.Background(), []grid.Batch{out}, a, []float64{1}, "x") == nil {
		t.Error("nu=1e-4 on K=257 was accepted")
	}
}

// Whether a block is refused must not depend on the number of steps that its tolerance asks for: the peak of this one's
// tail is just above what is accepted.
func TestRefusalDoesNotDependOnTheSteps(t *testing.T) {
	fine := grid.NewBatch(grid.Torus, 1025, BlockSize)
	grf.NewSampler(grf.Periodic{Tau: 7, Alpha: 2.5}, fine.Points).Draw(fine, 1, draw.InputTest, 39*BlockSize)
	a, err := fine.Restrict(65)
	if err != nil {
		t.Fatal(err)
	}
	for _, tolerance := range []float64{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8} {
		err := New(1e-2, tolerance, a.Points).NewWorker().Solve(t.Context(), []grid.Batch{a.Like(a.Count)}, a, []float64{1},
			"test block")
		var numerical *fault.Numerical
		if !errors.As(err, &numerical) || !strings.Contains(err.Error(), "not resolved") {
			t.Errorf("tolerance %g: error %v", tolerance, err)
		}
	}
}

// Errors are measured for the two functions of a lane together. The smaller one must nevertheless have the tolerance.
func TestSmallFunctionInALane(t *testing.T) {
	const tolerance = 1e-6
	for _, ratio := range []float64{1, 10, 100} {
		a := paperInputs(257, 1)
		for l := fft.Lanes; l < BlockSize; l++ {
			for x := range a.At(l) {
				a.At(l)[x] /= ratio
			}
		}
		got, want := spectraltest.Solve(t, New(1e-2, tolerance, a.Points), a, 1)[0],
			spectraltest.Solve(t, New(1e-2, 1e-11, a.Points), a, 1)[0]
		if e := spectraltest.Distance(got, want); e > tolerance {
			t.Errorf("amplitudes %g apart: error %.2g", ratio, e)
		}
	}
}

// interpolate evaluates the trigonometric interpolant of coarse on the grid of fine.
func interpolate(fine, coarse grid.Batch) {
	N := coarse.Values() - 1
	for i := range coarse.Count {
		f := coarse.At(i)
		cos, sin := make([]float64, N/2), make([]float64, N/2)
		for k := 1; k < N/2; k++ {
			for x := range N {
				phase := 2 * math.Pi * float64(k*x%N) / float64(N)
				cos[k] += 2 / float64(N) * f[x] * math.Cos(phase)
				sin[k] += 2 / float64(N) * f[x] * math.Sin(phase)
			}
		}
		M := fine.Points - 1
		for y := range fine.Points {
			sum := 0.0
			for k := 1; k < N/2; k++ {
				phase := 2 * math.Pi * float64(k*y%M) / float64(M)
				sum += cos[k]*math.Cos(phase) + sin[k]*math.Sin(phase)
			}
			fine.At(i)[y] = sum
		}
	}
}

func TestHopelessInputsEndInNumericalErrors(t *testing.T) {
	for name, a := range map[string]grid.Batch{
		"huge":     paperInputs(65, 1e6),
		"enormous": paperInputs(65, 1e200),
	} {
		out := grid.NewBatch(grid.Torus, 65, BlockSize)
		err := New(1e-2, 1e-8, 65).NewWorker().Solve(context.Background(), []grid.Batch{out}, a, []float64{1}, name)
		var numerical *fault.Numerical
		if !errors.As(err, &numerical) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestZeroStaysZero(t *testing.T) {
	u := spectraltest.Solve(t, New(1e-2, 1e-8, 33), grid.NewBatch(grid.Torus, 33, 2), 1)[0]
	for _, v := range u.Data {
		if v != 0 {
			t.Fatalf("got %g", v)
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, K := range []int{129, 1025} {
		b.Run(fmt.Sprintf("K=%d", K), func(b *testing.B) {
			a := paperInputs(K, 1)
			out := []grid.Batch{grid.NewBatch(grid.Torus, K, BlockSize)}
			w := New(1e-2, 1e-8, K).NewWorker()
			b.ReportAllocs()
			for b.Loop() {
				if err := w.Solve(context.Background(), out, a, []float64{1}, "benchmark"); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N)/BlockSize, "ms/pair")
			b.ReportMetric(float64(w.Steps()), "steps")
		})
	}
}
