package price

import (
	"context"
	"math"
	"time"

	"rfm/model/rfm"
	"rfm/solver/grid"
)

// Timed returns the shortest time of a call, in seconds, divided by the number of items it processes. It repeats the
// call until the time is reliable on a shared machine, within bounds. The error is the call's.
func Timed(count int, call func() error) (float64, error) {
	const least, most, enough = 3, 40, 0.02 // repetitions, seconds
	best, begin := math.Inf(1), time.Now()
	for i := 0; i < least || i < most && time.Since(begin).Seconds() < enough; i++ { // the first call touches cold memory
		start := time.Now()
		if err := call(); err != nil {
			return 0, err
		}
		best = min(best, time.Since(start).Seconds())
	}
	return best / float64(count), nil
}

// timedInputs is the number of predictions that are timed together.
const timedInputs = 64

// Prediction returns the time of one prediction on one core: the difference between predicting some inputs and half of
// them, which excludes preparing the model. It measures both in turns until the times are reliable on a shared machine,
// within bounds. Errors are the predictor's.
func Prediction(ctx context.Context, m rfm.Predictor, inputs grid.Batch) (float64, error) {
	const least, most, enough = 3, 15, 0.05 // repetitions, seconds
	inputs = inputs.First(min(timedInputs, inputs.Count))
	half := inputs.Count / 2
	all, part := math.Inf(1), math.Inf(1)
	begin := time.Now()
	for i := 0; i < least || i < most && time.Since(begin).Seconds() < enough; i++ {
		for _, run := range []struct {
			count int
			best  *float64
		}{{inputs.Count, &all}, {half, &part}} {
			if run.count == 0 {
				continue
			}
			start := time.Now()
			if _, err := m.Predict(ctx, inputs.First(run.count), 1, nil); err != nil {
				return 0, err
			}
			*run.best = min(*run.best, time.Since(start).Seconds())
		}
	}
	if difference := all - part; difference > 0 && half > 0 {
		return difference / float64(inputs.Count-half), nil
	}
	return all / float64(inputs.Count), nil // an upper bound: the difference is too noisy
}
