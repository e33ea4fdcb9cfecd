// This file implements `rfm predict`: a trained model applied to functions in a file.

package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/interchange"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/solver/fault"
)

func (a *app) predictCommand() *cobra.Command {
	var p interchange.Prediction
	cmd := &cobra.Command{
		Use:   "predict RUN|MODEL.npz --in a.npy --out u.npy",
		Short: "Apply a trained model to functions in a file",
		Long: `Applies the model of a run, or a model file, to functions on any grid. The input is an array of shape (n, K), (K, n) or
(K) for functions of one variable, (n, r, r), (r, r, n) or (r, r) for fields, in any file that rfm show reads. The output
has the shape of the input: a .npy file of float64, or a .csv file with a line for each function. A file called - is
standard input or standard output.

If the run has error bands (evaluation.bands = yes), inputs outside the range of the training are listed, and --bands
writes half the widths of the bands. With --steps the output is fed back as the next input.`,
		Example: `  rfm predict burgers-512-1024-a3 --in a.npy --out u.npy
  rfm predict model.npz --in a.mat --array a --endpoint excluded --out u.npy
  rfm predict runs/x --in a.npy --out u.npy --bands half.npy --level 0.95
  rfm predict runs/ks --in a.npy --out u.npy --steps 10 --check
  python make.py | rfm predict runs/x --in - --out - > u.npy`,
		Args: arguments(1, 1, "one run or model file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Workers = machine.Workers(a.workers)
			return a.predict(cmd, p, args[0])
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&p.In, "in", "", "`FILE` of inputs, as rfm show reads; - is standard input")
	set.StringVar(&p.Out, "out", "", "`FILE` of predictions: .npy, .csv, or - (standard output)")
	set.StringVar(&p.Array, "array", "", "array of the inputs in the file (default: as trained)")
	set.StringVar(&p.Endpoint, "endpoint", config.Included, "right end of periodic grids: included or excluded")
	set.StringVar(&p.Layout, "layout", config.AutoLayout, "order of axes: functions-first, points-first, auto")
	set.BoolVar(&p.Replace, "force", false, "replace existing files")
	set.IntVar(&p.Steps, "steps", 1, "apply the model that often, each time to its output")
	set.BoolVar(&p.Check, "check", false, "also solve, and print the error after every step")
	set.StringVar(&p.Bands, "bands", "", "`FILE` of half the widths of error bands: .npy or .csv")
	set.Float64Var(&p.Level, "level", 0.9, "coverage: probability that the solution is in its band")
	set.BoolVar(&p.Whole, "whole", false, "bands of whole functions rather than of single values")
	return a.flags.share(cmd, "runs", "workers", "json")
}

// maxSteps is the largest value of --steps.
const maxSteps = 10000

// checkPrediction refuses invalid values and combinations of flags, and arrays on terminals.
func (a *app) checkPrediction(p interchange.Prediction) error {
	switch {
	case p.In == "" || p.Out == "":
		return misuse("predict needs --in FILE and --out FILE")
	case p.In == interchange.Stream && isTerminal(p.Stdin):
		return misuse("--in - reads an array from standard input, which is a terminal: pipe one into it")
	case p.Out == interchange.Stream && a.flags.json:
		return misuse("--out - and --json both write to standard output: leave one out")
	case p.Out == interchange.Stream && isTerminal(p.Stdout):
		return misuse("--out - writes an array to standard output, which is a terminal: pipe it somewhere, " +
			"or add > u.npy")
	case p.Steps < 1 || p.Steps > maxSteps:
		return misuse("--steps %d: a number from 1 to %d is expected", p.Steps, maxSteps)
	case p.Steps > 1 && p.Bands != "":
		return misuse("--bands are those of one step: leave out --steps")
	case p.Bands != "" && (!isArray(p.Bands) || p.Bands == p.Out):
		return misuse("--bands %s: the name of a .npy or .csv file of its own is expected", p.Bands)
	case !(p.Level > 0 && p.Level < 1):
		return misuse("--level %g: a probability between 0 and 1 is expected", p.Level)
	case p.Out != interchange.Stream && !isArray(p.Out):
		return misuse("--out %s: the name of a .npy or .csv file is expected, or -", p.Out)
	case p.Steps > 1 && filepath.Ext(p.Out) == ".csv":
		return misuse("--out %s: --steps makes an axis more than a table has: name a .npy file", p.Out)
	}
	return nil
}

// isArray reports whether a name is one of a file to which arrays are written.
func isArray(name string) bool { return slices.Contains([]string{".npy", ".csv"}, filepath.Ext(name)) }

func (a *app) predict(cmd *cobra.Command, p interchange.Prediction, source string) error {
	p.Stdin, p.Stdout = a.terminal.in, a.terminal.out
	if err := a.checkPrediction(p); err != nil {
		return err
	}
	model, err := interchange.FindModel(a.flags.runs, source)
	if err != nil {
		return err
	}
	did, err := interchange.Predict(cmd.Context(), model, p)
	if err != nil {
		return withFlags(err)
	}
	if outside := did.Outside; len(outside) > 0 {
		numbers := fmt.Sprint(outside[:min(10, len(outside))])
		if len(outside) > 10 {
			numbers = strings.TrimSuffix(numbers, "]") + " ...]"
		}
		a.remark("warning", "%d of %d inputs lie outside those of the training, where neither predictions nor bands can be "+
			"trusted: %s, counted from 0", len(outside), did.Count, numbers)
	}
	if a.flags.json {
		return a.encode(did)
	}
	if p.Out == interchange.Stream {
		return nil
	}
	what := "function"
	if did.Domain.Dims == 2 {
		what = "field"
	}
	if did.Count != 1 {
		what += "s"
	}
	for i, v := range did.Errors {
		fmt.Fprintf(a.out, "step %-4d relative L2 error %s\n", i+1, report.Error(v, 6))
	}
	if n := min(100, len(did.Errors)); n > 1 {
		fmt.Fprintf(a.out, "GMean100  %s, the geometric mean of the first %d steps\n", report.Error(did.GMean100, 6), n)
	}
	a.end(fmt.Sprintf("%d %s on %s=%d in %s", did.Count, what, did.Domain.Symbol(), did.Grid,
		report.Duration(did.Seconds)), p.Out, "")
	return nil
}

// withFlags returns an error about the inputs whose advice names the flags of this command, not configuration keys.
func withFlags(err error) error {
	var data *fault.Data
	if errors.As(err, &data) {
		data.Do = strings.NewReplacer("set data.endpoint = ", "add --endpoint ", "set data.layout = ", "add --layout ",
			"name them with data.input and data.output", "choose one of these with --array").Replace(data.Do)
	}
	return err
}
