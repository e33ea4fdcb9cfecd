// This file collects the content of a run: named arrays, and files that are copied.

package interchange

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"rfm/config"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/grid"
)

// array is an array with a name and a description.
type array struct {
	name, about string
	npy.Array
}

// group is a set of arrays that belong together.
type group struct {
	name   string
	arrays []array
}

// content is the content of an export of a run as its manifest describes it: the run may be unfinished and in use, and
// later changes by other processes have no effect.
type content struct {
	path     string
	manifest store.Manifest
	config   config.Config
	model    *trained.Model // nil if the run has none yet
	groups   []group
	files    []files.File // copied unchanged
	missing  []string
}

// collect reads the content of the run in a directory.
func (c *content) collect(ctx context.Context) error {
	if err := c.addModel(); err != nil {
		return err
	}
	solution := c.groups
	data, predictions := group{name: "data"}, group{name: "predictions"}
	var points [2]int // of the grids of pairs and predictions
	var missing []string
	for _, side := range [][3]string{{"train", store.TrainFile, store.TrainPredictionsFile},
		{"test", store.TestFile, store.TestPredictionsFile}} {
		a, ok, err := c.rows(ctx, side[1])
		if err != nil {
			return err
		}
		if ok {
			points[0] = a.Shape[len(a.Shape)-c.config.Dims()]
			pairs := setup.NewPairs(c.config, points[0], a.Shape[0])
			store.Block{pairs.Inputs, pairs.Outputs}.Put(0, a.Data)
			data.add("a_"+side[0], "inputs of the "+side[0]+" pairs, one a row", pairs.Inputs)
			data.add("u_"+side[0], "their outputs, the truth", pairs.Outputs)
		} else {
			c.missing = append(c.missing, side[0]+" pairs")
		}
		if a, ok, err = c.rows(ctx, side[2]); err != nil {
			return err
		}
		if ok {
			points[1] = a.Shape[len(a.Shape)-c.config.Dims()]
			predictions.arrays = append(predictions.arrays,
				array{"predicted_" + side[0], "the model's values of a_" + side[0], a})
		} else if c.model != nil {
			missing = append(missing, side[0]+" predictions")
		}
	}
	if c.missing = append(c.missing, missing...); c.model == nil {
		c.missing = append(c.missing, "the model")
	}
	c.groups = nil
	c.include(data, "", points[0])
	c.groups = append(c.groups, solution...)
	c.include(predictions, "_predicted", points[1])
	return c.copyFiles()
}

// rows returns an array of the run, whose first axis counts functions; ok is false if it is not complete.
func (c *content) rows(ctx context.Context, name string) (a npy.Array, ok bool, err error) {
	if _, ok := c.manifest.File(name); !ok || ctx.Err() != nil {
		return a, false, ctx.Err()
	}
	text, err := c.manifest.ReadFile(c.path, name)
	if err == nil {
		a, err = npy.Read(bytes.NewReader(text), int64(len(text)))
	}
	if err == nil && len(a.Shape) < 2 {
		err = fault.Bad(filepath.Join(c.path, name), "", "has shape %v", a.Shape)
	}
	return a, true, err
}

func (g *group) add(name, about string, b grid.Batch) {
	g.arrays = append(g.arrays, array{name, about, npy.Array{Shape: b.Shape(), Data: b.Data}})
}

// include adds a group of functions on a grid, unless it is empty, with the points of the grid along the axes: one
// array, or two if the axes of a rectangle differ.
func (c *content) include(g group, suffix string, K int) {
	if len(g.arrays) == 0 {
		return
	}
	domain := setup.Domain(c.config)
	about, half := "grid points along an axis, both ends counted", 0.0
	if domain.Cells {
		about, half = "centres of the cells along an axis", 0.5
	}
	along := func(name string, points int) {
		x := make([]float64, points)
		for i := range x {
			x[i] = (float64(i) + half) / float64(domain.Intervals(K))
		}
		g.arrays = append(g.arrays, array{name + suffix, about, npy.Array{Shape: []int{points}, Data: x}})
	}
	along("x", K)
	if rows, columns := domain.Axes(K); domain.Dims == 2 && rows != columns {
		along("y", columns)
	}
	c.groups = append(c.groups, g)
}

// addModel reads the model, whose file is copied unchanged.
func (c *content) addModel() error {
	if _, ok := c.manifest.File(store.ModelFile); !ok {
		return nil
	}
	text, err := c.manifest.ReadFile(c.path, store.ModelFile)
	if err != nil {
		return err
	}
	m, err := trained.Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(c.path, store.ModelFile), err)
	}
	c.model = &m
	c.files = append(c.files, files.Text(store.ModelFile, text), files.Text(trained.PythonName, trained.Python))
	g, abouts := group{name: "solution"}, map[string]string{"alpha": "coefficients of the features",
		"eigenvalues": "of the Gram matrix"}
	_, random := m.Features()
	arrays, err := m.Arrays()
	if err != nil {
		return err
	}
	for _, a := range arrays {
		if about, ok := abouts[a.Name]; ok || !random { // the functions of features are in the model file
			g.arrays = append(g.arrays, array{a.Name, cmp.Or(about, "of the model, see "+trained.PythonName), a.Array})
		}
	}
	c.groups = append(c.groups, g)
	return nil
}

// copyFiles copies the configuration, the reports and the table of errors.
func (c *content) copyFiles() error {
	for _, name := range []string{store.ReportFile, store.MarkdownFile, store.ErrorsFile} {
		if _, ok := c.manifest.File(name); !ok {
			if !slices.Contains(c.missing, "the reports") {
				c.missing = append(c.missing, "the reports")
			}
			continue
		}
		text, err := c.manifest.ReadFile(c.path, name)
		if err != nil {
			return err
		}
		c.files = append(c.files, files.Text(name, text))
	}
	c.files = append(c.files, files.Text(configFile, c.config.TOML()))
	return nil
}

// configFile is the name of the exported configuration. Runs use another name, so that exports are not taken for runs.
const configFile = "experiment.toml"

// encode returns the files of all arrays in a format.
func (c *content) encode(f Format) (all []files.File) {
	for _, g := range c.groups {
		if f == NPZ {
			all = append(all, files.File{Name: g.name + ".npz", Content: g.npz})
			continue
		}
		for _, a := range g.arrays {
			write := a.csv
			if f == NPY {
				write = func(w io.Writer) error { return npy.Write(w, a.Array) }
			}
			all = append(all, files.File{Name: a.name + "." + string(f), Content: write})
		}
	}
	return all
}

func (g group) npz(w io.Writer) error {
	archive := npz.NewWriter(w)
	for _, a := range g.arrays {
		if err := archive.Array(a.name, a.Array); err != nil {
			return err
		}
	}
	return archive.Close()
}

// csv writes a line for each index of the first axis. Fields have a comment with their indices above, by which package
// csv reads them again. Numbers have the digits that distinguish them from their neighbours.
func (a array) csv(w io.Writer) error {
	out := bufio.NewWriter(w)
	row := npy.Count(a.Shape[1:])
	if len(a.Shape) == 3 {
		for i := range row {
			fmt.Fprintf(out, "%s%s_%d_%d", map[bool]string{true: "# ", false: ","}[i == 0], a.name, i/a.Shape[2]+1, i%a.Shape[2]+1)
		}
		out.WriteString("\n")
	}
	var number []byte
	for i, v := range a.Data {
		end := byte(',')
		if i%row == row-1 {
			end = '\n'
		}
		number = strconv.AppendFloat(number[:0], v, 'g', -1, 64)
		out.Write(append(number, end)) // Flush reports the first failure
	}
	return out.Flush()
}
