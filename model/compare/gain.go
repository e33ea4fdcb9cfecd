// This file compares models that were tested on the same pairs, sample by sample.

package compare

import (
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
	Relative []float64 // relative errors on the test inputs, in their order
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
	tests := fingerprint(e.TestPairs.Outputs.Data)
	for _, m := range slices.Backward(t) {
		if m.config != c && m.tests == tests {
			others = append(others, Other{config.Differences(m.config, c), m.relative})
		}
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

// Alone returns a configuration without baselines; its model is the same.
func Alone(c config.Config) config.Config {
	c.Evaluation.Baselines, c.Evaluation.Bands = false, false
	return c
}
