package darcy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/filetest"
	"rfm/solver/golden/goldentest"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// residualTolerance bounds residuals and fieldTolerance errors in comparisons with exact solutions: the error of a
// solution is at most the condition number of P A, which is the contrast, times the residual.
const (
	residualTolerance = 1e-12
	fieldTolerance    = 1e-10
)

func exact(f Source, mean Mean) Equation {
	return Equation{Source: f, Mean: mean, Tolerance: residualTolerance, Iterations: 200}
}

func goldenSource(x1, x2 float64) float64 { return 1 + x1/2 - x2*x2/4 }

func solve(t testing.TB, e Equation, a []float64) []float64 {
	t.Helper()
	u := make([]float64, len(a))
	noError(t, New(e, grid.Square.PointsOf(a)).NewWorker().Solve(context.Background(), u, a, "test"))
	return u
}

// drawn returns a permeability of the paper.
func drawn(r, index int) []float64 {
	b := grid.NewBatch(grid.Square, r, 1)
	grf.Measure{Tau: 3, Alpha: 2, Axis: 2, Space: grid.Square}.On(r).Draw(b, 1, draw.InputTrain, index)
	LevelSet{Plus: 12, Minus: 3}.Apply(b.Data)
	return b.Data
}

func relative(got, want []float64) float64 {
	return math.Sqrt(grid.Square.Distance2(got, want) / grid.Square.Inner(want, want))
}

func TestSolutionsAreTheReferenceOnes(t *testing.T) {
	for _, c := range []struct {
		name, permeability string
		equation           Equation
		count              int
	}{
		{"u_arith", "a", exact(goldenSource, Arithmetic), 4},
		{"u_harm", "a", exact(goldenSource, Harmonic), 4},
		{"u_test", "a_test", exact(goldenSource, Arithmetic), 2},
		{"u_arith_f1", "a", exact(Constant(1), Arithmetic), 1},
	} {
		a, want := goldentest.Darcy(c.permeability).Data, goldentest.Darcy(c.name).Data
		for i := range c.count {
			if d := relative(solve(t, c.equation, a[i*289:(i+1)*289]), want[i*289:(i+1)*289]); d > fieldTolerance {
				t.Errorf("%s, function %d: relative difference %.2g", c.name, i, d)
			}
		}
	}
}

func TestSourceOnAGridIsTheReferenceSource(t *testing.T) {
	for i, want := range goldentest.Darcy("f").Data {
		if got := Source(goldenSource).On(17)[i]; math.Abs(got-want) > 1e-15 {
			t.Fatalf("f differs at %d: %v, want %v", i, got, want)
		}
	}
}

func TestLevelSetIsTheReferencePermeability(t *testing.T) {
	g := goldentest.Darcy("grf_g_paper").Data
	LevelSet{Plus: 12, Minus: 3}.Apply(g)
	if !slices.Equal(g, goldentest.Darcy("grf_a").Data) {
		t.Error("permeability differs")
	}
}

// A smooth permeability and pressure, and the source for them.
func smoothPermeability(x, y float64) float64 { return 2 + math.Sin(3*x)*math.Cos(2*y) + x*y }
func smoothPressure(x, y float64) float64 {
	return math.Sin(math.Pi*x) * math.Sin(2*math.Pi*y) * math.Exp(x)
}

func smoothSource(x, y float64) float64 {
	a := smoothPermeability(x, y)
	ax, ay := 3*math.Cos(3*x)*math.Cos(2*y)+y, -2*math.Sin(3*x)*math.Sin(2*y)+x
	s, c, e := math.Sin(math.Pi*x), math.Cos(math.Pi*x), math.Exp(x)
	S, C := math.Sin(2*math.Pi*y), math.Cos(2*math.Pi*y)
	ux, uy := (math.Pi*c+s)*e*S, 2*math.Pi*s*e*C
	uxx := ((1-math.Pi*math.Pi)*s + 2*math.Pi*c) * e * S
	uyy := -4 * math.Pi * math.Pi * s * e * S
	return -(ax*ux + ay*uy + a*(uxx+uyy))
}

func TestSmoothSolutionsConvergeWithOrderTwo(t *testing.T) {
	for name, mean := range map[string]Mean{"arithmetic": Arithmetic, "harmonic": Harmonic} {
		var previous float64
		for _, r := range []int{17, 33, 65, 129} {
			u := solve(t, exact(smoothSource, mean), Source(smoothPermeability).On(r))
			current := relative(u, Source(smoothPressure).On(r))
			if order := math.Log2(previous / current); previous > 0 && order < 1.9 {
				t.Errorf("%s means, r = %d to %d: order %.2f", name, (r+1)/2, r, order)
			}
			previous = current
		}
	}
}

// direct solves with the banded Cholesky factorisation of gonum.
func direct(t *testing.T, e Equation, a []float64) []float64 {
	t.Helper()
	r := grid.Square.PointsOf(a)
	n := r - 2
	mean := func(p, q float64) float64 { return (p + q) / 2 }
	if e.Mean == Harmonic {
		mean = func(p, q float64) float64 { return 2 * p * q / (p + q) }
	}
	matrix, rhs, f := mat.NewSymBandDense(n*n, min(n, n*n-1), nil), mat.NewVecDense(n*n, nil), e.Source.On(r)
	for i := 1; i <= n; i++ {
		for j := 1; j <= n; j++ {
			c, row := i*r+j, (i-1)*n+j-1
			up, down, left, right := mean(a[c], a[c-r]), mean(a[c], a[c+r]), mean(a[c], a[c-1]), mean(a[c], a[c+1])
			matrix.SetSymBand(row, row, up+down+left+right)
			if i < n {
				matrix.SetSymBand(row, row+n, -down)
			}
			if j < n {
				matrix.SetSymBand(row, row+1, -right)
			}
			rhs.SetVec(row, f[c]/float64((r-1)*(r-1)))
		}
	}
	var factor mat.BandCholesky
	var solution mat.VecDense
	if !factor.Factorize(matrix) {
		t.Fatal("the matrix is not positive definite")
	}
	noError(t, factor.SolveVecTo(&solution, rhs))
	u := make([]float64, r*r)
	for row := range n * n {
		u[(row/n+1)*r+row%n+1] = solution.AtVec(row)
	}
	return u
}

func TestIterationAgreesWithADirectSolution(t *testing.T) {
	for _, r := range []int{3, 4, 10, 33} {
		random := Source(func(_, _ float64) float64 { return 0 }).On(r)
		source := rand.New(rand.NewPCG(1, uint64(r)))
		for i := range random {
			random[i] = math.Exp(source.NormFloat64())
		}
		for _, mean := range []Mean{Arithmetic, Harmonic} {
			for name, a := range map[string][]float64{"two values": drawn(r, 3), "random": random} {
				e := exact(goldenSource, mean)
				if d := relative(solve(t, e, a), direct(t, e, a)); d > fieldTolerance {
					t.Errorf("r = %d, mean %d, %s: relative difference %.2g", r, mean, name, d)
				}
			}
		}
	}
}

func TestIterationsDoNotGrowWithTheGrid(t *testing.T) {
	for _, r := range []int{33, 257} {
		w, u := New(Paper(), r).NewWorker(), make([]float64, r*r)
		noError(t, w.Solve(context.Background(), u, drawn(r, 1), "test"))
		if w.iterations < 10 || w.iterations > 30 {
			t.Errorf("r = %d: %d iterations", r, w.iterations)
		}
	}
}

func TestContrastTooHighIsANumericalError(t *testing.T) {
	const r = 33
	source, wild := rand.New(rand.NewPCG(1, 1)), make([]float64, r*r)
	for i := range wild {
		wild[i] = math.Exp(8 * source.NormFloat64())
	}
	for name, test := range map[string]struct {
		a    []float64
		want string
	}{
		"many values": {wild, "after 500 iterations"},
		"low":         {replaced(drawn(r, 3), 12, 1e-12), "rounding errors leave"},
		"high":        {replaced(drawn(r, 3), 12, 1e308), "break down"},
	} {
		err := New(Paper(), r).NewWorker().Solve(context.Background(), make([]float64, r*r), test.a, "sample 2")
		var numerical *fault.Numerical
		if !errors.As(err, &numerical) || !strings.Contains(err.Error(), "sample 2") ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want a *fault.Numerical that names the sample and says %q", name, err, test.want)
		}
	}
}

// Where the residual drifts from b - A u, a restart from the true residual repairs it.
func TestDriftIsRepairedByBeginningAgain(t *testing.T) {
	for _, c := range []struct {
		r   int
		low float64
	}{{33, 1e-7}, {129, 3e-7}} {
		a := replaced(drawn(c.r, 3), 12, c.low)
		w, u := New(Paper(), c.r).NewWorker(), make([]float64, c.r*c.r)
		if err := w.Solve(t.Context(), u, a, "test"); err != nil {
			t.Errorf("r = %d, contrast %.1g: %v", c.r, 3/c.low, err)
		}
		if _, bound := w.verify(u); bound > slack*Paper().Tolerance {
			t.Errorf("r = %d, contrast %.1g: relative error of up to %.2g in the gradient", c.r, 3/c.low, bound)
		}
	}
	err := New(Paper(), 33).NewWorker().Solve(t.Context(), make([]float64, 33*33), replaced(drawn(33, 3), 12, 1e-12),
		"test")
	if err == nil || strings.Contains(err.Error(), "iterations") {
		t.Errorf("error %v, more iterations cannot help", err)
	}
}

func replaced(a []float64, old, new float64) []float64 {
	for i, v := range a {
		if v == old {
			a[i] = new
		}
	}
	return a
}

func TestPermeabilityThatIsNotPositiveIsADataError(t *testing.T) {
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		b := grid.BatchOf(grid.Square, 17, drawn(17, 0))
		b.Data[3*17+5] = bad
		for _, err := range []error{
			CheckPermeability("a", b.Data),
			CheckPermeabilities("a", b),
			New(Paper(), 17).NewWorker().Solve(context.Background(), make([]float64, 289), b.Data, "sample 0"),
		} {
			filetest.Refused(t, fmt.Sprintf("value %g", bad), err, "grid point (3, 5)")
		}
	}
}

func TestWorkerForgetsFailures(t *testing.T) {
	const r = 17
	w, a, u := New(Paper(), r).NewWorker(), drawn(r, 0), make([]float64, r*r)
	bad := slices.Clone(a)
	bad[40], bad[41] = 1e300, 1e-300
	if err := w.Solve(context.Background(), u, bad, "bad"); err == nil {
		t.Fatal("no error")
	}
	noError(t, w.Solve(context.Background(), u, a, "good"))
	if !slices.Equal(u, solve(t, Paper(), a)) {
		t.Error("the solution after a failure differs")
	}
}

func TestSolveDoesNotAllocate(t *testing.T) {
	const r = 33
	e := Paper()
	e.Tolerance = 0.9 // few Poisson solutions, whose pool of scratch memory the race detector empties now and then
	w, a, u := New(e, r).NewWorker(), drawn(r, 0), make([]float64, r*r)
	fewest := math.Inf(1)
	for range 50 {
		fewest = min(fewest, testing.AllocsPerRun(1, func() {
			if err := w.Solve(context.Background(), u, a, "test"); err != nil {
				t.Error(err)
			}
		}))
	}
	if fewest > 0 {
		t.Errorf("a solution allocates %v times", fewest)
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, r := range []int{33, 257} {
		w, a, u := New(Paper(), r).NewWorker(), drawn(r, 0), make([]float64, r*r)
		b.Run(fmt.Sprint(r), func(b *testing.B) {
			for b.Loop() {
				if err := w.Solve(context.Background(), u, a, "benchmark"); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.iterations), "iterations")
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*w.iterations), "us/iteration")
		})
	}
}
