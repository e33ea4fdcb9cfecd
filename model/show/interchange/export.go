// Package interchange exchanges files with other programs. It inspects files and infers how to read pairs from them,
// predicts functions in them, and exports the results of a run: the data, the model, its predictions, tables, and a
// README that describes the files and the evaluation of the model with NumPy.
package interchange

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"rfm/model/run/machine"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/model/trained"
	"rfm/model/trained/codec"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/points"
)

// Format is a file format for arrays.
type Format string

// The formats. Each function is a row; in CSV the rows of a field follow each other in one line.
const (
	NPZ Format = "npz" // data.npz, predictions.npz, solution.npz
	NPY Format = "npy" // a file for each array
	CSV Format = "csv" // a file for each array, without a header line
)

// Exported describes a written export.
type Exported struct {
	Directory string   `json:"directory"`
	Files     []string `json:"files"` // names, in order
	Bytes     int64    `json:"bytes"`
	Complete  bool     `json:"complete"`          // whether the run is complete
	Missing   []string `json:"missing,omitempty"` // missing results of an unfinished run, in words
}

// Export writes the content of the run in the directory path to a new directory, which appears complete or not at all,
// with arrays in a format. An unfinished run has those that are complete. The run may be in use: it is not changed.
// Every file that is read is compared with its checksum. Errors: *fault.Data if the directory exists or cannot be made,
// and for damaged files; ctx.Err().
func Export(ctx context.Context, path, directory string, format Format) (Exported, error) {
	taken := fault.Bad(directory, "choose another --out; exports are never overwritten", "exists already")
	if _, err := os.Lstat(directory); err == nil {
		return Exported{}, taken
	}
	run, err := store.Read(path)
	if err != nil {
		return Exported{}, err
	}
	if err := checkModelFits(run); err != nil {
		return Exported{}, err
	}
	c := content{run: run}
	if err := c.collect(ctx); err != nil {
		return Exported{}, err
	}
	readme := []byte(c.readme(format))
	all := append(c.files, files.Text("README.txt", readme))
	for _, g := range c.groups {
		all = append(all, g.encode(format)...)
	}
	slices.SortFunc(all, func(a, b files.File) int {
		return cmp.Compare(a.Name, b.Name)
	})
	r := Exported{
		Directory: directory,
		Complete:  run.Complete(),
		Missing:   c.missing,
	}
	err = r.writeDirectory(ctx, all)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if fault.BlamesInput(err) { // a file of the run is damaged
		return r, err
	}
	if errors.Is(err, fs.ErrExist) { // somebody made it meanwhile
		return r, taken
	}
	return r, fault.Unwritten(directory, err, "or choose another --out; nothing was exported")
}

// checkModelFits refuses a run whose model does not fit into memory. Its arrays pass through.
func checkModelFits(run store.Run) error {
	info, err := os.Stat(run.File(store.ModelFile))
	if err != nil { // there is none yet
		return nil
	}
	const copies = 3 // while it is read and arranged
	return machine.CheckBytes("this export", copies*float64(info.Size()), "take the files of the run, which are NumPy's")
}

// writeDirectory makes the directory with all files, or not at all.
func (r *Exported) writeDirectory(ctx context.Context, all []files.File) error {
	parent := filepath.Dir(filepath.Clean(r.Directory))
	if err := files.MkdirAll(parent); err != nil {
		return err
	}
	files.RemoveAbandoned(parent)
	return files.Directory(r.Directory, func(hidden string) error {
		return r.write(ctx, hidden, all)
	})
}

// write writes files to a directory, one after the other.
func (r *Exported) write(ctx context.Context, directory string, all []files.File) error {
	for _, f := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := filepath.Join(directory, f.Name)
		err := files.Write(name, f.Content)
		if err != nil {
			return err
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		r.Files = append(r.Files, f.Name)
		r.Bytes += info.Size()
	}
	return nil
}

// content is the content of an export of a run as its files describe it: the run may be unfinished and in use, and
// later changes by other processes have no effect.
type content struct {
	run     store.Run
	cloud   points.Cloud // of functions at points of any geometry
	groups  []group
	files   []files.File // copied unchanged
	missing []string
}

// collect reads the content of the run.
func (c *content) collect(ctx context.Context) (err error) {
	c.cloud, err = cloudOf(ctx, &c.run)
	if err != nil {
		return err
	}
	solution, err := c.addModel(ctx)
	if err != nil {
		return err
	}
	data, err := c.data(ctx)
	if err != nil {
		return err
	}
	predictions, err := c.predictions(ctx)
	if err != nil {
		return err
	}
	if !c.run.Has(store.ModelFile) {
		c.missing = append(c.missing, "the model")
	}
	c.include(data, "")
	c.groups = append(c.groups, solution...)
	c.include(predictions, "_predicted")
	if err := c.addReports(ctx); err != nil {
		return err
	}
	c.files = append(c.files, files.Text(configFile, c.run.Config.TOML()))
	return nil
}

// side names what a run stores of its training pairs, or of its test pairs.
type side struct {
	name        string
	pairs       string // the file of inputs and outputs
	predictions string // the file of the model's outputs
}

var sides = []side{
	{name: "train", pairs: store.TrainFile, predictions: store.TrainPredictionsFile},
	{name: "test", pairs: store.TestFile, predictions: store.TestPredictionsFile},
}

// data returns the pairs that the run has.
func (c *content) data(ctx context.Context) (group, error) {
	data := group{name: "data"}
	for _, side := range sides {
		if !c.run.Has(side.pairs) {
			c.missing = append(c.missing, side.name+" pairs")
			continue
		}
		inputs, outputs, err := c.pairs(ctx, side.name, side.pairs)
		if err != nil {
			return data, err
		}
		data.arrays = append(data.arrays, inputs, outputs)
	}
	return data, nil
}

// predictions returns the predictions that the run has.
func (c *content) predictions(ctx context.Context) (group, error) {
	hasModel := c.run.Has(store.ModelFile)
	predictions := group{name: "predictions"}
	for _, side := range sides {
		if !c.run.Has(side.predictions) {
			if hasModel { // without one there cannot be any
				c.missing = append(c.missing, side.name+" predictions")
			}
			continue
		}
		about := "the model's values of a_" + side.name
		predicted, err := c.stored(ctx, "predicted_"+side.name, about, side.predictions)
		if err != nil {
			return predictions, err
		}
		predictions.arrays = append(predictions.arrays, c.atOutputs(predicted))
	}
	return predictions, nil
}

// addReports adds the files that describe the result, which a run has all together or not at all.
func (c *content) addReports(ctx context.Context) error {
	for _, name := range []string{store.ReportFile, store.MarkdownFile, store.ErrorsFile} {
		if !c.run.Has(name) {
			c.missing = append(c.missing, "the reports")
			return nil
		}
		text, err := c.run.ReadFile(ctx, name)
		if err != nil {
			return err
		}
		c.files = append(c.files, files.Text(name, text))
	}
	return nil
}

// configFile is the name of the exported configuration. Runs use another name, so that exports are not taken for runs.
const configFile = "experiment.toml"

// stored returns an array of the run in a file, which it compares with its checksum.
func (c *content) stored(ctx context.Context, name, about, file string) (array, error) {
	err := c.run.Copy(ctx, file, io.Discard)
	if ctx.Err() != nil {
		return array{}, ctx.Err()
	}
	if err != nil {
		return array{}, err
	}
	shape, err := c.run.ShapeOf(ctx, file)
	a := array{
		name:  name,
		about: about,
		shape: shape,
		numbers: func(use func([]float64) bool) error {
			return c.run.Numbers(ctx, file, use)
		},
	}
	return a, err
}

// pairs returns the inputs and the outputs of a side of the pairs, whose rows are an input and its output.
func (c *content) pairs(ctx context.Context, side, file string) (inputs, outputs array, err error) {
	both, err := c.stored(ctx, "", "", file)
	if err != nil {
		return inputs, outputs, err
	}
	firstAxis := len(both.shape) - c.run.Config.Dims() // of the grid
	K := both.shape[firstAxis]
	one := setup.NewPairsAt(c.run.Config, c.cloud, K, 1)
	in := one.Inputs.Values()
	row := in + one.Outputs.Values()
	if npy.Count(both.shape[1:]) != row {
		return inputs, outputs, &fault.Data{
			Where: c.run.File(file),
			What:  fmt.Sprintf("has shape %v, want rows of %d values", both.shape, row),
		}
	}
	count := both.shape[0]
	inputs = array{
		name:    "a_" + side,
		about:   "inputs of the " + side + " pairs, one a row",
		shape:   append(npy.Shape{count}, one.Inputs.Shape()[1:]...),
		numbers: columns(both, 0, in),
	}
	outputs = array{
		name:    "u_" + side,
		about:   "their outputs, the truth",
		shape:   append(npy.Shape{count}, one.Outputs.Shape()[1:]...),
		numbers: columns(both, in, row),
	}
	if c.cloud.There() && c.cloud.Apart() {
		const apart = "inputs of the %s pairs, at %s; then 0 at the points of outputs, or the same number"
		inputs.about = fmt.Sprintf(apart, side, c.cloud.Inputs())
	}
	return inputs, c.atOutputs(outputs), nil
}

// atOutputs returns an array of outputs, one a row, without the places of inputs at points of their own.
func (c *content) atOutputs(of array) array {
	if !c.cloud.There() || !c.cloud.Apart() {
		return of
	}
	before := c.cloud.Before()
	count := c.cloud.Count()
	shape := slices.Clone(of.shape)
	shape[len(shape)-1] = count - before
	rows := npy.Count(of.shape) / count
	flat := array{
		shape:   npy.Shape{rows, count},
		numbers: of.numbers,
	}
	return array{
		name:    of.name,
		about:   of.about,
		shape:   shape,
		numbers: columns(flat, before, count),
	}
}

// cloudOf reads the points of a run; none if its functions are on grids.
func cloudOf(ctx context.Context, run *store.Run) (points.Cloud, error) {
	if !run.Config.Scattered() || !run.Has(store.PointsFile) {
		return points.Cloud{}, nil
	}
	content, err := run.ReadFile(ctx, store.PointsFile)
	if err != nil {
		return points.Cloud{}, err
	}
	return codec.ReadCloud(content, run.File(store.PointsFile))
}

// include adds a group of functions, unless it is empty, with the points of their grid along the axes: one array, or
// two if the axes of a rectangle differ.
func (c *content) include(g group, suffix string) {
	if len(g.arrays) == 0 {
		return
	}
	if c.cloud.There() {
		g.arrays = append(g.arrays, placeArrays(c.cloud.Outputs(), suffix)...)
		c.groups = append(c.groups, g)
		return
	}
	shape := g.arrays[0].shape
	domain := setup.Domain(c.run.Config)
	firstAxis := len(shape) - domain.Dims // of the grid
	K := shape[firstAxis]
	about := "grid points along an axis, both ends counted"
	first := 0.0 // in intervals
	if domain.Cells {
		about = "centres of the cells along an axis"
		first = 0.5
	}
	along := func(name string, points int) {
		x := make([]float64, points)
		intervals := float64(domain.Intervals(K))
		for i := range x {
			x[i] = (float64(i) + first) / intervals
		}
		values := npy.Array{Shape: []int{points}, Data: x}
		g.arrays = append(g.arrays, inMemory(name+suffix, about, values))
	}
	along("x", K)
	rows, columns := domain.Axes(K)
	if domain.Dims == 2 && rows != columns {
		along("y", columns)
	}
	c.groups = append(c.groups, g)
}

// addModel adds the file of the model, and returns its arrays, none if the run has no model yet.
func (c *content) addModel(ctx context.Context) ([]group, error) {
	if !c.run.Has(store.ModelFile) {
		return nil, nil
	}
	text, err := c.run.ReadFile(ctx, store.ModelFile)
	if err != nil {
		return nil, err
	}
	m, err := trained.Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.run.File(store.ModelFile), err)
	}
	c.files = append(c.files,
		files.Text(store.ModelFile, text),
		files.Text(trained.PythonName, trained.Python),
	)
	arrays, err := m.Arrays()
	if err != nil {
		return nil, err
	}
	_, random := m.Features()
	abouts := map[string]string{
		"alpha":       "coefficients of the features",
		"eigenvalues": "of the Gram matrix",
	}
	g := group{name: "solution"}
	for _, a := range arrays {
		about, ok := abouts[a.Name]
		if !ok && random {
			continue // because the functions of features are in the model file
		}
		if !ok {
			about = "of the model, see " + trained.PythonName
		}
		g.arrays = append(g.arrays, inMemory(a.Name, about, a.Array))
	}
	return []group{g}, nil
}
