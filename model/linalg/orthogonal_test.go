// Orthogonal matrices against their definition.

package linalg

import (
	"context"
	"math"
	"testing"

	"rfm/solver/parallel/detector"
	"rfm/solver/simd"
)

func TestOrthogonalMatrixHasTheTridiagonalForm(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range []int{1, 2, 5, 24, 25, 97} {
			s := withSpectrum(level, geometric(n, 1e12))
			for _, width := range widths {
				d := decomposed(t, s, width, 1)
				q := must(d.orthogonal(context.Background(), 2))
				tolerance := 20 * float64(n+10) * unit // the largest eigenvalue is 1
				column := make([]float64, n)
				for k := range n {
					for j := range n {
						column[j] = entryOf(q, j, k)
					}
					product := multiply(s, column) // S q_k = Q T e_k
					for j, v := range product {
						want := d.diagonal[k] * column[j]
						if k > 0 {
							want += d.offDiagonal[k-1] * entryOf(q, j, k-1)
						}
						if k < n-1 {
							want += d.offDiagonal[k] * entryOf(q, j, k+1)
						}
						if e := math.Abs(v - want); !(e <= tolerance) {
							t.Fatalf("order %d, width %d: component %d of column %d is off by %.1e", n, width, j, k, e)
						}
					}
					for l := range k + 1 {
						sum := 0.0
						for j := range n {
							sum += column[j] * entryOf(q, j, l)
						}
						want := 0.0
						if k == l {
							want = 1
						}
						if !(math.Abs(sum-want) <= tolerance) {
							t.Fatalf("order %d, width %d: columns %d and %d have inner product %v", n, width, k, l, sum)
						}
					}
				}
			}
		}
	})
}

func TestWorkersDoNotChangeTheOrthogonalMatrix(t *testing.T) {
	const n = 100
	d := decomposed(t, withSpectrum(simd.Active(), geometric(n, 1e6)), strip, 1)
	one, many := must(d.orthogonal(context.Background(), 1)), must(d.orthogonal(context.Background(), 4))
	for j := range n {
		for k := range n {
			if entryOf(one, j, k) != entryOf(many, j, k) {
				t.Fatalf("entry (%d, %d) differs", j, k)
			}
		}
	}
}
