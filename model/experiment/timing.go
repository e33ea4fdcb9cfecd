// This file measures what single evaluations cost.

package experiment

import (
	"context"
	"math"
	"time"

	"rfm/model/trained"
	"rfm/solver/grid"
)

// timed is the shortest of three times of a call, in seconds, divided by the number of things it does.
func timed(count float64, call func()) float64 {
	best := math.Inf(1)
	for range 3 { // the first touches cold memory
		begin := time.Now()
		call()
		best = min(best, time.Since(begin).Seconds())
	}
	return best / count
}

// timePrediction is the time of one prediction on one core: what predicting all inputs takes longer than predicting half of
// them, so that preparing the model does not count.
func timePrediction(ctx context.Context, m trained.Model, inputs grid.Batch) (float64, error) {
	var err error
	predict := func(count int) float64 {
		return timed(1, func() {
			if _, e := m.Predict(ctx, inputs.First(count), 1, nil); e != nil {
				err = e
			}
		})
	}
	half := inputs.Count / 2
	all := predict(inputs.Count)
	if half == 0 {
		return all / float64(inputs.Count), err
	}
	if difference := all - predict(half); difference > 0 {
		return difference / float64(inputs.Count-half), err
	}
	return all / float64(inputs.Count), err // too noisy to tell: an upper bound
}
