// Package interchange exchanges files with other programs. It inspects files and infers how to read pairs from them,
// predicts functions in them, and exports the results of a run: the data, the model, its predictions, tables, and a
// README that describes the files and the evaluation of the model with NumPy.
package interchange

import (
	"bufio"
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
	"strconv"
	"strings"

	"rfm/model/run/machine"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/model/trained"
	"rfm/model/trained/codec"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/space/grid"
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
// with arrays in a format. An unfinished run has those that are complete. The run may be in use: it is not
// changed. Every file that is read is compared with its checksum. Errors: *fault.Data if the directory exists or cannot
// be made, and for damaged files; ctx's.
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
	switch {
	case ctx.Err() != nil:
		return r, ctx.Err()
	case fault.BlamesInput(err): // of the run
		return r, err
	case errors.Is(err, fs.ErrExist):
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
		if err := files.Write(name, f.Content); err != nil {
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

// array is an array with a name and a description. Its numbers, row after row, pass through memory in parts.
type array struct {
	name    string
	about   string
	shape   npy.Shape
	numbers func(use func(some []float64) bool) error
}

// inMemory returns an array whose numbers are in memory.
func inMemory(name, about string, a npy.Array) array {
	atOnce := func(use func([]float64) bool) error {
		use(a.Data)
		return nil
	}
	return array{name: name, about: about, shape: a.Shape, numbers: atOnce}
}

// npy writes the array in the format of NumPy.
func (a array) npy(w io.Writer) error {
	var failure error // of reading
	err := npy.WriteParts(w, a.shape, func(yield func([]float64) bool) {
		failure = a.numbers(yield)
	})
	if failure != nil {
		return failure // because the one of writing follows from it: numbers are missing
	}
	return err
}

// group is a set of arrays that belong together.
type group struct {
	name   string
	arrays []array
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
	sides := []struct{ name, pairs, predictions string }{
		{"train", store.TrainFile, store.TrainPredictionsFile},
		{"test", store.TestFile, store.TestPredictionsFile},
	}
	data := group{name: "data"}
	for _, side := range sides {
		if !c.run.Has(side.pairs) {
			c.missing = append(c.missing, side.name+" pairs")
			continue
		}
		inputs, outputs, err := c.pairs(ctx, side.name, side.pairs)
		if err != nil {
			return err
		}
		data.arrays = append(data.arrays, inputs, outputs)
	}
	hasModel := c.run.Has(store.ModelFile)
	predictions := group{name: "predictions"}
	for _, side := range sides {
		if !c.run.Has(side.predictions) {
			if hasModel {
				c.missing = append(c.missing, side.name+" predictions")
			}
			continue
		}
		about := "the model's values of a_" + side.name
		predicted, err := c.stored(ctx, "predicted_"+side.name, about, side.predictions)
		if err != nil {
			return err
		}
		predictions.arrays = append(predictions.arrays, c.atOutputs(predicted))
	}
	if !hasModel {
		c.missing = append(c.missing, "the model")
	}
	c.include(data, "")
	c.groups = append(c.groups, solution...)
	c.include(predictions, "_predicted")
	for _, name := range []string{store.ReportFile, store.MarkdownFile, store.ErrorsFile} {
		if !c.run.Has(name) {
			c.missing = append(c.missing, "the reports")
			break
		}
		text, err := c.run.ReadFile(ctx, name)
		if err != nil {
			return err
		}
		c.files = append(c.files, files.Text(name, text))
	}
	c.files = append(c.files, files.Text(configFile, c.run.Config.TOML()))
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
	K := both.shape[len(both.shape)-c.run.Config.Dims()]
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

// columns returns the numbers of some columns of an array, if its rows are flat.
func columns(of array, first, end int) func(use func([]float64) bool) error {
	row := npy.Count(of.shape[1:])
	return func(use func([]float64) bool) error {
		column := 0 // of the next number
		return of.numbers(func(some []float64) bool {
			for len(some) > 0 {
				next := row // column at which this part ends
				wanted := false
				switch {
				case column < first:
					next = first
				case column < end:
					next = end
					wanted = true
				}
				n := min(len(some), next-column)
				if wanted && !use(some[:n]) {
					return false
				}
				some = some[n:]
				column = (column + n) % row
			}
			return true
		})
	}
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
	K := shape[len(shape)-domain.Dims]
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
	if rows, columns := domain.Axes(K); domain.Dims == 2 && rows != columns {
		along("y", columns)
	}
	c.groups = append(c.groups, g)
}

// placeArrays returns the arrays of points.
func placeArrays(p points.Places, suffix string) (all []array) {
	if p.Axes > 0 {
		places := npy.Array{
			Shape: npy.Shape{p.Count(), p.Axes},
			Data:  p.At,
		}
		all = append(all, inMemory("places"+suffix, "coordinates of the points of outputs, one a row", places))
	}
	weights := npy.Array{
		Shape: npy.Shape{p.Count()},
		Data:  p.Weights,
	}
	all = append(all, inMemory("weights"+suffix, "their weights in norms, with sum 1", weights))
	if len(p.Cells) == 0 {
		return all
	}
	corners := make([]float64, len(p.Cells))
	for i, point := range p.Cells {
		corners[i] = float64(point)
	}
	cells := npy.Array{
		Shape: npy.Shape{len(p.Cells) / p.Corners, p.Corners},
		Data:  corners,
	}
	return append(all, inMemory("cells"+suffix, "numbers of the points at the corners of each cell, from 0", cells))
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

// encode returns the files of the arrays in a format.
func (g group) encode(f Format) (all []files.File) {
	if f == NPZ {
		return []files.File{{Name: g.name + ".npz", Content: g.npz}}
	}
	for _, a := range g.arrays {
		write := a.csv
		if f == NPY {
			write = a.npy
		}
		all = append(all, files.File{
			Name:    a.name + "." + string(f),
			Content: write,
		})
	}
	return all
}

// npz writes the arrays as an archive.
func (g group) npz(w io.Writer) error {
	archive := npz.NewWriter(w)
	for _, a := range g.arrays {
		if err := archive.Parts(a.name, a.shape, a.npy); err != nil {
			return err
		}
	}
	return archive.Close()
}

// csv writes a line for each index of the first axis. Fields have a comment with their indices above, by which package
// csv reads them again. Numbers have the digits that distinguish them from their neighbours.
func (a array) csv(w io.Writer) error {
	out := bufio.NewWriter(w)
	row := npy.Count(a.shape[1:])
	if len(a.shape) == 3 {
		columns := a.shape[2]
		before := "# "
		for i := range row {
			fmt.Fprintf(out, "%s%s_%d_%d", before, a.name, i/columns+1, i%columns+1)
			before = ","
		}
		out.WriteString("\n")
	}
	var number []byte
	i := 0
	err := a.numbers(func(some []float64) bool {
		for _, v := range some {
			end := byte(',')
			if i%row == row-1 {
				end = '\n'
			}
			number = strconv.AppendFloat(number[:0], v, 'g', -1, 64)
			out.Write(append(number, end)) // Flush reports the first failure
			i++
		}
		return true
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// readme returns the README, which describes all exported files.
func (c *content) readme(format Format) string {
	var b strings.Builder
	c.introduce(&b)
	domain := setup.Domain(c.run.Config)
	domain.Cloud = c.cloud
	fmt.Fprintf(&b, "\nArrays, float64, rows are %s:\n", rowsOf(domain))
	for _, g := range c.groups {
		file := "NAME"
		if format == NPZ {
			file = g.name
		}
		fmt.Fprintf(&b, "\n  %s.%s\n", file, format)
		for _, a := range g.arrays {
			fmt.Fprintf(&b, "    %-16s %-16s %s\n", a.name, a.shape, a.about)
		}
	}
	b.WriteString("\nOther files:\n\n")
	for _, f := range c.files {
		fmt.Fprintf(&b, "  %-16s %s\n", f.Name, abouts[f.Name])
	}
	if !c.run.Has(store.ModelFile) {
		return b.String()
	}
	where := "on any grid"
	if c.cloud.There() {
		where = "to other inputs at the same points"
	}
	b.WriteString("\nTo apply the model " + where + ":\n\n  rfm predict model.npz --in a.npy" + c.run.Config.GivenNumbers() + " --out u.npy\n")
	load := ""
	switch format {
	case NPZ:
		load = `np.load("data.npz")["a_test"]`
	case NPY:
		load = `np.load("a_test.npy")`
	case CSV: // rfm.py takes arrays
		return b.String()
	}
	fmt.Fprintf(&b, "\nThe same with NumPy and %s:\n\n  import numpy as np, rfm\n  a = %s\n  u = rfm.load(%q)(a)\n",
		trained.PythonName, load, store.ModelFile)
	return b.String()
}

// introduce writes what the run is, and how far it came.
func (c *content) introduce(b *strings.Builder) {
	run := c.run
	settings := run.Config
	symbol := settings.GridSymbol()
	absolute, err := filepath.Abs(run.Path)
	if err != nil {
		absolute = run.Path
	}
	sizes := fmt.Sprintf("n=%d, m=%d, %s=%d",
		settings.Data.Train, settings.Features.Count, symbol, settings.Train.Grid)
	fmt.Fprintf(b, "Run %s of rfm %s: %s, %s, %d test pairs, seed %d.\n",
		filepath.Base(absolute), run.Program.Version, settings.Title(), sizes, settings.Data.Test, settings.Seed)
	if run.TestError != nil {
		fmt.Fprintf(b, "Expected relative L2 error of the test pairs on %s=%d: %.6g\n",
			symbol, settings.TestGrid(), *run.TestError)
	}
	if !run.Complete() {
		fmt.Fprintf(b, "The run was unfinished when it was exported. Missing: %s.\n", strings.Join(c.missing, ", "))
	}
}

// rowsOf describes the functions in a row, their points, and their repeated values.
func rowsOf(d grid.Domain) string {
	where := d.Name()
	if d.Dims == 2 && d.Square() {
		where += " on the unit square, [i, x, y]"
	} else if d.Dims == 2 {
		where += " on a rectangle whose first side has length 1, [i, x, y]"
	}
	switch {
	case d.Scattered():
		where += ": " + d.Cloud.String()
	case d.Periodic:
		where += ", whose last values repeat the first"
	case !d.Cells:
		where += ", both ends counted"
	}
	return where
}

// abouts describe the files that are copied unchanged.
var abouts = map[string]string{
	store.ModelFile:    "the trained model: all that rfm needs to evaluate it",
	trained.PythonName: "reads and evaluates any model file with NumPy",
	store.ErrorsFile:   "relative L2 error of every training and test pair",
	store.ReportFile:   "the result of the run",
	store.MarkdownFile: "the same for people",
	configFile:         "the configuration: `rfm run " + configFile + "` repeats the run",
}
