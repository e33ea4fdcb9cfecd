// This file implements `rfm invert`: the input of a model from noisy values of its output.

package command

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/spf13/cobra"

	"rfm/model/run/machine"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/terminal"
	"rfm/tui/words"
)

func (a *app) invertCommand() *cobra.Command {
	v := interchange.Inversion{}
	cmd := &cobra.Command{
		Use:   "invert RUN|MODEL.npz [--data observed.csv | --points N]",
		Short: "Find the input of a model from noisy values of its output",
		Long: `Finds the input (an initial condition, or a permeability) that explains noisy values of the output at some points: the most
probable one, and samples of the posterior. The prior is the distribution of the training inputs. The model's own error,
measured on 64 of them, counts as noise, because the posterior would be too narrow otherwise. The solver checks the result.

Observations are rows of a .csv file: a place from 0 to 1 (two coordinates for fields) and a value. Without a file they
are made from a test input, with which the result is compared.`,
		Example: `  rfm invert runs/x --points 20 --noise 0.01
  rfm invert runs/x --data observed.csv --noise 0.05 --out found.csv
  rfm invert model.npz --points 40 --samples samples.npy --json`,
		Args:              arguments(1, 1, "one run or model file"),
		ValidArgsFunction: a.completeRuns(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.Workers = machine.Workers(a.workers)
			return a.invert(cmd, v, args[0])
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	v.Count = 20
	v.Noise = 0.01
	v.Seed = 1
	v.Chains = 32
	v.Steps = 250
	const most = 100000
	file(cmd, &v.Data, "data", "`FILE` of observations, .csv (default: from a test input)", "csv")
	whole(cmd, &v.Count, "points", 1, interchange.MostObserved, "number of observations made from the test input")
	whole(cmd, &v.Sample, "sample", 0, most, "index of that test input")
	positive(cmd, &v.Noise, "noise", 10, "standard deviation of the values, relative to their RMS")
	whole(cmd, &v.Seed, "seed", 0, math.MaxUint64, "seed of noise and samples")
	whole(cmd, &v.Grid, "grid,K", 2, most, "grid of the result (default: as trained)")
	whole(cmd, &v.Chains, "chains", 2, 1024, "number of chains of samples")
	whole(cmd, &v.Steps, "steps", 10, most, "steps of each chain, after half as many of burn-in")
	file(cmd, &v.Out, "out", "`FILE` for the result: .csv or .npy", "csv", "npy")
	file(cmd, &v.Samples, "samples", "`FILE` for the last sample of every chain: .npy", "npy")
	set.BoolVar(&v.Replace, "force", false, "replace existing files")
	return a.share(cmd, "runs", "workers", "json", "quiet")
}

func (a *app) invert(cmd *cobra.Command, v interchange.Inversion, source string) error {
	if err := refuse(cmd, rule{v.Data != "", "points sample", "does not go with --data"}); err != nil {
		return err
	}
	if v.Samples != "" && v.Samples == v.Out {
		return misuse("--samples %s: want a file of its own, because --out has this one", v.Samples)
	}
	model, err := interchange.FindModel(cmd.Context(), a.runs, source)
	if err != nil {
		return err
	}
	var done, of atomic.Int64
	v.Progress = func(step, steps int) {
		done.Store(int64(step))
		of.Store(int64(steps))
	}
	var found interchange.Inverted
	invert := func(terminal.Between) (err error) {
		found, err = interchange.Invert(cmd.Context(), model, v)
		return err
	}
	progress := func() (string, float64, func(int) string) {
		text := "the most probable input"
		share := -1.0 // unknown
		if steps := of.Load(); steps > 0 {
			text = fmt.Sprintf("step %d of %d", done.Load(), steps)
			share = float64(done.Load()) / float64(steps)
		}
		return "invert", share, func(int) string { return text }
	}
	if err := a.Attend(a.quiet, invert, progress); err != nil {
		return err
	}
	a.warnOfInversion(found, v.Steps)
	end := ending{
		result: "values missed by " + report.Error(found.Misfit, 4),
		where:  v.Out,
	}
	if found.BestError != nil {
		end.result = "error of the input " + report.Error(*found.BestError, 4)
	}
	if v.Out == "" {
		end.where = "not written"
		end.next = "invert " + printable.Path(source) + " --out found.csv"
	}
	return a.conclude(found, words.Inversion(found), end)
}

// warnOfInversion warns of samples that cannot be trusted, and of an input that does not explain the values.
func (a *app) warnOfInversion(found interchange.Inverted, steps int) {
	const wellMixed = 1.1 // potential scale reduction, usually asked for
	if found.Mixing > wellMixed {
		const text = "the chains do not agree yet: do not trust mean and deviation of the samples, or give more than --steps %d"
		a.remark("warning", text, steps)
	}
	const deviations = 3
	expected := found.Noise + found.ModelError
	if found.SolvedMisfit > deviations*expected {
		const text = "the solver's output for this input misses the values by %.3g, more than noise and the model's error explain"
		a.remark("warning", text, found.SolvedMisfit)
	}
}
