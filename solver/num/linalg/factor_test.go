package linalg

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/simd"
)

// definite returns a well-conditioned positive definite matrix.
func definite(level simd.Level, n int) *Symmetric {
	s := gram(level, normalPanels(2*n+3, n))
	s.AddDiagonal(float64(n))
	return s
}

func TestCholeskySolvesManySystems(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range []int{1, 5, 48, 49, 101} {
			for _, columns := range []int{1, 65} {
				s, want := definite(level, n), normal(n*columns, 4)
				b := make([]float64, n*columns)
				for i := range n {
					for k := range n {
						for c := range columns {
							b[i*columns+c] += s.At(i, k) * want[k*columns+c]
						}
					}
				}
				factor := must(Factor(t.Context(), s, 0, 2))
				one := make([]float64, n)
				for i := range one {
					one[i] = b[i*columns]
				}
				if err := factor.SolveMany(t.Context(), b, columns, 3); err != nil {
					t.Fatal(err)
				}
				factor.Solve(one)
				for i := range b {
					if math.Abs(b[i]-want[i]) > 1e-12 {
						t.Fatalf("order %d, %d columns: entry %d is %g, want %g", n, columns, i, b[i], want[i])
					}
				}
				for i := range one {
					if math.Abs(one[i]-want[i*columns]) > 1e-12 {
						t.Fatalf("order %d: entry %d of one solution is %g, want %g", n, i, one[i], want[i*columns])
					}
				}
			}
		}
	})
}

func TestInverseBlocksAreThoseOfTheInverse(t *testing.T) {
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, test := range []struct {
			n    int
			sets [][]int
		}{{1, [][]int{{0}}}, {6, [][]int{{0, 1}, {4, 5}}}, {98, [][]int{{3}, {0, 50, 97}, {1, 2, 4, 5}}}} {
			n, sets := test.n, test.sets
			t.Run(fmt.Sprint(test), func(t *testing.T) {
				factor := must(Factor(t.Context(), definite(level, n), 0.5, 1))
				inverse := make([]float64, n*n)
				for i := range n {
					inverse[i*n+i] = 1
				}
				if err := factor.SolveMany(t.Context(), inverse, n, 1); err != nil {
					t.Fatal(err)
				}
				var first [][]float64
				for _, workers := range []int{1, 3} {
					blocks := must(factor.InverseBlocks(t.Context(), sets, workers))
					for b, rows := range sets {
						for k, i := range rows {
							for l, j := range rows {
								got, want := blocks[b][k*len(rows)+l], inverse[i*n+j]
								if math.Abs(got-want) > 1e-14 {
									t.Fatalf("block %d, entry (%d, %d) is %g, want %g", b, k, l, got, want)
								}
							}
						}
					}
					if first == nil {
						first = blocks
					}
					if !reflect.DeepEqual(blocks, first) {
						t.Fatal("blocks depend on the number of workers")
					}
				}
			})
		}
	})
}
