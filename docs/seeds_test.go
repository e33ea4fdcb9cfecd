package docs

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// Rows are measured with fewSeeds seeds, and with manySeeds where those of a cell differ by more than a factor of wide.
const (
	fewSeeds  = 3
	manySeeds = 5
	wide      = 1.5
)

// seeded holds the errors of a cell for seeds 1, 2, ...; +Inf where a method has none.
type seeded []float64

// measureSeeds returns the errors of each cell of a row, from those that one seed gives.
func measureSeeds(t *testing.T, measure func(t *testing.T, seed int) []float64) []seeded {
	t.Helper()
	var cells []seeded
	seeds := fewSeeds
	for seed := 1; seed <= seeds; seed++ {
		errors := measure(t, seed)
		if cells == nil {
			cells = make([]seeded, len(errors))
		}
		for i, e := range errors {
			if math.IsNaN(e) {
				e = math.Inf(1)
			}
			cells[i] = append(cells[i], e)
		}
		if seed == fewSeeds && slices.ContainsFunc(cells, seeded.differ) {
			seeds = manySeeds
		}
	}
	return cells
}

// missing reports whether a method has no error for most seeds.
func (s seeded) missing() bool { return math.IsInf(s.median(), 1) }

// differ reports whether errors of different seeds are far from one another.
func (s seeded) differ() bool {
	least := floats.Min(s)
	return !math.IsInf(least, 1) && floats.Max(s) > wide*least
}

// median returns the error in the middle; the number of seeds is odd.
func (s seeded) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[len(sorted)/2]
}

// text returns the median, and the least and largest error behind it if they are far from one another.
func (s seeded) text() string {
	if s.missing() {
		return "-"
	}
	if !s.differ() {
		return digits(s.median())
	}
	largest := "-"
	if !math.IsInf(floats.Max(s), 1) {
		largest = digits(floats.Max(s))
	}
	return fmt.Sprintf("%s (%s to %s)", digits(s.median()), digits(floats.Min(s)), largest)
}

// texts returns the cells of a row, the least median in bold.
func texts(cells []seeded) (all []string) {
	least := math.Inf(1)
	for _, s := range cells {
		least = min(least, s.median())
	}
	for _, s := range cells {
		text := s.text()
		if !s.missing() && s.median() == least {
			text = "**" + text + "**"
		}
		all = append(all, text)
	}
	return all
}

// emphasise returns the rows of a table of tests with the least error of each test in bold. The first cell begins with the
// name of the test, the second with an error, or with the least of a range. Tests with a single row have no best one.
func emphasise(rows []string) []string {
	type best struct{ row, count int }
	tests := map[string]best{}
	for i, row := range rows {
		name := row[:strings.IndexAny(row, ",:")]
		b, known := tests[name]
		if !known || errorIn(row) < errorIn(rows[b.row]) {
			b.row = i
		}
		b.count++
		tests[name] = b
	}
	all := slices.Clone(rows)
	for _, b := range tests {
		if b.count > 1 {
			cells := strings.Split(rows[b.row], " | ")
			number, rest, more := strings.Cut(cells[1], ",")
			cells[1] = "**" + number + "**"
			if more {
				cells[1] += "," + rest
			}
			all[b.row] = strings.Join(cells, " | ")
		}
	}
	return all
}

// errorIn returns the first number of the second cell of a row; +Inf if it begins with something else.
func errorIn(row string) float64 {
	cell := strings.Split(row, " | ")[1]
	number, _, _ := strings.Cut(cell, ",")
	number, _, _ = strings.Cut(number, " ")
	e, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return math.Inf(1)
	}
	return e
}

func TestCellsOfSeveralSeeds(t *testing.T) {
	none := math.Inf(1)
	for _, c := range []struct {
		errors seeded
		want   string
	}{
		{seeded{0.02, 0.021, 0.019}, "0.0200"},
		{seeded{0.02, 0.05, 0.019}, "0.0200 (0.0190 to 0.0500)"},
		{seeded{none, 0.004, 0.005}, "0.0050 (0.0040 to -)"},
		{seeded{none, 0.004, none}, "-"},
	} {
		if got := c.errors.text(); got != c.want {
			t.Errorf("%v is %q, want %q", c.errors, got, c.want)
		}
	}
	seeds := 0
	cells := measureSeeds(t, func(_ *testing.T, seed int) []float64 {
		seeds = seed
		return []float64{1, 1 / float64(seed)}
	})
	if got := strings.Join(texts(cells), " | "); seeds != manySeeds || got != "1.00 | **0.333 (0.200 to 1.00)**" {
		t.Errorf("%d seeds give %s", seeds, got)
	}
}

func TestTheBestOfATestIsBold(t *testing.T) {
	got := emphasise([]string{"| A, large: ours | 0.02, stand-in | x |", "| A: theirs | 0.01 to 0.03 | x |", "| B: ours | 0.1 | x |"})
	want := []string{"| A, large: ours | 0.02, stand-in | x |", "| A: theirs | **0.01 to 0.03** | x |", "| B: ours | 0.1 | x |"}
	if !slices.Equal(got, want) {
		t.Errorf("the rows are %q, want %q", got, want)
	}
}
