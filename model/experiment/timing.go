// This file measures what single evaluations cost.

package experiment

import (
	"context"
	"time"

	"rfm/solver/grid"
)

// timed is the shorter of two times of a call, in seconds, divided by the number of things it does.
func timed(count float64, call func()) float64 {
	best := time.Duration(1<<63 - 1)
	for range 2 { // the first touches cold memory
		begin := time.Now()
		call()
		best = min(best, time.Since(begin))
	}
	return best.Seconds() / count
}

// timePrediction is the time of one prediction on one core.
func timePrediction(ctx context.Context, m model, inputs grid.Batch) (float64, error) {
	var err error
	seconds := timed(float64(inputs.Count), func() { _, err = m.Predict(ctx, inputs, 1, nil) })
	return seconds, err
}
