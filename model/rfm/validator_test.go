package rfm

import (
	"context"
	"math"
	"testing"

	"rfm/model/feature"
	"rfm/model/linalg"
)

// A validation error equals the error of a model trained on the samples before, on the samples after.
func TestValidationIsTheErrorOnWhatComesNext(t *testing.T) {
	const n, m, lambda = 200, 24, 1e-4
	f, e, pairs := problem(t, n, m, 33)
	v := &Validator{m: m, lambda: lambda, weight: e.Weight(), next: 1}
	normal := NewNormal(m)
	err := normal.Accumulate(t.Context(), e, pairs, 2, Watch{Before: func(seen *Normal, features *linalg.Panels, targets,
		squares []float64) {
		v.Block(context.Background(), seen, features, targets, squares, 2)
	}})
	if err != nil {
		t.Fatal(err)
	}
	v.Finish()
	points := v.Points()
	if len(points) == 0 {
		t.Fatal("no validation error")
	}
	for _, p := range points {
		part := must(Accumulate(t.Context(), e, pairs.Range(0, p.Samples), 1, nil))
		solution := must(part.Fit(context.Background(), m, Regularisation{Lambda: lambda}, 1))
		next := pairs.Range(p.Samples, p.Unseen)
		predictions := must(predict(t.Context(), f, solution.Alpha, next.Inputs, 1, nil))
		errors := must(Measure(predictions, next.Outputs))
		if want := errors.ExpectedRelative; math.Abs(p.Error-want) > 1e-8*want {
			t.Errorf("after %d samples: %g, want %g", p.Samples, p.Error, want)
		}
	}
}

// sized is an evaluator that has only sizes.
type sized struct {
	feature.Evaluator
	m, points int
}

func (e sized) Count() int      { return e.m }
func (e sized) Points() int     { return e.points }
func (e sized) Weight() float64 { return 1 / float64(e.points) }

func TestValidationTakesFewFeaturesWhereTrainingIsShort(t *testing.T) {
	coarse, fine := sized{m: 1024, points: 128}, sized{m: 1024, points: 1024}
	short, long := NewValidator(coarse, 16, Rows{}, 0, 1), NewValidator(fine, 4096, Rows{}, 0, 1)
	if short.m >= long.m || long.m != 1024 {
		t.Errorf("%d features for 16 samples, %d for 4096", short.m, long.m)
	}
	if crowd := NewValidator(coarse, 512, Rows{}, 0, 64); crowd.m >= NewValidator(coarse, 512, Rows{}, 0, 1).m {
		t.Errorf("%d features, although 64 workers wait", crowd.m)
	}
}
