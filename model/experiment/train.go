// This file is the second stage: the normal equations and their solution.

package experiment

import (
	"context"
	"errors"
	"time"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/model/machine"
	"rfm/model/rfm"
	"rfm/model/trained"
	"rfm/solver/dataset"
)

// Train sums and solves the normal equations; samples that the run's checkpoint has seen are not summed again. Generate must
// have succeeded. Errors: *fault.Data if the data do not fit the training grid, *fault.Numerical from the solution, ctx's,
// which is an *Interrupted if the run is stored.
func (e *Experiment) Train(ctx context.Context) error {
	if e.reached >= Training {
		return e.interrupted(ctx.Err())
	}
	watch := stopwatch(e.seconds.Train)
	if err := e.fit(ctx, watch); err != nil {
		e.seconds.Train = watch()
		return e.interrupted(err)
	}
	e.reached = Training
	e.tracker.finish()
	return e.interrupted(ctx.Err())
}

func (e *Experiment) fit(ctx context.Context, watch func() float64) error {
	c := e.Config
	e.tracker.begin(Training, "samples", c.Data.Train)
	pairs, err := e.operator.restrict(e.train, c.Train.Grid)
	if err != nil {
		return err
	}
	if err := e.operator.scale(pairs.Inputs); err != nil {
		return err
	}
	evaluator, err := e.operator.evaluator(ctx, c.Train.Grid, e.workers)
	if err != nil {
		return err
	}
	m := float64(evaluator.Count())
	e.tracker.work(float64(evaluator.Points()) * m * (m + 1))
	if e.Config.FromFiles() {
		// Nobody knows what the outputs of own data have in common: a function of x alone is fitted with the features.
		pairs.Outputs = pairs.Outputs.Plus(-1, pairs.Outputs.Mean())
		if evaluator, err = rfm.Centre(ctx, evaluator, pairs, e.workers); err != nil {
			return err
		}
	}
	if c.Train.Method == config.QR {
		e.solution, err = e.factor(ctx, evaluator, pairs, watch)
	} else {
		e.solution, err = e.sum(ctx, evaluator, pairs, watch)
	}
	if err != nil {
		return err
	}
	random, err := e.operator.fit(ctx, e.solution.Alpha, e.workers)
	if err != nil {
		return err
	}
	e.model = trained.Model{Map: random, Solution: e.solution, Problem: c.Problem, Grid: c.Train.Grid, Config: string(c.TOML()), Version: machine.Version()}
	if e.Config.FromFiles() {
		if e.model.Offset, err = e.missed(ctx); err != nil {
			return err
		}
	}
	e.seconds.Train = watch()
	if e.store == nil {
		return nil
	}
	return e.keepModel()
}

// missed is the mean over the training pairs of what the model misses, on the grid of the data: the fitted function of x.
func (e *Experiment) missed(ctx context.Context) ([]float64, error) {
	predictions, err := e.model.Predict(ctx, e.train.Inputs, e.workers, nil)
	if err != nil {
		return nil, err
	}
	return e.train.Outputs.Plus(-1, predictions.Mean()).Mean(), nil
}

// sum trains by the normal equations.
func (e *Experiment) sum(ctx context.Context, evaluator feature.Evaluator, pairs dataset.Pairs, watch func() float64) (rfm.Solution, error) {
	normal := rfm.NewNormal(evaluator.Count())
	validator := rfm.NewValidator(evaluator.Count(), e.Config.Data.Train, evaluator.Points(), e.Config.Train.Lambda, evaluator.Weight())
	look := func(seen *rfm.Normal, features *linalg.Panels, targets []float64, rows, samples int) {
		validator.Block(seen, features, targets, rows, samples)
		e.tracker.validated(validator.Points())
	}
	err := e.accumulate(ctx, passOf(normal), watch, func(after func() error) error {
		return normal.Accumulate(ctx, evaluator, pairs, e.workers, rfm.Watch{Before: look, After: after})
	})
	if err != nil {
		return rfm.Solution{}, err
	}
	validator.Finish()
	e.tracker.validated(validator.Points())
	e.tracker.begin(Solving, "", 0)
	return e.solve(ctx, evaluator, pairs, normal)
}

// factor trains without the normal equations.
func (e *Experiment) factor(ctx context.Context, evaluator feature.Evaluator, pairs dataset.Pairs, watch func() float64) (rfm.Solution, error) {
	triangular := rfm.NewTriangular(evaluator.Count())
	err := e.accumulate(ctx, passOfQR(triangular), watch, func(after func() error) error {
		return triangular.Accumulate(ctx, evaluator, pairs, e.workers, after)
	})
	if err != nil {
		return rfm.Solution{}, err
	}
	e.tracker.begin(Solving, "", 0)
	return triangular.Fit(evaluator.Count(), e.regularisation(), e.workers)
}

func (e *Experiment) regularisation() rfm.Regularisation {
	t := e.Config.Train
	return rfm.Regularisation{Lambda: t.Lambda, Relative: t.Relative, Rcond: t.Rcond}
}

// accumulate makes a pass over the samples, from the run's checkpoint on and with checkpoints between its blocks.
func (e *Experiment) accumulate(ctx context.Context, p pass, watch func() float64, run func(after func() error) error) error {
	if e.store != nil {
		if err := e.store.readSums(p); err != nil {
			return err
		}
	}
	e.tracker.skip(*p.samples)
	seen, total := *p.samples, e.Config.Data.Train
	err := run(func() error {
		e.tracker.advance(*p.samples - seen)
		seen = *p.samples
		if e.store != nil && e.store.pace.due(time.Now()) {
			return e.store.writeSums(p, total, watch())
		}
		return nil
	})
	if err != nil && e.store != nil && ctx.Err() != nil {
		err = errors.Join(e.store.writeSums(p, total, watch()), err)
	}
	return err
}

// solve chooses features out of the pool if there is one, lambda if it is not given, and computes the coefficients.
func (e *Experiment) solve(ctx context.Context, evaluator feature.Evaluator, pairs dataset.Pairs, normal *rfm.Normal) (rfm.Solution, error) {
	c := e.Config
	if c.Features.Pool > c.Features.Count {
		chosen, err := normal.Select(c.Features.Count, e.workers)
		if err != nil {
			return rfm.Solution{}, err
		}
		e.operator.choose(chosen.Features)
		normal = normal.Subset(chosen.Features)
	}
	r := e.regularisation()
	if c.Train.Choice == config.LeaveOneOut {
		var err error
		if r, err = e.chooseLambda(ctx, evaluator.K(), pairs, normal); err != nil {
			return rfm.Solution{}, err
		}
		e.tracker.begin(Solving, "", 0)
	}
	solution, err := normal.Fit(len(normal.RHS), r, e.workers)
	if e.loo != nil {
		solution.LeaveOneOut = e.loo.Error[e.loo.Best]
	}
	return solution, err
}

const (
	// leftOut is the number of functions that are left out in turn to choose lambda; more make the choice hardly better.
	leftOut = 256
	// leftOutPoints and leftOutSide bound the grid for it: the error hardly changes on finer ones.
	leftOutPoints, leftOutSide = 65, 17
)

// chooseLambda finds the lambda with the least leave-one-function-out error for pairs on the training grid, with normal
// equations of its own if that is finer than it need be.
func (e *Experiment) chooseLambda(ctx context.Context, K int, pairs dataset.Pairs, normal *rfm.Normal) (rfm.Regularisation, error) {
	coarse, bound := e.Config.Train.Grid, leftOutPoints
	if e.Config.Planar() {
		bound = leftOutSide
	}
	for _, K := range config.Grids(e.Config.Train.Grid) {
		if K <= bound {
			coarse = K
		}
	}
	evaluator, err := e.operator.evaluator(ctx, coarse, e.workers)
	if err != nil {
		return rfm.Regularisation{}, err
	}
	other := evaluator.K() != K
	if other {
		if pairs, err = e.operator.restrict(pairs, coarse); err != nil {
			return rfm.Regularisation{}, err
		}
	}
	if e.Config.FromFiles() {
		if evaluator, err = rfm.Centre(ctx, evaluator, pairs, e.workers); err != nil {
			return rfm.Regularisation{}, err
		}
	}
	if other {
		if normal, err = rfm.Accumulate(ctx, evaluator, pairs, e.workers, nil); err != nil {
			return rfm.Regularisation{}, err
		}
	}
	left := pairs.Range(0, min(pairs.Count(), leftOut))
	e.tracker.begin(Choosing, "samples", left.Count())
	seen := 0
	loo, err := rfm.LeaveOneOut(ctx, evaluator, left, normal, rfm.RelativePath(), e.workers, func(samples int) {
		e.tracker.advance(samples - seen)
		seen = samples
	})
	if err != nil {
		return rfm.Regularisation{}, err
	}
	e.loo = &loo
	return loo.Regularisation(), nil
}
