// Tests of the sine transform, on both kinds of kernels.

package poisson

import (
	"math"
	"rfm/solver/parallel/detector"
	"testing"
)

func TestSineIsTheDirectSum(t *testing.T) {
	detector.Skip(t, detector.Numbers)
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

func TestSineSolveIsSineOfTheSolution(t *testing.T) {
	forEachSolver(t, func(t *testing.T, s *Solver) {
		f := random(s.points * s.points)
		got := make([]float64, len(f))
		s.SineSolve(got, f)
		expectEqual(t, "coefficients", got, transformed(s, solved(s, f)), rounding)
	})
}
