// Package experiment runs an experiment stage by stage (generate, train, evaluate) and is the only door between
// computation and people: the screens and the line commands both drive it, and neither computes anything itself.
package experiment

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"rfm/config"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/draw"
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

	workers  int
	tracker  tracker
	operator operator

	train, test dataset.Pairs
	reused      bool // train and test come from another experiment
	solution    rfm.Solution
	model       model
	evaluation  *Evaluation
	seconds     Seconds
}

// Seconds is the wall time that the stages took.
type Seconds struct {
	Generate float64 `json:"generate"`
	Train    float64 `json:"train"`
	Evaluate float64 `json:"evaluate"`
}

// New checks the configuration, also against the machine's memory; nothing is computed yet. Errors are *config.Error.
func New(c config.Config, o Options) (*Experiment, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := checkMemory(c); err != nil {
		return nil, err
	}
	return &Experiment{Config: c, workers: Workers(o.Workers), operator: operatorOf(c)}, nil
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
	if a.Problem != b.Problem || a.Seed != b.Seed || a.Data != b.Data || a.Input != b.Input || a.Burgers != b.Burgers || a.Darcy != b.Darcy || from.test.Count() == 0 {
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
	if err := e.operator.drawTheta(); err != nil { // files come first: they fail fast
		return err
	}
	for _, side := range sides {
		if side.file == "" {
			continue
		}
		pairs, err := e.operator.read(side.file, side.count)
		if err != nil {
			return err
		}
		if err := fits(e.operator, side.file, pairs.Inputs, c); err != nil {
			return err
		}
		*side.pairs = pairs
	}
	for _, side := range sides {
		if side.file != "" || e.reused {
			continue
		}
		pairs, err := e.operator.generate(ctx, side.purpose, side.count, e.workers, func(_ int, a, u grid.Batch) {
			e.tracker.advance(a.Count, &Sample{Input: a.At(a.Count - 1), Truth: u.At(u.Count - 1), Side: e.operator.side(c.Data.Grid)})
		})
		if err != nil {
			return err
		}
		*side.pairs = pairs
	}
	e.tracker.finish()
	return nil
}

// Train sums and solves the normal equations. Generate must have succeeded. Errors: *fault.Data if the data do not fit
// the training grid, *fault.Numerical from the solution, ctx's.
func (e *Experiment) Train(ctx context.Context) error {
	defer e.stopwatch(&e.seconds.Train)()
	c := e.Config
	e.tracker.begin(Training, "samples", c.Data.Train)
	pairs, err := e.operator.restrict(e.train, c.Train.Grid)
	if err != nil {
		return err
	}
	evaluator, err := e.operator.evaluator(ctx, c.Train.Grid, e.workers)
	if err != nil {
		return err
	}
	m := float64(c.Features.Count)
	e.tracker.work(float64(evaluator.Points()) * m * (m + 1))
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
	if e.model, err = e.operator.fit(ctx, e.solution.Alpha, e.workers); err != nil {
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
	Side        int           // points along an axis of fields on the unit square; 0 for functions of one variable
	Rivals      []Rival       // the model first, then what it is compared with
}

// Rival is another way to get at the solution: its error on the test pairs and its cost beside the model's.
type Rival struct {
	Name    string
	Error   float64 // expected relative test error; NaN for the solver that made the truth
	Seconds float64 // time of one evaluation on one core
}

// Better says whether the rival's error is smaller than another's. The truth itself has none to compare.
func (r Rival) Better(than Rival) bool { return r.Error < than.Error }

// Evaluate measures errors on the configured grid. Train must have succeeded. Errors are EvaluateOn's.
func (e *Experiment) Evaluate(ctx context.Context) error {
	defer e.stopwatch(&e.seconds.Evaluate)()
	evaluation, err := e.EvaluateOn(ctx, e.Config.TestGrid())
	if err != nil {
		return err
	}
	if evaluation.Rivals, err = e.operator.rivals(ctx, e.model, evaluation, e.workers); err != nil {
		return err
	}
	e.evaluation = evaluation
	return nil
}

// EvaluateOn measures errors on the closed grid of K points (Darcy: K x K), which may differ from the training grid. Errors:
// *fault.Data if the data do not fit K or a true output is zero, *fault.Numerical, ctx's.
func (e *Experiment) EvaluateOn(ctx context.Context, K int) (*Evaluation, error) {
	e.tracker.begin(Evaluating, "predictions", e.train.Count()+e.test.Count())
	evaluation := &Evaluation{Grid: K, Side: e.operator.side(K)}
	for _, side := range []struct {
		name   string
		pairs  dataset.Pairs
		errors *rfm.Errors
	}{{"training pairs", e.train, &evaluation.Train}, {"test pairs", e.test, &evaluation.Test}} {
		pairs, err := e.operator.restrict(side.pairs, K)
		if err != nil {
			return nil, err
		}
		predictions, err := e.model.Predict(ctx, pairs.Inputs, e.workers, func(added int) { e.tracker.advance(added, nil) })
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

// Solution is the result of the linear solve, once Train has succeeded.
func (e *Experiment) Solution() rfm.Solution { return e.solution }

// Seconds is the time that the stages took so far.
func (e *Experiment) Seconds() Seconds { return e.seconds }

// Evaluation is the result of Evaluate, nil before it has succeeded.
func (e *Experiment) Evaluation() *Evaluation { return e.evaluation }
