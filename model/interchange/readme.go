// This file generates the README of an export.

package interchange

import (
	"fmt"
	"path/filepath"
	"strings"

	"rfm/model/setup"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/grid"
)

// readme returns the README, which describes all exported files.
func (c *content) readme(format Format) string {
	var b strings.Builder
	m, settings := c.manifest, c.config
	symbol := settings.GridSymbol()
	absolute, err := filepath.Abs(c.path)
	if err != nil {
		absolute = c.path
	}
	fmt.Fprintf(&b, "Run %s of rfm %s: %s, n=%d, m=%d, %s=%d, %d test pairs, seed %d.\n", filepath.Base(absolute),
		m.Program.Version, settings.Problem, settings.Data.Train, settings.Features.Count, symbol, settings.Train.Grid,
		settings.Data.Test, settings.Seed)
	if m.TestError != nil {
		fmt.Fprintf(&b, "Expected relative L2 error of the test pairs on %s=%d: %.6g\n", symbol, settings.TestGrid(),
			*m.TestError)
	}
	if !m.Complete() {
		fmt.Fprintf(&b, "The run was unfinished when it was exported. Missing: %s.\n", strings.Join(c.missing, ", "))
	}
	fmt.Fprintf(&b, "\nArrays, float64, rows are %s:\n", rowsOf(setup.Domain(settings)))
	for _, g := range c.groups {
		file := "NAME"
		if format == NPZ {
			file = g.name
		}
		fmt.Fprintf(&b, "\n  %s.%s\n", file, format)
		for _, a := range g.arrays {
			fmt.Fprintf(&b, "    %-16s %-16s %s\n", a.name, a.Shape, a.about)
		}
	}
	b.WriteString("\nOther files:\n\n")
	for _, f := range c.files {
		fmt.Fprintf(&b, "  %-16s %s\n", f.Name, abouts[f.Name])
	}
	if !c.model {
		return b.String()
	}
	b.WriteString("\nTo apply the model on any grid:\n\n  rfm predict model.npz --in a.npy --out u.npy\n")
	if load := map[Format]string{NPZ: `np.load("data.npz")["a_test"]`, NPY: `np.load("a_test.npy")`}[format]; load != "" {
		fmt.Fprintf(&b, "\nThe same with NumPy and %s:\n\n  import numpy as np, rfm\n  a = %s\n  u = rfm.load(%q)(a)\n",
			trained.PythonName, load, store.ModelFile)
	}
	return b.String()
}

// rowsOf describes the points of the functions in a row, and their repeated values.
func rowsOf(d grid.Domain) string {
	where := "functions on the unit interval, both ends counted"
	switch {
	case d.Dims == 2 && d.Periodic:
		where = "periodic fields, [i, x, y], whose last values along both axes repeat the first"
	case d.Dims == 2 && d.Cells:
		where = "fields at the centres of cells, [i, x, y]"
	case d.Dims == 2 && d.Square():
		where = "fields on the closed unit square, [i, x, y]"
	case d.Dims == 2:
		where = "fields on a closed rectangle, [i, x, y], whose first side has length 1"
	case d.Cells:
		where = "functions at the centres of cells of the unit interval"
	case d.Periodic:
		where = "functions whose last value repeats the first"
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
