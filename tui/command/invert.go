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
	defineInversion(cmd, &v)
	return a.share(cmd, "runs", "workers", "json", "quiet")
}

// defineInversion adds the flags of an inversion, with their defaults.
func defineInversion(cmd *cobra.Command, v *interchange.Inversion) {
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
}

func (a *app) invert(cmd *cobra.Command, v interchange.Inversion, source string) error {
	hasData := rule{v.Data != "", "points sample", "does not go with --data"}
	err := refuse(cmd, hasData)
	if err != nil {
		return err
	}
	if v.Samples != "" && v.Samples == v.Out {
		return misuse("--samples %s: want a file of its own, because --out has this one", v.Samples)
	}
	model, err := interchange.FindModel(cmd.Context(), a.runs, source)
	if err != nil {
		return err
	}
	var steps stepCount
	v.Progress = steps.set
	var found interchange.Inverted
	invert := func(terminal.Between) (err error) {
		found, err = interchange.Invert(cmd.Context(), model, v)
		return err
	}
	err = a.Attend(a.quiet, invert, steps.progress)
	if err != nil {
		return err
	}
	a.warnOfInversion(found, v.Steps)
	page := words.Inversion(found)
	return a.conclude(found, page, endOfInversion(found, v.Out, source))
}

// stepCount is the progress of an inversion, which is read while it is made.
type stepCount struct {
	done, of atomic.Int64
}

func (s *stepCount) set(step, steps int) {
	s.done.Store(int64(step))
	s.of.Store(int64(steps))
}

// progress is a terminal.State. Before the first step the most probable input is found, which takes unknown time.
func (s *stepCount) progress() (what string, fraction float64, line func(width int) string) {
	const unknown = -1
	text := "the most probable input"
	fraction = unknown
	done := s.done.Load()
	of := s.of.Load()
	if of > 0 {
		text = fmt.Sprintf("step %d of %d", done, of)
		fraction = float64(done) / float64(of)
	}
	return "invert", fraction, func(int) string { return text }
}

// endOfInversion returns the last line of an inversion into a file: of the error of the input where that is known.
func endOfInversion(found interchange.Inverted, file, source string) ending {
	const digits = 4
	end := ending{
		result: "values missed by " + report.Error(found.Misfit, digits),
		where:  file,
	}
	if found.BestError != nil {
		end.result = "error of the input " + report.Error(*found.BestError, digits)
	}
	if file == "" {
		end.where = "not written"
		end.next = "invert " + printable.Path(source) + " --out found.csv"
	}
	return end
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
