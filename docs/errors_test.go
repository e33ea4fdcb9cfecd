package docs

import (
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/grid"
)

// measured selects the presets whose row in errors.md is computed, which takes minutes for each.
var (
	measured = flag.String("measure", "", "compute the errors of the presets that match this expression")
	column   = flag.String("column", "", "compute only this method, and those that it begins with")
	seeds    = flag.Int("seeds", 3, "compute the errors of the seeds up to this one")
)

const (
	errorsPage     = "errors.md"
	randomFeatures = "random features"
)

const errorsHead = `# Errors of all methods

*For people who look for the method that suits an equation.* Expected relative test errors ([definition](method.md#errors)) of
seeds 1, 2 and 3 (one number: of seed 1) with 128 pairs, 256 features and nothing tuned. ` + "`-`" + `: the method found nothing to improve (it keeps the kernel it
begins with), or does not fit these functions. A row is
` + "`rfm run PRESET --seed S -n 128 -m 256 --test 128 --set train.method=best`" + `; all are computed by
` + "`go test ./docs -run TestErrors -measure . -timeout 3h`" + `.

`

// equations returns the presets with an equation on the torus.
func equations() (all []config.Preset) {
	for _, p := range config.Presets() {
		if p.Config.Problem == config.TextEquation || p.Name == config.Burgers {
			all = append(all, p)
		}
	}
	return all
}

// columns are the methods of the table.
func columns() (titles []string) {
	for _, m := range method.All(grid.Torus, grid.Torus, config.AutoSymmetry) {
		titles = append(titles, m.Title)
	}
	return append([]string{randomFeatures}, titles...)
}

// smaller returns the settings of a preset with fewer pairs and features.
func smaller(c config.Config, seed uint64) config.Config {
	c.Seed, c.Data.Train, c.Data.Test, c.Features.Count = seed, 128, 128, 256
	c.Train.Method, c.Train.Choice, c.Evaluation.Baselines = config.RandomFeatures, config.LeaveOneOut, false
	return c
}

// errorsOf trains methods on the pairs of a preset, as train.method = best does. Methods that cannot learn them have no
// error.
func errorsOf(t *testing.T, c config.Config, wanted func(title string) bool) map[string]float64 {
	t.Helper()
	e, err := engine.New(t.Context(), c, engine.Options{Workers: 2})
	if err == nil {
		last := engine.Generating
		if wanted(randomFeatures) {
			last = engine.Training
		}
		err = e.Reach(t.Context(), last)
	}
	if err != nil {
		t.Fatal(err)
	}
	train, test := e.Pairs()
	var grids [2]dataset.Pairs
	for i, pairs := range []dataset.Pairs{train, test} {
		if grids[i], err = pairs.Restrict(c.Train.Grid); err != nil {
			t.Fatal(err)
		}
	}
	all := map[string]float64{}
	measure := func(title string, o method.Operator) {
		predictions, err := o.Predict(t.Context(), grids[1].Inputs, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		measured, err := rfm.Measure(predictions, grids[1].Outputs)
		if err != nil {
			t.Fatal(err)
		}
		all[title] = measured.ExpectedRelative
	}
	if wanted(randomFeatures) {
		measure(randomFeatures, e.Model().Operator)
	}
	looked := math.Inf(1)
	o := method.Options{Workers: 2, Seed: c.Seed, Symmetry: c.Data.Symmetry, Looked: &looked}
	for _, m := range method.All(train.Inputs.Domain, train.Outputs.Domain, c.Data.Symmetry) {
		if !wanted(m.Title) {
			continue
		}
		learned, err := m.Train(t.Context(), grids[0], o)
		if err != nil {
			t.Logf("%s: %v", m.Title, err)
			continue
		}
		measure(m.Title, learned)
		o.Known = append(o.Known, learned)
	}
	return all
}

// rowsOf returns the rows of the page by preset.
func rowsOf(page string) map[string]string {
	rows := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|.*$").FindAllStringSubmatch(page, -1) {
		rows[row[1]] = row[0]
	}
	return rows
}

// errors.md has a row for every preset with an equation; -measure computes rows again.
func TestErrorsOfPresets(t *testing.T) {
	rows := rowsOf(read(t, errorsPage))
	if *measured == "" {
		for _, p := range equations() {
			if rows[p.Name] == "" {
				t.Errorf("%s has no row for %s: go test ./docs -run TestErrors -measure '^%s$'", errorsPage, p.Name, p.Name)
			}
			delete(rows, p.Name)
		}
		for name := range rows {
			t.Errorf("%s has a row for %s", errorsPage, name)
		}
		return
	}
	chosen := regexp.MustCompile(*measured)
	for _, p := range equations() {
		if !chosen.MatchString(p.Name) {
			continue
		}
		cells := make([]string, len(columns())) // those on the page, if it has as many
		if old := strings.Split(strings.ReplaceAll(rows[p.Name], "*", ""), "|"); len(old) == len(cells)+3 {
			for i := range cells {
				cells[i] = strings.TrimSpace(old[2+i])
			}
		}
		renewed := make([][]string, len(cells))
		for seed := range *seeds {
			errors := errorsOf(t, smaller(p.Config, uint64(seed+1)), func(title string) bool {
				at, last := slices.Index(columns(), title), slices.Index(columns(), *column)
				return *column == "" || at == last || at < last && at > 1 && cells[at] != "-" // none begins with a linear one
			})
			for i, title := range columns() {
				text := "-"
				if e, ok := errors[title]; ok {
					text = fmt.Sprintf("%.2g", e)
				}
				renewed[i] = append(renewed[i], text)
			}
		}
		for i, title := range columns() {
			if *column == "" || title == *column {
				if cells[i] = strings.Join(renewed[i], "/"); strings.Trim(cells[i], "-/") == "" {
					cells[i] = "-"
				}
			}
		}
		rows[p.Name] = errorRow(p.Name, cells)
		t.Log(rows[p.Name])
		writeErrors(t, rows)
	}
}

// errorRow prints the errors of a preset; the smallest in the mean are bold.
func errorRow(name string, cells []string) string {
	best, least := -1, math.Inf(1)
	for i, cell := range cells {
		mean, all := 0.0, strings.Split(cell, "/")
		for _, text := range all {
			e, err := strconv.ParseFloat(text, 64)
			if err != nil { // no error for this seed
				e = math.Inf(1)
			}
			mean += e / float64(len(all))
		}
		if mean < least {
			best, least = i, mean
		}
	}
	row := "| `" + name + "` |"
	for i, cell := range cells {
		if i == best {
			cell = "**" + cell + "**"
		}
		row += " " + cell + " |"
	}
	return row
}

// writeErrors writes the page, row by row in the order of the presets.
func writeErrors(t *testing.T, rows map[string]string) {
	t.Helper()
	text := errorsHead + "| preset | " + strings.Join(columns(), " | ") + " |\n|" + strings.Repeat("---|", 1+len(columns())) + "\n"
	for _, p := range equations() {
		if rows[p.Name] != "" {
			text += rows[p.Name] + "\n"
		}
	}
	text += "\nNext: [results in detail](results.md).\n"
	if err := os.WriteFile(errorsPage, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
