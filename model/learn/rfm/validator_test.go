package rfm

import (
	"context"
	"math"
	"testing"

	"rfm/model/learn/feature"
	"rfm/model/learn/score"
)

// A validation error is the error on later samples of a model that was trained on the earlier ones.
func TestValidationIsTheErrorOnWhatComesNext(t *testing.T) {
	const n, m, lambda = 200, 24, 1e-4
	f, e, pairs := problem(t, n, m, 33)
	v := NewValidator(e, Rows{}, lambda)
	if err := NewNormal(m).Accumulate(t.Context(), e, pairs, 2, v, nil); err != nil {
		t.Fatal(err)
	}
	v.Finish()
	points := v.Points()
	if len(points) == 0 {
		t.Fatal("no validation error")
	}
	for _, p := range points {
		part := accumulate(t, e, pairs.Range(0, p.Samples), 1)
		solution := must(part.Fit(context.Background(), m, Regularisation{Lambda: lambda}, 1))
		next := pairs.Range(p.Samples, p.Unseen)
		predictions := must(predict(t.Context(), f, solution.Alpha, next.Inputs, 1, nil))
		errors := must(score.Measure(predictions, next.Outputs))
		if want := errors.ExpectedRelative; math.Abs(p.Error-want) > 1e-8*want {
			t.Errorf("after %d samples: %g, want %g", p.Samples, p.Error, want)
		}
	}
}

// sized is an evaluator that has only sizes.
type sized struct {
	feature.Evaluator
	points int
}

func (e sized) Points() int     { return e.points }
func (e sized) Weight() float64 { return 1 / float64(e.points) }
