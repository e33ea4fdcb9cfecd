package engine

import (
	"slices"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/store"
)

// Taken is the processor time of the stages of a complete run, with its configuration.
type Taken struct {
	Config    config.Config
	Processor Seconds
}

// Lately returns the times of the newest complete runs of a list, in its order, that one process computed without
// interruption. It skips runs whose files cannot be read.
func Lately(list []store.Entry) []Taken {
	const most = 32 // runs whose files are read
	var past []Taken
	for _, e := range list {
		if len(past) == most {
			break
		}
		if e.Fault != nil || !e.Manifest.Complete() || e.Manifest.Resumed > 0 || e.Manifest.Split != nil {
			continue
		}
		var t timings
		if e.Manifest.ReadJSON(store.TimingsFile, &t) == nil && t.Processor != (Seconds{}) {
			past = append(past, Taken{e.Manifest.Config, t.Processor})
		}
	}
	return past
}

// Forecast estimates the time of a valid configuration on an idle machine. It multiplies the estimate of each stage by
// the median of actual over estimated processor time in the newest runs that do the same work. Wall times would count
// other programs of those days, and pauses.
func Forecast(rates machine.Rates, c config.Config, workers int, past []Taken) machine.Estimate {
	const newest = 3
	var alike []Taken
	for _, t := range past {
		if len(alike) < newest && t.Config.Problem == c.Problem && t.Config.Train.Method == c.Train.Method &&
			t.Config.Evaluation.Baselines == c.Evaluation.Baselines && t.Config.Evaluation.Bands == c.Evaluation.Bands {
			alike = append(alike, t)
		}
	}
	e := rates.Estimate(c, workers)
	corrected := e.Stages()
	for i := range corrected {
		var factors []float64
		for _, t := range alike {
			const noise, most = 0.1, 10 // seconds of fixed cost; largest factor
			factor := (t.Processor.Stages()[i] + noise) / (rates.Estimate(t.Config, 1).Stages()[i] + noise)
			if i != store.Generating || factor > 1./most { // pairs of a sweep are generated once for all cells
				factors = append(factors, min(factor, most))
			}
		}
		if len(factors) > 0 {
			slices.Sort(factors)
			corrected[i] *= factors[len(factors)/2]
		}
	}
	e.Seconds = machine.SecondsOf(corrected)
	return e
}
