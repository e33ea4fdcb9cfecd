package rfm

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rfm/model/feature"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/equation"
	"rfm/solver/fault"
	"rfm/solver/parallel/detector"
	"rfm/solver/truth"
)

// without returns the pairs except one.
func without(p dataset.Pairs, i int) dataset.Pairs {
	var others []int
	for j := range p.Count() {
		if j != i {
			others = append(others, j)
		}
	}
	return p.Take(others)
}

// retrained returns the mean relative error at each pair of the model of all others.
func retrained(t *testing.T, f feature.Spectral, e feature.Evaluator, pairs dataset.Pairs, lambda float64) float64 {
	t.Helper()
	sum := 0.0
	for i := range pairs.Count() {
		s, err := accumulate(t, e, without(pairs, i), 1).Fit(context.Background(), f.M, Regularisation{Lambda: lambda}, 1)
		if err != nil {
			t.Fatal(err)
		}
		u, err := predict(t.Context(), f, s.Alpha, pairs.Inputs.Range(i, 1), 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Measure(u, pairs.Outputs.Range(i, 1))
		if err != nil {
			t.Fatal(err)
		}
		sum += m.ExpectedRelative
	}
	return sum / float64(pairs.Count())
}

func TestLeaveOneOutErrorIsThatOfRetrainedModels(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	path := []float64{1e-12, 1e-9, 1e-6, 1e-3, 1}
	// rounding, magnified by 1/lambda in coefficients but hardly in predictions
	const tolerance = 1e-8
	for _, c := range []struct{ n, m, K int }{{12, 30, 17}, {9, 7, 33}} { // more features than grid points, and fewer
		f, e, pairs := problem(t, c.n, c.m, c.K)
		loo, err := LeaveOneOut(t.Context(), e, pairs, accumulate(t, e, pairs, 1), path, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		for q, lambda := range loo.Lambda {
			if want := retrained(t, f, e, pairs, lambda); math.Abs(loo.Error[q]-want) > tolerance*want {
				t.Errorf("%+v, lambda %g: %.12g, want %.12g", c, path[q], loo.Error[q], want)
			}
		}
	}
}

func TestLeaveOneOutErrorIsNearTheTestError(t *testing.T) {
	const n, test, m, K, within = 64, 256, 128, 33, 0.10
	generate := func(purpose draw.Purpose, count int) dataset.Pairs {
		p := equation.Burgers(1e-2, 1e-4, 257)
		p.Seed = 5
		pairs, err := dataset.Generate(t.Context(), p.Operator(), truth.Wanted{Purpose: purpose, Count: count, Points: K}, 2,
			nil)
		if err != nil {
			t.Fatal(err)
		}
		return pairs
	}
	train, unseen := generate(draw.InputTrain, n), generate(draw.InputTest, test)
	f, e, _ := problem(t, 1, m, K)
	normal := accumulate(t, e, train, 2)
	loo, err := LeaveOneOut(t.Context(), e, train, normal, RelativePath(), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := normal.Fit(context.Background(), m, loo.Regularisation(), 1)
	if err != nil {
		t.Fatal(err)
	}
	u, err := predict(t.Context(), f, s.Alpha, unseen.Inputs, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	measured, err := Measure(u, unseen.Outputs)
	if err != nil {
		t.Fatal(err)
	}
	want, got := measured.ExpectedRelative, loo.Error[loo.Best]
	t.Logf("lambda %g, left out %.4f, test %.4f", s.Lambda, got, want)
	if math.Abs(got-want) > within*want {
		t.Errorf("left out %.4f, test %.4f", got, want)
	}
}

func TestWorkersDoNotChangeTheLeaveOneOutError(t *testing.T) {
	_, e, pairs := problem(t, 70, 45, 65)
	normal := accumulate(t, e, pairs, 1)
	one, err := LeaveOneOut(t.Context(), e, pairs, normal, RelativePath(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
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
