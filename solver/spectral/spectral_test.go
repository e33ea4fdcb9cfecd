package spectral_test

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
	"rfm/solver/grid"
	"rfm/solver/spectral"
)

func line(K int) spectral.Space  { return spectral.Line(fft.NewPlan(K - 1)) }
func plane(r int) spectral.Space { return spectral.Plane(fft.NewPlan2(r-1, r-1)) }

// pointwise is N(u) = f(u) at every point, for the factor 1: S is the transform of -i f(u).
func pointwise(transform spectral.Transform, f func(u float64) float64) func() func([]float64) {
	return func() func([]float64) {
		return func(block []float64) {
			transform.Inverse(block)
			for i := 0; i < len(block); i += 8 {
				for l := i; l < i+4; l++ {
					block[l], block[l+4] = f(block[l+4]), -f(block[l])
				}
			}
			transform.Forward(block)
		}
	}
}

func one(spectral.Wave) float64 { return 1 }

// laplacian is its symbol.
func laplacian(k spectral.Wave) float64 { return -k[0]*k[0] - k[1]*k[1] }

// noise draws independent numbers for all distinct points.
func noise(domain grid.Domain, points, count int) grid.Batch {
	b, N := grid.NewBatch(domain, points, count), points-1
	for i := range count {
		r, f := draw.Stream(1, draw.InputTest, i), b.At(i)
		for x := range f {
			f[x] = r.NormFloat64()
		}
		for x := range f { // the last values along an axis repeat the first
			if row := x / points; domain.Dims == 2 && row == N {
				f[x] = f[x-row*points]
			}
			if x%points == N {
				f[x] = f[x-N]
			}
		}
	}
	return b
}

func solve(t testing.TB, s *spectral.Solver, a grid.Batch, times ...float64) []grid.Batch {
	t.Helper()
	out := make([]grid.Batch, len(times))
	for j := range out {
		out[j] = a.Like(a.Count)
	}
	if err := s.NewWorker().Solve(t.Context(), out, a, times, "test block"); err != nil {
		t.Fatal(err)
	}
	return out
}

// worst is the largest difference between values of two batches.
func worst(u, v grid.Batch) float64 {
	w := 0.0
	for i := range u.Data {
		w = math.Max(w, math.Abs(u.Data[i]-v.Data[i]))
	}
	return w
}

// inner is the sum of the inner products of the functions of two batches.
func inner(u, v grid.Batch) float64 {
	sum := 0.0
	for i := range u.Count {
		sum += u.Domain.Inner(u.At(i), v.At(i))
	}
	return sum
}

// Linear equations are solved exactly, in one step an output, whatever the number of points and functions.
func TestLinearEquationsAreExact(t *testing.T) {
	mode := func(k, x float64) float64 { return math.Sin(2*math.Pi*k*x + 0.3) }
	for _, points := range []int{9, 10, 12, 65, 104} {
		for domain, space := range map[grid.Domain]spectral.Space{grid.Torus: line(points), grid.Torus2: plane(points)} {
			const count = 5
			a, exact := grid.NewBatch(domain, points, count), grid.NewBatch(domain, points, count)
			const time, diffusivity = 0.3, 0.01
			for i := range count {
				k1, k2 := float64(i%3+1), float64(i%2)
				decay := math.Exp(-diffusivity * 4 * math.Pi * math.Pi * k1 * k1 * time)
				if domain.Dims == 2 {
					decay *= math.Exp(-diffusivity * 4 * math.Pi * math.Pi * k2 * k2 * time)
				}
				for x := range a.At(i) {
					u := mode(k1, float64(x)/float64(points-1))
					if domain.Dims == 2 {
						u = mode(k1, float64(x/points)/float64(points-1)) * mode(k2, float64(x%points)/float64(points-1))
					}
					a.At(i)[x], exact.At(i)[x] = u, decay*u
				}
			}
			s := spectral.New(space, spectral.Equation{Name: "heat", Linear: func(k spectral.Wave) float64 {
				return diffusivity *
					laplacian(k)
			}})
			w, out := s.NewWorker(), []grid.Batch{a.Like(count), a.Like(count)}
			if err := w.Solve(t.Context(), out, a, []float64{time / 3, time}, "test block"); err != nil {
				t.Fatal(err)
			}
			if e := worst(out[1], exact); e > 1e-14 || w.Steps() != 2 {
				t.Errorf("%s, %s: error %.2g after %d steps", domain.Name(), domain.Grid(points), e, w.Steps())
			}
		}
	}
}

// logistic is u_t = D Laplacian u + u - u^2; where u is constant in space it is a e^t/(1 - a + a e^t).
func logistic(space spectral.Space, transform spectral.Transform, tolerance float64) *spectral.Solver {
	return spectral.New(space, spectral.Equation{Name: "Fisher-KPP solver", Remedy: "raise data.grid",
		Tolerance: tolerance, Growth: 1,
		Linear: func(k spectral.Wave) float64 { return 1 + 1e-3*laplacian(k) },
		Factor: one, Term: pointwise(transform, func(u float64) float64 { return -u * u })})
}

func constants(domain grid.Domain, points int, value func(i int) float64) grid.Batch {
	b := grid.NewBatch(domain, points, spectral.BlockSize)
	for i := range b.Count {
		for x := range b.At(i) {
			b.At(i)[x] = value(i)
		}
	}
	return b
}

func start(i int) float64 { return 0.1 + 0.2*float64(i) }

func grown(t float64) func(int) float64 {
	return func(i int) float64 { return start(i) * math.Exp(t) / (1 - start(i) + start(i)*math.Exp(t)) }
}

func TestNonlinearTermsHaveOrderFourOnBothDomains(t *testing.T) {
	plan, plan2 := fft.NewPlan(12), fft.NewPlan2(12, 12)
	for domain, s := range map[grid.Domain]*spectral.Solver{grid.Torus: logistic(spectral.Line(plan), plan, 1e-8),
		grid.Torus2: logistic(spectral.Plane(plan2), plan2, 1e-8)} {
		a, exact, u := constants(domain, 13, start), constants(domain, 13, grown(2)),
			grid.NewBatch(domain, 13, spectral.BlockSize)
		failing := func(steps int) float64 {
			s.NewWorker().Equal(u, a, 2, steps)
			return worst(u, exact)
		}
		if coarse, fine := failing(40), failing(80); math.Abs(math.Log2(coarse/fine)-4) > 0.15 {
			t.Errorf("%s: order %.3g from errors %.2g and %.2g", domain.Name(), math.Log2(coarse/fine), coarse, fine)
		}
		for _, tolerance := range []float64{1e-4, 1e-6, 1e-8} {
			s.Tolerance = tolerance
			if e := worst(solve(t, s, a, 2)[0], exact); e > tolerance || e < tolerance/1000 {
				t.Errorf("%s: error %.2g at tolerance %g", domain.Name(), e, tolerance)
			}
		}
	}
}

// What a force makes of nothing, u_t = L u + f, is exact for every mode, also those that do not decay.
func TestForceIsExact(t *testing.T) {
	f := func(x [2]float64) float64 { return 0.3 + 0.2*math.Sin(2*math.Pi*(2*x[0]+x[1])+1) }
	for domain, space := range map[grid.Domain]spectral.Space{grid.Torus: line(17), grid.Torus2: plane(17)} {
		s := spectral.New(space, spectral.Equation{Name: "forced", Force: f,
			Linear: func(k spectral.Wave) float64 { return 0.1 * laplacian(k) }})
		for _, count := range []int{1, 5, 8} {
			for _, time := range []float64{1e-3, 1, 100} {
				exact := grid.NewBatch(domain, 17, count)
				decay := 0.4 * math.Pi * math.Pi * 4
				if domain.Dims == 2 {
					decay += 0.4 * math.Pi * math.Pi
				}
				for i := range exact.Data {
					x := i % exact.Values()
					at := [2]float64{float64(x) / 16}
					if domain.Dims == 2 {
						at = [2]float64{float64(x/17) / 16, float64(x%17) / 16}
					}
					exact.Data[i] = 0.3*time - (f(at)-0.3)*math.Expm1(-decay*time)/decay
				}
				if e := worst(solve(t, s, exact.Like(count), time)[0], exact) / time; e > 1e-14 {
					t.Errorf("%s, t=%g, %d functions: error %.2g", domain.Name(), time, count, e)
				}
			}
		}
	}
}

// A force on a nonlinear equation from rest: u_t = 1 - u^2 is tanh t.
func TestForcedFromRest(t *testing.T) {
	plan := fft.NewPlan(16)
	s := spectral.New(spectral.Line(plan), spectral.Equation{Name: "forced", Tolerance: 1e-8,
		Force:  func([2]float64) float64 { return 1 },
		Linear: func(spectral.Wave) float64 { return 0 }, Factor: one,
		Term: pointwise(plan, func(u float64) float64 { return -u * u })})
	for _, time := range []float64{1e-3, 1, 10} {
		exact := constants(grid.Torus, 17, func(int) float64 { return math.Tanh(time) })
		if e := worst(solve(t, s, exact.Like(exact.Count), time)[0], exact) / exact.Data[0]; e > 1e-8 {
			t.Errorf("t=%g: relative error %.2g", time, e)
		}
	}
}

// Lanes without a trajectory stay empty: they would ask for steps of their own.
func TestForceIsOnTrajectoriesOnly(t *testing.T) {
	plan := fft.NewPlan(16)
	s := spectral.New(spectral.Line(plan), spectral.Equation{Name: "forced", Tolerance: 1e-8,
		Force:  func([2]float64) float64 { return 1 },
		Linear: func(spectral.Wave) float64 { return 0 }, Factor: one,
		Term: pointwise(plan, func(u float64) float64 { return -u * u })})
	a := constants(grid.Torus, 17, func(int) float64 { return 1 }) // at rest already
	steps := func(count int) int {
		w := s.NewWorker()
		if err := w.Solve(t.Context(), []grid.Batch{a.Like(count)}, a.First(count), []float64{10}, "test block"); err != nil {
			t.Fatal(err)
		}
		return w.Steps()
	}
	if one, all := steps(1), steps(a.Count); one != all {
		t.Errorf("%d steps for one function, %d for a block of the same", one, all)
	}
}

// waves is u_t + u_x = 0, whose solutions travel with speed 1 for ever.
func waves(K int, tolerance float64, rate func(spectral.Wave) float64) *spectral.Solver {
	return spectral.New(line(K), spectral.Equation{Name: "waves", Tolerance: tolerance, Rate: rate,
		Linear: func(spectral.Wave) float64 { return 0 },
		Factor: func(k spectral.Wave) float64 { return -k[0] },
		Term: func() func([]float64) {
			return func(block []float64) {
				for i := range block {
					block[i] *= float64(K - 1)
				}
			}
		}})
}

func known(k spectral.Wave) float64 { return math.Abs(k[0]) }

// Where nothing fades, errors of all steps sum up: the tolerance holds for long times too, whether the rate is known or
// not.
func TestErrorsOfLongTimes(t *testing.T) {
	for name, rate := range map[string]func(spectral.Wave) float64{"known": known, "unknown": nil} {
		for _, time := range []float64{1, 10, 100} {
			const tolerance = 1e-6
			a := grid.NewBatch(grid.Torus, 17, 8)
			for i := range a.Count {
				for x := range a.At(i) {
					a.At(i)[x] = math.Sin(2 * math.Pi * (float64(x)/16 + float64(i)/8))
				}
			}
			if e := worst(solve(t, waves(17, tolerance, rate), a, time)[0], a); e > 2*tolerance || e < tolerance/50 {
				t.Errorf("rate %s, t=%g: error %.2g at tolerance %g", name, time, e, tolerance)
			}
		}
	}
}

// However large the tolerance, no step is too long for the fastest wave: the scheme is stable to 2 sqrt2 radians.
func TestStepsAreStableForKnownRates(t *testing.T) {
	const K, size, k = 129, 1e-13, 50
	a, wave := grid.NewBatch(grid.Torus, K, 1), make([]float64, K)
	for x := range K {
		wave[x] = math.Cos(2 * math.Pi * k * float64(x) / (K - 1))
		a.Data[x] = math.Sin(2*math.Pi*float64(x)/(K-1)) + size*wave[x]
	}
	w, u := waves(K, 0.1, known).NewWorker(), a.Like(1)
	if err := w.Solve(t.Context(), []grid.Batch{u}, a, []float64{1}, "test block"); err != nil {
		t.Fatal(err)
	}
	if least := 2 * math.Pi * 63 / (2 * math.Sqrt2); float64(w.Steps()) < least {
		t.Errorf("%d steps, fewer than %.0f", w.Steps(), least)
	}
	if c := 2 * grid.Torus.Inner(u.Data, wave); math.Abs(c) > size {
		t.Errorf("a wave of size %g has become %.2g", size, c)
	}
}

// A mode that decays fast follows a term that hardly changes: both members of the pair err alike, and yet the error is
// seen.
func TestModesThatFollowATerm(t *testing.T) {
	const K, rate = 17, 50
	plan := fft.NewPlan(K - 1)
	s := spectral.New(spectral.Line(plan), spectral.Equation{Name: "following", Tolerance: 1e-6, Growth: 1,
		Linear: func(spectral.Wave) float64 { return -rate }, Factor: one,
		Term: pointwise(plan, func(u float64) float64 { return 1 })})
	exact := constants(grid.Torus, K, func(int) float64 { return 1. / rate })
	if e := worst(solve(t, s, exact, 10)[0], exact) * rate; e > 1e-6 {
		t.Errorf("relative error %.2g", e)
	}
}

// A solution may grow as the equation says, and no faster.
func TestGrowthBeyondTheEquationIsRefused(t *testing.T) {
	a := noise(grid.Torus, 17, 3)
	for growth, refused := range map[float64]bool{0: true, 0.9: true, 1: false, 1.1: false} {
		s := spectral.New(line(17), spectral.Equation{Name: "growing", Parameters: "rate 1", Remedy: "raise data.grid",
			Growth: growth, Linear: one})
		err := s.NewWorker().Solve(t.Context(), []grid.Batch{a.Like(3)}, a, []float64{1}, "test block")
		var numerical *fault.Numerical
		if refused && (!errors.As(err, &numerical) || !strings.Contains(err.Error(),
			"growing, test block, rate 1, K=17: the solution at t=1 gained energy")) || !refused && err != nil {
			t.Errorf("declared %g: error %v", growth, err)
		}
	}
}

// What is left of a function of mean zero after a long time is the rounding error of its mean.
func TestDecayToRoundingErrorsIsRefused(t *testing.T) {
	a := grid.NewBatch(grid.Torus, 17, 8)
	for i := range a.Data {
		a.Data[i] = math.Sin(2 * math.Pi * float64(i%17) / 16)
	}
	s := spectral.New(line(17), spectral.Equation{Name: "heat", Linear: laplacian})
	for time, refused := range map[float64]bool{0.6: false, 0.8: true, 10: true, 1000: true} { // e^(-4 pi^2 t)
		err := s.NewWorker().Solve(t.Context(), []grid.Batch{a.Like(8)}, a, []float64{time}, "test block")
		if refused != (err != nil && strings.Contains(err.Error(), "decayed to rounding errors")) || !refused && err != nil {
			t.Errorf("t=%g: error %v", time, err)
		}
	}
}

// u_t = u^2 leaves all bounds at t = 1/a.
func TestBlowUpIsRefused(t *testing.T) {
	plan := fft.NewPlan(16)
	for _, growth := range []float64{0, 1e9} {
		s := spectral.New(spectral.Line(plan), spectral.Equation{Name: "explosive", Remedy: "raise data.grid",
			Tolerance: 1e-6, Growth: growth,
			Linear: func(spectral.Wave) float64 { return 0 }, Factor: one,
			Term: pointwise(plan, func(u float64) float64 { return u * u })})
		a := constants(grid.Torus, 17, start)
		err := s.NewWorker().Solve(t.Context(), []grid.Batch{a.Like(a.Count)}, a, []float64{2}, "test block")
		var numerical *fault.Numerical
		if !errors.As(err, &numerical) {
			t.Errorf("growth %g: error %v", growth, err)
		}
	}
}

func TestInitialValuesThatAreNotFiniteAreRefused(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(-1)} {
		a := noise(grid.Torus2, 9, 2)
		a.Data[100] = v
		err := spectral.New(plane(9), spectral.Equation{Name: "heat", Linear: laplacian}).NewWorker().Solve(t.Context(),
			[]grid.Batch{a.Like(2)}, a, []float64{1}, "test block")
		if err == nil || !strings.Contains(err.Error(), "heat, test block, 9 x 9 points: the solution at t=0 is not finite") {
			t.Errorf("%g: error %v", v, err)
		}
	}
}

// Without a third of the wavenumbers a function is its projection: what is left is orthogonal to what went, and a
// projection does not change any more.
func TestDealiasedEquationsKeepTwoThirds(t *testing.T) {
	for domain, space := range map[grid.Domain]spectral.Space{grid.Torus: line(25), grid.Torus2: plane(25)} {
		s := spectral.New(space, spectral.Equation{Name: "nothing", Dealiased: true,
			Linear: func(spectral.Wave) float64 { return 0 }})
		a := noise(domain, 25, 8)
		once := solve(t, s, a, 1)[0]
		if e := worst(solve(t, s, once, 1)[0], once); e > 1e-14 {
			t.Errorf("%s: projected twice differs by %.2g", domain.Name(), e)
		}
		share := inner(once, once) / inner(a, a) // 15 of 24 wavenumbers, |k| < 8
		if want := math.Pow(15./24, float64(domain.Dims)); math.Abs(share-want) > 0.1 {
			t.Errorf("%s: %.2g of the energy of noise is kept, expected about %.2g", domain.Name(), share, want)
		}
		if rest := math.Abs(inner(once, a) - inner(once, once)); rest > 1e-13 {
			t.Errorf("%s: what was dropped is not orthogonal to the rest: %.2g", domain.Name(), rest)
		}
	}
}

func TestUnusableEquationsAndBatchesPanic(t *testing.T) {
	heat := spectral.Equation{Linear: laplacian}
	term := spectral.Equation{Linear: laplacian, Factor: one, Term: pointwise(fft.NewPlan(16), math.Sin)}
	s := spectral.New(line(17), heat)
	solve := func(u, a grid.Batch, times ...float64) func() {
		return func() { _ = s.NewWorker().Solve(t.Context(), []grid.Batch{u}, a, times, "") }
	}
	b := grid.NewBatch(grid.Torus, 17, 2)
	for name, do := range map[string]func(){
		"too few points":    func() { spectral.New(line(8), heat) },
		"no tolerance":      func() { spectral.New(line(17), term) },
		"not square":        func() { spectral.Plane(fft.NewPlan2(16, 8)) },
		"another grid":      solve(b, grid.NewBatch(grid.Torus, 33, 2), 1),
		"another domain":    solve(b, grid.NewBatch(grid.Interval, 17, 2), 1),
		"too many":          solve(grid.NewBatch(grid.Torus, 17, 9), grid.NewBatch(grid.Torus, 17, 9), 1),
		"fewer outputs":     solve(b.First(1), b, 1),
		"two times":         solve(b, b, 1, 2),
		"time zero":         solve(b, b, 0),
		"time not a number": solve(b, b, math.NaN()),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			do()
		}()
	}
}

// Fisher's equation u_t = D u_xx + u - u^2 of a population that spreads, from half of what the place can feed.
func Example() {
	const diffusivity = 1e-3
	plan := fft.NewPlan(64)
	solver := spectral.New(spectral.Line(plan), spectral.Equation{
		Name: "Fisher solver", Parameters: fmt.Sprintf("D=%g", diffusivity), Remedy: "raise data.grid", Tolerance: 1e-6,
		Linear: func(k spectral.Wave) float64 { return 1 - diffusivity*k[0]*k[0] },
		Factor: func(spectral.Wave) float64 { return 1 },
		Growth: 1,
		Term: func() func([]float64) {
			return func(block []float64) { // the transform of i u^2
				plan.Inverse(block)
				for i := 0; i < len(block); i += 8 {
					for l := i; l < i+4; l++ {
						block[l], block[l+4] = -block[l+4]*block[l+4], block[l]*block[l]
					}
				}
				plan.Forward(block)
			}
		},
	})
	a := grid.NewBatch(grid.Torus, 65, 1)
	for x := range a.Data {
		a.Data[x] = 0.5 + 0.3*math.Sin(2*math.Pi*float64(x)/64)
	}
	u := []grid.Batch{a.Like(1), a.Like(1)}
	if err := solver.NewWorker().Solve(context.Background(), u, a, []float64{1, 10}, "example"); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.4f %.4f\n", u[0].Data[16], u[1].Data[16])
	// Output:
	// 0.9101 1.0000
}
