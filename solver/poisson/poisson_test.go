// Tests of the solver. Every test runs on the pure Go and on the assembly kernels.

package poisson

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rfm/solver/simd"
)

const (
	// rounding bounds errors relative to the largest value: a sine transform sums n/2
	// rounded terms, and solutions amplify little because low modes dominate them.
	rounding = 1e-12
	// residualRounding bounds the error of the stencil applied to a solution, which
	// magnifies its rounding errors by about 4 r^2/pi^2: 3e4 at r = 257.
	residualRounding = 1e-10
	// sampleRounding is the relative error of sines of angles up to n pi.
	sampleRounding = 4e-15
)

// grids has every small size, and sizes with the tables of one and of many bands.
func grids() []int {
	var rs []int
	for r := 3; r <= 40; r++ {
		rs = append(rs, r)
	}
	return append(rs, 65, 129, 257)
}

func levels() []simd.Level {
	if simd.Active() >= simd.AVX2 {
		return []simd.Level{simd.Generic, simd.AVX2}
	}
	return []simd.Level{simd.Generic}
}

func forEachSolver(t *testing.T, test func(t *testing.T, s *Solver)) {
	for _, level := range levels() {
		for _, r := range grids() {
			t.Run(fmt.Sprintf("%v/%d", level, r), func(t *testing.T) {
				s, err := newSolver(r, level)
				if err != nil {
					t.Fatal(err)
				}
				test(t, s)
			})
		}
	}
}

// random returns n normal numbers, the same ones for the same n.
func random(n int) []float64 {
	source := rand.New(rand.NewPCG(2, uint64(n)))
	x := make([]float64, n)
	for i := range x {
		x[i] = source.NormFloat64()
	}
	return x
}

// sampled returns f at the interior points of the grid.
func sampled(s *Solver, f func(x, y float64) float64) []float64 {
	h := 1 / float64(s.n)
	values := make([]float64, 0, s.points*s.points)
	for i := 1; i < s.n; i++ {
		for j := 1; j < s.n; j++ {
			values = append(values, f(float64(i)*h, float64(j)*h))
		}
	}
	return values
}

// onWholeGrid surrounds interior values by the boundary value.
func onWholeGrid(s *Solver, interior []float64, boundary float64) []float64 {
	whole := make([]float64, s.r*s.r)
	for i := range whole {
		whole[i] = boundary
	}
	for i := range s.points {
		copy(whole[(i+1)*s.r+1:], interior[i*s.points:(i+1)*s.points])
	}
	return whole
}

func stencil(s *Solver, interior []float64) []float64 {
	u := onWholeGrid(s, interior, 0)
	f := make([]float64, 0, len(interior))
	for i := 1; i < s.n; i++ {
		for j := 1; j < s.n; j++ {
			c := i*s.r + j
			f = append(f, (4*u[c]-u[c-1]-u[c+1]-u[c-s.r]-u[c+s.r])*float64(s.n*s.n))
		}
	}
	return f
}

func dot(x, y []float64) float64 {
	var sum float64
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

func largest(x []float64) float64 {
	var m float64
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

func expectEqual(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has length %d, want %d", what, len(got), len(want))
	}
	scale := largest(want)
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance*scale) {
			t.Fatalf("%s differs at %d: got %v, want %v, largest %v", what, i, got[i], want[i], scale)
		}
	}
}

func solved(s *Solver, f []float64) []float64 {
	u := make([]float64, len(f))
	s.Solve(u, f)
	return u
}

func transformed(s *Solver, f []float64) []float64 {
	c := make([]float64, len(f))
	s.Sine(c, f)
	return c
}

func TestSolveAgreesWithTheReferenceProgram(t *testing.T) {
	f, want := readTable(t, "testdata/rhs_r17.csv"), readTable(t, "testdata/solution_r17.csv")
	for _, level := range levels() {
		s, err := newSolver(17, level)
		if err != nil {
			t.Fatal(err)
		}
		expectEqual(t, fmt.Sprintf("solution with %v kernels", level), solved(s, f), want, rounding)
	}
}

func readTable(t *testing.T, name string) []float64 {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var table []float64
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		for _, cell := range strings.Split(lines.Text(), ",") {
			value, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			table = append(table, value)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return table
}

func TestStencilOfTheSolutionIsTheRightHandSide(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		f := random(s.points * s.points)
		expectEqual(t, "stencil of the solution", stencil(s, solved(s, f)), f, residualRounding)
	})
}

func TestSolveIsSymmetric(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		m := s.points * s.points
		f, g := random(m), random(m + 1)[1:]
		left, right := dot(g, solved(s, f)), dot(f, solved(s, g))
		scale := math.Sqrt(dot(f, f) * dot(g, g))
		if math.Abs(left-right) > rounding*scale {
			t.Errorf("<g, P f> = %v, <P g, f> = %v", left, right)
		}
	})
}

func TestEigenfunctionsAreDividedByTheirEigenvalues(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		lambda := s.Eigenvalues()
		for _, mode := range [][2]int{{1, 1}, {1, s.points}, {s.points, 1}, {s.points, s.points}, {(s.points + 1) / 2, (s.points + 2) / 3}} {
			f := sampled(s, func(x, y float64) float64 {
				return math.Sin(math.Pi*float64(mode[0])*x) * math.Sin(math.Pi*float64(mode[1])*y)
			})
			eigenvalue := lambda[(mode[0]-1)*s.points+mode[1]-1]
			want := make([]float64, len(f))
			for i := range f {
				want[i] = f[i] / eigenvalue
			}
			// What rounding puts into the lowest mode is divided by the least eigenvalue.
			tolerance := max(rounding, sampleRounding*eigenvalue/lambda[0])
			expectEqual(t, fmt.Sprintf("solution for mode %v", mode), solved(s, f), want, tolerance)
		}
	})
}

func TestSolveConvergesWithOrderTwo(t *testing.T) {
	exact := func(x, y float64) float64 { return x * (1 - x) * math.Sin(math.Pi*y) * math.Exp(x+y) }
	// minus the Laplacian of exact, from the product of X = x(1-x)e^x, Y = sin(pi y)e^y
	source := func(x, y float64) float64 {
		X, Y := x*(1-x)*math.Exp(x), math.Sin(math.Pi*y)*math.Exp(y)
		secondX := math.Exp(x) * (x - x*x + 2*(1-2*x) - 2)
		secondY := math.Exp(y) * ((1-math.Pi*math.Pi)*math.Sin(math.Pi*y) + 2*math.Pi*math.Cos(math.Pi*y))
		return -secondX*Y - X*secondY
	}
	var previous float64
	for _, r := range []int{17, 33, 65, 129} {
		s, err := NewSolver(r)
		if err != nil {
			t.Fatal(err)
		}
		u, want := solved(s, sampled(s, source)), sampled(s, exact)
		for i := range u {
			u[i] -= want[i]
		}
		current := largest(u)
		if order := math.Log2(previous / current); previous > 0 && math.Abs(order-2) > 0.02 {
			t.Errorf("from r = %d to %d the order is %.3f, want 2", (r+1)/2, r, order)
		}
		previous = current
	}
}

func TestSineIsTheDirectSum(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		if s.r > 65 {
			t.Skip("the direct sum takes long; larger grids differ only in the number of blocks")
		}
		m := s.points
		sines := make([]float64, m*m)
		for j := range m {
			for k := range m {
				sines[j*m+k] = math.Sqrt(2/float64(s.n)) * math.Sin(math.Pi*float64((j+1)*(k+1)%(2*s.n))/float64(s.n))
			}
		}
		product := func(x, y []float64) []float64 {
			z := make([]float64, m*m)
			for i := range m {
				for l := range m {
					for j := range m {
						z[i*m+j] += x[i*m+l] * y[l*m+j]
					}
				}
			}
			return z
		}
		f := random(m * m)
		expectEqual(t, "transform", transformed(s, f), product(product(sines, f), sines), rounding)
	})
}

func TestSineIsItsOwnInverse(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		f := random(s.points * s.points)
		expectEqual(t, "transform of the transform", transformed(s, transformed(s, f)), f, rounding)
	})
}

func TestSineKeepsTheSumOfSquares(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		f := random(s.points * s.points)
		c := transformed(s, f)
		expectEqual(t, "sum of squares", []float64{dot(c, c)}, []float64{dot(f, f)}, rounding)
	})
}

func TestSineSolveIsSineOfTheSolution(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		f := random(s.points * s.points)
		got := make([]float64, len(f))
		s.SineSolve(got, f)
		expectEqual(t, "coefficients", got, transformed(s, solved(s, f)), rounding)
	})
}

func TestWholeGridsIgnoreAndClearTheBoundary(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		f := random(s.points * s.points)
		for name, operation := range map[string]func(dst, f []float64){"Solve": s.Solve, "Sine": s.Sine, "SineSolve": s.SineSolve} {
			interior := make([]float64, len(f))
			operation(interior, f)
			whole := onWholeGrid(s, f, math.NaN())
			operation(whole, whole)
			expectEqual(t, name+" in place", whole, onWholeGrid(s, interior, 0), 0)
			operation(interior, onWholeGrid(s, f, math.Inf(1)))
			expectEqual(t, name+" from the whole grid to the interior", onWholeGrid(s, interior, 0), whole, 0)
		}
	})
}

func TestNothingAllocates(t *testing.T) {
	for _, level := range levels() {
		s, err := newSolver(33, level)
		if err != nil {
			t.Fatal(err)
		}
		f := random(33 * 33)
		for name, operation := range map[string]func(dst, f []float64){"Solve": s.Solve, "Sine": s.Sine, "SineSolve": s.SineSolve} {
			if got := fewestAllocations(func() { operation(f, f) }); got > 0 {
				t.Errorf("%s with %v kernels allocates %v times", name, level, got)
			}
		}
	}
}

// fewestAllocations forgives a pool that a garbage collection or the race detector empties.
func fewestAllocations(operation func()) float64 {
	fewest := testing.AllocsPerRun(1, operation)
	for range 20 {
		fewest = min(fewest, testing.AllocsPerRun(1, operation))
	}
	return fewest
}

func TestOneSolverServesManyGoroutines(t *testing.T) {
	for _, r := range []int{20, 65} {
		s, err := NewSolver(r)
		if err != nil {
			t.Fatal(err)
		}
		f := random(r * r)
		want := solved(s, f)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 4 {
					if u := solved(s, f); dot(u, u) != dot(want, want) {
						t.Errorf("r = %d: solutions differ between goroutines", r)
					}
				}
			})
		}
		group.Wait()
	}
}

func TestGridWithoutInteriorIsAnError(t *testing.T) {
	for _, r := range []int{-1, 0, 2} {
		if _, err := NewSolver(r); err == nil {
			t.Errorf("a grid of %d points was accepted", r)
		}
	}
}

func TestWrongLengthPanics(t *testing.T) {
	s, err := NewSolver(17)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a field of the wrong length was accepted")
		}
	}()
	s.Solve(make([]float64, 225), make([]float64, 256))
}

func ExampleSolver_Solve() {
	solver, err := NewSolver(5)
	if err != nil {
		fmt.Println(err)
		return
	}
	ones := make([]float64, 25)
	for i := range ones {
		ones[i] = 1
	}
	u := make([]float64, 25)
	solver.Solve(u, ones)
	for i := 0; i < 25; i += 5 {
		fmt.Printf("%.4f\n", u[i:i+5])
	}
	// Output:
	// [0.0000 0.0000 0.0000 0.0000 0.0000]
	// [0.0000 0.0430 0.0547 0.0430 0.0000]
	// [0.0000 0.0547 0.0703 0.0547 0.0000]
	// [0.0000 0.0430 0.0547 0.0430 0.0000]
	// [0.0000 0.0000 0.0000 0.0000 0.0000]
}
