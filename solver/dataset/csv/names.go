// This file makes arrays of the columns of a table, by the names above them.

package csv

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	isSeparator := func(r rune) bool { return strings.ContainsRune(",;\t ", r) }
	isNumbered := func(name string) bool {
		_, index := numbered(name)
		return index != nil
	}
	for _, comment := range h.comments {
		names := strings.FieldsFunc(comment, isSeparator)
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

var (
	withBlanks = regexp.MustCompile(`\t+ *| {2,}`) // between names that may have single blanks
	spaceNames = []string{"x", "y", "z", "lon", "lat"}
)

// Coordinate returns the short name of a column, if it has the name of a coordinate: that of "X Location (m)",
// "x-coordinate" and "x [mm]" is x. Other names are returned in lower case.
func Coordinate(name string) string {
	plain := strings.Trim(name, "# ")
	if parts := withUnit.FindStringSubmatch(plain); parts != nil {
		plain = parts[1]
	}
	plain = strings.ToLower(plain)
	words := strings.FieldsFunc(plain, func(r rune) bool { return strings.ContainsRune("_-. ", r) })
	isWord := len(words) == 2 && slices.Contains([]string{"coordinate", "coord", "location", "loc", "position", "pos"}, words[1])
	if isWord {
		return words[0]
	}
	return plain
}

// byNames makes an array of each series of columns, and of each other column with a name.
func (t *Table) byNames(names []string) {
	taken := map[string]bool{}
	for first := 0; first < len(names); {
		if end, places := endOfPlaced(names, first); places != nil {
			base, _, _ := placed(names[first])
			if !taken[base] {
				taken[base] = true
				t.arrays = append(t.arrays, array{
					name:   base,
					first:  first,
					shape:  []int{end - first},
					places: places,
				})
			}
			first = end
			continue
		}
		last := endOfSeries(names, first)
		count := last - first
		name, index := numbered(names[first])
		shape := []int{count}
		_, end := numbered(names[last-1])
		switch {
		case count == 1:
			name = strings.Trim(names[first], "# ")
			shape = nil
		case len(index) == 2:
			rows := end[0] - index[0] + 1
			columns := end[1] - index[1] + 1
			if rows > 0 && columns > 0 && rows*columns == count {
				shape = []int{rows, columns}
			}
		}
		if name != "" && !taken[name] && !t.hasWords(first) { // pandas leaves out the name of the numbers of lines
			taken[name] = true
			t.arrays = append(t.arrays, array{name: name, first: first, shape: shape})
		}
		first = last
	}
	t.addPlaces()
}

// endOfSeries returns the end of the columns from a first one on whose names differ in their numbers only.
func endOfSeries(names []string, first int) int {
	name, index := numbered(names[first])
	last := first + 1
	for ; last < len(names); last++ {
		other, i := numbered(names[last])
		if other != name || len(i) != len(index) || len(index) == 0 {
			break
		}
	}
	return last
}

// withoutNames makes one array of all columns, or one of those after a first one that counts.
func (t *Table) withoutNames(first even) {
	name := first.name(t.Columns)
	if name == "" {
		t.arrays = []array{{shape: []int{t.Columns}}}
		return
	}
	t.arrays = []array{
		{name: "a", first: 1, shape: []int{t.Columns - 1}},
		{name: name},
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

// numbered splits a name into its base and the one or two numbers at its end, before a unit in brackets: the base of
// a_1_2, a1_2, a.1 and "a_1 [N]" is a.
func numbered(name string) (base string, index []int) {
	base = strings.Trim(name, "# ")
	plain := base
	if parts := withUnit.FindStringSubmatch(base); parts != nil {
		plain = parts[1]
	}
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
