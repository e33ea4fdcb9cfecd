package docs

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A bar is the error that a cell of a table may have at most.
type bar struct {
	what  string
	table string
	row   string // its first cell
	cell  int    // behind the first one
	most  float64
}

var bars = []bar{
	{"the paper's data, best method", "readme-errors", "the best method, by cross-validation", 0, 0.0004},
	{"tuned features", "results-burgers", "tuned features", 0, 0.0057},
	{"Burgers with viscosity 0.1, stand-in", "benchmarks", "Burgers, viscosity 0.1: kernel, sheared", 0, 0.0011},
	{"Darcy flow on 85 x 85 points", "benchmarks", "Darcy flow: kernel, corrected", 0, 0.0030},
	{"fronts, viscosity 0.004", "results-fronts", "`sheared`", 0, 0.027},
	{"fields: Darcy flow, 3 or 12, 16 x 16", "results-fields", "Darcy flow, 3 or 12, 16 x 16", 3, 0.0075},
	{"fields: Helmholtz, 16 x 16", "results-fields", "Helmholtz, 16 x 16", 3, 0.06},
	{"fields: a layer, 16 x 16", "results-fields", "a layer at x1 = 1, 16 x 16", 2, 0.0012},
	{"a law of value and place, plus an integral", newSets, "`local`: a local law of the place plus an integral", 1, 0.012},
	{"five numbers to a curve", newSets, "`knobs`: five numbers to a curve", 1, 0.002},
}

// newSets is the table that docs/new_sets.py writes.
const newSets = "new-sets"

var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e-[0-9]+)?`)

// measured returns the error in the cell of a page.
func (b bar) measured(t *testing.T) float64 {
	t.Helper()
	all := append(tables(), table{page: "results.md", name: newSets})
	for _, w := range all {
		if w.name != b.table {
			continue
		}
		cells := strings.Split(w.read(t)[b.row], " | ")
		if len(cells) < b.cell+2 {
			t.Fatalf("%s has no row %q with %d cells", w.page, b.row, b.cell+2)
		}
		e, err := strconv.ParseFloat(number.FindString(cells[b.cell+1]), 64)
		if err != nil {
			t.Fatalf("%s: %s: %v", w.page, b.row, err)
		}
		return e
	}
	t.Fatalf("there is no table %s", b.table)
	return 0
}

// again returns the argument of TestTables, or the command, that measures the cell again.
func (b bar) again() string {
	if b.table == newSets {
		set, _, _ := strings.Cut(strings.TrimPrefix(b.row, "`"), "`")
		return "python3 docs/new_sets.py page rfm DIRECTORY " + set
	}
	return fmt.Sprintf("-measure '^%s/%s$'", b.table, strings.Trim(b.row, "`"))
}

// Errors that pages print, as they were measured last, are below bars, and results.md lists them between two marks.
func TestErrorsAreBelowBars(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("| what | at most | measured | measures it again |\n|---|---|---|---|\n")
	for _, b := range bars {
		e := b.measured(t)
		if e > b.most {
			t.Errorf("%s: the error is %g, at most %g is allowed", b.what, e, b.most)
		}
		fmt.Fprintf(&rows, "| %s | %g | %g | `%s` |\n", b.what, b.most, e, b.again())
	}
	const begin = "<!-- bars -->\n"
	const end = "<!-- end of bars -->\n"
	text := read(t, "results.md")
	before, rest, ok := strings.Cut(text, begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatal("results.md has no " + begin)
	}
	compare(t, "results.md", before+begin+rows.String()+end+after)
}
