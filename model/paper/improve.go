// This file computes the parts of a tour on more and on better features.

package paper

import (
	"context"
	"time"

	"rfm/config"
	"rfm/model/compare"
	"rfm/model/engine"
	"rfm/model/tune"
)

// SizeError is the test error of a model with a given number of features.
type SizeError struct {
	Features int
	Error    float64 // expected relative test error
}

// fewest is the number of features of the smallest model of Fewer.
const fewest = 8

// Fewer returns the errors of models of the first features of an experiment. Each has twice the features of the one
// before; the experiment's own model is last. The error is one of the experiment's stages.
func (p Tour) Fewer(ctx context.Context, e *engine.Experiment, workers int) (list []SizeError, err error) {
	for m := fewest; m < e.Config.Features.Count; m *= 2 {
		c := compare.Alone(e.Config)
		c.Features.Count = m
		small, err := p.trained(ctx, c, e, workers)
		if err != nil {
			return nil, err
		}
		list = append(list, SizeError{m, small.Evaluation().Test.ExpectedRelative})
	}
	return append(list, SizeError{e.Config.Features.Count, e.Evaluation().Test.ExpectedRelative}), nil
}

// trained runs an experiment with the pairs of another one.
func (p Tour) trained(ctx context.Context, c config.Config, from *engine.Experiment, workers int) (*engine.Experiment,
	error) {
	e, err := engine.New(ctx, c, engine.Options{Workers: workers})
	if err != nil {
		return nil, err
	}
	e.Reuse(from)
	return e, e.Run(ctx)
}

// Improved searches for better features on the training pairs of on, and then trains as many of them as e has on the
// pairs of e. The search tries Tour.Models models, without test pairs. It calls watch before the search. Errors are
// those of tune.Session and of the experiment's stages.
func (p Tour) Improved(ctx context.Context, on, e *engine.Experiment, workers int, watch func(*tune.Session)) (
	*engine.Experiment, error) {
	s := &tune.Session{Asked: on.Config}
	if err := s.Obtain(ctx, on, workers); err != nil {
		return nil, err
	}
	if _, err := s.Begin(tune.Options{Evaluations: p.Models, Seed: e.Config.Seed, Workers: workers}); err != nil {
		return nil, err
	}
	watch(s)
	result, err := s.Run(ctx)
	if err != nil {
		return nil, err
	}
	return p.trained(ctx, compare.Alone(tune.Adopt(e.Config, result.Config)), e, workers)
}

// SearchTime is about the duration of the search in a tour, of searchModels models, on two cores.
const (
	SearchTime   = 15 * time.Second
	searchModels = 150
)
