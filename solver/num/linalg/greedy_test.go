// The greedy choice against least squares problems solved from scratch.

package linalg

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/simd"
)

// residual is |y - A x|^2 + mu |x|^2 at its minimum over x, for the given columns of A with Gram matrix s and b = A'y.
func residual(t *testing.T, s *Symmetric, b []float64, columns []int, square, mu float64) float64 {
	t.Helper()
	part, rhs := NewSymmetric(len(columns)), make([]float64, len(columns))
	for i, p := range columns {
		rhs[i] = b[p]
		for j, q := range columns[i:] {
			part.Set(i, i+j, s.At(p, q))
		}
	}
	x := make([]float64, len(columns))
	if err := solveShifted(context.Background(), part.Clone(), x, rhs, mu, 2); err != nil {
		t.Fatal(err)
	}
	return square - dotGeneric(x, rhs)
}

// transposedProduct returns F'y.
func transposedProduct(f *Panels, y []float64) []float64 {
	b := make([]float64, f.Cols())
	for r, v := range y {
		for j := range b {
			b[j] += v * entryOf(f, r, j)
		}
	}
	return b
}

func TestGreedyChoiceIsTheBestColumnEachTime(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	everyLevel(t, func(t *testing.T, level simd.Level) {
		const rows, n, count = 70, 56, 51 // more than one block
		for _, mu := range []float64{0, 5} {
			f, y := normalPanels(rows, n), normal(rows, 7)
			s, b := gram(level, f), transposedProduct(f, y)
			shifted := s.Clone()
			shifted.AddDiagonal(mu)
			indices, err := Greedy(context.Background(), shifted, b, count, 1e-12, 2)
			if err != nil || len(indices) != count {
				t.Fatalf("%d columns, %v", len(indices), err)
			}
			square := dotGeneric(y, y)
			for k, chosen := range indices {
				best, least := -1, math.Inf(1)
				for j := range n {
					if slices.Contains(indices[:k], j) {
						continue
					}
					if e := residual(t, s, b, append(slices.Clone(indices[:k]), j), square, mu); e < least {
						best, least = j, e
					}
				}
				if chosen != best {
					t.Fatalf("mu=%v: choice %d is %d, want %d", mu, k, chosen, best)
				}
			}
		}
	})
}

func TestGreedyChoiceEndsWithTheRank(t *testing.T) {
	const rows, n = 30, 80 // columns beyond 30 are combinations of others
	f := normalPanels(rows, n)
	// the chosen columns are not orthogonal: rounding errors are those of their squared condition number
	const floor = 1e-8
	s := gram(simd.Active(), f)
	indices, err := Greedy(context.Background(), s, multiply(s, normal(n, 3)), n, floor, 1)
	if err != nil || len(indices) != rows {
		t.Errorf("%d columns chosen, want %d; %v", len(indices), rows, err)
	}
}

func TestGreedyChoiceSkipsDuplicatesAndZeros(t *testing.T) {
	s := NewSymmetric(4) // columns e1, e1, 0, e2
	s.Set(0, 0, 1)
	s.Set(0, 1, 1)
	s.Set(1, 1, 1)
	s.Set(3, 3, 1)
	indices, err := Greedy(context.Background(), s, []float64{2, 2, 0, 1}, 4, 1e-12, 1)
	if err != nil || !slices.Equal(indices, []int{0, 3}) {
		t.Errorf("chosen %v, want [0 3]; %v", indices, err)
	}
}

func TestWorkersDoNotChangeTheGreedyChoice(t *testing.T) {
	const n = 400
	s, b := gram(simd.Active(), normalPanels(300, n)), normal(n, 4)
	indices, _ := Greedy(context.Background(), s, b, 250, 1e-10, 1)
	for _, workers := range []int{2, 5} {
		if i, _ := Greedy(context.Background(), s, b, 250, 1e-10, workers); !slices.Equal(i, indices) {
			t.Errorf("%d workers change the choice", workers)
		}
	}
}

func TestGreedyChoiceOfNonFiniteNumbers(t *testing.T) {
	s, b := NewSymmetric(5), make([]float64, 5)
	s.AddDiagonal(1)
	b[3] = math.NaN()
	var failure *NonFiniteError
	if _, err := Greedy(context.Background(), s, b, 2, 1e-12, 1); !errors.As(err, &failure) || failure.Row != 3 ||
		failure.Col != 5 {
		t.Errorf("right-hand side: %v", err)
	}
	b[3] = 0
	s.Set(1, 2, math.Inf(1))
	if _, err := Greedy(context.Background(), s, b, 2, 1e-12, 1); !errors.As(err, &failure) || failure.Row != 1 ||
		failure.Col != 2 {
		t.Errorf("matrix: %v", err)
	}
}
