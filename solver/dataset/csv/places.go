// This file finds the places of the columns of a table, in a line of numbers above the values or in the names of columns.

package csv

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

const (
	leastPlaces  = 4 // columns of a line of places
	leastUnequal = 8 // columns, if places are not equally spaced: fewer values increase by chance
	lookAhead    = 8 // lines of values that a line of places is compared with, at most
)

// placesAbove returns the places of the columns if the line that l has read holds them instead of values, and moves l to
// the next one. Programs write such a line above functions: the points of a grid, or the numbers of columns. It is nil for
// other lines.
func (t *Table) placesAbove(l *lines, names, cells []string) *placeLine {
	if names != nil && !repeats(names) {
		return nil
	}
	isNamed := t.namesIndex(cells)
	p := &placeLine{hasIndex: cells[0] == "" || isNamed}
	first := p.offset()
	p.places, _ = t.dialect.numbers(cells[first:])
	if len(p.places) != len(cells)-first || !p.findRuns(names) {
		return nil
	}
	ahead := t.linesFrom(place{at: l.at, number: l.number + 1})
	var values [][]float64
	isIndexNamed := false
	for len(values) < lookAhead && ahead.next() == nil {
		below := t.dialect.cells(ahead.text)
		if len(values) == 0 && p.hasIndex && !isIndexNamed && isNameAlone(below) {
			isIndexNamed = true
			continue
		}
		if p.hasIndex && (len(below) != len(cells) || below[0] == "") {
			return nil
		}
		if _, isNumber := t.dialect.number(below[0]); isNamed && !isNumber {
			return nil // words before the values of each line
		}
		row, other := t.dialect.numbers(below[first:])
		if other >= 0 || len(row) != len(p.places) {
			break // the error is that of the whole table
		}
		values = append(values, row)
	}
	if !p.standsOut(cells[first:], values) {
		return nil
	}
	from := p.places[0]
	to := p.places[len(p.places)-1]
	p.note = fmt.Sprintf("line %d holds the places of the columns, from %.6g to %.6g", l.number, from, to)
	if p.counts() {
		p.note = fmt.Sprintf("line %d numbers the columns, from %g to %g", l.number, from, to)
	}
	check(l.next())
	if isIndexNamed {
		check(l.next())
	}
	return p
}

// placesInComment returns the places of the columns if a comment above the values is a list of them, as numpy.savetxt writes
// with a header of numbers; nil if none is.
func (t *Table) placesInComment(comments []string) *placeLine {
	for _, comment := range comments {
		p := &placeLine{}
		words := wordsOf(comment)
		p.places, _ = t.dialect.numbers(words)
		if len(p.places) != len(words) || len(words) != t.Columns || !p.findRuns(nil) || len(p.runs) > 1 {
			continue
		}
		p.note = fmt.Sprintf("a comment holds the places of the columns, from %.6g to %.6g", p.places[0], p.places[len(p.places)-1])
		return p
	}
	return nil
}

// placeLine is a line of numbers above the values of a table.
type placeLine struct {
	hasIndex bool      // the first column has no place: its values number the lines, or are their places
	places   []float64 // of the other columns
	runs     []run     // of places, each ascending
	note     string
}

// offset returns the first column with a place.
func (p *placeLine) offset() int {
	if p.hasIndex {
		return 1
	}
	return 0
}

// run is a series of columns from one on, counted without the index, up to another.
type run struct {
	name  string
	first int
	end   int
}

// findRuns divides the columns into runs, which end where a place is not beyond the one before or a name changes. It
// reports whether all are long enough for functions.
func (p *placeLine) findRuns(names []string) bool {
	nameOf := func(column int) string {
		if names == nil {
			return ""
		}
		return strings.Trim(names[p.offset()+column], "# ")
	}
	for first := 0; first < len(p.places); {
		end := first + 1
		for end < len(p.places) && nameOf(end) == nameOf(first) && p.places[end] > p.places[end-1] {
			end++
		}
		if end-first < leastPlaces || math.IsInf(p.places[first], 0) || math.IsInf(p.places[end-1], 0) {
			return false
		}
		p.runs = append(p.runs, run{name: nameOf(first), first: first, end: end})
		first = end
	}
	return names != nil || len(p.runs) <= len(sides)
}

// ascends reports whether values increase within each run.
func (p *placeLine) ascends(values []float64) bool {
	return !slices.ContainsFunc(p.runs, func(r run) bool { return !increases(values[r.first:r.end]) })
}

// standsOut reports whether places differ in kind from the values below, so that they are none: only they increase in
// equal steps or, in a table of some lines, at all.
func (p *placeLine) standsOut(cells []string, values [][]float64) bool {
	switch {
	case len(values) == 0:
		return false
	case p.hasIndex:
		return true
	case p.counts() && !slices.ContainsFunc(cells, isFraction) && slices.ContainsFunc(values, hasFractions):
		return true
	case slices.ContainsFunc(values, p.ascends):
		return false
	}
	return !slices.ContainsFunc(p.runs, func(r run) bool {
		places := p.places[r.first:r.end]
		isByChance := len(places) < leastUnequal || len(values) < lookAhead
		return isByChance && !grid.HasEqualSteps(places)
	})
}

// counts reports whether the places in all runs are the numbers of the columns, from 0 or 1 on.
func (p *placeLine) counts() bool {
	return !slices.ContainsFunc(p.runs, func(r run) bool { return !countUp(p.places[r.first:r.end]) })
}

// repeats reports whether a name stands above several columns in turn.
func repeats(names []string) bool {
	for i := 1; i < len(names); i++ {
		if names[i] != "" && names[i] == names[i-1] {
			return true
		}
	}
	return false
}

// isNameAlone reports whether the cells of a line are empty but for the first, which may have the name of an index.
func isNameAlone(cells []string) bool {
	isFilled := func(cell string) bool { return cell != "" }
	return len(cells) > 1 && !slices.ContainsFunc(cells[1:], isFilled)
}

// namesIndex reports whether a line has the name of an index and numbers behind it, which may be the places of columns.
func (t *Table) namesIndex(cells []string) bool {
	if len(cells) <= leastPlaces {
		return false
	}
	_, isNumber := t.dialect.number(cells[0])
	_, numbers := t.dialect.numeric(cells[1:])
	return !isNumber && numbers == len(cells)-1
}

// isFraction reports whether a number is not written as a whole one.
func isFraction(cell string) bool { return strings.ContainsAny(cell, ".,eEdD") }

// hasFractions reports whether some of the numbers are not whole.
func hasFractions(values []float64) bool {
	return slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) })
}

// increases reports whether each number is greater than the one before.
func increases(x []float64) bool {
	for i := 1; i < len(x); i++ {
		if !(x[i] > x[i-1]) {
			return false
		}
	}
	return true
}

// withPlaces makes an array of each run of columns, and one of their places unless these number the columns. Without names
// there may be one run, or those of inputs and outputs. index observed the first column.
func (t *Table) withPlaces(p *placeLine, index even) {
	t.Note = p.note
	isNamed := p.runs[0].name != ""
	for i, r := range p.runs {
		name := r.name
		if !isNamed {
			name = sides[i]
		}
		t.arrays = append(t.arrays, array{
			name:    name,
			columns: countedFrom(p.offset()+r.first, r.end-r.first),
			shape:   []int{r.end - r.first},
			places:  p.places[r.first:r.end],
		})
	}
	switch {
	case !p.hasIndex || index.counts():
	case p.counts() && !index.falls:
		t.arrays = append(t.arrays, array{name: placesName, columns: []int{0}})
	default:
		t.arrays = append(t.arrays, array{name: "index", columns: []int{0}})
	}
	if !p.counts() {
		t.addPlaces()
	}
	if len(t.arrays)+len(t.fixed) == 1 && !isNamed {
		t.arrays[0].name = ""
	}
}

// placesName is the name of an array of places.
const placesName = "x"

// sides are names for functions without one: inputs, and outputs.
var sides = []string{"a", "u"}

// addPlaces adds the places of the columns of arrays, once if all have the same.
func (t *Table) addPlaces() {
	var series []array
	for _, a := range t.arrays {
		if a.places != nil {
			series = append(series, a)
		}
	}
	if series == nil {
		return
	}
	differ := func(a array) bool { return !slices.Equal(a.places, series[0].places) }
	isTaken := slices.ContainsFunc(t.arrays, func(a array) bool { return a.name == placesName })
	if !isTaken && !slices.ContainsFunc(series, differ) {
		t.fixed = append(t.fixed, fixedArray(placesName, series[0].places))
		return
	}
	for _, a := range series {
		t.fixed = append(t.fixed, fixedArray(placesName+"_"+a.name, a.places))
	}
}

func fixedArray(name string, values []float64) npy.Named {
	return npy.Named{
		Name:  name,
		Array: npy.Array{Shape: npy.Shape{len(values)}, Data: values},
	}
}

// withPlace is a name with a place at its end: u(0.25), u(x=0.25), u[0.25 m], u@0.25, u_0.25 or "u 0.25".
var withPlace = regexp.MustCompile(
	`^(.*?)\s*[@_ (\[]\s*(?:[A-Za-z]\w*\s*=\s*)?([-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?)\s*[A-Za-z]*\s*[)\]]?$`,
)

// placed splits a name into its base and the place at its end.
func placed(name string) (base string, place float64, ok bool) {
	parts := withPlace.FindStringSubmatch(strings.Trim(name, "# "))
	if parts == nil {
		return "", 0, false
	}
	place, err := strconv.ParseFloat(parts[2], 64)
	return parts[1], place, err == nil && parts[1] != ""
}
