// Tests of the solver. Every test runs on the pure Go and on the assembly kernels.

package poisson

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/golden/goldentest"
)

func TestSolveAgreesWithTheReferenceProgram(t *testing.T) {
	f, want := goldentest.Darcy("poisson_rhs").Data, goldentest.Darcy("poisson_sol").Data
	for _, level := range levels() {
		expectEqual(t, fmt.Sprintf("solution with %v kernels", level), solved(newSolver(17, level), f), want, rounding)
	}
}

func TestStencilOfTheSolutionIsTheRightHandSide(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		f := random(s.points * s.points)
		expectEqual(t, "stencil of the solution", stencil(s, solved(s, f)), f, residualRounding)
	})
}

func TestEigenfunctionsAreDividedByTheirEigenvalues(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		for _, mode := range [][2]int{{1, 1}, {1, s.points}, {s.points, 1}, {s.points, s.points},
			{(s.points + 1) / 2, (s.points + 2) / 3}} {
			f := sampled(s, func(x, y float64) float64 {
				return math.Sin(math.Pi*float64(mode[0])*x) * math.Sin(math.Pi*float64(mode[1])*y)
			})
			eigenvalue := 1 / s.inverses[(mode[0]-1)*s.points+mode[1]-1]
			want := make([]float64, len(f))
			for i := range f {
				want[i] = f[i] / eigenvalue
			}
			// The rounding error in the lowest mode is divided by the least eigenvalue.
			tolerance := max(rounding, sampleRounding*eigenvalue*s.inverses[0])
			expectEqual(t, fmt.Sprintf("solution for mode %v", mode), solved(s, f), want, tolerance)
		}
	})
}

func TestWholeGridsIgnoreAndClearTheBoundary(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		f := random(s.points * s.points)
		for name, operation := range map[string]func(dst, f []float64){"Solve": s.Solve, "Sine": s.Sine,
			"SineSolve": s.SineSolve} {
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

func TestNotANumberStaysInItsCall(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		f, bad := random(s.points*s.points), make([]float64, s.points*s.points)
		for i := range bad {
			bad[i] = math.NaN()
		}
		for name, operation := range map[string]func(dst, f []float64){"Solve": s.Solve, "Sine": s.Sine,
			"SineSolve": s.SineSolve} {
			before, after := make([]float64, len(f)), make([]float64, len(f))
			operation(before, f)
			operation(make([]float64, len(f)), bad)
			operation(after, f)
			expectEqual(t, name+" after bad input", after, before, 0)
		}
	})
}

func TestNothingAllocates(t *testing.T) {
	detector.Skip(t, detector.Allocations)
	for _, level := range levels() {
		s := newSolver(33, level)
		f := random(33 * 33)
		for name, operation := range map[string]func(dst, f []float64){"Solve": s.Solve, "Sine": s.Sine,
			"SineSolve": s.SineSolve} {
			if got := fewestAllocations(func() { operation(f, f) }); got > 0 {
				t.Errorf("%s with %v kernels allocates %v times", name, level, got)
			}
		}
	}
}

func TestOneSolverServesManyGoroutines(t *testing.T) {
	for _, r := range []int{20, 65} {
		s := NewSolver(r)
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

func TestWrongSizesPanic(t *testing.T) {
	for name, operation := range map[string]func(){
		"a grid without an interior":  func() { NewSolver(2) },
		"a field of the wrong length": func() { NewSolver(17).Solve(make([]float64, 225), make([]float64, 256)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was accepted", name)
				}
			}()
			operation()
		}()
	}
}

func TestSineSolveIsSineOfTheSolution(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		f := random(s.points * s.points)
		got := make([]float64, len(f))
		s.SineSolve(got, f)
		expectEqual(t, "coefficients", got, transformed(s, solved(s, f)), rounding)
	})
}
