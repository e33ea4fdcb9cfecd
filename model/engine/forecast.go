package engine

import (
	"slices"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/store"
)

// Taken is the wall time of the stages of a complete run, with its configuration.
type Taken struct {
	Config  config.Config
	Workers int
	Seconds Seconds
}

// Lately returns the times of the newest complete, uninterrupted runs of a list, in its order. It skips runs whose
// files cannot be read.
func Lately(list []store.Entry) []Taken {
	const most = 32 // runs whose files are read
	var past []Taken
	for _, e := range list {
		if len(past) == most {
			break
		}
		if e.Fault != nil || !e.Manifest.Complete() || e.Manifest.Resumed > 0 {
			continue
		}
		c, err := e.Manifest.Config(e.Path)
		var t timings
		if err == nil && e.Manifest.ReadJSON(e.Path, TimingsFile, &t) == nil && t.Workers > 0 {
			past = append(past, Taken{c, t.Workers, t.Seconds})
		}
	}
	return past
}

// Forecast estimates the time of a valid configuration. It multiplies the estimate of each stage by the median of
// actual over estimated time in the newest runs that do the same work.
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
	before := make([]machine.Estimate, len(alike))
	for i, t := range alike {
		before[i] = rates.Estimate(t.Config, t.Workers)
	}
	for _, stage := range []struct {
		seconds  *float64
		took     func(Seconds) float64
		estimate func(machine.Estimate) float64
		shared   bool // done once for all cells of a sweep
	}{
		{&e.Generate, func(s Seconds) float64 { return s.Generate },
			func(e machine.Estimate) float64 { return e.Generate }, true},
		{&e.Train, func(s Seconds) float64 { return s.Train },
			func(e machine.Estimate) float64 { return e.Train }, false},
		{&e.Evaluate, func(s Seconds) float64 { return s.Evaluate },
			func(e machine.Estimate) float64 { return e.Evaluate }, false},
	} {
		var factors []float64
		for i, t := range alike {
			const noise, most = 0.1, 10 // seconds of fixed cost; largest factor, since a computer may sleep
			factor := (stage.took(t.Seconds) + noise) / (stage.estimate(before[i]) + noise)
			if !stage.shared || factor > 1./most {
				factors = append(factors, min(factor, most))
			}
		}
		if len(factors) > 0 {
			slices.Sort(factors)
			*stage.seconds *= factors[len(factors)/2]
		}
	}
	return e
}
