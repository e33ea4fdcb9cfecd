package price

import (
	"context"
	"math"
	"time"

	"rfm/model/rfm"
	"rfm/solver/grid"
)

// Timed returns the shortest of some times of a call, in seconds, divided by the number of things it does. The call is
// repeated until that is sure on a machine that others use, too, but not long. The error is the call's.
func Timed(count int, call func() error) (float64, error) {
	const least, most, enough = 3, 40, 0.05 // repetitions, seconds
	best, begin := math.Inf(1), time.Now()
	for i := 0; i < least || i < most && time.Since(begin).Seconds() < enough; i++ { // the first touches cold memory
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

// Prediction returns the time of one prediction on one core: what predicting some inputs takes longer than predicting
// half of them, so that preparing the model does not count. Both are timed in turns, for as long as it takes to be sure
// on a machine that others use, too, but not long. Errors are the predictor's.
func Prediction(ctx context.Context, m rfm.Predictor, inputs grid.Batch) (float64, error) {
	const least, most, enough = 3, 15, 0.1 // repetitions, seconds
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
	return all / float64(inputs.Count), nil // too noisy to tell: an upper bound
}
