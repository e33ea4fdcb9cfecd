package rfm

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/fft"
	"rfm/solver/parallel/detector"
)

// An operator that is a model of the features plus a function of x alone is learned exactly with means, and not
// without.
func TestCentredTrainingFindsAnAddedFunction(t *testing.T) {
	const n, m, K = 40, 8, 33
	f, e, pairs := problem(t, n, m, K)
	alpha := make([]float64, m)
	for j := range alpha {
		alpha[j] = float64(j%3) - 1.2
	}
	outputs, err := predict(t.Context(), f, alpha, pairs.Inputs, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for x := range K {
			outputs.At(i)[x] += math.Cos(4 * math.Pi * float64(x) / (K - 1))
		}
	}
	pairs.Outputs = outputs
	normal, err := accumulateCentred(t.Context(), e, pairs, 2)
	if err != nil {
		t.Fatal(err)
	}
	s, err := normal.Fit(context.Background(), m, Regularisation{Rcond: rcond}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d := relative(s.Alpha, alpha); d > alphaTolerance {
		t.Errorf("coefficients differ by %.2g", d)
	}
	plain, err := accumulate(t, e, pairs, 2).Fit(context.Background(), m, Regularisation{Rcond: rcond}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d := relative(plain.Alpha, alpha); d < 1e-3 {
		t.Errorf("without means they differ by %.2g only: the test shows nothing", d)
	}
}

// centredDirectly sums features and outputs less their means over the samples, entry by entry. To each output a
// constant is added.
func centredDirectly(t *testing.T, e feature.Evaluator, pairs dataset.Pairs) *Normal {
	t.Helper()
	n, m, rows := pairs.Count(), e.Count(), e.Points()
	blocks := newBlocks(e, pairs, 1, Rows{})
	values, targets := make([][]float64, n), make([][]float64, n) // [sample][row*m+j]
	mean, meanTarget := make([]float64, rows*m), make([]float64, rows)
	panels, ignored := linalg.NewPanels(blocks.size*rows, m), make([]float64, m)
	for first := 0; first < n; first += blocks.size {
		block, err := blocks.evaluate(t.Context(), panels, ignored, first)
		if err != nil {
			t.Fatal(err)
		}
		for i := range block.samples {
			values[first+i], targets[first+i] = make([]float64, rows*m), block.targets[i*rows:(i+1)*rows]
			for x := range rows {
				meanTarget[x] += targets[first+i][x] / float64(n)
				for j := range m {
					v := panels.Panel(j / fft.Lanes)[fft.Lanes*(i*rows+x)+j%fft.Lanes]
					values[first+i][x*m+j] = v
					mean[x*m+j] += v / float64(n)
				}
			}
		}
	}
	normal := NewNormal(m)
	for i := range n {
		for x := range rows {
			for j := range m {
				d := values[i][x*m+j] - mean[x*m+j]
				normal.RHS[j] += e.Weight() * d * (targets[i][x] - meanTarget[x])
				for l := j; l < m; l++ {
					normal.Sums.Set(j, l, normal.Sums.At(j, l)+e.Weight()*d*(values[i][x*m+l]-mean[x*m+l]))
				}
			}
		}
	}
	return normal
}

// withOffset returns the pairs with a constant added to all outputs.
func withOffset(pairs dataset.Pairs, offset float64) dataset.Pairs {
	outputs := pairs.Outputs.Like(pairs.Count())
	for i, u := range pairs.Outputs.Data {
		outputs.Data[i] = u + offset
	}
	return dataset.Pairs{Inputs: pairs.Inputs, Outputs: outputs}
}

func TestCentredSumsAreThoseOfTheDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, offset := range []float64{0, 100} {
		_, e, pairs := problem(t, 70, 21, 65)
		pairs = withOffset(pairs, offset)
		want := centredDirectly(t, e, pairs)
		got, err := accumulateCentred(t.Context(), e, pairs, 3)
		if err != nil {
			t.Fatal(err)
		}
		largest, size := 0.0, 0.0
		for j := range 21 {
			largest, size = max(largest, want.Sums.At(j, j)), max(size, math.Abs(want.RHS[j]))
		}
		for j := range 21 {
			if d := math.Abs(got.RHS[j] - want.RHS[j]); d > 1e-12*(1+offset)*size {
				t.Errorf("offset %g: right-hand side %d differs by %.2g of %.2g", offset, j, d, size)
			}
			for l := j; l < 21; l++ {
				if d := math.Abs(got.Sums.At(j, l) - want.Sums.At(j, l)); d > 1e-13*largest {
					t.Errorf("offset %g: entry %d, %d differs by %.2g of %.2g", offset, j, l, d, largest)
				}
			}
		}
	}
}

// Centred sums that were interrupted between or within blocks resume to the same bits, with any number of workers.
func TestCentredSumsGoOnAfterAnInterruption(t *testing.T) {
	_, e, pairs := problem(t, 150, 19, 65)
	want, err := accumulateCentred(t.Context(), e, pairs, 1)
	if err != nil {
		t.Fatal(err)
	}
	for at := range 5 {
		first := NewNormal(19)
		first.Means = NewMeans(e)
		ctx, cancel := context.WithCancel(t.Context())
		after := 0
		err := first.Accumulate(ctx, e, pairs, 3, Watch{After: func() error {
			if after++; after == at {
				cancel()
			}
			return nil
		}})
		if at == 0 {
			cancel()
		}
		if err == nil && at > 0 && first.Samples < 150 {
			t.Fatalf("ended after %d samples without an error", first.Samples)
		}
		if err == nil {
			continue
		}
		for _, means := range []*Means{first.Means, NewMeans(e)} { // in the same process, and with stored sums alone
			rest := NewNormal(19)
			rest.Means, rest.Samples = means, first.Samples
			copy(rest.RHS, first.RHS)
			for j := range 19 {
				copy(rest.Sums.Row(j), first.Sums.Row(j))
			}
			if err := rest.Accumulate(t.Context(), e, pairs, 2, Watch{}); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(rest.RHS, want.RHS) || !slices.Equal(rest.Means.outputs, want.Means.outputs) {
				t.Errorf("interrupted after %d samples: other sums", first.Samples)
			}
			for p := range want.Means.features.Count() {
				if !slices.Equal(rest.Means.features.Panel(p), want.Means.features.Panel(p)) {
					t.Fatalf("interrupted after %d samples: other means", first.Samples)
				}
			}
			for j := range 19 {
				if !slices.Equal(rest.Sums.Row(j), want.Sums.Row(j)) {
					t.Fatalf("interrupted after %d samples: row %d differs", first.Samples, j)
				}
			}
		}
	}
}

// retrainedCentred is the mean relative error at each pair of the model with a function of x of all others.
func retrainedCentred(t *testing.T, f feature.Spectral, e feature.Evaluator, pairs dataset.Pairs,
	lambda float64) float64 {
	t.Helper()
	sum := 0.0
	for i := range pairs.Count() {
		rest := without(pairs, i)
		s, err := centredDirectly(t, e, rest).Fit(context.Background(), f.M, Regularisation{Lambda: lambda}, 1)
		if err != nil {
			t.Fatal(err)
		}
		fitted, err := predict(t.Context(), f, s.Alpha, rest.Inputs, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		u, err := predict(t.Context(), f, s.Alpha, pairs.Inputs.Range(i, 1), 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Measure(u.Plus(1, rest.Outputs.Plus(-1, fitted.Mean()).Mean()), pairs.Outputs.Range(i, 1))
		if err != nil {
			t.Fatal(err)
		}
		sum += m.ExpectedRelative
	}
	return sum / float64(pairs.Count())
}

func TestLeaveOneOutErrorWithMeansIsThatOfRetrainedModels(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	path := []float64{1e-10, 1e-7, 1e-4, 1e-1}
	const tolerance = 1e-6
	offsets := []float64{1, 0, 100}
	if testing.Short() {
		offsets = offsets[:1]
	}
	for _, c := range []struct{ n, m, K int }{{6, 30, 17}, {6, 7, 33}, {15, 30, 17}, {40, 12, 17}} {
		for _, offset := range offsets {
			f, e, pairs := problem(t, c.n, c.m, c.K)
			pairs = withOffset(pairs, offset)
			normal, err := accumulateCentred(t.Context(), e, pairs, 1)
			if err != nil {
				t.Fatal(err)
			}
			loo, err := LeaveOneOut(t.Context(), e, pairs, normal, path, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			for q, lambda := range loo.Lambda {
				if want := retrainedCentred(t, f, e, pairs, lambda); math.Abs(loo.Error[q]-want) > tolerance*want {
					t.Errorf("%+v, offset %g, lambda %g: %.12g, want %.12g", c, offset, path[q], loo.Error[q], want)
				}
			}
		}
	}
}

func TestOnePairLeavesNothingForAMean(t *testing.T) {
	_, e, pairs := problem(t, 1, 7, 17)
	normal, err := accumulateCentred(t.Context(), e, pairs, 1)
	if err != nil {
		t.Fatal(err)
	}
	var data *fault.Data
	if _, err := LeaveOneOut(t.Context(), e, pairs, normal, []float64{1e-6}, 1, nil); !errors.As(err, &data) {
		t.Errorf("left out: %v", err)
	}
	if _, err := HeldOut(t.Context(), e, pairs, true, 3, [][]int{{0}}, []float64{1e-6}, 1, nil); !errors.As(err, &data) {
		t.Errorf("held out: %v", err)
	}
}

// The error of a fold equals that of features chosen and trained without it.
func TestHeldOutErrorIsThatOfModelsOfTheOthers(t *testing.T) {
	const n, pool, m, K = 30, 40, 9, 17
	f, e, pairs := problem(t, n, pool, K)
	path := []float64{1e-9, 1e-4}
	folds := [][]int{{3, 1, 7, 22}, {0, 29, 15}}
	got, err := HeldOut(t.Context(), e, pairs, false, m, folds, path, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	for q, r := range path {
		sum := 0.0
		for _, fold := range folds {
			var rest []int
			for i := range n {
				if !slices.Contains(fold, i) {
					rest = append(rest, i)
				}
			}
			normal := accumulate(t, e, pairs.Take(rest), 1)
			chosen, err := normal.Select(context.Background(), m, 1)
			if err != nil {
				t.Fatal(err)
			}
			s, err := normal.Subset(chosen).Fit(context.Background(), m, Regularisation{Relative: r}, 1)
			if err != nil {
				t.Fatal(err)
			}
			u, err := predict(t.Context(), f.Select(chosen), s.Alpha, pairs.Take(fold).Inputs, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Measure(u, pairs.Take(fold).Outputs)
			if err != nil {
				t.Fatal(err)
			}
			sum += m.ExpectedRelative * float64(len(fold))
		}
		if want := sum / 7; math.Abs(got.Error[q]-want) > 1e-8*want {
			t.Errorf("lambda %g: %.12g, want %.12g", r, got.Error[q], want)
		}
	}
}

// accumulateCentred returns Accumulate for a model with a function of x alone, see Means.
func accumulateCentred(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int) (*Normal, error) {
	normal := NewNormal(e.Count())
	normal.Means = NewMeans(e)
	if err := normal.Accumulate(ctx, e, pairs, workers, Watch{}); err != nil {
		return nil, err
	}
	return normal, nil
}
