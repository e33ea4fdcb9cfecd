// This file is `rfm run`: one experiment from the shell.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/store"
	"rfm/solver/printable"

	"rfm/tui/quantity"
	"rfm/tui/theme"
)

func (a *app) runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run [PRESET or FILE.toml or RUN]",
		Short: "Generate, train, evaluate",
		Long: `Runs one experiment: generates the data, trains, evaluates, stores the run.
Progress goes to standard error, the result to standard output.
Interrupted, the same command goes on with the run.

` + presetHelp(),
		Example: `  rfm run quick
  rfm run burgers -m 512 --seed 3
  rfm run burgers --train-data train.npy --test-data test.npy --theta theta.npy
  rfm run runs/x                  go on with a run that was interrupted
  rfm run runs/x/config.toml      repeat a run
  rfm run burgers --vary seed=1..20 --vary features.count=512,1024`,
		Args: arguments(0, 1, "one preset, file or run"),
		RunE: a.runExperiment,
	}
	a.flags.experiment(cmd)
	a.flags.share(cmd, "json", "quiet")
	cmd.Flags().BoolVar(&a.flags.anew, "new", false, "start anew, even if an unfinished run has the same configuration")
	a.flags.vary(cmd)
	cmd.Flags().StringVar(&a.flags.details, "details", "",
		"also errors by maximum, H1, boundary, wavenumbers, mean and energy; of each test sample to this `FILE` (.csv)")
	cmd.Flags().BoolVar(&a.flags.dryRun, "dry-run", false,
		"check the configuration, estimate time and memory, run nothing")
	return cmd
}

func presetHelp() string {
	var names, summaries []string
	for _, p := range config.Presets() {
		names, summaries = append(names, p.Name), append(summaries, p.Summary)
	}
	return "Presets:\n" + helpTable(names, summaries)
}

func (a *app) runExperiment(cmd *cobra.Command, args []string) error {
	source := "quick"
	if len(args) == 1 {
		source = args[0]
	}
	if len(a.flags.axes) > 0 {
		return a.runSweep(cmd, source)
	}
	if a.flags.task != "" {
		return usageError{errors.New("--task is a part of --vary, which is not given")}
	}
	if isRun(source) {
		if a.flags.noSave || a.flags.name != "" {
			return usageError{fmt.Errorf("%s is a stored run: leave out --name and --no-save to go on with it, or give its "+
				"%s to repeat it", source, store.ConfigFile)}
		}
		if !a.flags.configured(cmd) {
			return a.goOn(cmd.Context(), source)
		}
		a.flags.runs, a.flags.name = filepath.Split(filepath.Clean(source))
		source = filepath.Join(source, store.ConfigFile)
	}
	c, err := a.flags.configuration(cmd, source)
	if err != nil {
		return err
	}
	if a.flags.details != "" && filepath.Ext(a.flags.details) != ".csv" {
		return usageError{fmt.Errorf("--details %s: the name of a .csv file is expected", a.flags.details)}
	}
	o := engine.Options{Workers: a.workers}
	if a.flags.dryRun {
		e, err := engine.New(cmd.Context(), c, o)
		if err != nil {
			return err
		}
		return a.dryRun(e)
	}
	if a.flags.name == "" && !a.flags.noSave && !a.flags.anew {
		path, err := engine.Unfinished(cmd.Context(), a.flags.runs, c)
		if err != nil {
			return err
		}
		if path != "" {
			fmt.Fprintf(a.err, "note: going on with %s, an unfinished run of this configuration; --new starts another\n",
				printable.Line(path))
			return a.goOn(cmd.Context(), path)
		}
	}
	var e *engine.Experiment
	if a.flags.noSave {
		e, err = engine.New(cmd.Context(), c, o)
	} else {
		e, err = engine.Continue(cmd.Context(), a.flags.runs, a.flags.name, c, time.Now(), o)
	}
	if err != nil {
		return orGoesOn(err)
	}
	return a.finish(cmd.Context(), e)
}

// isRun reports whether what looks like a file or a preset is the directory of a run.
func isRun(source string) bool {
	if _, err := config.PresetByName(source); err == nil {
		return false
	}
	info, err := os.Stat(source)
	return err == nil && info.IsDir()
}

// finish runs what is not complete of an experiment and prints its result.
func (a *app) finish(ctx context.Context, e *engine.Experiment) error {
	for _, notice := range e.Notices() {
		fmt.Fprintln(a.err, paragraph("note: ", printable.Line(notice), 2))
	}
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
		means, err := e.Details(a.flags.details)
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

// orGoesOn is an error, with the command that goes on if it interrupted a stored run.
func orGoesOn(err error) error {
	var partly *engine.Interrupted
	if errors.As(err, &partly) {
		return interruptedError{fmt.Errorf("%w; go on with `rfm resume %s`", err, printable.Path(partly.Path))}
	}
	return err
}

// compute runs all stages with progress lines on standard error.
func (a *app) compute(ctx context.Context, e *engine.Experiment) error {
	if a.flags.quiet {
		return e.Run(ctx)
	}
	c := e.Config
	rates := machine.MeasureRates()
	estimate := rates.Estimate(c, e.Workers())
	what := fmt.Sprintf("n=%d m=%d %s=%d lambda=%g seed=%d, about %s and %s on %d workers (%s)", c.Data.Train,
		c.Features.Count, c.GridSymbol(), c.Train.Grid,
		c.Train.Lambda, c.Seed, quantity.Duration(estimate.Total()), quantity.Bytes(estimate.Bytes), e.Workers(),
		machine.Instructions())
	if c.Evaluation.Baselines {
		what += ", not counting the comparison with other methods"
	}
	fmt.Fprintln(a.err, paragraph(c.Problem+": ", what, 2))
	a.fewerRows(a.err, c, rates, e.Workers())
	return a.attend(func() error { return e.Run(ctx) }, func() (string, float64, string) {
		p := e.Progress()
		return p.Stage.String(), p.Fraction(), describe(p)
	})
}

// planned is what `rfm run --dry-run --json` prints of a configuration that is valid.
type planned struct {
	Problem string  `json:"problem"`
	N       int     `json:"n"`
	M       int     `json:"m"`
	Grid    int     `json:"grid"`
	Workers int     `json:"workers"`
	Bytes   float64 `json:"bytes"` // of memory, estimated
	Seconds struct {
		Generate float64 `json:"generate"`
		Train    float64 `json:"train"`
		Evaluate float64 `json:"evaluate"`
	} `json:"seconds"` // estimated
}

func (a *app) dryRun(e *engine.Experiment) error {
	out := a.out
	rates := machine.MeasureRates()
	estimate := rates.Estimate(e.Config, e.Workers())
	if a.flags.json {
		var plan planned
		plan.Problem, plan.N, plan.M, plan.Grid, plan.Workers, plan.Bytes = e.Config.Problem, e.Config.Data.Train,
			e.Config.Features.Count, e.Config.Train.Grid, e.Workers(), estimate.Bytes
		plan.Seconds.Generate, plan.Seconds.Train, plan.Seconds.Evaluate = estimate.Generate, estimate.Train,
			estimate.Evaluate
		return a.encode(plan)
	}
	fmt.Fprintf(out, "The configuration is valid. On %d workers (%s):\n", e.Workers(), machine.Instructions())
	for _, stage := range []struct {
		name    string
		seconds float64
	}{{"generate", estimate.Generate}, {"train", estimate.Train}, {"evaluate", estimate.Evaluate}} {
		fmt.Fprintf(out, "  %-9s about %s\n", stage.name, quantity.Duration(stage.seconds))
	}
	fmt.Fprintf(out, "  %-9s about %s\n", "memory", quantity.Bytes(estimate.Bytes))
	a.fewerRows(out, e.Config, rates, e.Workers())
	return nil
}

// fewerRows says what is saved if only some points of each pair enter the sums, if that pays.
func (a *app) fewerRows(out io.Writer, c config.Config, rates machine.Rates, workers int) {
	if rows, seconds, ok := rates.FewerRows(c, workers); ok {
		fmt.Fprintf(out, "  --set train.rows=%d would train in about %s instead of %s, to about the same error\n", rows,
			quantity.Duration(seconds), quantity.Duration(rates.Estimate(c, workers).Train))
	}
}

// printResult writes the result for a person.
func (a *app) printResult(e *engine.Experiment, s engine.Summary) {
	out := a.out
	th := theme.New(theme.Options{ASCII: a.flags.ascii})
	features, lambda := "", ""
	if e.Model().Random() {
		features, lambda = fmt.Sprintf("  m=%d", s.M), fmt.Sprintf("  lambda=%g", s.Lambda)
	}
	fmt.Fprintln(out, th.Title.Render(fmt.Sprintf("%s  n=%d%s  %s=%d%s  seed=%d", s.Problem, s.N, features,
		e.Config.GridSymbol(), s.Grid, lambda, s.Seed)))
	fmt.Fprintf(out, "%s\n\n", th.Muted.Render(paragraph("", fmt.Sprintf("%s, %d test inputs on %s=%d",
		e.Model().About(), e.Config.Data.Test, e.Config.GridSymbol(), e.Evaluation().Grid), 2)))
	writeTable(out, th, e.Evaluation())
	if s.Paper != nil {
		fmt.Fprintf(out, "%s\n", th.Published.Render(fmt.Sprintf("%-20s %10s  %10.6f  %s, one draw", "paper", "",
			s.Paper.Value, s.Paper.Source)))
	}
	if s.Details != nil {
		fmt.Fprintf(out, "\n%s\n", th.Label.Render(fmt.Sprintf("%-20s %10s  %10s", "relative error, mean", "", "test")))
		for _, d := range s.Details {
			fmt.Fprintf(out, "%-20s %10s  %10.6f\n", d.Name, "", d.Test)
		}
	}
	writeBands(out, th, e.Evaluation().Uncertainty)
	writeRivals(out, th, e.Evaluation())
	if p, ok := e.Payoff(); ok {
		fmt.Fprintln(out, paragraph("", strings.Join(p.Sentences(quantity.Duration(p.Spent)), " "), 2))
	}
	fmt.Fprintf(out, "\ngenerate %s   train %s   evaluate %s   %s\n", quantity.Duration(s.Seconds.Generate),
		quantity.Duration(s.Seconds.Train), quantity.Duration(s.Seconds.Evaluate),
		th.Muted.Render(fmt.Sprintf("%d workers, %s", e.Workers(), machine.Instructions())))
	if s.Run != "" {
		fmt.Fprintf(out, "stored in %s\n", printable.Line(s.Run))
	}
}

func writeTable(out io.Writer, th theme.Theme, v *engine.Evaluation) {
	fmt.Fprintln(out, th.Label.Render(fmt.Sprintf("%-20s %10s  %10s", "relative L2 error", "train", "test")))
	for _, r := range v.Rows() {
		fmt.Fprintf(out, "%-20s %10.6f  %10.6f\n", r.Name, r.Train, r.Test)
	}
}

// writeBands says what error bands promise, and what they keep on the test pairs.
func writeBands(out io.Writer, th theme.Theme, u *engine.Uncertainty) {
	if u == nil {
		return
	}
	fmt.Fprintf(out, "\n%s\n", th.Label.Render(fmt.Sprintf("%-20s %10s  %10s  %10s  %10s", "bands promise", "functions",
		"whole", "points", "radius")))
	for _, c := range u.Coverage {
		radius := "unknown"
		if c.Radius > 0 {
			radius = fmt.Sprintf("%.6f", c.Radius)
		}
		fmt.Fprintf(out, "%-20s %9.2f%%  %9.2f%%  %9.2f%%  %10s\n", fmt.Sprintf("%g%%", 100*c.Promised), 100*c.Function,
			100*c.Whole, 100*c.Point, radius)
	}
	fmt.Fprintln(out, paragraph("",
		fmt.Sprintf("Calibrated on the %d training pairs. %d test inputs lie outside those of "+
			"the training.", u.Pairs, u.Outside), 2))
}

// writeRivals compares one evaluation of the model with other ways to get at the solution.
func writeRivals(out io.Writer, th theme.Theme, v *engine.Evaluation) {
	fmt.Fprintf(out, "\n%s\n", th.Label.Render(fmt.Sprintf("%-20s %10s %11s  %10s  %10s", "one evaluation",
		"one core", "operations", "test error", "training")))
	better := false
	for _, r := range v.Rivals {
		failing, star := "truth", ""
		if !math.IsNaN(r.Error) {
			failing = fmt.Sprintf("%.6f", r.Error)
		}
		if r.Better(v.Rivals[0]) {
			star, better = " *", true
		}
		learning, operations := "", ""
		if r.Training > 0 {
			learning = quantity.Duration(r.Training)
		}
		if r.Operations > 0 {
			operations = quantity.Count(r.Operations)
		}
		fmt.Fprintf(out, "%-20s %10s %11s  %10s%-2s%10s\n", r.Name, quantity.Duration(r.Seconds), operations, failing, star,
			learning)
	}
	if better {
		fmt.Fprintln(out, th.Warn.Render("* better than the trained model"))
	}
	for _, note := range v.Notes() {
		fmt.Fprintln(out, paragraph("", note, 2))
	}
}
