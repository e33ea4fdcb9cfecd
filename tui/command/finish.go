// This file is `rfm resume`: runs, which may be in use, are opened, and what is not complete of them is done.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/share"
	"rfm/model/store"
	"rfm/solver/printable"
	"rfm/solver/progress"
)

// finish runs what is not complete of an experiment and prints its result.
func (a *app) finish(ctx context.Context, e *engine.Experiment) error {
	a.notice(e)
	if e.Reached() == engine.Evaluating {
		fmt.Fprintf(a.err, "%s is complete already\n", printable.Line(e.Directory()))
	} else if err := a.compute(ctx, e); err != nil {
		if said := orGoesOn(err); said != err {
			return errors.Join(said, e.Close())
		}
		fate, failure := e.Discard()
		if fate != "" {
			fmt.Fprintf(a.err, "note: %s\n", fate)
		}
		return errors.Join(err, failure)
	}
	summary := e.Summary()
	if a.flags.details != "" {
		means, err := e.Evaluation().Details(a.flags.details)
		if err != nil {
			return err
		}
		summary.Details = means
	}
	if a.flags.json {
		return a.encode(summary)
	}
	a.printResult(e, summary)
	return nil
}

// notice prints what may surprise about the results.
func (a *app) notice(e *engine.Experiment) {
	for _, text := range e.Notices() {
		fmt.Fprintln(a.err, paragraph("note: ", printable.Line(text), 2))
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
	estimate := rates.Estimate(c, workers)
	what := fmt.Sprintf("n=%d m=%d %s=%d lambda=%g seed=%d, about %s and %s on %s (%s)", c.Data.Train,
		c.Features.Count, c.GridSymbol(), c.Train.Grid,
		c.Train.Lambda, c.Seed, report.Duration(estimate.Total()), report.Bytes(estimate.Bytes),
		printable.Several(workers, "worker"),
		machine.Instructions())
	if uncounted := machine.Uncounted(c); uncounted != "" {
		what += ", not counting " + uncounted
	}
	fmt.Fprintln(a.err, paragraph(c.Problem+": ", what, 2))
	a.fewerRows(a.err, c, rates, workers)
	return a.attend(func() error { return e.Run(ctx) }, func() (string, float64, string) {
		p := e.Progress()
		return p.Stage.String(), p.Fraction(), progress.Line(p.Progress, 0)
	})
}

// fewerRows says what is saved if only some points of each pair enter the sums, if that pays.
func (a *app) fewerRows(out io.Writer, c config.Config, rates machine.Rates, workers int) {
	if rows, seconds, ok := rates.FewerRows(c, workers); ok {
		fmt.Fprintf(out, "  --set train.rows=%d would train in about %s instead of %s, to about the same error\n", rows,
			report.Duration(seconds), report.Duration(rates.Estimate(c, workers).Train))
	}
}

// orGoesOn is an error, with the command that goes on if it interrupted a stored run.
func orGoesOn(err error) error {
	var partly *engine.Interrupted
	if errors.As(err, &partly) {
		return interruptedError{fmt.Errorf("%w; go on with `rfm resume %s`", err, printable.Path(partly.Path))}
	}
	return err
}

// goOn runs what is not complete of a stored run and prints its result.
func (a *app) goOn(ctx context.Context, path string) error {
	o := engine.Options{Workers: a.workers}
	parted := share.Planned(path)
	if parted {
		var err error
		if o, err = a.parts(ctx, path, o); err != nil {
			return err
		}
	}
	a.doubt(path)
	e, err := engine.Open(ctx, path, o)
	if err != nil {
		return orGoesOn(err)
	}
	if err := a.finish(ctx, e); err != nil || !parted {
		return err
	}
	return share.RemovePlan(path)
}

// doubt says why opening a run takes long, if it does.
func (a *app) doubt(path string) {
	if text := store.Doubt(path); text != "" {
		fmt.Fprintln(a.err, text)
	}
}

// proceed goes on with the run that is called so, or begins it.
func (a *app) proceed(ctx context.Context, c config.Config, o engine.Options) (*engine.Experiment, error) {
	if a.flags.name != "" {
		a.doubt(filepath.Join(a.flags.runs, a.flags.name))
	}
	return engine.Continue(ctx, a.flags.runs, a.flags.name, c, time.Now(), o)
}

func (a *app) resumeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Go on with an interrupted run",
		Long: `Goes on with a run that was interrupted, to the result that it would have had: RUN is a name below --runs, or the path of a
run. Without it the unfinished run that changed last is taken. Of a complete run the result is printed.`,
		Example: `  rfm resume
  rfm resume 20260102-030405-burgers-1a2b3c4d
  rfm resume /data/runs/long --workers 2 --json`,
		Args: arguments(0, 1, "one run"),
		RunE: a.resume,
	}
	a.flags.share(cmd, "runs", "workers", "json", "quiet")
	cmd.Flags().BoolVar(&a.flags.merge, "merge", false,
		"of a split run: do nothing that workers can do; exit code 75 if units are missing")
	cmd.Flags().IntVar(&a.flags.attempts, "attempts", 0,
		"of a split run that was submitted, with --merge: if units are missing, "+
			"and some were done since, submit again, so often at most")
	return cmd
}

func (a *app) resume(cmd *cobra.Command, args []string) error {
	var (
		path string
		err  error
	)
	if a.flags.attempts != 0 && !a.flags.merge {
		return misuse("--attempts is for --merge: without it, what is missing is done here")
	}
	if len(args) == 1 {
		path, err = store.Find(a.flags.runs, args[0])
	} else if path, err = store.NewestUnfinished(a.flags.runs); err == nil {
		fmt.Fprintf(a.err, "going on with %s\n", printable.Line(path))
	}
	if err != nil {
		return err
	}
	return a.goOn(cmd.Context(), path)
}

// work runs a worker with lines about its units on standard error.
func (a *app) work(ctx context.Context, path string, do func(ctx context.Context, w share.Worker) error) error {
	w := share.Worker{Options: engine.Options{Workers: a.workers}}
	units, begun := 0, time.Now()
	if !a.flags.quiet {
		w.Report = func(unit string, done float64) {
			if done == 1 {
				units++
				fmt.Fprintf(a.err, "%s is done, %s since the begin\n", unit, report.Duration(time.Since(begun).Seconds()))
			}
		}
	}
	err := do(ctx, w)
	if errors.Is(err, context.Canceled) {
		return interruptedError{fmt.Errorf("the unit at hand is given back; go on with `rfm work %s`", printable.Path(path))}
	}
	return err
}

// parts does what workers have not done of a split run, and returns how it is completed.
func (a *app) parts(ctx context.Context, path string, o engine.Options) (engine.Options, error) {
	err := a.work(ctx, path, func(ctx context.Context, w share.Worker) (err error) {
		o, err = w.Finish(ctx, path, a.flags.merge)
		return err
	})
	var missing *share.Missing
	if errors.As(err, &missing) {
		if a.flags.attempts > 0 {
			absolute, failure := filepath.Abs(path)
			if failure == nil {
				var again bool
				if again, failure = a.again(ctx, absolute, missing.Progress.Left(), a.flags.attempts); again && failure == nil {
					return o, interruptedError{fmt.Errorf("%w; workers are submitted again for them", err)}
				}
			}
			if failure != nil {
				return o, failure
			}
		}
		return o, interruptedError{fmt.Errorf("%w; `rfm submit %s` submits workers for them, `rfm resume %[2]s` does them "+
			"here", err, printable.Path(path))}
	}
	return o, err
}
