// This file is what was gained: models that were tested on the same pairs beside each other, sample by sample.

package study

import (
	"context"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/engine"
)

// Tried are the models that were evaluated in a sitting, the last few of them.
type Tried []tried

type tried struct {
	config   config.Config // without baselines
	tests    uint64        // fingerprint of the true outputs
	relative []float64     // errors on the test inputs
}

// Other is a model to compare with.
type Other struct {
	Name     string
	Config   config.Config // without baselines
	Relative []float64     // relative errors on the test inputs, in their order
}

// Add keeps the errors of an evaluation.
func (t *Tried) Add(c config.Config, e *engine.Evaluation) {
	const most = 8
	c = Alone(c)
	list := slices.DeleteFunc(*t, func(m tried) bool { return m.config == c })
	list = append(list, tried{c, fingerprint(e.TestPairs.Outputs.Data), e.Test.Relative})
	*t = list[max(0, len(list)-most):]
}

// Beside lists the models that were evaluated on the test pairs of an evaluation, the newest first, but for its own.
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

// fingerprint distinguishes values from others: their FNV-1a hash, word by word.
func fingerprint(values []float64) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	hash := uint64(offset)
	for _, v := range values {
		hash = (hash ^ math.Float64bits(v)) * prime
	}
	return hash
}

// Original is a configuration with the features and the regularisation of its problem's preset, which for the paper's
// problems are the paper's; the data, the number of features and the grids remain.
func Original(c config.Config) config.Config {
	preset, count, grid := c.Of().Start(), c.Features.Count, c.Train.Grid
	c.Features, c.Train = preset.Features, preset.Train
	c.Features.Count, c.Train.Grid = count, grid
	return c
}

// OriginalName says whose features those of Original are.
func OriginalName(c config.Config) string {
	if !c.Of().Paper {
		return "the features of the preset " + c.Problem
	}
	return "the paper's features"
}

// Alone is a configuration without baselines: the model is the same.
func Alone(c config.Config) config.Config {
	c.Evaluation.Baselines, c.Evaluation.Bands = false, false
	return c
}

// Retrain trains and evaluates the original features with the data of an experiment (0 workers are one for each core);
// begun gets the new one before it computes. Errors are those of engine.New and Experiment.Run.
func Retrain(ctx context.Context, from *engine.Experiment, workers int, begun func(*engine.Experiment)) error {
	e, err := engine.New(ctx, Alone(Original(from.Config)), engine.Options{Workers: workers})
	if err != nil {
		return err
	}
	e.Reuse(from)
	begun(e)
	return e.Run(ctx)
}
