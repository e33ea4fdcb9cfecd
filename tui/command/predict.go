// This file is `rfm predict`: a trained model applied to functions in a file.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/export"
	"rfm/model/machine"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/grid"
	"rfm/solver/printable"
	"rfm/tui/quantity"
)

// prediction is the flags of `rfm predict`.
type prediction struct {
	in, out, name, endpoint, layout string
	force                           bool
}

func (a *app) predictCommand() *cobra.Command {
	var p prediction
	cmd := &cobra.Command{
		Use:   "predict RUN|MODEL.npz --in a.npy --out u.npy",
		Short: "Apply a trained model to functions in a file",
		Long: `Applies the model of a run, or a model file, to functions on any grid. The input is an array of shape (n, K), (K, n) or (K) for
functions of one variable, (n, r, r), (r, r, n) or (r, r) for fields, in a .npy file, or with a name in a .npz or MATLAB .mat file.
The output is a .npy file of float64 with the shape of the input.`,
		Example: `  rfm predict 20260102-030405-burgers-1a2b3c4d --in a.npy --out u.npy
  rfm predict model.npz --in a.mat --array a --endpoint excluded --out u.npy`,
		Args:              arguments(1, 1, "one run or model file"),
		ValidArgsFunction: a.completeRuns,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.predict(cmd, p, args[0], machine.Workers(a.workers))
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&p.in, "in", "", "`FILE` of the inputs: .npy, .npz or .mat")
	set.StringVar(&p.out, "out", "", "`FILE` for the predictions: .npy")
	set.StringVar(&p.name, "array", "a", "name of the inputs in a .npz or .mat file")
	set.StringVar(&p.endpoint, "endpoint", config.Included, "whether the last point of periodic functions repeats the first: included or excluded")
	set.StringVar(&p.layout, "layout", config.AutoLayout, "order of the axes: functions-first as in (n, K), points-first as in (K, n), or auto")
	set.BoolVar(&p.force, "force", false, "replace the file of the predictions if it is there")
	a.flags.share(cmd, "runs", "workers", "json")
	return cmd
}

// check refuses flags that make no sense, and an output that would be lost.
func (p prediction) check() error {
	switch {
	case p.in == "" || p.out == "":
		return usageError{errors.New("predict needs --in FILE and --out FILE")}
	case p.endpoint != config.Included && p.endpoint != config.Excluded:
		return usageError{fmt.Errorf("--endpoint %s: included or excluded is expected", p.endpoint)}
	case p.layout != config.AutoLayout && p.layout != config.FunctionsFirst && p.layout != config.PointsFirst:
		return usageError{fmt.Errorf("--layout %s: auto, functions-first or points-first is expected", p.layout)}
	case filepath.Ext(p.out) != ".npy":
		return usageError{fmt.Errorf("--out %s: the name of a .npy file is expected", p.out)}
	}
	there, err := os.Stat(p.out)
	if err != nil {
		return nil
	}
	given, err := os.Stat(p.in)
	switch {
	case !there.Mode().IsRegular():
		return &fault.Data{Where: p.out, What: "is not a file", Do: "choose another --out"}
	case err == nil && os.SameFile(there, given):
		return &fault.Data{Where: p.out, What: "is the file of the inputs", Do: "choose another --out"}
	case !p.force:
		return &fault.Data{Where: p.out, What: "exists already", Do: "choose another --out, or replace it with --force"}
	}
	return nil
}

// predicted is what `rfm predict --json` prints.
type predicted struct {
	Model   string  `json:"model"`
	In      string  `json:"in"`
	Out     string  `json:"out"`
	Count   int     `json:"count"`
	Grid    int     `json:"grid"` // K, or r along an axis, both ends counted
	Shape   []int   `json:"shape"`
	Axes    string  `json:"axes"` // of the inputs and the predictions, as "(count, K)"
	Seconds float64 `json:"seconds"`
}

func (a *app) predict(cmd *cobra.Command, p prediction, source string, workers int) error {
	if err := p.check(); err != nil {
		return err
	}
	modelFile, err := a.modelFile(source)
	if err != nil {
		return err
	}
	model, err := trained.ReadFile(modelFile)
	if err != nil {
		return err
	}
	if model.Domain().Dims == 2 && p.endpoint == config.Excluded {
		return usageError{errors.New("--endpoint excluded: the model is one of fields, which include their whole boundary")}
	}
	inputs, file, err := p.read(cmd.Context(), model)
	if err != nil {
		return withFlags(err)
	}
	begin := time.Now()
	outputs, err := model.Predict(cmd.Context(), inputs, workers, nil)
	if err != nil {
		return inFile(p.in, err)
	}
	seconds := time.Since(begin).Seconds()
	if err := p.write(outputs, file); err != nil {
		return err
	}
	did := predicted{Model: modelFile, In: p.in, Out: p.out, Count: outputs.Count, Grid: outputs.Points, Shape: file.Shape, Axes: file.Axes, Seconds: seconds}
	what := "function"
	if model.Domain().Dims == 2 {
		what = "field"
	}
	if a.flags.json {
		return a.encode(did)
	}
	if did.Count != 1 {
		what += "s"
	}
	fmt.Fprintf(a.out, "%d %s on %s=%d in %s: %s\n", did.Count, what, model.Domain().Symbol(), did.Grid, quantity.Duration(seconds), printable.Line(p.out))
	return nil
}

// inFile says in which file an input is that an error is about.
func inFile(name string, err error) error {
	var data *fault.Data
	if errors.As(err, &data) {
		return &fault.Data{Where: name + ", " + data.Where, What: data.What, Err: data.Err, Do: data.Do}
	}
	return fmt.Errorf("%s: %w", name, err)
}

// withFlags is an error about the inputs whose advice names the flags of this command, not the keys of a configuration.
func withFlags(err error) error {
	var data *fault.Data
	if errors.As(err, &data) {
		data.Do = strings.NewReplacer("set data.endpoint = ", "add --endpoint ", "set data.layout = ", "add --layout ", "say which with data.input and data.output", "choose one of these with --array").Replace(data.Do)
	}
	return err
}

// modelFile is the file that an argument names: itself, or the model of a run.
func (a *app) modelFile(source string) (string, error) {
	if info, err := os.Stat(source); err == nil && !info.IsDir() {
		return source, nil
	}
	if filepath.Ext(source) == ".npz" {
		return "", &fault.Data{Where: source, What: "is not there", Do: "give a run, or the model.npz of one"}
	}
	path, err := store.Find(a.flags.runs, source)
	if err != nil {
		return "", err
	}
	return export.ModelFile(path)
}

// read reads the inputs, if there is memory for their predictions, and says how they are arranged in the file.
func (p prediction) read(ctx context.Context, model trained.Model) (grid.Batch, dataset.Info, error) {
	dims := model.Domain().Dims
	source := dataset.Source{File: p.in, Input: p.name, Endpoint: p.endpoint == config.Included, Layout: dataset.Layout(p.layout)}
	info, err := dataset.StatInputs(ctx, source, dims)
	if err == nil {
		err = machine.CheckBytes(fmt.Sprintf("predicting %d functions on %s=%d", info.Count, model.Domain().Symbol(), info.Grid), model.PredictionBytes(info.Count, info.Grid),
			"split the file of the inputs")
	}
	if err != nil {
		return grid.Batch{}, info, err
	}
	inputs, info, err := dataset.ReadInputs(ctx, source, dims)
	inputs.Domain = model.Domain() // files do not tell fields from periodic ones; the model looks at the ends
	return inputs, info, err
}

// write writes predictions with the axes of the inputs, which may leave out the right end of the grid.
func (p prediction) write(outputs grid.Batch, file dataset.Info) error {
	array := file.Arrange(outputs)
	err := files.Write(p.out, func(w io.Writer) error { return npy.Write(w, array) })
	if err != nil {
		var failed *fs.PathError
		if errors.As(err, &failed) {
			err = failed.Err // the rest of it names a temporary file
		}
		return &fault.Data{Where: p.out, What: "cannot be written", Err: err, Do: "choose another --out, or free some space"}
	}
	return nil
}
