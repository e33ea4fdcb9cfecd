// This file implements `rfm invert`: the input of a model from noisy values of its output.

package command

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"rfm/model/interchange"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/chart"
)

func (a *app) invertCommand() *cobra.Command {
	v := interchange.Inversion{}
	cmd := &cobra.Command{
		Use:   "invert RUN|MODEL.npz [--data observed.csv | --points N]",
		Short: "Find the input of a model from noisy values of its output",
		Long: `Finds the initial condition, or the permeability, that explains noisy values of the output at points: the most probable
input, and samples of the posterior. The prior is the distribution of the training inputs; the model's own error,
measured on 64 of them, counts as noise. The solver checks the result.

Observations are rows of a .csv file: a place from 0 to 1 (two coordinates for fields) and a value. Without a file they
are made from a test input, with which the result is compared.`,
		Example: `  rfm invert runs/x --points 20 --noise 0.01
  rfm invert runs/x --data observed.csv --noise 0.05 --out found.csv
  rfm invert model.npz --points 40 --samples samples.npy --json`,
		Args: arguments(1, 1, "one run or model file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.Workers = machine.Workers(a.workers)
			return a.invert(cmd, v, args[0])
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&v.Data, "data", "", "`FILE` of observations, .csv (default: from a test input)")
	set.IntVar(&v.Count, "points", 20, "number of observations made from the test input")
	set.IntVar(&v.Sample, "sample", 0, "index of that test input")
	set.Float64Var(&v.Noise, "noise", 0.01, "standard deviation of the values, relative to their RMS")
	set.Uint64Var(&v.Seed, "seed", 1, "seed of noise and samples")
	set.IntVarP(&v.Grid, "grid", "K", 0, "grid of the result (default: as trained)")
	set.IntVar(&v.Chains, "chains", 32, "number of chains of samples")
	set.IntVar(&v.Steps, "steps", 250, "steps of each chain, after half as many of burn-in")
	set.StringVar(&v.Out, "out", "", "`FILE` for the result: .csv or .npy")
	set.StringVar(&v.Samples, "samples", "", "`FILE` for the last sample of every chain: .npy")
	set.BoolVar(&v.Replace, "force", false, "replace existing files")
	return a.flags.share(cmd, "runs", "workers", "json", "quiet")
}

// checkInversion refuses invalid values and combinations of flags.
func checkInversion(cmd *cobra.Command, v interchange.Inversion) error {
	const most = 100000
	between := func(flag string, value, least, most int) error {
		if value < least || value > most {
			return misuse("--%s %d: a number from %d to %d is expected", flag, value, least, most)
		}
		return nil
	}
	for _, flag := range []string{"points", "sample"} {
		if v.Data != "" && cmd.Flags().Changed(flag) {
			return misuse("--%s is about observations that are made: leave it out, or --data", flag)
		}
	}
	switch {
	case !(v.Noise > 0 && v.Noise <= 10):
		return misuse("--noise %g: a number above 0, at most 10, is expected", v.Noise)
	case v.Grid < 0:
		return misuse("--grid %d: points along an axis are expected", v.Grid)
	case v.Out != "" && !isArray(v.Out):
		return misuse("--out %s: the name of a .csv or .npy file is expected", v.Out)
	case v.Samples != "" && (filepath.Ext(v.Samples) != ".npy" || v.Samples == v.Out):
		return misuse("--samples %s: the name of a .npy file of its own is expected", v.Samples)
	}
	return errors.Join(between("points", v.Count, 1, interchange.MostObserved), between("sample", v.Sample, 0, most),
		between("chains", v.Chains, 2, 1024), between("steps", v.Steps, 10, most))
}

func (a *app) invert(cmd *cobra.Command, v interchange.Inversion, source string) error {
	if err := checkInversion(cmd, v); err != nil {
		return err
	}
	model, err := interchange.FindModel(a.flags.runs, source)
	if err != nil {
		return err
	}
	var done, of atomic.Int64
	v.Progress = func(step, steps int) { done.Store(int64(step)); of.Store(int64(steps)) }
	var found interchange.Inverted
	err = a.attend(func() (err error) {
		found, err = interchange.Invert(cmd.Context(), model, v)
		return err
	}, func() (string, float64, string) {
		if of.Load() == 0 {
			return "inverting", -1, "the most probable input"
		}
		return "inverting", float64(done.Load()) / float64(of.Load()), fmt.Sprintf("step %d of %d", done.Load(), of.Load())
	})
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.encode(found)
	}
	fmt.Fprint(a.out, a.pageText(chart.Inversion(found)))
	if found.Mixing > wellMixed {
		a.remark("warning", "the chains do not agree yet: do not trust mean and deviation of the samples, or give about "+
			"--steps %d", agreeing(v.Steps, found.Mixing))
	}
	if limit := 3 * (found.Noise + found.ModelError); found.SolvedMisfit > limit {
		a.remark("warning", "the solver's output for this input misses the values by %.3g, more than noise and the model's "+
			"error explain", found.SolvedMisfit)
	}
	result := "values missed by " + report.Error(found.Misfit, 4)
	if found.BestError != nil {
		result = "error of the input " + report.Error(*found.BestError, 4)
	}
	where, next := v.Out, ""
	if where == "" {
		where, next = "not written", "invert "+printable.Path(source)+" --out found.csv"
	}
	a.end(result, where, next)
	return nil
}

// wellMixed is the largest potential scale reduction of chains that agree.
const wellMixed = 1.1

// agreeing estimates the number of steps after which chains agree, from their reduction R after the given steps: R^2 -
// 1 is inversely proportional to the steps.
func agreeing(steps int, reduction float64) int {
	needed := float64(steps) * (reduction*reduction - 1) / (wellMixed*wellMixed - 1)
	unit := math.Pow(10, math.Floor(math.Log10(needed)))
	return int(math.Ceil(needed/unit) * unit)
}
