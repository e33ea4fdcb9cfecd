// This file implements `rfm show --cost`: error against time of model, methods and solver.

package command

import (
	"context"
	"errors"
	"fmt"

	"rfm/model/compare"
	"rfm/model/engine"
	"rfm/model/interchange"
	"rfm/model/machine"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

// measure measures on one core the cost and the error of one evaluation: of the solver on every grid and to every
// useful tolerance, of the run's model with fewer features and on coarser grids, and of its baselines.
func (a *app) measure(ctx context.Context, path, figure string) error {
	e, err := engine.Open(ctx, path, engine.Options{Workers: a.workers})
	if err != nil {
		return err
	}
	if e.Reached() != engine.Evaluating {
		return errors.Join(&fault.Data{Where: path, What: "is not complete, so there is nothing to compare with",
			Do: "resume it: rfm run " + printable.Path(path)}, e.Close())
	}
	result, err := compare.Frontier(ctx, e, machine.Workers(a.workers), func(what string) {
		if !a.flags.quiet {
			fmt.Fprintf(a.err, "measuring %s\n", what)
		}
	})
	if err = errors.Join(err, e.Close()); err != nil {
		return err
	}
	if figure != "" {
		picture, err := result.SVG()
		if err != nil {
			return err
		}
		if err := interchange.Save(figure, picture, "choose another --figure"); err != nil {
			return err
		}
	}
	return a.print(result, nil)
}
