// This file is the second stage: the normal equations and their solution.

package engine

import (
	"context"
	"errors"
	"time"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/model/machine"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/model/trained"
	"rfm/solver/dataset"
)

// outcome is what training has found.
type outcome struct {
	solution rfm.Solution
	features feature.Map
	loo      *rfm.LOO
}

// fit trains the model and stores it.
func (e *Experiment) fit(ctx context.Context) error {
	c := e.Config
	pairs, err := e.train.Restrict(c.Train.Grid)
	if err != nil {
		return err
	}
	found, err := e.learn(ctx, pairs)
	if err != nil {
		return err
	}
	e.model = trained.Model{Operator: found.operator, Problem: c.Problem, Grid: c.Train.Grid, Config: string(c.TOML()),
		Version: machine.Version()}
	e.solution = e.model.Solution()
	e.seconds.Train = e.watch()
	if e.store == nil {
		return nil
	}
	return e.keepModel()
}

// fitFeatures trains random features, with sums in a store unless it is nil.
func (e *Experiment) fitFeatures(ctx context.Context, pairs dataset.Pairs, to *kept) (method.Features, error) {
	c := e.Config
	e.tracker.begin(Training, "samples", c.Data.Train)
	features, err := e.features.Calibrate(ctx, pairs.Inputs, e.workers)
	if err != nil {
		return method.Features{}, err
	}
	evaluator, err := features.On(ctx, c.Train.Grid, e.workers)
	if err != nil {
		return method.Features{}, err
	}
	m := float64(evaluator.Count())
	e.tracker.work(float64(e.rows().Of(evaluator.Points())) * m * (m + 1))
	var means *rfm.Means
	if c.Train.Offset {
		means = rfm.NewMeans(evaluator)
	}
	train := e.sum
	if c.Train.Solver == config.QR {
		train = e.factor
	}
	found, err := train(ctx, features, evaluator, means, pairs, to)
	if err != nil {
		return method.Features{}, err
	}
	random, err := found.features.Trained(ctx, found.solution.Alpha, e.workers)
	if err != nil {
		return method.Features{}, err
	}
	model := method.Features{Map: random, Solution: found.solution}
	if c.Train.Offset {
		if model.Offset, err = e.missed(ctx, model); err != nil {
			return method.Features{}, err
		}
	}
	if l := found.loo; l != nil {
		e.path = &LambdaPath{HeldOut: l.Folds > 0, Relative: l.Relative, Lambda: l.Lambda, Error: l.Error, Best: l.Best}
	}
	return model, nil
}

// sum trains by the normal equations.
func (e *Experiment) sum(ctx context.Context, features feature.Map, evaluator feature.Evaluator, means *rfm.Means,
	pairs dataset.Pairs, to *kept) (outcome, error) {
	normal := rfm.NewNormal(evaluator.Count())
	normal.Rows, normal.Means = e.rows(), means
	validator := rfm.NewValidator(evaluator, e.Config.Data.Train, normal.Rows, e.Config.Train.Lambda, e.workers)
	look := func(seen *rfm.Normal, features *linalg.Panels, targets, squares []float64) {
		validator.Block(ctx, seen, features, targets, squares, e.workers)
		e.tracker.validated(validator.Points())
	}
	done, err := false, error(nil)
	if e.summed != nil && to != nil {
		done, err = e.summed(ctx, evaluator, pairs, normal)
	}
	switch {
	case err != nil:
	case done:
		normal.Samples = pairs.Count()
		e.tracker.skip(normal.Samples)
		err = normal.Accumulate(ctx, evaluator, pairs, e.workers, rfm.Watch{})
	default:
		err = e.accumulate(ctx, passOf(normal), to, func(after func() error) error {
			return normal.Accumulate(ctx, evaluator, pairs, e.workers, rfm.Watch{Before: look, After: after})
		})
	}
	if err != nil {
		return outcome{}, err
	}
	validator.Finish()
	e.tracker.validated(validator.Points())
	e.tracker.begin(Solving, "", 0)
	return e.solve(ctx, features, evaluator, pairs, normal)
}

// factor trains without the normal equations.
func (e *Experiment) factor(ctx context.Context, features feature.Map, evaluator feature.Evaluator, means *rfm.Means,
	pairs dataset.Pairs, to *kept) (outcome, error) {
	triangular := rfm.NewTriangular(evaluator.Count())
	triangular.Rows, triangular.Means = e.rows(), means
	err := e.accumulate(ctx, passOfQR(triangular), to, func(after func() error) error {
		return triangular.Accumulate(ctx, evaluator, pairs, e.workers, after)
	})
	if err != nil {
		return outcome{}, err
	}
	e.tracker.begin(Solving, "", 0)
	solution, err := triangular.Fit(ctx, evaluator.Count(), e.regularisation(), e.workers)
	return outcome{solution: solution, features: features}, err
}

func (e *Experiment) regularisation() rfm.Regularisation {
	t := e.Config.Train
	return rfm.Regularisation{Lambda: t.Lambda, Relative: t.Relative, Rcond: t.Rcond}
}

// rows are the points of samples that enter the sums.
func (e *Experiment) rows() rfm.Rows {
	return rfm.Rows{Seed: e.Config.Seed, Count: e.Config.Train.Rows}
}

// accumulate makes a pass over the samples, from the checkpoint in a store on and with checkpoints between its blocks,
// unless it is nil.
func (e *Experiment) accumulate(ctx context.Context, p pass, to *kept, run func(after func() error) error) error {
	if to != nil {
		if err := to.readSums(p); err != nil {
			return err
		}
	}
	e.tracker.skip(*p.samples)
	seen, total := *p.samples, e.Config.Data.Train
	err := run(func() error {
		e.tracker.advance(*p.samples - seen)
		seen = *p.samples
		if to != nil && to.pace.due(time.Now()) {
			return to.writeSums(p, total, e.watch())
		}
		return nil
	})
	if err != nil && to != nil && ctx.Err() != nil {
		err = errors.Join(to.writeSums(p, total, e.watch()), err)
	}
	return err
}
