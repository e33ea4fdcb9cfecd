// This file stores inputs that a person has drawn, with the answers to them, and reads inputs to begin from.

package interchange

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// Drawn is an input with the answers to it: the values of all channels on the grid of a trial.
type Drawn struct {
	Input      []float64
	Prediction []float64 // nil: there is no model
	Solution   []float64 // nil: there is no solver
}

// SaveDrawn writes a .npz file with the input, which `rfm predict` reads, under the name of the training inputs, and the
// answers as prediction and solution. fs.ErrExist says that the file exists, unless replace is set; other errors are
// *fault.Data.
func SaveDrawn(name string, replace bool, t *engine.Trial, d Drawn) error {
	if filepath.Ext(name) != ".npz" {
		return &fault.Data{
			Where: name,
			What:  "is not the name of a .npz file",
			Do:    "call it " + strings.TrimSuffix(name, filepath.Ext(name)) + ".npz",
		}
	}
	if _, err := os.Lstat(name); err == nil && !replace {
		return fs.ErrExist
	}
	target, err := files.Target(name)
	if err != nil {
		return fault.Unwritten(name, err, "choose another place")
	}
	err = files.Write(target, func(w io.Writer) error {
		archive := npz.NewWriter(w)
		arrays := []npy.Named{{Name: inputName(t.Config), Array: drawnInput(t, d.Input)}}
		for _, answer := range []struct {
			name   string
			values []float64
		}{{"prediction", d.Prediction}, {"solution", d.Solution}} {
			if answer.values == nil {
				continue
			}
			channels := len(answer.values) / t.Domain.One().Values(t.Points)
			array := oneFunction(t.Domain.With(channels), t.Points, answer.values)
			arrays = append(arrays, npy.Named{Name: answer.name, Array: array})
		}
		for _, a := range arrays {
			err := archive.Array(a.Name, a.Array)
			if err != nil {
				return err
			}
		}
		return archive.Close()
	})
	return fault.Unwritten(name, err, "choose another place")
}

// inputName returns the name of the array of inputs in files for a model.
func inputName(c config.Config) string {
	name, _, _ := strings.Cut(c.Data.Input, "[")
	if name == "" || strings.Contains(name, ",") {
		return usual
	}
	return name
}

// drawnInput returns an input as files have it: numbers as numbers, not as functions that are constant.
func drawnInput(t *engine.Trial, input []float64) npy.Array {
	if slices.Contains(t.Law.Numbers, false) {
		return oneFunction(t.Domain, t.Points, input)
	}
	b := grid.BatchOf(t.Domain, t.Points, input)
	numbers := npy.Array{Shape: []int{1, t.Domain.Width()}}
	for c := range t.Domain.Width() {
		numbers.Data = append(numbers.Data, b.Of(0, c)[0])
	}
	return numbers
}

// oneFunction returns the array of one function, with several channels along its last axis, as most files have them.
func oneFunction(domain grid.Domain, points int, values []float64) npy.Array {
	channels := domain.Width()
	one := domain.One()
	array := npy.Array{Shape: append([]int{1}, one.Shape(points)...), Data: slices.Clone(values)}
	if channels == 1 {
		return array
	}
	array.Shape = append(array.Shape, channels)
	size := one.Values(points)
	for x := range size {
		for c := range channels {
			array.Data[x*channels+c] = values[c*size+x]
		}
	}
	return array
}

// OpenDrawn reads the first function of a file as an input on the grid of a trial. The error is a *fault.Data, or
// ctx.Err().
func OpenDrawn(ctx context.Context, name string, t *engine.Trial) ([]float64, error) {
	file, err := exchange.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	inputs, err := readDrawn(file, t)
	if err != nil {
		return nil, err
	}
	there, err := resample.To(inputs.First(1), t.Points)
	if err != nil {
		return nil, err
	}
	return there.At(0), there.CheckPeriodic(name+", input", nil)
}

// readDrawn reads the first function of a file as `rfm predict` reads it, or, without a model, as an array called a.
func readDrawn(file *exchange.File, t *engine.Trial) (grid.Batch, error) {
	source := pairs.Source{
		File:   file.Name,
		Open:   file,
		Domain: t.Domain.One(),
		Alone:  true,
	}
	if m := t.Model(); m != nil {
		as := Prediction{Endpoint: config.AutoPoints}
		located, err := as.inputs(source, *m)
		return located.Batch, err
	}
	source.Input = usual
	var failure error
	for _, source.Endpoint = range []bool{true, false} {
		found, err := pairs.Find(source)
		if err != nil {
			failure = err
			continue
		}
		inputs, err := found.Inputs(1)
		if err != nil {
			return grid.Batch{}, err
		}
		return inputs.On(t.Domain, file.Name)
	}
	return grid.Batch{}, failure
}
