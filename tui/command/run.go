// This file implements `rfm run`: one experiment from the shell.

package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/model/sweep"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

// running is one call of `rfm run`.
type running struct {
	*app
	settings
	name    string
	noSave  bool
	anew    bool     // --new
	dryRun  bool     // --dry-run
	details string   // file for errors in other norms
	axes    []string // --vary
	split   int      // --split: workers, 0 for none
}

func (a *app) runCommand() *cobra.Command {
	r := &running{app: a}
	cmd := &cobra.Command{
		Use:   "run [PRESET or FILE or RUN]",
		Short: "Generate, train, evaluate; or resume a run",
		Long: `Runs one experiment: generates the data, trains, evaluates, stores the run. FILE is a configuration, or pairs to learn
from. RUN is a stored run, which is resumed. Without an argument the unfinished run that changed last is resumed; if there
is none, the preset quick runs. Progress goes to standard error, the result to standard output. After an interruption the
same command resumes the run.

` + presetHelp(),
		Example: `  rfm run quick
  rfm run burgers -m 512 --seed 3
  rfm run burgers --train-data train.npy --test-data test.npy --theta theta.npy
  rfm run pairs.npz               learn from your own pairs
  rfm run runs/x                  resume an interrupted run
  rfm run runs/x/config.toml      repeat a run
  rfm run burgers --vary seed=1..20 --vary features.count=512,1024`,
		Args: arguments(0, 1, "one preset, file or run"),
		RunE: r.run,
	}
	set := cmd.Flags()
	r.settings.define(cmd)
	a.flags.share(cmd, "workers", "runs", "json", "quiet")
	set.StringVar(&r.name, "name", "", "name of the stored run (default: date-time-problem-hash)")
	set.BoolVar(&r.noSave, "no-save", false, "do not store the run")
	set.BoolVar(&r.anew, "new", false, "start from scratch, even if an unfinished run is the same")
	set.StringArrayVar(&r.axes, "vary", nil, "run all `KEY=VALUES`, e.g. seed=1..20; repeatable")
	set.IntVar(&r.split, "split", 0, "only split the run or sweep for `N` workers (rfm work)")
	set.StringVar(&r.details, "details", "", "new `FILE`, .csv: errors of each test sample, seven norms")
	set.BoolVar(&r.dryRun, "dry-run", false, "only check the configuration, estimate time and memory")
	return cmd
}

func presetHelp() string {
	var names, summaries []string
	for _, p := range config.Presets() {
		names, summaries = append(names, p.Name), append(summaries, p.Summary)
	}
	return "Presets:\n" + helpTable(names, summaries)
}

// check refuses flags that contradict each other or the kind of the source, before any computation.
func (r *running) check(cmd *cobra.Command, stored bool) error {
	set := cmd.Flags()
	type pair struct{ flag, why string }
	var wrong []pair
	if len(r.axes) > 0 {
		why := "--vary stores every cell as a run, and prints one table"
		wrong = []pair{{"no-save", why}, {"new", why}, {"details", why}}
	}
	if stored {
		why := "the argument is a stored run; give its " + store.ConfigFile + " to repeat it"
		wrong = append(wrong, pair{"no-save", why}, pair{"name", why}, pair{"new", why}, pair{"vary", why})
	}
	if r.noSave {
		why := "--no-save stores nothing"
		wrong = append(wrong, pair{"name", why}, pair{"new", why})
	}
	if r.dryRun {
		why := "--dry-run computes nothing and makes nothing"
		wrong = append(wrong, pair{"details", why}, pair{"split", why})
	}
	if set.Changed("split") {
		why := "--split leaves the work to `rfm work`"
		wrong = append(wrong, pair{"no-save", why}, pair{"details", why})
		if r.split < 1 {
			return misuse("--split %d: a number of workers from 1 on is expected", r.split)
		}
	}
	for _, w := range wrong {
		if set.Changed(w.flag) {
			return misuse("%s: leave out --%s", w.why, w.flag)
		}
	}
	if r.details == "" {
		return nil
	}
	if filepath.Ext(r.details) != ".csv" {
		return misuse("--details %s: the name of a .csv file is expected", r.details)
	}
	return unoccupied(r.details, "--details")
}

func (r *running) run(cmd *cobra.Command, args []string) error {
	ctx, source := cmd.Context(), source(args, "quick")
	path, err := r.stored(cmd, args)
	if err != nil {
		return err
	}
	if err := r.check(cmd, path != ""); err != nil {
		return err
	}
	switch {
	case len(r.axes) > 0:
		return r.sweep(cmd, source)
	case path != "" && !r.given(cmd) && r.split > 0:
		return r.plan(ctx, path, r.split)
	case path != "" && !r.given(cmd) && !r.dryRun:
		return r.resume(ctx, path, r.details)
	case path != "":
		r.flags.runs, r.name = filepath.Split(filepath.Clean(path))
		source = filepath.Join(path, store.ConfigFile)
	}
	c, err := r.configuration(cmd, source)
	if err != nil {
		return err
	}
	o := engine.Options{Workers: r.workers}
	if r.dryRun {
		if err := readable(c.Data.TrainFile, c.Data.TestFile, c.Features.ThetaFile); err != nil {
			return err
		}
		e, err := engine.New(ctx, c, o)
		if err != nil {
			return err
		}
		return r.estimate(e)
	}
	if r.name == "" && !r.noSave && !r.anew && r.split == 0 {
		path, err := engine.Unfinished(ctx, r.flags.runs, c)
		if err != nil {
			return err
		}
		if path != "" {
			fmt.Fprintf(r.err, "note: resuming %s, an unfinished run of this configuration; --new starts another\n",
				printable.Path(path))
			return r.resume(ctx, path, r.details)
		}
	}
	var e *engine.Experiment
	if r.noSave {
		e, err = engine.New(ctx, c, o)
	} else {
		e, err = r.proceed(ctx, c, r.name, o)
	}
	if err != nil {
		return resumable(err)
	}
	if r.split > 0 {
		path := e.Directory()
		if err := e.Close(); err != nil {
			return err
		}
		return r.plan(ctx, path, r.split)
	}
	return r.finish(ctx, e, r.details)
}

// stored returns the path of the stored run that the arguments name, or empty. Without an argument and without settings
// it is the unfinished run that changed last.
func (r *running) stored(cmd *cobra.Command, args []string) (string, error) {
	if len(args) == 0 {
		for _, flag := range []string{"name", "no-save", "new", "vary", "dry-run", "split"} {
			if cmd.Flags().Changed(flag) {
				return "", nil
			}
		}
		if r.given(cmd) {
			return "", nil
		}
		path, err := store.NewestUnfinished(r.flags.runs)
		if err != nil {
			return "", nil // none is unfinished: the preset quick runs
		}
		fmt.Fprintf(r.err, "note: resuming %s, the unfinished run that changed last; `rfm run quick` starts another\n",
			printable.Path(path))
		return path, nil
	}
	source := args[0]
	if isRun(source) {
		_, program := os.Stat(filepath.Join(source, store.ProgramFile))
		_, configured := os.Stat(filepath.Join(source, store.ConfigFile))
		if isSweep(source) {
			return "", &fault.Data{Where: printable.Path(source), What: "is a sweep, not one run",
				Do: "`rfm work` computes its cells, `rfm show` prints its table"}
		} else if program != nil && configured != nil {
			return "", &fault.Data{Where: source, What: "is a directory, and not that of a stored run",
				Do: "`rfm show` lists the runs; to learn from pairs, name their file"}
		}
		return source, nil
	}
	if _, err := config.PresetByName(source); err == nil {
		return "", nil
	}
	if _, err := os.Stat(source); err == nil || !printable.Is(source) || strings.ContainsAny(source, `/\`) {
		return "", nil
	}
	if path, err := store.Find(r.flags.runs, source); err == nil { // a name below --runs
		return path, nil
	}
	return "", nil
}

// sweep computes the incomplete cells of --vary and prints the table.
func (r *running) sweep(cmd *cobra.Command, source string) error {
	base, err := r.configuration(cmd, source)
	if err != nil {
		return err
	}
	var axes []sweep.Axis
	for _, text := range r.axes {
		axis, err := sweep.ParseAxis(base, text)
		if err != nil {
			return err
		}
		axes = append(axes, axis)
	}
	if r.dryRun {
		return r.estimateSweep(cmd.Context(), &sweep.Sweep{Base: base, Axes: axes})
	}
	s, err := sweep.Begin(r.flags.runs, r.name, base, axes)
	if err != nil {
		return err
	}
	if r.split > 0 {
		fmt.Fprintf(r.out, "%d cells in %s\nstart workers: rfm work %[2]s\n", len(s.Cells()), printable.Path(s.Directory))
		return nil
	}
	return r.cells(cmd.Context(), s, s.Groups())
}

// planned is the output of `rfm run --dry-run --json` for a valid configuration.
type planned struct {
	Problem string         `json:"problem"`
	N       int            `json:"n"`
	M       int            `json:"m"`
	Grid    int            `json:"grid"`
	Workers int            `json:"workers"`
	Bytes   float64        `json:"bytes"`   // of memory, estimated
	Seconds engine.Seconds `json:"seconds"` // estimated
}

// estimate prints the estimated time and memory of an experiment.
func (a *app) estimate(e *engine.Experiment) error {
	a.notice(e)
	rates := machine.MeasureRates()
	workers := machine.Workers(a.workers)
	c, estimate := e.Config, engine.Forecast(rates, e.Config, workers, a.lately())
	if a.flags.json {
		return a.encode(planned{c.Problem, c.Data.Train, c.Features.Count, c.Train.Grid, workers, estimate.Bytes,
			engine.Seconds{Generate: estimate.Generate, Train: estimate.Train, Evaluate: estimate.Evaluate}})
	}
	fmt.Fprintf(a.out, "The configuration is valid. On %s:\n", a.machine())
	for _, row := range [][2]string{{"generate", report.Duration(estimate.Generate)},
		{"train", report.Duration(estimate.Train)},
		{"evaluate", report.Duration(estimate.Evaluate)}, {"memory", report.Bytes(estimate.Bytes)}} {
		fmt.Fprintf(a.out, "  %-9s about %s\n", row[0], row[1])
	}
	a.fewerRows(a.out, c, rates, workers)
	return nil
}
