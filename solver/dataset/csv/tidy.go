// This file turns tables with one value in each line, in any order, by the names of their columns.

package csv

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/npy"
)

// sampleNames are names of columns that number samples.
var sampleNames = []string{
	"id", "sample", "samples", "run", "case", "sim", "simulation", "experiment", "exp", "trial", "member", "pair",
	"function", "realization", "realisation", "specimen", "curve",
}

// isSampleName reports whether a column with this name numbers samples: "Sample", "run_id" and "case no." do.
func isSampleName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("#_-. ", r) })
	if len(words) == 2 && slices.Contains([]string{"id", "no", "nr", "number", "index", "idx"}, words[1]) {
		words = words[:1]
	}
	return len(words) == 1 && slices.Contains(sampleNames, words[0])
}

// tidy observes a table with a value in each line whose columns have the names of a sample and of one to three places. The
// lines may be in any order. Places are those of a line or of a grid, or points that form no grid.
type tidy struct {
	not    bool
	sample int          // the column of samples
	places []int        // the columns of places
	keys   []key        // of the lines
	levels [3][]float64 // the values of the parts of keys, ascending; the second part may be the number of a point
	index  [][3]int32   // of the parts of the key of each line, among their levels
	points [][3]float64 // points that form no grid, in ascending order; nil if places are those of a line or a grid
}

// key is the sample of a line, and its places.
type key [1 + mostPlaces]float64

// mostPlaces is the largest number of columns with the coordinates of a point.
const mostPlaces = 3

// point returns the coordinates of a key.
func (k key) point() [mostPlaces]float64 { return [mostPlaces]float64(k[1:]) }

const maxTidy = 1 << 20 // lines

// tidyOf returns an observer of a table with columns of some names.
func tidyOf(names []string) *tidy {
	t := &tidy{sample: -1}
	for column, name := range names {
		coordinate := Coordinate(name)
		switch {
		case t.sample < 0 && isSampleName(name):
			t.sample = column
		case len(t.places) < mostPlaces && slices.Contains(coordinateNames, coordinate) && coordinate != "index":
			t.places = append(t.places, column)
		}
	}
	t.not = t.sample < 0 || len(t.places) == 0
	return t
}

func (t *tidy) observe(values []float64) {
	if t.not {
		return
	}
	if len(t.keys) == maxTidy {
		t.not = true
		t.keys = nil
		return
	}
	k := key{values[t.sample]}
	for i, column := range t.places {
		k[1+i] = values[column]
	}
	t.keys = append(t.keys, k)
}

// regular reports whether every sample has a line for each place. A sample without some of the places is an error: reason
// says which; it is empty for tables of another kind, whose samples have a line each.
func (t *tidy) regular() (ok bool, reason string) {
	if t.not {
		return false, ""
	}
	if t.onPoints() {
		return true, ""
	}
	if len(t.places) == mostPlaces { // grids have two axes at most, and the third is a value, as T in x, y, T
		t.places = t.places[:2]
		for i := range t.keys {
			t.keys[i][mostPlaces] = 0
		}
		if t.onPoints() {
			return true, ""
		}
	}
	for axis := range 1 + len(t.places) {
		t.levels[axis] = nil
		for _, k := range t.keys {
			t.levels[axis] = append(t.levels[axis], k[axis])
		}
		slices.Sort(t.levels[axis])
		t.levels[axis] = slices.Compact(t.levels[axis])
	}
	firsts := len(t.levels[1])
	seconds := max(1, len(t.levels[2]))
	samples := len(t.levels[0])
	each := firsts * seconds
	if samples < 2 || firsts < 3 {
		return false, ""
	}
	linesEach := len(t.keys) / samples
	if linesEach < 2 || each > 2*len(t.keys)/samples {
		return false, ""
	}
	seen := make([]bool, samples*each) // samples x firsts x seconds
	for _, k := range t.keys {
		var at [3]int32
		for axis := range 1 + len(t.places) {
			place, _ := slices.BinarySearch(t.levels[axis], k[axis])
			at[axis] = int32(place)
		}
		cell := (int(at[0])*firsts+int(at[1]))*seconds + int(at[2])
		if seen[cell] {
			return false, fmt.Sprintf("has two lines for one place of sample %g: %g", k[0], k[1])
		}
		seen[cell] = true
		t.index = append(t.index, at)
	}
	if missing := slices.Index(seen, false); missing >= 0 {
		sample := t.levels[0][missing/each]
		place := t.levels[1][missing%each/seconds]
		return false, fmt.Sprintf("has %d lines for %d samples at %d places: sample %g has none at %g",
			len(t.keys), samples, each, sample, place)
	}
	t.keys = nil
	return true, ""
}

// onPoints reports whether every sample has a line for each of the same points, which form no grid.
func (t *tidy) onPoints() bool {
	if len(t.places) < 2 {
		return false
	}
	var samples []float64
	var all [][mostPlaces]float64
	coordinates := make([][]float64, len(t.places)) // those that are there
	for _, k := range t.keys {
		samples = append(samples, k[0])
		all = append(all, k.point())
		for axis := range coordinates {
			coordinates[axis] = append(coordinates[axis], k[1+axis])
		}
	}
	samples = distinct(samples, cmp.Compare)
	all = distinct(all, comparePoints)
	onGrid := 1
	for axis, values := range coordinates {
		coordinates[axis] = distinct(values, cmp.Compare)
		onGrid *= len(coordinates[axis])
	}
	isGrid := onGrid == len(all) && haveEqualSteps(coordinates...)
	if len(samples) < 2 || len(all) < 3 || isGrid || len(samples)*len(all) != len(t.keys) {
		return false
	}
	seen := make([]bool, len(t.keys)) // samples x points
	var index [][3]int32
	for _, k := range t.keys {
		sample, _ := slices.BinarySearch(samples, k[0])
		point, _ := slices.BinarySearchFunc(all, k.point(), comparePoints)
		at := sample*len(all) + point
		if seen[at] {
			return false
		}
		seen[at] = true
		index = append(index, [3]int32{int32(sample), int32(point)})
	}
	t.points = all
	t.index = index
	t.levels[0] = samples
	t.levels[1] = make([]float64, len(all))
	t.keys = nil
	return true
}

// distinct sorts values, and returns those that differ.
func distinct[T comparable](values []T, compare func(a, b T) int) []T {
	slices.SortFunc(values, compare)
	return slices.Compact(values)
}

func comparePoints(a, b [mostPlaces]float64) int { return slices.Compare(a[:], b[:]) }

// shape returns the shape of an array of values: samples, and places.
func (t *tidy) shape() npy.Shape {
	shape := npy.Shape{len(t.levels[0]), len(t.levels[1])}
	if len(t.places) == 2 && t.points == nil {
		shape = append(shape, len(t.levels[2]))
	}
	return shape
}

// position returns where the value of a line belongs; it is negative if that is not wanted.
func (t *tidy) position(line int, at []npy.Axis) int {
	var index [3]int
	for axis := range at {
		index[axis] = int(t.index[line][axis])
	}
	return positionOf(index[:len(at)], at)
}

func (t *tidy) where(line int) (sample, place int) {
	at := t.index[line]
	return int(at[0]), int(at[1])*max(1, len(t.levels[2])) + int(at[2])
}

// completed returns the lines of Python that keep the samples with a line for each place.
func (t *Table) completed(sample string, places int) string {
	base := filepath.Base(t.where)
	separator := t.dialect.separator
	options := ", float_precision='round_trip'"
	switch separator {
	case ' ':
		options += ", sep=r'\\s+'"
	case ',':
	default:
		options += fmt.Sprintf(", sep=%q", string(separator))
	}
	first := t.linesFrom(t.places[0])
	check(first.next())
	if separator != ',' && strings.Contains(first.text, ",") {
		options += ", decimal=','"
	}
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	return "complete the table, or leave out samples that lack places, in Python:\n" +
		"  import pandas\n" +
		fmt.Sprintf("  t = pandas.read_csv(%q%s)\n", base, options) +
		fmt.Sprintf("  whole = t.groupby(%q)[%[1]q].transform('size') == %d\n", sample, places) +
		fmt.Sprintf("  t[whole].to_csv(%q, index=False)", stem+"-complete.csv")
}

// checkMolten ends with an error for a table with the names of quantities in one column and their values in another, as
// pandas.melt makes it.
func (t *Table) checkMolten(names []string) {
	value := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, "value") })
	if value < 0 || len(t.texts) != 1 {
		return
	}
	quantity := t.texts[0]
	isOf := slices.Contains([]string{"variable", "quantity", "field", "name", "parameter", "channel", "type"}, strings.ToLower(quantity.name))
	if !isOf {
		return
	}
	var index []string
	for column, name := range names {
		if column != value && column != quantity.column && !countsLines(name) {
			index = append(index, strconv.Quote(name))
		}
	}
	base := filepath.Base(t.where)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	check(fault.Bad(
		t.where,
		"give each a column of its own, in Python:\n"+
			"  import pandas\n"+
			fmt.Sprintf("  t = pandas.read_csv(%q, float_precision='round_trip')\n", base)+
			fmt.Sprintf("  wide = t.pivot(index=[%s], columns=%q, values=%q)\n", strings.Join(index, ", "), quantity.name, names[value])+
			fmt.Sprintf("  wide.reset_index().to_csv(%q, index=False)", stem+"-wide.csv"),
		"has the names of quantities in the column %q", printable.Cut(quantity.name, 40),
	))
}

// turnTidy makes an array of each column of values, if the table has samples and places in any order. It ends with the
// reason if some are missing.
func (t *Table) turnTidy(names []string, by *tidy) bool {
	ok, reason := by.regular()
	if reason != "" {
		places := len(by.levels[1]) * max(1, len(by.levels[2]))
		check(fault.Bad(t.where, t.completed(names[by.sample], places), "%s", reason))
	}
	if !ok {
		return false
	}
	for column, name := range names {
		isKey := column == by.sample || slices.Contains(by.places, column)
		if isKey || t.hasWords(column) || countsLines(name) {
			continue
		}
		t.arrays = append(t.arrays, array{name: name, columns: []int{column}, turn: by})
	}
	var places []string
	for axis, column := range by.places {
		places = append(places, names[column])
		if by.points == nil {
			t.addAxis(names[column], by.levels[1+axis])
			continue
		}
		var coordinates []float64
		for _, p := range by.points {
			coordinates = append(coordinates, p[axis])
		}
		t.fixed = append(t.fixed, fixedArray(names[column], coordinates))
	}
	t.Note = fmt.Sprintf("lines are sorted by %s and %s: those of one %[1]s are one sample",
		names[by.sample], strings.Join(places, " and "))
	return true
}

// countsLines tells whether a column has the name that programs give to the numbers of lines.
func countsLines(name string) bool {
	return name == "" || name == "Unnamed: 0" || name == "index"
}
