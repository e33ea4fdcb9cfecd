package price

import (
	"context"
	"math"
	"slices"
	"time"

	"rfm/model/rfm"
	"rfm/solver/grid"
)

// fastest calls functions in turns, until their times are reliable on a shared machine: at least three times each, as
// the first call touches cold memory, and up to most times within the given seconds. It returns the shortest time of
// each, in seconds. The error is a call's.
func fastest(most int, seconds float64, calls ...func() error) ([]float64, error) {
	best, begin := slices.Repeat([]float64{math.Inf(1)}, len(calls)), time.Now()
	for i := 0; i < 3 || i < most && time.Since(begin).Seconds() < seconds; i++ {
		for k, call := range calls {
			start := time.Now()
			if err := call(); err != nil {
				return nil, err
			}
			best[k] = min(best[k], time.Since(start).Seconds())
		}
	}
	return best, nil
}

// timed returns the shortest time of a call, in seconds, divided by the number of items it processes. The error is the
// call's.
func timed(count int, call func() error) (float64, error) {
	best, err := fastest(40, 0.02, call)
	if err != nil {
		return 0, err
	}
	return best[0] / float64(count), nil
}

// timedInputs is the number of predictions that are timed together.
const timedInputs = 64

// Prediction returns the time of one prediction on one core: the difference between predicting some inputs and half of
// them, which excludes preparing the model. Errors are the predictor's.
func Prediction(ctx context.Context, m rfm.Predictor, inputs grid.Batch) (float64, error) {
	all := min(timedInputs, inputs.Count)
	predict := func(count int) func() error {
		return func() error {
			_, err := m.Predict(ctx, inputs.First(count), 1, nil)
			return err
		}
	}
	if half := all / 2; half > 0 {
		best, err := fastest(15, 0.05, predict(all), predict(half))
		if err != nil {
			return 0, err
		}
		if difference := best[0] - best[1]; difference > 0 {
			return difference / float64(all-half), nil
		}
		return best[0] / float64(all), nil // an upper bound: the difference is too noisy
	}
	return timed(all, predict(all))
}
