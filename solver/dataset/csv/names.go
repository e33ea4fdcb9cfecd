// This file makes arrays of the columns of a table, by the names above them.

package csv

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
)

// names returns the names of a table's columns, or nil: the first line of text with one for each column, which a line
// of units may follow, or else a comment of which some names are numbered or the first is that of a coordinate.
func (h head) names(columns int) []string {
	for _, cells := range h.texts {
		if len(cells) == columns {
			return cells
		}
		if len(cells) == columns-1 && columns > 2 && len(h.texts) == 1 { // R names no column of line numbers
			return append([]string{""}, cells...)
		}
	}
	var found []string
	isNumbered := func(name string) bool {
		base, index := numbered(name)
		return base != "" && index != nil // numbers alone are places, or nothing to be known
	}
	for _, comment := range h.comments {
		names := wordsOf(comment)
		if len(names) == columns && slices.ContainsFunc(names, isNumbered) {
			found = names
		}
		for _, names := range [][]string{
			names,
			withBlanks.Split(strings.TrimSpace(comment), -1), // as COMSOL writes, "x   y   T (K)"
			strings.Split(comment, ","),
		} {
			if len(names) == columns && columns > 2 && slices.Contains(spaceNames, Coordinate(names[0])) {
				found = names
			}
		}
	}
	for i, name := range found {
		found[i] = strings.TrimSpace(name)
	}
	return found
}

// wordsOf returns the words of a comment, with blanks, tabs, commas or semicolons between them.
func wordsOf(comment string) []string {
	isSeparator := func(r rune) bool { return strings.ContainsRune(",;\t ", r) }
	return strings.FieldsFunc(comment, isSeparator)
}

var (
	withBlanks = regexp.MustCompile(`\t+ *| {2,}`) // between names that may have single blanks
	spaceNames = []string{"x", "y", "z", "lon", "lat"}
)

// Coordinate returns the short name of a column, if it has the name of a coordinate: that of "X Location (m)",
// "x-coordinate" and "x [mm]" is x. Other names are returned in lower case.
func Coordinate(name string) string {
	plain := strings.Trim(name, "# ")
	plain = strings.ToLower(withoutUnit(plain))
	words := strings.FieldsFunc(plain, func(r rune) bool { return strings.ContainsRune("_-. ", r) })
	isWord := len(words) == 2 && slices.Contains([]string{"coordinate", "coord", "location", "loc", "position", "pos"}, words[1])
	if isWord {
		return words[0]
	}
	return plain
}

// checkNames ends with an error if names cannot be those of columns: they are values, but for a word among them, or two
// columns have the same number.
func (t *Table) checkNames(names []string) {
	_, numbers := t.dialect.numeric(names)
	_, other := t.dialect.numbers(names)
	hasWord := other >= 0 // numbers alone may be places
	if hasWord && 2*numbers > len(names) {
		check(fault.Bad(
			t.where,
			t.orLists("write a number there, or give all columns names"),
			"has the word %q among the numbers above the first line, in column %d", printable.Cut(names[other], 40), other+1,
		))
	}
	if name := repeatedTwice(names); name != "" && !repeats(names) {
		check(fault.Bad(t.where, "give each column a name of its own", "has two columns named %q", printable.Cut(name, 40)))
	}
}

// byNames makes an array of each series of columns, and of each other column with a name. The second column of a name
// that is no series is called NAME.1, as pandas does.
func (t *Table) byNames(names []string) {
	taken := map[string]int{}
	rest := t.addSweeps(names)
	for _, s := range seriesOf(rest) {
		name := s.base
		if len(s.columns) == 1 {
			name = strings.Trim(rest[s.columns[0]], "# ")
		}
		if name == "" || !slices.ContainsFunc(s.columns, t.hasNumbers) { // pandas leaves out the name of the numbers of lines
			continue
		}
		if bad := slices.IndexFunc(s.columns, t.hasWords); bad >= 0 {
			check(fault.Bad(
				t.where,
				"write numbers there, or give that column another name",
				"has words in column %d, one of %d of %q", s.columns[bad]+1, len(s.columns), printable.Cut(name, 40),
			))
		}
		taken[name]++
		if before := taken[name] - 1; before > 0 {
			name = fmt.Sprintf("%s.%d", name, before)
		}
		t.arrays = append(t.arrays, array{
			name:     name,
			columns:  s.columns,
			shape:    s.shape(),
			places:   s.places,
			isSorted: !slices.IsSorted(s.columns),
		})
	}
	t.addPlaces()
}

// withoutNames makes one array of all columns, or one of those after a first one that counts.
func (t *Table) withoutNames(first even) {
	name := first.name(t.Columns)
	if name == "" {
		t.arrays = []array{{columns: t.all, shape: []int{t.Columns}}}
		return
	}
	t.arrays = []array{
		{name: "a", columns: t.all[1:], shape: []int{t.Columns - 1}},
		{name: name, columns: t.all[:1]},
	}
}

// LineNumbers is the name of a first column without a name that numbers the lines.
const LineNumbers = "line"

// even observes whether values are equally spaced.
type even struct {
	count int
	first float64
	step  float64
	last  float64
	not   bool
	falls bool // not all values are greater than those before
}

func (e *even) observe(v float64) {
	switch e.count {
	case 0:
		e.first = v
	case 1:
		e.step = v - e.first
	}
	difference := math.Abs(v - e.first - float64(e.count)*e.step)
	if e.count > 0 && !(difference <= 1e-6*e.step) {
		e.not = true
	}
	if e.count > 0 && !(v > e.last) {
		e.falls = true
	}
	e.last = v
	e.count++
}

// counts reports whether the values are the numbers of lines, from 0 or 1 on.
func (e *even) counts() bool {
	return !e.not && e.step == 1 && (e.first == 0 || e.first == 1)
}

// name returns a name for the first column of a table without names if it counts the lines, from 0 or 1, or has the
// points of an even grid of [0, 1] with or without its right end; otherwise "".
func (e *even) name(columns int) string {
	if e.not || e.count < 3 || columns < 3 {
		return ""
	}
	end := e.step * float64(e.count) // one step after the last
	withoutEnd := math.Abs(end-1) < 1e-6
	withEnd := math.Abs(end-e.step-1) < 1e-6
	switch {
	case e.counts():
		return LineNumbers
	case e.first == 0 && (withoutEnd || withEnd):
		return "points"
	}
	return ""
}

var (
	withNumbers = regexp.MustCompile(`^(.*?)[_\[.\- ]*(\d{1,9})(?:[_\[.\- ]+(\d{1,9}))?\]?$`)
	withUnit    = regexp.MustCompile(`^(.*\S)\s*(?:\[[^\]]*[^\]\d_. -][^\]]*\]|\([^)]*\))$`)
)

// withoutUnit returns a name without the unit in brackets behind it.
func withoutUnit(name string) string {
	hasBracket := strings.HasSuffix(name, "]") || strings.HasSuffix(name, ")")
	if !hasBracket { // for most names, of which there are as many as points
		return name
	}
	if parts := withUnit.FindStringSubmatch(name); parts != nil {
		return parts[1]
	}
	return name
}

// numbered splits a name into its base and the one or two numbers at its end, before a unit in brackets: the base of
// a_1_2, a1_2, a.1 and "a_1 [N]" is a.
func numbered(name string) (base string, index []int) {
	base = strings.Trim(name, "# ")
	plain := withoutUnit(base)
	parts := withNumbers.FindStringSubmatch(plain)
	if parts == nil {
		return base, nil
	}
	for _, digits := range parts[2:] {
		if n, err := strconv.Atoi(digits); err == nil { // the second may be missing
			index = append(index, n)
		}
	}
	return parts[1], index
}
