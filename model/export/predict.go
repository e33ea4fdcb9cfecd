// This file applies a model to the functions of a file.

package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/grid"
)

// Prediction says which functions a model is applied to, and where the predictions go.
type Prediction struct {
	In       string // file of the inputs
	Out      string // .npy file of the predictions
	Array    string // name of the inputs in a file of named arrays
	Endpoint string // as config.Data.Endpoint
	Layout   string // as config.Data.Layout
	Replace  bool   // a file of predictions that is there
	Workers  int    // goroutines that compute, at least 1
}

// Predicted is what was predicted. Its JSON form is what `rfm predict --json` prints.
type Predicted struct {
	Model   string  `json:"model"`
	In      string  `json:"in"`
	Out     string  `json:"out"`
	Count   int     `json:"count"`
	Grid    int     `json:"grid"` // K, or r along an axis, both ends counted
	Shape   []int   `json:"shape"`
	Axes    string  `json:"axes"` // of the inputs and the predictions, as "(count, K)"
	Seconds float64 `json:"seconds"`

	Domain grid.Domain `json:"-"` // of the functions
}

// FindModel is the file that source names: itself, or the model of a run below root or at that path. The error is a
// *fault.Data.
func FindModel(root, source string) (string, error) {
	if info, err := os.Stat(source); err == nil && !info.IsDir() {
		return source, nil
	}
	if filepath.Ext(source) == ".npz" {
		return "", &fault.Data{Where: source, What: "is not there", Do: "give a run, or the model.npz of one"}
	}
	path, err := store.Find(root, source)
	if err != nil {
		return "", err
	}
	return ModelFile(path)
}

// Predict applies the model in a file to functions on any grid. The predictions have the axes of the inputs. Errors:
// *fault.Data, ctx's.
func Predict(ctx context.Context, modelFile string, p Prediction) (Predicted, error) {
	did := Predicted{Model: modelFile, In: p.In, Out: p.Out}
	if err := p.checkOut(); err != nil {
		return did, err
	}
	model, err := trained.ReadFile(modelFile)
	if err != nil {
		return did, err
	}
	did.Domain = model.Domain()
	if !did.Domain.Periodic && p.Endpoint == config.Excluded {
		return did, &fault.Data{Where: p.In, What: "cannot leave out an end: the model is one of " + did.Domain.Name() +
			", which do not repeat there",
			Do: "set data.endpoint = " + config.Included}
	}
	inputs, file, err := p.read(ctx, model)
	if err != nil {
		return did, err
	}
	begin := time.Now()
	outputs, err := model.Predict(ctx, inputs, p.Workers, nil)
	if err != nil {
		return did, inFile(p.In, err)
	}
	did.Count, did.Grid, did.Shape, did.Axes = outputs.Count, outputs.Points, file.Shape, file.Axes
	did.Seconds = time.Since(begin).Seconds()
	return did, p.write(file.Arrange(outputs))
}

// checkOut refuses to write where something would be lost.
func (p Prediction) checkOut() error {
	there, err := os.Stat(p.Out)
	if err != nil {
		return nil
	}
	given, err := os.Stat(p.In)
	switch {
	case !there.Mode().IsRegular():
		return &fault.Data{Where: p.Out, What: "is not a file", Do: "choose another --out"}
	case err == nil && os.SameFile(there, given):
		return &fault.Data{Where: p.Out, What: "is the file of the inputs", Do: "choose another --out"}
	case !p.Replace:
		return &fault.Data{Where: p.Out, What: "exists already", Do: "choose another --out, or replace it with --force"}
	}
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

// read reads the inputs, if there is memory for their predictions, and says how they are arranged in the file.
func (p Prediction) read(ctx context.Context, model trained.Model) (grid.Batch, dataset.Info, error) {
	domain := model.Domain()
	source := dataset.Source{File: p.In, Input: p.Array, Endpoint: p.Endpoint == config.Included,
		Layout: dataset.Layout(p.Layout), Closed: !domain.Periodic}
	info, err := dataset.StatInputs(ctx, source, domain.Dims)
	if err == nil && domain.Exists(info.Grid) {
		what := fmt.Sprintf("predicting %d functions on %s=%d", info.Count, domain.Symbol(), info.Grid)
		err = machine.CheckBytes(what, model.PredictionBytes(info.Count, info.Grid), "split the file of the inputs")
	}
	if err != nil {
		return grid.Batch{}, info, err
	}
	inputs, info, err := dataset.ReadInputs(ctx, source, domain.Dims)
	if err == nil {
		inputs, err = inputs.On(domain, p.In)
	}
	return inputs, info, err
}

// write writes the predictions.
func (p Prediction) write(array npy.Array) error {
	err := files.Write(p.Out, func(w io.Writer) error { return npy.Write(w, array) })
	if err != nil {
		var failed *fs.PathError
		if errors.As(err, &failed) {
			err = failed.Err // the rest of it names a temporary file
		}
		return &fault.Data{Where: p.Out, What: "cannot be written", Err: err, Do: "choose another --out, or free some space"}
	}
	return nil
}
