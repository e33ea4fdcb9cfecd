// This file does the units of split runs.

package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"rfm/model/engine"
	"rfm/model/share"
	"rfm/solver/printable"
	"rfm/tui/quantity"
)

// work runs a worker with lines about its units on standard error.
func (a *app) work(ctx context.Context, path string, do func(ctx context.Context, w share.Worker) error) error {
	w := share.Worker{Options: engine.Options{Workers: a.workers}}
	units, begun := 0, time.Now()
	if !a.flags.quiet {
		w.Report = func(unit string, done float64) {
			if done == 1 {
				units++
				fmt.Fprintf(a.err, "%s is done, %s since the begin\n", unit, quantity.Duration(time.Since(begun).Seconds()))
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
