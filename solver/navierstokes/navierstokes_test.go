package navierstokes

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/spectral"
	"rfm/solver/spectral/spectraltest"
)

func inputs(r int, alpha float64) grid.Batch {
	a := grid.NewBatch(grid.Torus2, r, spectral.BlockSize)
	grf.NewFieldSampler(grf.Field{Tau: 7, Alpha: alpha, Scale: math.Sqrt2}, r).Draw(a, 3, draw.InputTest, 0)
	return a
}

// field samples f on the closed grid.
func field(r int, f func(x1, x2 float64) float64) grid.Batch {
	b := grid.NewBatch(grid.Torus2, r, 1)
	for x := range b.Data {
		b.Data[x] = f(2*math.Pi*float64(x/r)/float64(r-1), 2*math.Pi*float64(x%r)/float64(r-1))
	}
	return b
}

func TestStepper(t *testing.T) {
	for name, force := range map[string]Force{"forced": Diagonal(0.1), "decaying": nil} {
		t.Run(name, func(t *testing.T) {
			spectraltest.Run(t, spectraltest.Case{New: func(tolerance float64) *spectral.Solver {
				return New(1e-3, force,
					tolerance, 33)
			},
				Inputs: inputs(33, 5), Time: 4, Steps: 50, Growth: 2})
		})
	}
}

// The vortices of Taylor and Green turn for ever and decay: w = cos(2 pi m x1) cos(2 pi m x2) e^(-8 pi^2 m^2 nu t). So
// do all sums of modes with one |k|.
func TestTaylorGreenVorticesDecayExactly(t *testing.T) {
	const nu, time = 1e-3, 2
	for square, w := range map[float64]func(x, y float64) float64{
		2:  func(x, y float64) float64 { return math.Cos(x) * math.Cos(y) },
		8:  func(x, y float64) float64 { return math.Cos(2*x) * math.Cos(2*y) },
		25: func(x, y float64) float64 { return math.Cos(3*x+4*y) + math.Sin(5*x+1) - 0.4*math.Sin(4*x-3*y) },
	} {
		a := field(49, w)
		exact := a.Like(1)
		for x, v := range a.Data {
			exact.Data[x] = v * math.Exp(-nu*4*math.Pi*math.Pi*square*time)
		}
		if e := spectraltest.Distance(spectraltest.Solve(t, New(nu, nil, 1e-8, 49), a, time)[0], exact); e > 1e-13 {
			t.Errorf("|k|^2 = %g: relative error %.2g", square, e)
		}
	}
}

// A flow of two wavelengths would change; the force v . grad w - nu Laplacian w keeps it as it is.
func TestManufacturedSteadyFlow(t *testing.T) {
	const nu, p = 0.05, 2 * math.Pi
	w := func(x, y float64) float64 { return math.Sin(x)*math.Cos(2*y) + 0.5*math.Cos(3*x) }
	force := func(at [2]float64) float64 {
		x, y := p*at[0], p*at[1]
		wx, wy := p*(math.Cos(x)*math.Cos(2*y)-1.5*math.Sin(3*x)), -2*p*math.Sin(x)*math.Sin(2*y)
		// psi = sin x cos 2y/(5 p^2) + cos 3x/(18 p^2)
		v1 := -2 * math.Sin(x) * math.Sin(2*y) / (5 * p)
		v2 := -(math.Cos(x)*math.Cos(2*y)/5 - math.Sin(3*x)/6) / p
		return v1*wx + v2*wy + nu*p*p*(5*math.Sin(x)*math.Cos(2*y)+4.5*math.Cos(3*x))
	}
	a := field(33, w)
	if e := spectraltest.Distance(spectraltest.Solve(t, New(nu, force, 1e-8, 33), a, 3)[0], a); e > 1e-8 {
		t.Errorf("relative error %.2g", e)
	}
	if e := spectraltest.Distance(spectraltest.Solve(t, New(nu, force, 1e-8, 33), a.Plus(0.1, field(33, math.Hypot).Data),
		3)[0], a); e < 1e-6 {
		t.Error("another flow became the same")
	}
}

// Values by scipy's DOP853 with relative tolerance 1e-11 on 32 x 32 points, with v . grad w as it is written,
// dealiased.
func TestAgreesWithAnotherProgram(t *testing.T) {
	a := field(33, func(x, y float64) float64 {
		return math.Sin(x)*math.Cos(2*y) + 0.7*math.Cos(x-y+1) + 0.5*math.Sin(2*x+y)
	})
	w := spectraltest.Solve(t, New(5e-3, Diagonal(0.1), 1e-9, 33), a, 10)[0]
	for at, want := range map[[2]int]float64{{0, 0}: 0.2568381547379, {0, 8}: 0.2622273307065, {8, 16}: -0.2425029975949,
		{24, 4}: 0.0116444254445} {
		if got := w.Data[33*at[0]+at[1]]; math.Abs(got-want) > 1e-9 {
			t.Errorf("w at (%d, %d)/32 is %.13f, want %.13f", at[0], at[1], got, want)
		}
	}
}

// Enstrophy and energy change by viscosity and force alone: d|w|^2/dt = 2 (f, w) - 2 nu |grad w|^2 and
// d|v|^2/dt = 2 (f, psi) - 2 nu |w|^2. The mean stays zero.
func TestBalances(t *testing.T) {
	const r, nu, time, h = 49, 2e-3, 3, 2e-2
	force := Diagonal(0.1)
	w := spectraltest.Solve(t, New(nu, force, 1e-11, r), inputs(r, 5), time-2*h, time-h, time, time+h, time+2*h)
	f := field(r, func(x, y float64) float64 { return force([2]float64{x / (2 * math.Pi), y / (2 * math.Pi)}) })
	one := field(r, func(_, _ float64) float64 { return 1 })
	inner := grid.Torus2.Inner
	for i := range w[0].Count {
		change := func(quantity func(w []float64) float64) float64 {
			q := func(j int) float64 { return quantity(w[j].At(i)) }
			return (8*(q(3)-q(1)) - (q(4) - q(0))) / (12 * h)
		}
		at := w[2].At(i)
		psi := inverseLaplacian(at)
		gradient := inner(at, laplacian(at))
		enstrophy := change(func(w []float64) float64 { return inner(w, w) })
		if want := 2*inner(f.Data, at) - 2*nu*gradient; math.Abs(enstrophy-want) > 1e-6*gradient*nu {
			t.Errorf("flow %d: enstrophy changes by %.9g, its balance is %.9g", i, enstrophy, want)
		}
		energy := change(func(w []float64) float64 { return inner(w, inverseLaplacian(w)) })
		if want := 2*inner(f.Data, psi) - 2*nu*inner(at, at); math.Abs(energy-want) > 1e-6*nu*inner(at, at) {
			t.Errorf("flow %d: energy changes by %.9g, its balance is %.9g", i, energy, want)
		}
		if mean := inner(w[4].At(i), one.Data); math.Abs(mean) > 1e-14 {
			t.Errorf("flow %d: mean vorticity %.2g", i, mean)
		}
	}
}

// laplacian is -Laplacian w, inverseLaplacian the psi of mean zero with -Laplacian psi = w, by sums over modes, slowly.
func laplacian(w []float64) []float64 {
	return multiplied(w, func(square float64) float64 { return square })
}

func inverseLaplacian(w []float64) []float64 {
	return multiplied(w, func(square float64) float64 {
		if square == 0 {
			return 0
		}
		return 1 / square
	})
}

// multiplied multiplies the Fourier coefficients of w by a function of |2 pi k|^2, one axis after the other: with
// separable cosines and sines of each axis.
func multiplied(w []float64, by func(square float64) float64) []float64 {
	r := grid.Torus2.PointsOf(w)
	N := r - 1
	basis := make([][]float64, N) // orthonormal trigonometric functions
	squares := make([]float64, N)
	for m := range basis {
		k := (m + 1) / 2
		squares[m] = math.Pow(2*math.Pi*float64(k), 2)
		scale := math.Sqrt(2 / float64(N))
		if k == 0 || 2*k == N {
			scale = math.Sqrt(1 / float64(N))
		}
		for x := range N {
			phase := 2 * math.Pi * float64(k*x%N) / float64(N)
			value := math.Cos(phase)
			if m%2 == 0 && m > 0 {
				value = math.Sin(phase)
			}
			basis[m] = append(basis[m], scale*value)
		}
	}
	// c = B w B', times, back
	apply := func(in [][]float64, transpose bool) [][]float64 { // B in B' or B' in B
		b := func(m, x int) float64 {
			if transpose {
				return basis[x][m]
			}
			return basis[m][x]
		}
		half, out := square(N), square(N)
		for m := range N {
			for x := range N {
				for y := range N {
					half[m][y] += b(m, x) * in[x][y]
				}
			}
		}
		for m := range N {
			for l := range N {
				for y := range N {
					out[m][l] += half[m][y] * b(l, y)
				}
			}
		}
		return out
	}
	in := square(N)
	for x := range N {
		copy(in[x], w[x*r:x*r+N])
	}
	c := apply(in, false)
	for m := range N {
		for l := range N {
			c[m][l] *= by(squares[m] + squares[l])
		}
	}
	c = apply(c, true)
	out := make([]float64, r*r)
	for x := range r {
		for y := range r {
			out[x*r+y] = c[x%N][y%N]
		}
	}
	return out
}

func square(N int) [][]float64 {
	a := make([][]float64, N)
	for i := range a {
		a[i] = make([]float64, N)
	}
	return a
}

// Spectral accuracy on a smooth flow, against a fine grid.
func TestSpaceIsSpectrallyAccurate(t *testing.T) {
	start := func(x, y float64) float64 { return math.Sin(x)*math.Cos(y+1) + 0.5*math.Cos(x+2*y) }
	solve := func(r int) grid.Batch {
		a := field(r, start)
		w := a.Like(1)
		New(5e-3, Diagonal(0.1), 1e-8, r).NewWorker().Equal(w, a, 4, 100)
		return w
	}
	fine, errors := solve(97), map[int]float64{}
	for _, r := range []int{13, 25, 49} {
		want, err := fine.Restrict(r)
		if err != nil {
			t.Fatal(err)
		}
		errors[r] = spectraltest.Distance(solve(r), want)
	}
	t.Logf("errors by r: %v", errors)
	if errors[25] > 10*errors[13]*errors[13] || errors[49] > math.Max(10*errors[25]*errors[25], 1e-10) {
		t.Errorf("errors by r: %v", errors)
	}
}

// A flow whose filaments the grid does not carry must be refused before its error is visible.
func TestUnderResolution(t *testing.T) {
	for _, nu := range []float64{1e-2, 1e-3, 1e-4, 1e-5} {
		const r, fineR = 33, 129
		fineInput := grid.NewBatch(grid.Torus2, fineR, spectral.BlockSize)
		grf.NewFieldSampler(grf.Field{Tau: 7, Alpha: 6, Scale: 2}, fineR).Draw(fineInput, 3, draw.InputTest, 0)
		a, err := fineInput.Restrict(r)
		if err != nil {
			t.Fatal(err)
		}
		w := a.Like(a.Count)
		err = New(nu, Diagonal(0.1), 1e-6, r).NewWorker().Solve(t.Context(), []grid.Batch{w}, a, []float64{5}, "test block")
		if err != nil {
			if !strings.Contains(fmt.Sprint(err), "Navier-Stokes solver, test block, nu=") {
				t.Errorf("nu=%g: %v", nu, err)
			}
			continue
		}
		fine, err := spectraltest.Solve(t, New(nu, Diagonal(0.1), 1e-6, fineR), fineInput, 5)[0].Restrict(r)
		if err != nil {
			t.Fatal(err)
		}
		e := spectraltest.Distance(w, fine)
		t.Logf("nu=%g: accepted with an error of %.2g", nu, e)
		if e > 1e-3 {
			t.Errorf("nu=%g: accepted with an error of %.2g", nu, e)
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	a := inputs(65, 2.5)
	out := []grid.Batch{a.Like(a.Count)}
	w := New(1e-3, Diagonal(0.1), 1e-6, a.Points).NewWorker()
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Solve(b.Context(), out, a, []float64{1}, "benchmark"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N)/spectral.BlockSize, "ms/pair")
	b.ReportMetric(float64(w.Steps()), "steps")
}
