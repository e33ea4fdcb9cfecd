// This file is `rfm run`: one experiment from the shell.

package command

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/printable"
)

func (a *app) runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run [PRESET or FILE or RUN]",
		Short: "Generate, train, evaluate",
		Long: `Runs one experiment: generates the data, trains, evaluates, stores the run. FILE is a configuration, or pairs to learn from.
Progress goes to standard error, the result to standard output.
Interrupted, the same command goes on with the run.

` + presetHelp(),
		Example: `  rfm run quick
  rfm run burgers -m 512 --seed 3
  rfm run burgers --train-data train.npy --test-data test.npy --theta theta.npy
  rfm run pairs.npz               learn from your own pairs
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
	source := source(args, "quick")
	if len(a.flags.axes) > 0 {
		return a.runSweep(cmd, source)
	}
	if a.flags.task != "" {
		return misuse("--task is a part of --vary, which is not given")
	}
	if isRun(source) {
		if a.flags.noSave || a.flags.name != "" {
			return misuse("%s is a stored run: leave out --name and --no-save to go on with it, or give its "+
				"%s to repeat it", source, store.ConfigFile)
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
		return misuse("--details %s: the name of a .csv file is expected", a.flags.details)
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
		e, err = a.proceed(cmd.Context(), c, o)
	}
	if err != nil {
		return orGoesOn(err)
	}
	return a.finish(cmd.Context(), e)
}

// planned is what `rfm run --dry-run --json` prints of a configuration that is valid.
type planned struct {
	Problem string         `json:"problem"`
	N       int            `json:"n"`
	M       int            `json:"m"`
	Grid    int            `json:"grid"`
	Workers int            `json:"workers"`
	Bytes   float64        `json:"bytes"`   // of memory, estimated
	Seconds engine.Seconds `json:"seconds"` // estimated
}

func (a *app) dryRun(e *engine.Experiment) error {
	out := a.out
	a.notice(e)
	rates := machine.MeasureRates()
	workers := machine.Workers(a.workers)
	c, estimate := e.Config, rates.Estimate(e.Config, workers)
	if a.flags.json {
		return a.encode(planned{c.Problem, c.Data.Train, c.Features.Count, c.Train.Grid, workers, estimate.Bytes,
			engine.Seconds{Generate: estimate.Generate, Train: estimate.Train, Evaluate: estimate.Evaluate}})
	}
	fmt.Fprintf(out, "The configuration is valid. On %s (%s):\n", printable.Several(workers, "worker"),
		machine.Instructions())
	fmt.Fprintf(out, "  generate  about %s\n  train     about %s\n  evaluate  about %s\n  memory    about %s\n",
		report.Duration(estimate.Generate), report.Duration(estimate.Train), report.Duration(estimate.Evaluate),
		report.Bytes(estimate.Bytes))
	if uncounted := machine.Uncounted(c); uncounted != "" {
		fmt.Fprintf(out, "Not counted: %s.\n", uncounted)
	}
	a.fewerRows(out, c, rates, workers)
	return nil
}
