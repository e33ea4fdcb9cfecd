// This file writes the README of an export.

package interchange

import (
	"fmt"
	"path/filepath"
	"strings"

	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/model/trained"
	"rfm/solver/space/grid"
)

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
	fmt.Fprintf(&b, "\nTo apply the model %s:\n\n", where)
	fmt.Fprintf(&b, "  rfm predict model.npz%s\n", Application(c.run.Config))
	if format == CSV { // because rfm.py takes arrays
		return b.String()
	}
	load := `np.load("a_test.npy")`
	if format == NPZ {
		load = `np.load("data.npz")["a_test"]`
	}
	fmt.Fprintf(&b, "\nThe same with NumPy and %s:\n\n", trained.PythonName)
	fmt.Fprintf(&b, "  import numpy as np, rfm\n")
	fmt.Fprintf(&b, "  a = %s\n", load)
	fmt.Fprintf(&b, "  u = rfm.load(%q)(a)\n", store.ModelFile)
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
