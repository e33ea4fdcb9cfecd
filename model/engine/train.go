// This file is the second stage: the normal equations and their solution.

package engine

import (
	"context"

	"rfm/model/machine"
	"rfm/model/trained"
)

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
	if c.Train.Coarsen > 0 {
		if e.model, err = e.model.Coarsen(ctx, e.train, c.Train.Coarsen, e.workers); err != nil {
			return err
		}
	}
	e.seconds.Train = e.watch()
	if e.store == nil {
		return nil
	}
	return e.keepModel(ctx)
}
