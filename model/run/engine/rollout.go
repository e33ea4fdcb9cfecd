// This file lets a model that has learned the step of one trajectory repeat it.

package engine

import (
	"context"
	"fmt"
	"math"
	"strings"

	"rfm/model/show/report"
	"rfm/solver/dataset"
)

// leastRollout is the least number of steps of a rollout that is measured.
const leastRollout = 4

// rollout predicts the test states of a trajectory one after another from the first, each from the last prediction, and
// tells the relative errors. It is empty unless the test pairs are the steps of one trajectory in their order. The error
// is that of reading or predicting.
func (e *evaluating) rollout(ctx context.Context, K int) (string, error) {
	if !e.Config.Of().Files {
		return "", nil
	}
	_, test, err := e.pairsOn(ctx, K)
	if err != nil || !follow(test) {
		return "", err
	}
	steps := test.Count()
	state := test.Inputs.Range(0, 1)
	var words []string
	for step := 1; step <= steps; step++ {
		state, err = e.model.Predict(ctx, state, e.workers, nil)
		if err != nil {
			return "", fmt.Errorf("rollout, step %d: %w", step, err)
		}
		truth := test.Outputs.Range(step-1, 1)
		if step != 1 && step != 10 && step != 100 && step != steps {
			continue
		}
		distance := math.Sqrt(state.Domain.Distance2(state.At(0), truth.At(0)))
		size := math.Sqrt(state.Domain.Distance2(make([]float64, len(truth.At(0))), truth.At(0)))
		words = append(words, fmt.Sprintf("%s after %d", report.Measured(distance/size), step))
		if distance/size > 1 || math.IsNaN(distance) { // nothing of the state is left
			break
		}
	}
	return fmt.Sprintf("From the first test state, each step from the last prediction, the relative error is %s of %d steps.",
		strings.Join(words, ", "), steps), nil
}

// follow reports whether pairs are the steps of one trajectory: each input is the output before.
func follow(p dataset.Pairs) bool {
	const rounding = 1e-6 // of single precision
	if p.Count() < leastRollout || p.Inputs.Domain != p.Outputs.Domain {
		return false
	}
	for i := 1; i < p.Count(); i++ {
		before := p.Outputs.At(i - 1)
		for x, v := range p.Inputs.At(i) {
			if math.Abs(v-before[x]) > rounding*(1+math.Abs(v)) {
				return false
			}
		}
	}
	return true
}
