package rfm

import (
	"errors"
	"math"
	"slices"
	"testing"

	"rfm/model/feature"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/parallel/detector"
)

// without returns the pairs except some.
func without(p dataset.Pairs, held ...int) dataset.Pairs {
	var others []int
	for j := range p.Count() {
		if !slices.Contains(held, j) {
			others = append(others, j)
		}
	}
	return p.Take(others)
}

// retrained returns the mean relative error at each pair of the model of all others, with a function of x alone if
// centred.
func retrained(t *testing.T, f feature.Spectral, e feature.Evaluator, pairs dataset.Pairs, lambda float64,
	centred bool) float64 {
	t.Helper()
	sum := 0.0
	for i := range pairs.Count() {
		rest := without(pairs, i)
		s := must(defined(t, e, rest, Rows{}, centred).Fit(t.Context(), f.M, Regularisation{Lambda: lambda}, 1))
		u := must(predict(t.Context(), f, s.Alpha, pairs.Inputs.Range(i, 1), 1, nil))
		if centred {
			fitted := must(predict(t.Context(), f, s.Alpha, rest.Inputs, 1, nil))
			u = u.Plus(1, rest.Outputs.Plus(-1, fitted.Mean()).Mean())
		}
		sum += must(Measure(u, pairs.Outputs.Range(i, 1))).ExpectedRelative
	}
	return sum / float64(pairs.Count())
}

// More features than grid points, and fewer. Rounding is magnified by 1/lambda in coefficients, hardly in predictions.
func TestLeaveOneOutErrorIsThatOfRetrainedModels(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	path := []float64{1e-10, 1e-7, 1e-4, 1e-1}
	for _, c := range []struct {
		n, m, K           int
		centred           bool
		offset, tolerance float64
	}{{12, 30, 17, false, 0, 1e-8}, {9, 7, 33, false, 0, 1e-8}, {6, 30, 17, true, 1, 1e-6}, {6, 7, 33, true, 0, 1e-6},
		{15, 30, 17, true, 100, 1e-6}, {40, 12, 17, true, 1, 1e-6}} {
		f, e, pairs := problem(t, c.n, c.m, c.K)
		pairs = withOffset(pairs, c.offset)
		loo := must(LeaveOneOut(t.Context(), e, pairs, sums(t, e, pairs, Rows{}, c.centred, 1), path, 2, nil))
		for q, lambda := range loo.Lambda {
			if want := retrained(t, f, e, pairs, lambda, c.centred); math.Abs(loo.Error[q]-want) > c.tolerance*want {
				t.Errorf("%+v, lambda %g: %.12g, want %.12g", c, path[q], loo.Error[q], want)
			}
		}
	}
}

func TestOnePairLeavesNothingForAMean(t *testing.T) {
	_, e, pairs := problem(t, 1, 7, 17)
	normal := sums(t, e, pairs, Rows{}, true, 1)
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
	path, folds := []float64{1e-9, 1e-4}, [][]int{{3, 1, 7, 22}, {0, 29, 15}}
	got := must(HeldOut(t.Context(), e, pairs, false, m, folds, path, 3, nil))
	for q, r := range path {
		sum := 0.0
		for _, fold := range folds {
			normal := accumulate(t, e, without(pairs, fold...), 1)
			chosen := must(normal.Select(t.Context(), m, 1))
			s := must(normal.Subset(chosen).Fit(t.Context(), m, Regularisation{Relative: r}, 1))
			held := pairs.Take(fold)
			u := must(predict(t.Context(), f.Select(chosen), s.Alpha, held.Inputs, 1, nil))
			sum += must(Measure(u, held.Outputs)).ExpectedRelative * float64(len(fold))
		}
		if want := sum / 7; math.Abs(got.Error[q]-want) > 1e-8*want {
			t.Errorf("lambda %g: %.12g, want %.12g", r, got.Error[q], want)
		}
	}
}

func TestWorkersDoNotChangeTheLeaveOneOutError(t *testing.T) {
	_, e, pairs := problem(t, 70, 45, 65)
	normal := accumulate(t, e, pairs, 1)
	one := must(LeaveOneOut(t.Context(), e, pairs, normal, RelativePath(), 1, nil))
	many, err := LeaveOneOut(t.Context(), e, pairs, normal, RelativePath(), 4, nil)
	if err != nil || !slices.Equal(one.Error, many.Error) {
		t.Errorf("four workers change the errors, %v", err)
	}
}

func TestZeroOutputHasNoLeaveOneOutError(t *testing.T) {
	_, e, pairs := problem(t, 5, 7, 17)
	clear(pairs.Outputs.At(3))
	_, err := LeaveOneOut(t.Context(), e, pairs, accumulate(t, e, pairs, 1), []float64{1e-6}, 1, nil)
	var data *fault.Data
	if !errors.As(err, &data) || data.Where != "output 3" {
		t.Errorf("error %v, want one about output 3", err)
	}
}
