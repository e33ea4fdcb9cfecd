// Eigenvectors against their definition.

package linalg

import (
	"context"
	"fmt"
	"math"
	"testing"

	"rfm/solver/parallel/detector"
	"rfm/solver/simd"
)

func TestEigenvectorsDiagonaliseTheMatrix(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, n := range []int{1, 2, 3, 5, 23, 24, 25, 50, 97, 130} {
			s := withSpectrum(level, geometric(n, 1e12))
			for _, width := range widths {
				d := decomposed(t, s, width, 1)
				vectors, values := must(d.Eigenvectors(context.Background(), 2)), d.Eigenvalues()
				tolerance := 20 * float64(n+10) * unit // the largest eigenvalue is 1
				column := make([]float64, n)
				for k := range n {
					for j := range n {
						column[j] = entryOf(vectors, j, k)
					}
					for j, v := range multiply(s, column) {
						if e := math.Abs(v - values[k]*column[j]); !(e <= tolerance) {
							t.Fatalf("order %d, width %d: component %d of the residual of eigenvector %d is %.1e", n, width, j, k, e)
						}
					}
					for l := range k + 1 {
						sum := 0.0
						for j := range n {
							sum += column[j] * entryOf(vectors, j, l)
						}
						want := 0.0
						if k == l {
							want = 1
						}
						if !(math.Abs(sum-want) <= tolerance) {
							t.Fatalf("order %d, width %d: eigenvectors %d and %d have inner product %v", n, width, k, l, sum)
						}
					}
				}
			}
		}
	})
}

func TestWorkersDoNotChangeEigenvectors(t *testing.T) {
	const n = 100
	d := decomposed(t, withSpectrum(simd.Active(), geometric(n, 1e6)), strip, 1)
	one, many := must(d.Eigenvectors(context.Background(), 1)), must(d.Eigenvectors(context.Background(), 4))
	for j := range n {
		for k := range n {
			if entryOf(one, j, k) != entryOf(many, j, k) {
				t.Fatalf("entry (%d, %d) differs", j, k)
			}
		}
	}
}

func BenchmarkEigenvectors(b *testing.B) {
	const n = 1024
	d, err := Decompose(context.Background(), withSpectrum(simd.Active(), geometric(n, 1e12)), 2)
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("%d workers", workers), func(b *testing.B) {
			for b.Loop() {
				must(d.Eigenvectors(context.Background(), workers))
			}
		})
	}
}
