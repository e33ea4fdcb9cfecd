// This file completes runs: new ones, interrupted ones, those that workers have split among themselves, and sweeps.

package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/model/run/sweep"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/terminal"
)

// finish runs the missing stages of an experiment and prints its result.
func (a *app) finish(ctx context.Context, e *engine.Experiment) error {
	a.notice(e)
	if e.Complete() {
		directory := printable.Line(e.Directory())
		fmt.Fprintf(a.Err, "%s is complete already\n", directory)
		return a.printResult(e, e.Summary(), false)
	}
	err := a.compute(ctx, e)
	if err != nil {
		return a.abandon(e, err)
	}
	return a.printResult(e, e.Summary(), false)
}

// abandon ends a run after an error: one that can be resumed is closed, a useless one is removed.
func (a *app) abandon(e *engine.Experiment, err error) error {
	known := resumable(err)
	if known != err {
		return errors.Join(known, e.Close())
	}
	fate, failure := e.Discard()
	if fate != "" {
		fmt.Fprintf(a.Err, "note: %s\n", fate)
	}
	return errors.Join(err, failure)
}

// notice prints remarks on unexpected properties of the results.
func (a *app) notice(e *engine.Experiment) {
	for _, text := range e.Notices() {
		a.remark("note", "%s", text)
	}
}

// compute runs all stages with progress lines on standard error.
func (a *app) compute(ctx context.Context, e *engine.Experiment) error {
	if !a.quiet {
		a.announce(ctx, e.Config)
	}
	return a.attendRun(ctx, e, "")
}

// announce tells the sizes of a run, and the time and memory that it will take.
func (a *app) announce(ctx context.Context, c config.Config) {
	forecast := a.forecaster()
	price := forecast(ctx, c)
	sizes := fmt.Sprintf("n=%d m=%d %s=%d lambda=%s seed=%d",
		c.Data.Train,
		c.Features.Count,
		c.GridSymbol(),
		c.Train.Grid,
		report.Lambda(c.Train.Lambda),
		c.Seed,
	)
	takes := price.Time()
	memory := report.Bytes(price.Bytes)
	a.remark(store.Stem(c), "%s, about %s and %s on %s", sizes, takes, memory, a.machine())
	advice := engine.SlowSolver(c, price)
	if advice != "" {
		a.remark("note", "%s", advice)
	}
}

// attendRun runs an experiment with progress lines; name precedes its stages.
func (a *app) attendRun(ctx context.Context, e *engine.Experiment, name string) error {
	run := func(terminal.Between) error { return e.Run(ctx) }
	progress := func() (string, float64, func(int) string) {
		p := e.Progress()
		return name + p.Stage, p.Fraction(), p.Line
	}
	return a.Attend(a.quiet, run, progress)
}

// forecaster returns a function that estimates the cost of a configuration from the speed of this machine, and from the
// solver's pace on the first inputs of an equation. An equation whose first inputs have no solution has no pace: the run
// reports that.
func (a *app) forecaster() func(context.Context, config.Config) engine.Estimate {
	workers := machine.Workers(a.workers)
	rates := engine.MeasureRates(workers)
	var pace engine.Pace
	longest := 2 * time.Second
	return func(ctx context.Context, c config.Config) engine.Estimate {
		if !pace.Of(c) {
			pace, _ = engine.MeasurePace(ctx, c, longest)
			longest /= 2 // of a sweep, whose cells are many
		}
		return rates.Forecast(c, workers, pace)
	}
}

// resumable adds the command that resumes a stored run to the error that interrupted it. Other errors stay as they are.
func resumable(err error) error {
	partly, ok := errors.AsType[*engine.Interrupted](err)
	if !ok {
		return err
	}
	path := printable.Path(partly.Path)
	return interrupted("%w; `rfm run %s` resumes it", err, path)
}

// resume completes a stored run and prints its result. It computes units of a split run that workers have not done.
func (a *app) resume(ctx context.Context, path string) error {
	m, err := store.Read(path)
	isShared := err == nil && m.Split != nil
	if isShared && !m.Complete() {
		return a.units(ctx, path)
	}
	return a.complete(ctx, path) // it reports errors
}

// complete opens a stored run, runs its missing stages, and prints its result.
func (a *app) complete(ctx context.Context, path string) error {
	e, err := engine.Open(ctx, path, engine.Options{Workers: a.workers})
	if err != nil {
		return resumable(err)
	}
	return a.finish(ctx, e)
}

// units computes units of a split run. When all are done it completes the run, unless another worker does.
func (a *app) units(ctx context.Context, path string) error {
	tell := func(p store.Progress) { a.tell("%s", p.Line(0)) }
	options := engine.Options{Workers: a.workers}
	err := engine.Work(ctx, path, options, store.Workers{Report: tell})
	if errors.Is(err, context.Canceled) {
		return interrupted("the unit in progress was released; `rfm work %s` resumes", printable.Path(path))
	}
	if err == nil {
		err = a.complete(ctx, path) // the one of many that opens the run
	}
	if err == nil {
		return nil
	}
	if !othersMerge(err, path) {
		return err
	}
	const text = "all units are done; another worker merges them: if it is stopped, rfm work %s\n"
	fmt.Fprintf(a.Err, text, printable.Path(path))
	return nil
}

// othersMerge reports whether an error only means that another worker merges the units of a run, or has merged them.
func othersMerge(err error, path string) bool {
	_, used := errors.AsType[*store.InUse](err)
	if used || errors.Is(err, store.ErrComplete) {
		return true
	}
	m, unread := store.Read(path)
	return unread == nil && m.Complete() // so the units that were missed are removed
}

// cells computes the incomplete cells of a sweep, group by group, and prints the table.
func (a *app) cells(ctx context.Context, s *sweep.Sweep, groups [][]sweep.Cell) error {
	total := len(s.Cells())
	a.tell("%d runs in %s", total, printable.Line(s.Directory))
	attend := func(ctx context.Context, c sweep.Cell, e *engine.Experiment) error {
		return a.attendRun(ctx, e, printable.Line(c.Name)+", ")
	}
	tell := func(line string) { a.tell("%s", line) }
	options := engine.Options{Workers: a.workers}
	did, err := s.Run(ctx, groups, options, attend, tell)
	path := printable.Path(s.Directory)
	_, isInterrupted := errors.AsType[*engine.Interrupted](err)
	if isInterrupted {
		return interrupted("the sweep is in %s; `rfm work %[1]s` resumes it", path)
	}
	outcomes := s.Read()
	if err == nil {
		err = s.Keep(outcomes)
	}
	if err == nil {
		page := s.Table(outcomes)
		end := ending{
			result: page.Source,
			where:  s.Directory,
			next:   "show " + path,
		}
		err = a.conclude(page, page, end)
	}
	if err != nil {
		return err
	}
	if did.Elsewhere > 0 {
		const text = "note: other processes are at %d runs; `rfm show %s` shows them when they are done\n"
		fmt.Fprintf(a.Err, text, did.Elsewhere, path)
	}
	if did.Failed > 0 {
		const text = "%d of %d runs failed; repeat the command to try them again; the first: %w"
		return fmt.Errorf(text, did.Failed, total, did.First)
	}
	return nil
}
