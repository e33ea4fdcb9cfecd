// Left-out residuals against regressions without the rows.

package linalg

import (
	"context"
	"math"
	"testing"

	"rfm/solver/parallel/detector"
	"rfm/solver/simd"
)

func TestLeftOutResidualIsThatOfRegressionWithoutTheGroup(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	everyLevel(t, func(t *testing.T, level simd.Level) {
		for _, c := range []struct{ groups, rows, n int }{{6, 10, 30}, {9, 1, 5}, {5, 40, 30}, {4, 7, 50}, {3, 25, 24}} {
			const scale = 0.5
			f, y := normalPanels(c.groups*c.rows, c.n), normal(c.groups*c.rows, 8)
			s, b := gram(level, f), transposedProduct(f, y)
			s.Scale(scale * scale)
			for j := range b {
				b[j] *= scale
			}
			d := decompose(t, s, 1)
			l := must(NewLeaveOut(context.Background(), d, b, 2))
			largest := d.Eigenvalues()[0]
			lambdas := []float64{1e-6 * largest, 1e-3 * largest, largest}
			got, scratch := make([]float64, len(lambdas)), l.NewScratch(c.rows)
			for g := range c.groups {
				first := g * c.rows
				left := y[first : first+c.rows]
				l.Squares(context.Background(), got, f, first, scale, left, lambdas, scratch)
				for q, lambda := range lambdas {
					want := withoutGroup(t, f, y, first, c.rows, scale, lambda)
					if !(math.Abs(got[q]-want) <= 1e-8*want) {
						t.Errorf("%+v, group %d, lambda %g: square %v, want %v", c, g, lambda, got[q], want)
					}
				}
			}
		}
	})
}

// withoutGroup fits all rows but those of a group, and returns the sum of squares of the residual on these.
func withoutGroup(t *testing.T, f *Panels, y []float64, first, rows int, scale, lambda float64) float64 {
	t.Helper()
	n := f.Cols()
	s, b, x := NewSymmetric(n), make([]float64, n), make([]float64, n)
	for r, v := range y {
		if first <= r && r < first+rows {
			continue
		}
		for i := range n {
			b[i] += scale * entryOf(f, r, i) * v
			for j := i; j < n; j++ {
				s.Set(i, j, s.At(i, j)+scale*scale*entryOf(f, r, i)*entryOf(f, r, j))
			}
		}
	}
	if err := solveShifted(context.Background(), s.Clone(), x, b, lambda, 2); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for r := first; r < first+rows; r++ {
		e := y[r]
		for j, v := range x {
			e -= scale * entryOf(f, r, j) * v
		}
		sum += e * e
	}
	return sum
}

func TestGroupThatAloneDeterminesACoefficient(t *testing.T) {
	// Without the first row, the first coefficient depends on lambda alone; with lambda below rounding, it is arbitrary.
	f := NewPanels(3, 2)
	for r, row := range [][]float64{{1, 0}, {0, 1}, {0, 2}} {
		for j, v := range row {
			f.Panel(0)[4*r+j] = v
		}
	}
	y := []float64{1, 2, 3}
	s := gram(simd.Active(), f)
	l := must(NewLeaveOut(context.Background(), decompose(t, s, 1), transposedProduct(f, y), 1))
	got := make([]float64, 1)
	l.Squares(context.Background(), got, f, 0, 1, y[:1], []float64{1e-30}, l.NewScratch(1))
	if !math.IsInf(got[0], 1) {
		t.Errorf("sum of squares %v, want +Inf", got[0])
	}
}
