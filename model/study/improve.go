// This file is the part of a tour in which features become more, and better.

package study

import (
	"context"
	"time"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/interchange"
	"rfm/model/setup"
	"rfm/model/tune"
)

// SizeError is the test error of a model of so many features.
type SizeError struct {
	Features int
	Error    float64 // expected relative test error
}

// fewest is the number of features of the smallest model of Fewer.
const fewest = 8

// Fewer is the errors of models of the first features of an experiment, each of twice as many as the one before, the
// experiment's own last. The error is that of the experiment's stages.
func (p Tour) Fewer(ctx context.Context, e *engine.Experiment, workers int) (list []SizeError, err error) {
	for m := fewest; m < e.Config.Features.Count; m *= 2 {
		c := Alone(e.Config)
		c.Features.Count = m
		small, err := p.trained(ctx, c, e, workers)
		if err != nil {
			return nil, err
		}
		list = append(list, SizeError{m, small.Evaluation().Test.ExpectedRelative})
	}
	return append(list, SizeError{e.Config.Features.Count, e.Evaluation().Test.ExpectedRelative}), nil
}

// trained is an experiment with the pairs of another one.
func (p Tour) trained(ctx context.Context, c config.Config, from *engine.Experiment, workers int) (*engine.Experiment,
	error) {
	e, err := engine.New(ctx, c, engine.Options{Workers: workers})
	if err != nil {
		return nil, err
	}
	e.Reuse(from)
	return e, e.Run(ctx)
}

// Improved searches with Tour.Models models (or, with pairs from a file, for Tour.Search) for better features on the
// training pairs of one experiment, and trains as many of them as another one has on the pairs of that; watch is told
// of the search before it begins. Test pairs have no part in the search. Errors are those of tune.Session and of the
// experiment's stages.
func (p Tour) Improved(ctx context.Context, on, e *engine.Experiment, workers int, watch func(*tune.Session)) (
	*engine.Experiment, error) {
	s := &tune.Session{Asked: on.Config}
	if err := s.Obtain(ctx, on, workers); err != nil {
		return nil, err
	}
	o := tune.Options{Evaluations: p.Models, Seed: e.Config.Seed, Workers: workers}
	if on.Config.Of().Files && p.Search > 0 { // of any size
		o.Time, o.Evaluations = p.Search, 0
	}
	if _, err := s.Begin(o); err != nil {
		return nil, err
	}
	watch(s)
	result, err := s.Run(ctx)
	if err != nil {
		return nil, err
	}
	return p.trained(ctx, Alone(tune.Adopt(e.Config, result.Config)), e, workers)
}

// How long a tour searches for better features. The models take about that time on two cores.
const (
	SearchTime   = 15 * time.Second
	SearchModels = 150
)

// OwnData is an experiment with the pairs of a file, in which names, layout and sizes are found, and with random
// features. The error is interchange.Learn's, or a *config.Error.
func OwnData(ctx context.Context, file string) (config.Config, error) {
	c, err := interchange.Learn(ctx, file)
	if err != nil {
		return c, err
	}
	c.Train.Method = config.RandomFeatures
	if c, _, err = setup.Complete(ctx, c); err == nil {
		err = c.Validate()
	}
	return Alone(c), err
}
