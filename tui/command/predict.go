// This file implements `rfm predict`: a trained model applied to functions in a file.

package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/tui/terminal"
)

func (a *app) predictCommand() *cobra.Command {
	var p interchange.Prediction
	cmd := &cobra.Command{
		Use:   "predict RUN|MODEL.npz INPUTS [--out u.npy]",
		Short: "Apply a trained model to functions in a file",
		Long: `Applies the model of a run, or a model file, to functions on any grid. The input is an array of shape (n, K), (K, n) or
(K) for functions of one variable, (n, r, r), (r, r, n) or (r, r) for fields, in any file that rfm show reads. The output
has the shape of the input: a .npy file of float64, or a .csv file with a line for each function. Without --out it is
INPUTS-predicted.npy. A file called - is standard input or standard output.

If a parameter was a random number in training, --set gives its value, unless the file has an array of its name. If the
file also has the outputs, under the names of training, the error of the predictions is printed.

Inputs unlike the training inputs are listed, because no error is known there. If the run has prediction bands
(evaluation.bands = yes), --bands writes half their widths. With --steps the output is fed back as the next input.`,
		Example: `  rfm predict @ a.npy                  the newest run; writes a-predicted.npy
  rfm predict burgers-kernel-seed2 --in a.npy --out u.npy
  rfm predict model.npz --in a.mat --array a --out u.npy
  rfm predict varied a.npy --set nu=0.02
  rfm predict runs/x --in a.npy --out u.npy --bands half.npy --level 0.95
  rfm predict runs/ks --in a.npy --out u.npy --steps 10 --check
  python make.py | rfm predict runs/x --in - --out - > u.npy`,
		Args:              arguments(1, 2, "one run or model file, and a file of inputs"),
		ValidArgsFunction: a.completeRuns(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Workers = machine.Workers(a.workers)
			if len(args) > 1 {
				if p.In != "" {
					return misuse("%s and --in %s: give the inputs once", args[1], p.In)
				}
				p.In = args[1]
			}
			isFile := p.In != "" && p.In != interchange.Stream
			if p.Out == "" && isFile {
				p.Out = interchange.PredictedStem(p.In) + ".npy"
			}
			return a.predict(cmd, p, args[0])
		},
	}
	definePrediction(cmd, &p)
	return a.share(cmd, "runs", "workers", "json")
}

// definePrediction adds the flags of a prediction, with their defaults.
func definePrediction(cmd *cobra.Command, p *interchange.Prediction) {
	set := cmd.Flags()
	set.SortFlags = false
	p.Endpoint = config.AutoPoints
	p.Layout = config.AutoLayout
	p.Steps = 1
	p.Level = 0.9
	file(cmd, &p.In, "in", "`FILE` of inputs, as rfm show reads; - is standard input")
	file(cmd, &p.Out, "out", "`FILE` of predictions: .npy, .csv, or - (standard output)", "npy", "csv", interchange.Stream)
	set.StringVar(&p.Array, "array", "", "`NAME` of the array of inputs (default: as trained)")
	choice(cmd, &p.Endpoint, "endpoint", "right end of periodic grids: included, excluded, auto", config.AutoPoints,
		config.Included, config.Excluded)
	choice(cmd, &p.Layout, "layout", "order of axes: functions-first, points-first, auto", config.AutoLayout,
		config.FunctionsFirst, config.PointsFirst)
	set.BoolVar(&p.Replace, "force", false, "replace existing files")
	addNumber := func(text string) (string, error) {
		p.Numbers = append(p.Numbers, text)
		return text, nil
	}
	const number = "value of a parameter that is random in training; repeatable"
	checked(cmd, new(string), "set", "NAME=NUMBER", number, addNumber, nil)
	whole(cmd, &p.Steps, "steps", 1, 10000, "apply the model N times, each time to its last output")
	set.BoolVar(&p.Check, "check", false, "also solve, and print the error after every step")
	file(cmd, &p.Bands, "bands", "`FILE` of half the widths of prediction bands: .npy or .csv", "npy", "csv")
	positive(cmd, &p.Level, "level", 1, "coverage: probability that the solution is in its band")
	set.BoolVar(&p.Whole, "whole", false, "bands of whole functions rather than of single values")
}

// checkPrediction refuses combinations of flags, and arrays on terminals.
func (a *app) checkPrediction(cmd *cobra.Command, p interchange.Prediction) error {
	toStdout := p.Out == interchange.Stream
	switch {
	case p.In == "":
		return misuse("predict needs a file of inputs: rfm predict RUN INPUTS")
	case p.Out == "":
		return misuse("predict needs --out FILE, since standard input has no name")
	case p.In == interchange.Stream && terminal.Is(p.Stdin):
		return misuse("--in - reads an array from standard input, which is a terminal: pipe one into it")
	case toStdout && !a.json && terminal.Is(p.Stdout): // with --json it is refused below
		return misuse("--out - writes an array to standard output, which is a terminal: pipe it somewhere, or add > u.npy")
	case p.Bands != "" && p.Bands == p.Out:
		return misuse("--bands %s: want a file of its own, because --out has this one", p.Bands)
	case p.Steps > 1 && filepath.Ext(p.Out) == ".csv":
		return misuse("--out %s: a table has no axis for --steps; name a .npy file", p.Out)
	}
	piped := rule{toStdout, "json", "does not go with --out -, which fills standard output"}
	repeated := rule{p.Steps > 1, "bands", "does not go with --steps: bands are those of one step"}
	withoutBands := rule{p.Bands == "", "level whole", "describes --bands, which is not given"}
	return refuse(cmd, piped, repeated, withoutBands)
}

func (a *app) predict(cmd *cobra.Command, p interchange.Prediction, source string) error {
	p.Stdin = a.In
	p.Stdout = a.Out.Raw
	err := a.checkPrediction(cmd, p)
	if err != nil {
		return err
	}
	model, err := interchange.FindModel(cmd.Context(), a.runs, source)
	if err != nil {
		return err
	}
	did, err := interchange.Predict(cmd.Context(), model, p)
	if err != nil {
		return withFlags(err)
	}
	for _, note := range did.Notes {
		a.remark("note", "%s", note)
	}
	a.warnOfUnlike(did, p.Bands != "")
	if p.Out == interchange.Stream {
		return nil
	}
	what := "function"
	if did.Domain.Dims == 2 {
		what = "field"
	}
	count := printable.Several(did.Count, what)
	took := report.Duration(did.Seconds)
	end := ending{
		result: fmt.Sprintf("%s on %s=%d in %s", count, did.Domain.Symbol(), did.Grid, took),
		where:  p.Out,
	}
	result := stepErrors(did)
	if did.NotCompared != "" {
		a.remark("note", "the outputs in the file are not compared with the predictions: %s", did.NotCompared)
	}
	if did.Compared != nil {
		result.Title, result.Source = did.Compared.Sentence(did.In)
		result.Notes = append(result.Notes, did.Compared.Notes()...)
	}
	return a.conclude(did, result, end)
}

// warnOfUnlike names the inputs at which the model cannot be trusted, because they are unlike those of its training, or
// says that the model does not know.
func (a *app) warnOfUnlike(did interchange.Predicted, bands bool) {
	n := len(did.Unlike)
	if n > 0 {
		lie := "lie"
		if n == 1 {
			lie = "lies"
		}
		cannot := "predictions cannot"
		if bands {
			cannot = "neither predictions nor bands can"
		}
		const text = "%d of %s %s outside those of the training, where %s be trusted: %s, counted from 0"
		inputs := printable.Several(did.Count, "input")
		a.remark("warning", text, n, inputs, lie, cannot, did.UnlikeNumbers())
	}
	if did.Deviations == nil && !bands {
		const text = "this model does not know its training inputs, so it cannot tell whether these are like them; a model " +
			"that is trained again can"
		a.remark("note", text)
	}
}

// stepErrors returns the errors of repeated predictions against the solver, nothing if they were not compared.
func stepErrors(did interchange.Predicted) report.Page {
	const (
		averaged = 100 // steps
		digits   = 6
	)
	count := len(did.Errors)
	if count == 0 {
		return report.Page{}
	}
	t := report.Table{Header: []string{"step", "relative L2 error"}}
	for i, v := range did.Errors {
		step := strconv.Itoa(i + 1)
		row := []string{step, report.Error(v, digits)}
		t.Rows = append(t.Rows, row)
	}
	page := report.Page{Tables: []report.Table{t}}
	n := min(averaged, count)
	if n > 1 {
		mean := report.Error(did.GMean100, digits)
		note := fmt.Sprintf("GMean100 %s: the geometric mean of the first %d steps", mean, n)
		page.Notes = []string{note}
	}
	return page
}

// withFlags returns an error about the inputs whose advice names the flags of this command, not settings.
func withFlags(err error) error {
	data, ok := errors.AsType[*fault.Data](err)
	if !ok {
		return err
	}
	flags := strings.NewReplacer(
		"set data.endpoint = ", "add --endpoint ",
		"set data.layout = ", "add --layout ",
		"name them with data.input and data.output", "choose one of these with --array",
	)
	data.Do = flags.Replace(data.Do)
	return err
}
