package rfm

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rfm/model/feature"
	"rfm/solver/dataset"
	"rfm/solver/fft"
)

// sums returns the normal equations of some rows of every sample.
func sums(t *testing.T, e feature.Evaluator, pairs dataset.Pairs, rows Rows, centred bool, workers int) *Normal {
	t.Helper()
	normal := NewNormal(e.Count())
	normal.Rows = rows
	if centred {
		normal.Means = NewMeans(e)
	}
	if err := normal.Accumulate(t.Context(), e, pairs, workers, Watch{}); err != nil {
		t.Fatal(err)
	}
	return normal
}

// weighted sums over the drawn points, entry by entry, of features (and outputs) that all have been evaluated.
func weighted(t *testing.T, e feature.Evaluator, pairs dataset.Pairs, rows Rows) (S, b []float64) {
	t.Helper()
	n, m, points := pairs.Count(), e.Count(), e.Points()
	blocks := newBlocks(e, pairs, 1, Rows{})
	features, ignored := blocks.matrix(m), make([]float64, m)
	S, b = make([]float64, m*m), make([]float64, m)
	weight := e.Weight() * float64(points) / float64(rows.Count)
	for first := 0; first < n; first += blocks.size {
		block, err := blocks.evaluate(t.Context(), features, ignored, first)
		if err != nil {
			t.Fatal(err)
		}
		phi := func(row, j int) float64 { return features.Panel(j / fft.Lanes)[fft.Lanes*row+j%fft.Lanes] }
		for i := range block.samples {
			for _, x := range rows.draw(first+i, points) {
				row := i*points + x
				for j := range m {
					b[j] += weight * block.targets[row] * phi(row, j)
					for l := range m {
						S[j*m+l] += weight * phi(row, j) * phi(row, l)
					}
				}
			}
		}
	}
	return S, b
}

func TestSomeRowsAreWeightedSums(t *testing.T) {
	const n, m, K = 150, 21, 33
	_, e, pairs := problem(t, n, m, K)
	rows := Rows{Seed: 5, Count: 7}
	normal := sums(t, e, pairs, rows, false, 1)
	S, b := weighted(t, e, pairs, rows)
	if d := relative(normal.Sums.Dense(), S); d > 1e-12 {
		t.Errorf("S differs by %.2g", d)
	}
	if d := relative(normal.RHS, b); d > 1e-12 {
		t.Errorf("b differs by %.2g", d)
	}
	for _, workers := range []int{2, 5} {
		if other := sums(t, e, pairs, rows, false, workers); !slices.Equal(other.Sums.Dense(), normal.Sums.Dense()) ||
			!slices.Equal(other.RHS, normal.RHS) {
			t.Errorf("%d workers change the sums", workers)
		}
	}
}

func TestAllRowsAreTheWholeFunction(t *testing.T) {
	_, e, pairs := problem(t, 40, 16, 33)
	for _, centred := range []bool{false, true} {
		whole := sums(t, e, pairs, Rows{}, centred, 2)
		for _, count := range []int{e.Points(), 1000} {
			if same := sums(t, e, pairs, Rows{Count: count}, centred, 2); !slices.Equal(same.Sums.Dense(), whole.Sums.Dense()) ||
				!slices.Equal(same.RHS, whole.RHS) {
				t.Errorf("%d rows of %d differ from all", count, e.Points())
			}
		}
	}
}

// Many draws have the whole sums as their mean, with means over the samples taken off or not; both systems solve the
// same.
func TestSomeRowsAreRightInTheMean(t *testing.T) {
	const n, m, K, draws = 60, 12, 17, 300
	_, e, pairs := problem(t, n, m, K)
	for _, centred := range []bool{false, true} {
		whole, mean, meanRHS := sums(t, e, pairs, Rows{}, centred, 1).Sums.Dense(), make([]float64, m*m), make([]float64, m)
		var one float64
		for seed := range uint64(draws) {
			some := sums(t, e, pairs, Rows{Seed: seed, Count: 3}, centred, 1)
			for i, v := range some.Sums.Dense() {
				mean[i] += v / draws
			}
			for i, v := range some.RHS {
				meanRHS[i] += v / draws
			}
			one = relative(some.Sums.Dense(), whole)
		}
		if d := relative(mean, whole); d > one/5 || d == 0 {
			t.Errorf("centred %v: the mean is %.2g off, one draw %.2g", centred, d, one)
		}
	}
}

func TestSomeRowsGoOnAfterAnInterruption(t *testing.T) {
	_, e, pairs := problem(t, 900, 9, 17)
	rows, enough := Rows{Seed: 3, Count: 5}, errors.New("enough")
	for _, centred := range []bool{false, true} {
		whole := sums(t, e, pairs, rows, centred, 2)
		begun := NewNormal(e.Count())
		begun.Rows = rows
		if centred {
			begun.Means = NewMeans(e)
		}
		if err := begun.Accumulate(t.Context(), e, pairs, 1, Watch{After: func() error { return enough }}); !errors.Is(err,
			enough) || begun.Samples == 0 {
			t.Fatal(err)
		}
		later := &Normal{Sums: begun.Sums, RHS: begun.RHS, Samples: begun.Samples, Rows: rows}
		if centred {
			later.Means = NewMeans(e)
		}
		if err := later.Accumulate(context.Background(), e, pairs, 3, Watch{}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(later.Sums.Dense(), whole.Sums.Dense()) || !slices.Equal(later.RHS, whole.RHS) {
			t.Errorf("centred %v: other sums after an interruption", centred)
		}
	}
}

func TestEnoughRows(t *testing.T) {
	for _, c := range []struct{ n, m, want int }{{4096, 1024, 8}, {1024, 1024, 16}, {512, 1024, 32},
		{1, 1 << 17, 1 << 21}} {
		if got := EnoughRows(c.n, c.m); got != c.want || c.n*got < 16*c.m {
			t.Errorf("n=%d, m=%d: %d, want %d", c.n, c.m, got, c.want)
		}
	}
	if d := math.Abs(Rows{Count: 4}.weight(sized{points: 16}) - 0.25); d > 1e-15 {
		t.Errorf("weight off by %g", d)
	}
}
