// This file estimates time and memory of an experiment from the speed of this machine.

package engine

import (
	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/show/report"
)

// Seconds is a time of each stage of an experiment.
type Seconds struct {
	Generate float64 `json:"generate"`
	Train    float64 `json:"train"`
	Evaluate float64 `json:"evaluate"`
}

// secondsOf returns the times of stages in the order of store.Run.Stages.
func secondsOf(stages [3]float64) Seconds {
	return Seconds{
		Generate: stages[0],
		Train:    stages[1],
		Evaluate: stages[2],
	}
}

// Stages is the inverse of secondsOf.
func (s Seconds) Stages() [3]float64 { return [3]float64{s.Generate, s.Train, s.Evaluate} }

// Total returns the whole time.
func (s Seconds) Total() float64 { return s.Generate + s.Train + s.Evaluate }

// Estimate is the predicted time and memory of an experiment.
type Estimate struct {
	Seconds
	Bytes float64 // peak memory
	// Less and More are the seconds by which the time may be shorter or longer, because some methods go on as long as an
	// error falls, and end early where they gain nothing. Which they do depends on the pairs.
	Less float64
	More float64
}

// Range returns the shortest and the longest time that is likely.
func (e Estimate) Range() (least, most float64) { return e.Total() - e.Less, e.Total() + e.More }

// Time returns the time in words: a range, unless it is nearly a number.
func (e Estimate) Time() string {
	const nearly = 1.5
	least, most := e.Range()
	if most <= nearly*least {
		return report.Duration(e.Total())
	}
	return report.DurationRange(least, most)
}

// Estimate predicts time and memory of a valid configuration with the given number of workers, with the methods from
// which a model is chosen or with which it is compared.
func (r Rates) Estimate(c config.Config, workers int) Estimate {
	cost := c.Cost()
	w := float64(workers)
	generate := cost.TruthTransforms/r.Transforms + cost.TruthPoints/r.Poisson
	train := cost.TrainEvaluations/r.Evaluations + cost.TrainPoints/r.Poisson
	train += (cost.GramFlops + solveSlowdown(c)*cost.SolveFlops) / r.Flops
	evaluate := cost.TestEvaluations/r.Evaluations + cost.TestPoints/r.Poisson
	e := Estimate{
		Seconds: Seconds{Generate: generate / w, Train: train / w, Evaluate: evaluate / w},
		Bytes:   cost.Bytes,
	}
	r.addMethods(&e, c, w)
	return e
}

// solvesToPrice is the number of blocks of solutions from which the price of slow solutions is taken.
const solvesToPrice = 3

// steadyTries is the number of grids and tolerances on which steady states are solved to find their price, each of which
// needs its own matrices. On the presets poisson, helmholtz and poisson-nonlinear, and on an interval, it was 12 to 27.
const steadyTries = 20

// Forecast estimates the time of a valid configuration on an idle machine. The pace of the equation, if it is known,
// replaces the estimate of solutions.
func (r Rates) Forecast(c config.Config, workers int, pace Pace) Estimate {
	e := r.Estimate(c, workers)
	if pace.Of(c) {
		e.Generate = pace.generate(c, workers)
		spare := 0.0
		if e.Bytes > c.Cost().Bytes { // a method learns
			spare = operator.Spare
		}
		// It also solves beside the trained model, to be compared with it, when training no longer needs the spare memory.
		e.Bytes += max(0, pace.solverBytes(workers)-spare)
		price := solvesToPrice * pace.seconds
		if c.Equation.Steady() {
			price += steadyTries * pace.begin
		}
		e.Evaluate += max(0, price-solverPricing)
	}
	return e
}
