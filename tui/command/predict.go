// This file is `rfm predict`: a trained model applied to functions in a file.

package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/export"
	"rfm/model/machine"
	"rfm/solver/fault"
	"rfm/solver/printable"
	"rfm/tui/quantity"
)

func (a *app) predictCommand() *cobra.Command {
	var p export.Prediction
	cmd := &cobra.Command{
		Use:   "predict RUN|MODEL.npz --in a.npy --out u.npy",
		Short: "Apply a trained model to functions in a file",
		Long: `Applies the model of a run, or a model file, to functions on any grid. The input is an array of shape (n, K),
(K, n) or (K) for functions of one variable, (n, r, r), (r, r, n) or (r, r) for fields, in a .npy file, or with a name in a .npz or MATLAB .mat file.
The output is a .npy file of float64 with the shape of the input.`,
		Example: `  rfm predict 20260102-030405-burgers-1a2b3c4d --in a.npy --out u.npy
  rfm predict model.npz --in a.mat --array a --endpoint excluded --out u.npy`,
		Args:              arguments(1, 1, "one run or model file"),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Workers = machine.Workers(a.workers)
			return a.predict(cmd, p, args[0])
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&p.In, "in", "", "`FILE` of the inputs: .npy, .npz or .mat")
	set.StringVar(&p.Out, "out", "", "`FILE` for the predictions: .npy")
	set.StringVar(&p.Array, "array", "a", "name of the inputs in a .npz or .mat file")
	set.StringVar(&p.Endpoint, "endpoint", config.Included,
		"whether the last point of periodic functions repeats the first: included or excluded")
	set.StringVar(&p.Layout, "layout", config.AutoLayout,
		"order of the axes: functions-first as in (n, K), points-first as in (K, n), or auto")
	set.BoolVar(&p.Replace, "force", false, "replace the file of the predictions if it is there")
	a.flags.share(cmd, "runs", "workers", "json")
	return cmd
}

// checkPrediction refuses flags that make no sense.
func checkPrediction(p export.Prediction) error {
	switch {
	case p.In == "" || p.Out == "":
		return usageError{errors.New("predict needs --in FILE and --out FILE")}
	case p.Endpoint != config.Included && p.Endpoint != config.Excluded:
		return usageError{fmt.Errorf("--endpoint %s: included or excluded is expected", p.Endpoint)}
	case p.Layout != config.AutoLayout && p.Layout != config.FunctionsFirst && p.Layout != config.PointsFirst:
		return usageError{fmt.Errorf("--layout %s: auto, functions-first or points-first is expected", p.Layout)}
	case filepath.Ext(p.Out) != ".npy":
		return usageError{fmt.Errorf("--out %s: the name of a .npy file is expected", p.Out)}
	}
	return nil
}

func (a *app) predict(cmd *cobra.Command, p export.Prediction, source string) error {
	if err := checkPrediction(p); err != nil {
		return err
	}
	model, err := export.FindModel(a.flags.runs, source)
	if err != nil {
		return err
	}
	did, err := export.Predict(cmd.Context(), model, p)
	if err != nil {
		return withFlags(err)
	}
	if a.flags.json {
		return a.encode(did)
	}
	what := "function"
	if did.Domain.Dims == 2 {
		what = "field"
	}
	if did.Count != 1 {
		what += "s"
	}
	fmt.Fprintf(a.out, "%d %s on %s=%d in %s: %s\n", did.Count, what, did.Domain.Symbol(), did.Grid,
		quantity.Duration(did.Seconds),
		printable.Line(p.Out))
	return nil
}

// withFlags is an error about the inputs whose advice names the flags of this command, not the keys of a configuration.
func withFlags(err error) error {
	var data *fault.Data
	if errors.As(err, &data) {
		data.Do = strings.NewReplacer("set data.endpoint = ", "add --endpoint ", "set data.layout = ", "add --layout ",
			"say which with data.input and data.output", "choose one of these with --array").Replace(data.Do)
	}
	return err
}
