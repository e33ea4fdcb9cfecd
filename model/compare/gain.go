// This file compares models that were tested on the same pairs, sample by sample.

package compare

import (
	"context"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/engine"
)

// Tried is the last few models that were evaluated in a session of the program.
type Tried []tried

type tried struct {
	config   config.Config // without baselines
	tests    uint64        // fingerprint of the true outputs
	relative []float64     // errors on the test inputs
}

// Other is a model for comparison.
type Other struct {
	Name     string
	Config   config.Config // without baselines
	Relative []float64     // relative errors on the test inputs, in their order
}

// Add appends the errors of an evaluation.
func (t *Tried) Add(c config.Config, e *engine.Evaluation) {
	const most = 8
	c = Alone(c)
	list := slices.DeleteFunc(*t, func(m tried) bool { return m.config == c })
	list = append(list, tried{c, fingerprint(e.TestPairs.Outputs.Data), e.Test.Relative})
	*t = list[max(0, len(list)-most):]
}

// Beside returns the other models that were evaluated on the test pairs of an evaluation, the newest first.
func (t Tried) Beside(c config.Config, e *engine.Evaluation) (others []Other) {
	c = Alone(c)
	tests, paper := fingerprint(e.TestPairs.Outputs.Data), Original(c)
	for _, m := range slices.Backward(t) {
		if m.config == c || m.tests != tests {
			continue
		}
		name := config.Differences(m.config, c)
		if m.config == paper {
			name = OriginalName(c)
		}
		others = append(others, Other{name, m.config, m.relative})
	}
	return others
}

// fingerprint returns the FNV-1a hash of values, word by word.
func fingerprint(values []float64) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	hash := uint64(offset)
	for _, v := range values {
		hash = (hash ^ math.Float64bits(v)) * prime
	}
	return hash
}

// Original returns a configuration with the features and the regularisation of its problem's preset, which for the
// paper's problems are the paper's. The data, the number of features and the grids remain.
func Original(c config.Config) config.Config {
	preset, count, grid := c.Of().Start(), c.Features.Count, c.Train.Grid
	c.Features, c.Train = preset.Features, preset.Train
	c.Features.Count, c.Train.Grid = count, grid
	return c
}

// OriginalName names the source of the features of Original.
func OriginalName(c config.Config) string {
	if !c.Of().Paper {
		return "the features of the preset " + c.Problem
	}
	return "the paper's features"
}

// Alone returns a configuration without baselines; its model is the same.
func Alone(c config.Config) config.Config {
	c.Evaluation.Baselines, c.Evaluation.Bands = false, false
	return c
}

// Retrain trains and evaluates the original features with the data of an experiment (0 workers means one for each
// core). It calls begun with the new experiment before computing. Errors are those of engine.New and Experiment.Run.
func Retrain(ctx context.Context, from *engine.Experiment, workers int, begun func(*engine.Experiment)) error {
	e, err := engine.New(ctx, Alone(Original(from.Config)), engine.Options{Workers: workers})
	if err != nil {
		return err
	}
	e.Reuse(from)
	begun(e)
	return e.Run(ctx)
}
