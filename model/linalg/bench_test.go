// Rates and times, compared with gonum's for the same work in the same run.

package linalg

import (
	"context"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/simd"
)

// reportRate reports billions of additions and multiplications per second.
func reportRate(b *testing.B, operations float64) {
	b.ReportMetric(operations*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
}

func BenchmarkRankUpdate(b *testing.B) {
	const n, rows = 1024, 1024
	const operations = float64(n) * (n + 1) * rows
	f := normalPanels(rows, n)
	b.Run("gonum", func(b *testing.B) {
		a := blas64.General{Rows: rows, Cols: n, Stride: n, Data: normal(rows*n, 1)}
		c := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)}
		for b.Loop() {
			blas64.Syrk(blas.Trans, 1, a, 1, c)
		}
		reportRate(b, operations)
	})
	for _, level := range levels() {
		b.Run(level.String()+"/kernel alone", func(b *testing.B) {
			const columns, tiles = 24, 100
			small := normalPanels(KC, columns)
			s := newSymmetricAt(level, columns)
			u := s.update(small, small, KC, 0)
			for b.Loop() {
				for range tiles {
					u.tiles(0, 8, 0, columns, 0, KC)
				}
			}
			reportRate(b, 2*8*columns*KC*tiles)
		})
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%v/%d workers", level, workers), func(b *testing.B) {
				s := newSymmetricAt(level, n)
				b.ReportAllocs()
				for b.Loop() {
					s.RankUpdate(f, rows, workers)
				}
				reportRate(b, operations)
			})
		}
	}
}

// BenchmarkSolve solves one system with a spectrum that decays by ten orders of magnitude.
func BenchmarkSolve(b *testing.B) {
	const condition, rcond, lambda = 1e10, 1e-9, 1e-8
	for _, n := range []int{256, 1024} {
		s, rhs := withSpectrum(simd.Generic, geometric(n, condition)), normal(n, 1)
		x := make([]float64, n)
		b.Run(fmt.Sprintf("%d/gonum EigenSym", n), func(b *testing.B) {
			if testing.Short() && n > 256 {
				b.Skip("takes about 10 s")
			}
			dense := mat.NewSymDense(n, s.Dense())
			for b.Loop() {
				var e mat.EigenSym
				e.Factorize(dense, true)
			}
		})
		b.Run(fmt.Sprintf("%d/gonum Cholesky", n), func(b *testing.B) {
			shifted := s.Clone()
			shifted.AddDiagonal(lambda)
			dense := mat.NewSymDense(n, shifted.Dense())
			for b.Loop() {
				var c mat.Cholesky
				c.Factorize(dense)
				c.SolveVecTo(mat.NewVecDense(n, x), mat.NewVecDense(n, rhs))
			}
		})
		for _, level := range levels() {
			s := s.Clone()
			s.level = level
			b.Run(fmt.Sprintf("%d/%v/Cholesky", n, level), func(b *testing.B) {
				for b.Loop() {
					if err := solveShifted(context.Background(), s.Clone(), x, rhs, lambda, 2); err != nil {
						b.Fatal(err)
					}
				}
			})
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("%d/%v/truncated, %d workers", n, level, workers), func(b *testing.B) {
					for b.Loop() {
						d := must(Decompose(context.Background(), s.Clone(), workers))
						d.SolveTruncated(x, rhs, rcond)
					}
				})
			}
		}
	}
}

// BenchmarkTridiagonalise compares one stage (a band of width 1) with two.
func BenchmarkTridiagonalise(b *testing.B) {
	for _, n := range []int{512, 1024, 2048, 4096} {
		if testing.Short() && n > 1024 {
			continue
		}
		s := withSpectrum(simd.Active(), geometric(n, 1e10))
		for _, workers := range []int{1, 2} {
			for _, width := range []int{1, maxWidth} {
				b.Run(fmt.Sprintf("%d/%d workers/width %d", n, workers, width), func(b *testing.B) {
					for b.Loop() {
						must(tridiagonalise(context.Background(), s.Clone(), width, workers))
					}
					reportRate(b, 4./3*float64(n)*float64(n)*float64(n))
				})
			}
		}
	}
}
