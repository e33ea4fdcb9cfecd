// Package experiment runs an experiment stage by stage (generate, train, evaluate) and is the only door between
// computation and people: the screens and the line commands both drive it, and neither computes anything itself.
package experiment

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"rfm/config"
	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// Options say how to compute; they do not change results.
type Options struct {
	Workers int // goroutines that compute; 0 is one for each available core
}

// Experiment is one configuration on its way through the stages. The stages are called one after another; Progress
// may be called at any time from any goroutine.
type Experiment struct {
	Config config.Config

	workers int
	tracker tracker

	train, test dataset.Pairs
	reused      bool // train and test come from another experiment
	features    feature.Fourier
	solution    rfm.Solution
	evaluation  *Evaluation
	seconds     Seconds
}

// Seconds is the wall time that the stages took.
type Seconds struct {
	Generate float64 `json:"generate"`
	Train    float64 `json:"train"`
	Evaluate float64 `json:"evaluate"`
}

// New checks the configuration; nothing is computed yet. The error is config's.
func New(c config.Config, o Options) (*Experiment, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return &Experiment{Config: c, workers: Workers(o.Workers)}, nil
}

// Workers is the number of goroutines that compute if wanted are asked for; 0 asks for one for each available core.
func Workers(wanted int) int {
	if wanted <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return wanted
}

// Workers is the number of goroutines that compute.
func (e *Experiment) Workers() int { return e.workers }

// Reuse takes over the data of another experiment that has generated them, if this one would generate the same, and says
// whether it did: Generate then only draws the feature parameters. Call it before Generate.
func (e *Experiment) Reuse(from *Experiment) bool {
	a, b := e.Config, from.Config
	if a.Problem != b.Problem || a.Seed != b.Seed || a.Data != b.Data || a.Input != b.Input || a.Burgers != b.Burgers || from.test.Count() == 0 {
		return false
	}
	e.train, e.test, e.reused = from.train, from.test, true // files are read again: their grids must fit the new ones
	return true
}

// Run goes through all stages. Errors are those of the stages.
func (e *Experiment) Run(ctx context.Context) error {
	for _, stage := range []func(context.Context) error{e.Generate, e.Train, e.Evaluate} {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Generate makes or reads the data and draws the feature parameters. Errors: *fault.Data for files, *fault.Numerical
// from the solver, ctx's.
func (e *Experiment) Generate(ctx context.Context) error {
	defer e.stopwatch(&e.seconds.Generate)()
	c := e.Config
	sides := []struct {
		pairs   *dataset.Pairs
		file    string
		count   int
		purpose draw.Purpose
	}{{&e.train, c.Data.TrainFile, c.Data.Train, draw.InputTrain}, {&e.test, c.Data.TestFile, c.Data.Test, draw.InputTest}}
	generated := 0
	for _, side := range sides {
		if side.file == "" && !e.reused {
			generated += side.count
		}
	}
	e.tracker.begin(Generating, "pairs", generated)
	if err := e.drawTheta(); err != nil { // files come first: they fail fast
		return err
	}
	for _, side := range sides {
		if side.file == "" {
			continue
		}
		var err error
		if *side.pairs, err = dataset.ReadPairs(side.file, side.count); err != nil {
			return err
		}
		if err := fits(side.file, side.pairs.Inputs, c.Train.Grid, c.TestGrid()); err != nil {
			return err
		}
	}
	for _, side := range sides {
		if side.file != "" || e.reused {
			continue
		}
		a, u, err := e.truth().Generate(ctx, side.purpose, side.count, e.workers, func(_ int, a, u grid.Batch) {
			e.tracker.advance(a.Count, &Sample{Input: a.At(a.Count - 1), Truth: u.At(u.Count - 1)})
		})
		if err != nil {
			return err
		}
		*side.pairs = dataset.Pairs{Inputs: a, Outputs: u[0]}
	}
	e.tracker.finish()
	return nil
}

// truth is the generator of the configured problem.
func (e *Experiment) truth() dataset.Burgers {
	c := e.Config
	return dataset.Burgers{Input: grf.Periodic{Tau: c.Input.Tau, Alpha: c.Input.Alpha}, Viscosity: c.Burgers.Viscosity, Tolerance: c.Burgers.Tolerance,
		Times: []float64{c.Burgers.Time}, K: c.Data.Grid, Seed: c.Seed}
}

// drawTheta draws or reads the feature parameters.
func (e *Experiment) drawTheta() error {
	c := e.Config
	var theta grid.Batch
	var err error
	if c.Features.ThetaFile != "" {
		if theta, err = dataset.ReadTheta(c.Features.ThetaFile, c.Features.Count); err == nil {
			err = fits(c.Features.ThetaFile, theta, c.Train.Grid, c.TestGrid())
		}
	} else {
		theta = feature.Draw(grf.Periodic{Tau: c.Features.Tau, Alpha: c.Features.Alpha}, c.Seed, c.Features.Count, c.Data.Grid)
	}
	e.features = featureMap(c, theta)
	return err
}

// fits checks that functions from a file can be restricted to the grids that will be needed, before anything long runs.
func fits(file string, functions grid.Batch, grids ...int) error {
	for _, K := range grids {
		if _, err := functions.Range(0, 1).Restrict(K); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// featureMap is the configured random feature pair with the given draws of theta.
func featureMap(c config.Config, theta grid.Batch) feature.Fourier {
	sigma, ok := activation.ByName(c.Features.Activation)
	if !ok {
		panic(fmt.Sprintf("experiment: no activation %q", c.Features.Activation)) // Validate has checked
	}
	return feature.Fourier{Filter: feature.Filter{Delta: c.Features.Delta, Beta: c.Features.Beta}, Activation: sigma, Gain: c.Features.Gain,
		Count: c.Features.Count, Theta: theta}
}

// Train sums and solves the normal equations. Generate must have succeeded. Errors: *fault.Data if the data do not fit
// the training grid, *fault.Numerical from the solution, ctx's.
func (e *Experiment) Train(ctx context.Context) error {
	defer e.stopwatch(&e.seconds.Train)()
	c := e.Config
	e.tracker.begin(Training, "samples", c.Data.Train)
	pairs, err := e.train.Restrict(c.Train.Grid)
	if err != nil {
		return err
	}
	evaluator, err := e.features.On(c.Train.Grid)
	if err != nil {
		return err
	}
	m := float64(c.Features.Count)
	e.tracker.work(float64(c.Train.Grid-1) * m * (m + 1))
	seen := 0
	normal, err := rfm.Accumulate(ctx, evaluator, pairs, e.workers, func(samples int) {
		e.tracker.advance(samples-seen, nil)
		seen = samples
	})
	if err != nil {
		return err
	}
	e.tracker.begin(Solving, "", 0)
	e.solution, err = normal.Solve(c.Features.Count, c.Train.Lambda, c.Train.Rcond, e.workers)
	if err != nil {
		return err
	}
	e.tracker.finish()
	return ctx.Err()
}

// Evaluation is what a trained model does on one grid.
type Evaluation struct {
	Grid        int
	Train, Test rfm.Errors
	TestPairs   dataset.Pairs // on Grid
	Predictions grid.Batch    // of the test inputs
}

// Evaluate measures errors on the configured grid. Train must have succeeded. Errors are EvaluateOn's.
func (e *Experiment) Evaluate(ctx context.Context) error {
	defer e.stopwatch(&e.seconds.Evaluate)()
	evaluation, err := e.EvaluateOn(ctx, e.Config.TestGrid())
	if err == nil {
		e.evaluation = evaluation
	}
	return err
}

// EvaluateOn measures errors on the closed grid of K points, which may differ from the training grid. Errors:
// *fault.Data if the data do not fit K or a true output is zero, *fault.Numerical, ctx's.
func (e *Experiment) EvaluateOn(ctx context.Context, K int) (*Evaluation, error) {
	e.tracker.begin(Evaluating, "predictions", e.train.Count()+e.test.Count())
	evaluation := &Evaluation{Grid: K}
	for _, side := range []struct {
		name   string
		pairs  dataset.Pairs
		errors *rfm.Errors
	}{{"training pairs", e.train, &evaluation.Train}, {"test pairs", e.test, &evaluation.Test}} {
		pairs, err := side.pairs.Restrict(K)
		if err != nil {
			return nil, err
		}
		predictions, err := e.Model().Predict(ctx, pairs.Inputs, e.workers, func(added int) { e.tracker.advance(added, nil) })
		if err != nil {
			return nil, err
		}
		if *side.errors, err = rfm.Measure(predictions, pairs.Outputs); err != nil {
			return nil, fmt.Errorf("%s: %w", side.name, err)
		}
		evaluation.TestPairs, evaluation.Predictions = pairs, predictions // the test pairs come last
	}
	e.tracker.finish()
	return evaluation, nil
}

// stopwatch stores the time until the returned function is called.
func (e *Experiment) stopwatch(seconds *float64) func() {
	begin := time.Now()
	return func() { *seconds = time.Since(begin).Seconds() }
}

// Pairs are the training and test pairs on the data grid, once Generate has succeeded.
func (e *Experiment) Pairs() (train, test dataset.Pairs) { return e.train, e.test }

// Model is the trained model, once Train has succeeded.
func (e *Experiment) Model() rfm.Model {
	return rfm.Model{Features: e.features, Alpha: e.solution.Alpha}
}

// Solution is the result of the linear solve, once Train has succeeded.
func (e *Experiment) Solution() rfm.Solution { return e.solution }

// Seconds is the time that the stages took so far.
func (e *Experiment) Seconds() Seconds { return e.seconds }

// Evaluation is the result of Evaluate, nil before it has succeeded.
func (e *Experiment) Evaluation() *Evaluation { return e.evaluation }
