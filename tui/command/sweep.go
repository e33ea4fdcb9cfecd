// This file implements `rfm run --vary`: one configuration with many values of some keys.

package command

import (
	"context"
	"errors"
	"fmt"

	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/model/sweep"
	"rfm/solver/printable"
)

// cells computes the incomplete cells of a sweep, group by group, and prints the table.
func (a *app) cells(ctx context.Context, s *sweep.Sweep, groups [][]sweep.Cell) error {
	total := len(s.Cells())
	var first error
	r := sweep.Runner{Options: engine.Options{Workers: a.workers},
		Compute: func(ctx context.Context, c sweep.Cell, e *engine.Experiment) error {
			return a.attendRun(ctx, e, printable.Line(c.Name)+", ")
		},
		Done: func(c sweep.Cell, err error) {
			var use *store.InUse
			switch {
			case errors.As(err, &use):
				fmt.Fprintf(a.err, "%s: another process is at it\n", printable.Line(c.Name))
			case err != nil:
				if first == nil {
					first = err
				}
				fmt.Fprintf(a.err, "%s failed: %s\n", printable.Line(c.Name), printable.Text(err.Error()))
			case !a.flags.quiet:
				fmt.Fprintf(a.err, "%s is complete\n", printable.Line(c.Name))
			}
		}}
	if !a.flags.quiet {
		fmt.Fprintf(a.err, "%d cells in %s\n", total, printable.Line(s.Directory))
	}
	failed, elsewhere, err := r.Run(ctx, s, groups)
	var partly *engine.Interrupted
	if errors.As(err, &partly) {
		return interruptedError{fmt.Errorf("the sweep is in %s; `rfm work %[1]s` resumes it", printable.Path(s.Directory))}
	}
	if err != nil {
		return err
	}
	if err := s.Keep(s.Read()); err != nil {
		return err
	}
	if err := a.printSweep(s); err != nil {
		return err
	}
	if elsewhere > 0 {
		fmt.Fprintf(a.err, "note: other processes are at %d cells; `rfm show %s` shows them when they are done\n", elsewhere,
			printable.Path(s.Directory))
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d cells failed, the same command tries them again; the first: %w", failed, total, first)
	}
	return nil
}

// estimateSweep checks the configurations of all cells and prints their estimated time and memory.
func (a *app) estimateSweep(ctx context.Context, s *sweep.Sweep) error {
	rates, past, cells, seconds, bytes := machine.MeasureRates(), a.lately(), 0, 0.0, 0.0
	for _, group := range s.Groups() {
		for i, c := range group {
			if c.Fault != nil {
				return c.Fault
			}
			e, err := engine.New(ctx, c.Config, engine.Options{Workers: a.workers})
			if err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			estimate := engine.Forecast(rates, e.Config, machine.Workers(a.workers), past)
			if i > 0 {
				estimate.Generate = 0 // the group shares its data
			}
			cells, seconds, bytes = cells+1, seconds+estimate.Total(), max(bytes, estimate.Bytes)
		}
	}
	return a.print(report.Page{Name: "estimate", Title: "The configurations of " + printable.Several(cells, "cell") +
		" are valid",
		Tables: []report.Table{{Header: []string{"estimate", ""}, Rows: [][]string{{"time", report.Duration(seconds)},
			{"memory", report.Bytes(bytes)}}}}}, nil)
}

// printSweep prints the table of a sweep.
func (a *app) printSweep(s *sweep.Sweep) error { return a.print(s.Table(s.Read()), nil) }
