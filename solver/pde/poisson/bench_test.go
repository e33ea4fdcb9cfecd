// Benchmarks: go test -bench . -benchtime 0.3s. RFM_SIMD=off disables the assembly in this package and in its
// dependencies.

package poisson

import (
	"fmt"
	"testing"

	"rfm/solver/num/simd"
)

func BenchmarkSolve(b *testing.B) { benchmark(b, (*Solver).Solve) }

func BenchmarkSine(b *testing.B) { benchmark(b, (*Solver).Sine) }

func BenchmarkSineSolve(b *testing.B) { benchmark(b, (*Solver).SineSolve) }

func benchmark(b *testing.B, operation func(s *Solver, dst, f []float64)) {
	for _, r := range []int{33, 257} {
		f := random((r - 2) * (r - 2))
		u := make([]float64, len(f))
		b.Run(fmt.Sprintf("%v/%d", simd.Active(), r), func(b *testing.B) {
			s := NewSolver(r)
			for b.Loop() {
				operation(s, u, f)
			}
		})
	}
}
