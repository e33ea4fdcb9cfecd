// This file is `rfm run --vary` and `rfm sweep`: one configuration with many values of some keys.

package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/share"
	"rfm/model/store"
	"rfm/solver/printable"
	"rfm/solver/progress"
)

func (a *app) sweepCommand() *cobra.Command {
	return a.flags.share(&cobra.Command{
		Use:   "sweep DIRECTORY",
		Short: "Sum up what there is of a sweep",
		Long: "Prints the table of a sweep that `rfm run --vary` makes, from the cells that are complete, and writes " +
			"sweep.csv and\n" +
			"sweep.svg beside them. Cells that are missing or have failed are named. It may be asked while cells are at work.",
		Example: `  rfm run burgers --vary seed=1..20 --vary features.count=512,1024 --name wide
  rfm sweep runs/wide
  rfm sweep runs/wide --json`,
		Args: arguments(1, 1, "one sweep's directory"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := share.OpenSweep(filepath.Clean(args[0]))
			if err != nil {
				return err
			}
			return a.printSweep(s)
		},
	}, "json")
}

// runSweep does what is not complete of the cells of --vary and sums up.
func (a *app) runSweep(cmd *cobra.Command, source string) error {
	task, tasks, err := a.flags.part()
	if err != nil {
		return err
	}
	if a.flags.noSave || a.flags.anew || isRun(source) {
		return misuse("--vary keeps every cell as a run: leave out --no-save and --new, and give a preset " +
			"or a file")
	}
	base, err := a.flags.configuration(cmd, source)
	if err != nil {
		return err
	}
	var axes []share.Axis
	for _, text := range a.flags.axes {
		axis, err := share.ParseAxis(base, text)
		if err != nil {
			return err
		}
		axes = append(axes, axis)
	}
	if a.flags.dryRun {
		return a.dryRunSweep(cmd.Context(), &share.Sweep{Base: base, Axes: axes}, task, tasks)
	}
	s, err := share.BeginSweep(a.flags.runs, a.flags.name, base, axes)
	if err != nil {
		return err
	}
	own := s.Task(task, tasks)
	total, done := 0, 0
	for _, group := range own {
		total += len(group)
	}
	var first error
	r := share.Runner{Options: engine.Options{Workers: a.workers},
		Compute: func(ctx context.Context, c share.Cell, e *engine.Experiment) error {
			return a.attend(func() error { return e.Run(ctx) }, func() (string, float64, string) {
				p := e.Progress()
				return fmt.Sprintf("%s, %s", printable.Line(c.Name), p.Stage), p.Fraction(), progress.Line(p.Progress, 0)
			})
		},
		Done: func(c share.Cell, err error) {
			done++
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
		fmt.Fprintf(a.err, "%d of %d cells in %s\n", total, len(s.Cells()), printable.Line(s.Directory))
	}
	failed, elsewhere, err := r.Run(cmd.Context(), s, own)
	var partly *engine.Interrupted
	if errors.As(err, &partly) {
		return interruptedError{fmt.Errorf("the sweep is in %s; the same command goes on with it",
			printable.Path(s.Directory))}
	}
	if err != nil {
		return err
	}
	if err := a.printSweep(s); err != nil {
		return err
	}
	if elsewhere > 0 {
		fmt.Fprintf(a.err, "note: other processes are at %d cells; `rfm sweep %s` shows them when they are done\n", elsewhere,
			printable.Path(s.Directory))
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d cells failed, the same command tries them again; the first: %w", failed, total, first)
	}
	return nil
}

// dryRunSweep says what a sweep will do.
func (a *app) dryRunSweep(ctx context.Context, s *share.Sweep, task, tasks int) error {
	rates, cells, seconds, bytes := machine.MeasureRates(), 0, 0.0, 0.0
	for _, group := range s.Task(task, tasks) {
		for i, c := range group {
			if c.Fault != nil {
				return c.Fault
			}
			e, err := engine.New(ctx, c.Config, engine.Options{Workers: a.workers})
			if err != nil {
				return fmt.Errorf("%s: %w", c.Name, err)
			}
			estimate := rates.Estimate(e.Config, machine.Workers(a.workers))
			if i > 0 {
				estimate.Generate = 0 // the group shares its data
			}
			cells, seconds, bytes = cells+1, seconds+estimate.Total(), max(bytes, estimate.Bytes)
		}
	}
	if a.flags.json {
		return a.encode(struct {
			Cells   int     `json:"cells"`
			Seconds float64 `json:"seconds"`
			Bytes   float64 `json:"bytes"`
		}{cells, seconds, bytes})
	}
	fmt.Fprintf(a.out, "The configurations of %s are valid: about %s, and %s of memory.\n",
		printable.Several(cells, "cell"),
		report.Duration(seconds), report.Bytes(bytes))
	return nil
}

// cellJSON is a cell in what `rfm sweep --json` prints.
type cellJSON struct {
	Name   string            `json:"name"`
	Values map[string]string `json:"values"`
	State  share.State       `json:"state"`
	Why    string            `json:"why,omitempty"`
	Result *engine.Result    `json:"result,omitempty"`
}

// printSweep prints the table of a sweep and writes it beside the cells.
func (a *app) printSweep(s *share.Sweep) error {
	outcomes := s.Read()
	result := s.Table(outcomes)
	if err := s.Keep(outcomes); err != nil {
		return err
	}
	if a.flags.json {
		list := []cellJSON{}
		for _, o := range outcomes {
			c := cellJSON{Name: o.Name, Values: map[string]string{}, State: o.State, Why: o.Why}
			for i, axis := range s.Axes {
				c.Values[axis.Key] = o.Values[i]
			}
			if o.State == share.Complete {
				c.Result = &o.Result
			}
			list = append(list, c)
		}
		return a.encode(struct {
			Sweep string     `json:"sweep"`
			Cells []cellJSON `json:"cells"`
		}{s.Directory, list})
	}
	fmt.Fprint(a.out, a.pageText(result))
	return nil
}
