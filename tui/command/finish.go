// This file completes runs: new ones, interrupted ones, and those that workers have split among themselves.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/printable"
)

// finish runs the missing stages of an experiment and prints its result; details is a file for errors in other norms.
func (a *app) finish(ctx context.Context, e *engine.Experiment, details string) error {
	a.notice(e)
	if e.Reached() == engine.Evaluating {
		fmt.Fprintf(a.err, "%s is complete already\n", printable.Line(e.Directory()))
	} else if err := a.compute(ctx, e); err != nil {
		if known := resumable(err); known != err {
			return errors.Join(known, e.Close())
		}
		fate, failure := e.Discard()
		if fate != "" {
			fmt.Fprintf(a.err, "note: %s\n", fate)
		}
		return errors.Join(err, failure)
	}
	summary := e.Summary()
	if details != "" {
		means, err := e.Evaluation().Details(details)
		if err != nil {
			return err
		}
		summary.Details = means
	}
	return a.printResult(e, summary)
}

// notice prints remarks on unexpected properties of the results.
func (a *app) notice(e *engine.Experiment) {
	for _, text := range e.Notices() {
		a.remark("note", "%s", text)
	}
}

// compute runs all stages with progress lines on standard error.
func (a *app) compute(ctx context.Context, e *engine.Experiment) error {
	if a.flags.quiet {
		return e.Run(ctx)
	}
	c := e.Config
	rates := machine.MeasureRates()
	workers := machine.Workers(a.workers)
	estimate := engine.Forecast(rates, c, workers, a.lately())
	a.remark(c.Problem, "n=%d m=%d %s=%d lambda=%s seed=%d, about %s and %s on %s", c.Data.Train, c.Features.Count,
		c.GridSymbol(), c.Train.Grid, report.Lambda(c.Train.Lambda), c.Seed, report.Duration(estimate.Total()),
		report.Bytes(estimate.Bytes), a.machine())
	a.fewerRows(a.err, c, rates, workers)
	return a.attendRun(ctx, e, "")
}

// attendRun runs an experiment with progress lines; name precedes its stages.
func (a *app) attendRun(ctx context.Context, e *engine.Experiment, name string) error {
	return a.attend(func() error { return e.Run(ctx) }, func() (string, float64, string) {
		p := e.Progress()
		return name + p.Stage.String(), p.Fraction(), p.Line(0)
	})
}

// lately returns the times of the newest stored runs. It is nil if they cannot be listed; storing a run reports that.
func (a *app) lately() []engine.Taken {
	list, err := store.List(a.flags.runs)
	if err != nil {
		return nil
	}
	return engine.Lately(list)
}

// fewerRows prints the time saved if only some points of each pair enter the sums, if it is worthwhile.
func (a *app) fewerRows(out io.Writer, c config.Config, rates machine.Rates, workers int) {
	if rows, seconds, ok := rates.FewerRows(c, workers); ok {
		fmt.Fprintf(out, "  --set train.rows=%d would train in about %s instead of %s, to about the same error\n", rows,
			report.Duration(seconds), report.Duration(rates.Estimate(c, workers).Train))
	}
}

// resumable adds the command that resumes a stored run to the error that interrupted it. Other errors stay as they are.
func resumable(err error) error {
	var partly *engine.Interrupted
	if errors.As(err, &partly) {
		return interruptedError{fmt.Errorf("%w; `rfm run %s` resumes it", err, printable.Path(partly.Path))}
	}
	return err
}

// resume completes a stored run and prints its result. It computes units of a split run that workers have not done.
func (a *app) resume(ctx context.Context, path, details string) error {
	m, err := store.Read(path)
	if err == nil && m.Split != nil && !m.Complete() {
		err = a.work(ctx, path)
	}
	if err != nil {
		return err
	}
	return a.complete(ctx, path, details)
}

// complete opens a stored run, runs its missing stages, and prints its result.
func (a *app) complete(ctx context.Context, path, details string) error {
	e, err := engine.Open(ctx, path, engine.Options{Workers: a.workers})
	if err != nil {
		return resumable(err)
	}
	return a.finish(ctx, e, details)
}

// proceed opens the run of this name with this configuration, or creates it.
func (a *app) proceed(ctx context.Context, c config.Config, name string, o engine.Options) (*engine.Experiment, error) {
	return engine.Continue(ctx, a.flags.runs, name, c, time.Now(), o)
}

// work computes units of a split run and reports them on standard error.
func (a *app) work(ctx context.Context, path string) error {
	var w store.Workers
	if !a.flags.quiet {
		w.Report = func(_, line string) { fmt.Fprintln(a.err, line) }
	}
	err := engine.Work(ctx, path, engine.Options{Workers: a.workers}, w)
	if errors.Is(err, context.Canceled) {
		return interruptedError{fmt.Errorf("the unit in progress was released; `rfm work %s` resumes", printable.Path(path))}
	}
	return err
}
