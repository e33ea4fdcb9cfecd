package linalg

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/simd"
)

func randomPanels(rows, cols int) *Panels {
	rng := rand.New(rand.NewPCG(1, 2))
	f := NewPanels(rows, cols)
	for j := 0; j < cols; j++ {
		p := f.Panel(j / 4)
		for r := 0; r < rows; r++ {
			p[4*r+j%4] = rng.NormFloat64()
		}
	}
	return f
}

func BenchmarkRank(b *testing.B) {
	const n, rows = 1024, 1024
	f := randomPanels(rows, n)
	gf := func(b *testing.B) {
		b.ReportMetric(float64(n)*(n+1)*rows*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
	}
	for _, level := range []simd.Level{simd.AVX512, simd.AVX2, simd.Generic} {
		for _, w := range []int{1, 2} {
			b.Run(fmt.Sprintf("%v/%d", level, w), func(b *testing.B) {
				s := NewSymmetric(n)
				s.level = level
				b.ReportAllocs()
				for b.Loop() {
					s.RankUpdate(f, rows, w)
				}
				gf(b)
			})
		}
		b.Run(fmt.Sprintf("%v/bare", level), func(b *testing.B) {
			f := randomPanels(KC, 24)
			s := NewSymmetric(24)
			u := update{level: level, c: s.data, stride: s.stride, order: 24, left: f, right: f, rows: KC}
			for b.Loop() {
				for range 1000 {
					u.tiles(0, 8, 0, 24, 0, KC)
				}
			}
			b.ReportMetric(8*24*KC*1000*2*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
		})
	}
	b.Run("gonum", func(b *testing.B) {
		a := blas64.General{Rows: rows, Cols: n, Stride: n, Data: make([]float64, rows*n)}
		for i := range a.Data {
			a.Data[i] = rand.NormFloat64()
		}
		c := blas64.Symmetric{N: n, Stride: n, Uplo: blas.Upper, Data: make([]float64, n*n)}
		for b.Loop() {
			blas64.Syrk(blas.Trans, 1, a, 1, c)
		}
		gf(b)
	})
}

func BenchmarkDecompose(b *testing.B) {
	for _, n := range []int{256, 1024} {
		f := randomPanels(n, n)
		for j := 0; j < n; j++ {
			for r := 0; r < n; r++ {
				f.Panel(j / 4)[4*r+j%4] /= float64(r+1) * float64(r+1)
			}
		}
		s := NewSymmetric(n)
		s.RankUpdate(f, n, 1)
		rhs := make([]float64, n)
		for i := range rhs {
			rhs[i] = rand.NormFloat64()
		}
		for _, level := range []simd.Level{simd.AVX512, simd.AVX2, simd.Generic} {
			for _, w := range []int{1, 2} {
				b.Run(fmt.Sprintf("%d/%v/%d", n, level, w), func(b *testing.B) {
					s := s.Clone()
					s.level = level
					for b.Loop() {
						d, err := Decompose(s, w)
						if err != nil {
							b.Fatal(err)
						}
						d.SolveTruncated(rhs, rhs, 1e-9)
					}
				})
			}
			b.Run(fmt.Sprintf("%d/%v/cholesky", n, level), func(b *testing.B) {
				s := s.Clone()
				s.level = level
				s.AddDiagonal(1)
				for b.Loop() {
					s.SolveShifted(rhs, rhs, 1)
				}
			})
			d, _ := Decompose(s, 1)
			nr := 0
			for _, w := range d.rotations {
				nr += len(w.rotations)
			}
			b.Run(fmt.Sprintf("%d/%v/truncated", n, level), func(b *testing.B) {
				for b.Loop() {
					d.SolveTruncated(rhs, rhs, 1e-9)
				}
				b.ReportMetric(float64(nr), "rotations")
			})
			b.Run(fmt.Sprintf("%d/%v/tridiag", n, level), func(b *testing.B) {
				s := s.Clone()
				s.level = level
				for b.Loop() {
					tridiagonalise(s.Clone(), 1)
				}
			})
		}
		if n <= 256 {
			b.Run(fmt.Sprintf("%d/gonum", n), func(b *testing.B) {
				for b.Loop() {
					var e mat.EigenSym
					e.Factorize(mat.NewSymDense(n, s.Dense()), true)
				}
			})
		}
	}
}
