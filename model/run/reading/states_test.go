package reading

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// statesIn returns trajectories with axes in an order of the letters n, t, c, x and y.
func statesIn(order string, lengths map[rune]int) npy.Array {
	var shape []int
	for _, letter := range order {
		shape = append(shape, lengths[letter])
	}
	return filled(func(p []int) float64 {
		place := func(letter rune) int {
			axis := strings.IndexRune(order, letter)
			if axis < 0 {
				return 0
			}
			return p[axis]
		}
		fraction := func(letter rune) float64 { return float64(place(letter)) / float64(max(1, lengths[letter])) }
		number := place('n') + 50*place('c')
		time := fraction('t')
		return wave(number, time, fraction('x')) * (1 + wave(number+7, time, fraction('y')))
	}, shape...)
}

// One array with all states of trajectories is read from the first time to the last, whatever the order of its axes, in a
// file that names it and in one that does not.
func TestStatesInAnyOrderOfAxes(t *testing.T) {
	for _, test := range []struct {
		orders  []string
		lengths map[rune]int
		letters string // of the axes of a state, in any order
	}{
		{[]string{"ntxc", "nctx", "ntcx", "tnxc", "nxtc"}, map[rune]int{'n': 30, 't': 5, 'x': 32, 'c': 2}, "nxc"},
		{[]string{"ntxc", "nctx", "ntcx", "tnxc"}, map[rune]int{'n': 30, 't': 20, 'x': 32, 'c': 2}, "nxc"},
		{[]string{"ntxc", "nctx", "ntcx", "tnxc"}, map[rune]int{'n': 30, 't': 20, 'x': 32, 'c': 3}, "nxc"},
		{[]string{"ntxy", "nxyt", "tnxy"}, map[rune]int{'n': 30, 't': 6, 'x': 16, 'y': 16}, "nxy"},
		{[]string{"ntxy", "nxyt", "tnxy"}, map[rune]int{'n': 30, 't': 12, 'x': 16, 'y': 16}, "nxy"},
		{[]string{"ntxyc", "nctxy", "ntcxy", "nxytc", "nxyct"}, map[rune]int{'n': 30, 't': 3, 'x': 16, 'y': 16, 'c': 2}, "nxyc"},
		{[]string{"ntxyc", "nctxy", "ntcxy", "nxytc", "nxyct"}, map[rune]int{'n': 30, 't': 12, 'x': 16, 'y': 16, 'c': 3}, "nxyc"},
	} {
		for _, order := range test.orders {
			states := statesIn(order, test.lengths)
			time := strings.IndexRune(order, 't')
			state := strings.Replace(order, "t", "", 1)
			entry := func(at string) string {
				words := strings.Split(strings.Repeat(": ", time)+at, " ")
				if len(words) == 1 {
					words = append(words, ":")
				}
				return "[" + strings.Join(words, ", ") + "]"
			}
			c, notes, err := readingOf(t, map[string]npy.Array{"w": states})
			d := c.Data
			want := state + "->" + state
			if err != nil || d.Input != "w"+entry("0") || d.Output != "w"+entry("-1") || d.Axes != want {
				t.Errorf("%s %v, named: %q -> %q, axes %q, %v\n%s", order, states.Shape, d.Input, d.Output, d.Axes, err, notes)
			}
			c, notes, err = readingOfArray(t, states)
			d = c.Data
			if err != nil || d.Input != entry("0") || d.Output != entry("-1") || d.Axes != want {
				t.Errorf("%s %v, without a name: %q -> %q, axes %q, %v\n%s", order, states.Shape, d.Input, d.Output, d.Axes, err, notes)
			}
		}
	}
}

// Fields on a rectangle, both sides of each pair in one array, may be states of two channels as well: the note says so.
func TestSidesOfPairsBesideStates(t *testing.T) {
	closed := filled(func(p []int) float64 {
		number := p[0] + 50*p[1]
		return smooth(number, at(p[2], 12)) * (2 + smooth(number+9, at(p[3], 20)))
	}, 30, 2, 12, 20)
	c, notes, err := readingOfArray(t, closed)
	if err != nil || c.Data.Axes != "nsxy->nsxy" && c.Data.Axes != "nsxy" || !strings.Contains(notes, "axis 2 as time: --set data.input=") {
		t.Errorf("axes %q, %v\n%s", c.Data.Axes, err, notes)
	}
}

// readingOfArray returns how a file with one array without a name is read.
func readingOfArray(t *testing.T, array npy.Array) (config.Config, string, error) {
	t.Helper()
	return readingOfFile(t, arraytest.NPY(t, filepath.Join(t.TempDir(), "own.npy"), array))
}

// A few numbers for each pair on both sides are read by their names, or by a guess: the last array is the output. Columns
// beside places or times are functions instead.
func TestPairsOfNumbers(t *testing.T) {
	column := func(k int) npy.Array {
		return filled(func(p []int) float64 { return coefficient(p[0], k) }, tried)
	}
	for name, test := range map[string]struct {
		arrays        map[string]npy.Array
		settings      []string
		input, output string
		axes          string
		says          string
	}{
		"names": {map[string]npy.Array{"theta": numbers(tried, 4), "qoi": numbers(tried, 2)}, nil, "theta", "qoi", "nc->nc", ""},
		"columns": {map[string]npy.Array{"E": column(1), "L": column(2), "stress": column(3)}, nil, "E,L", "stress", "n,n->n",
			"stress is taken as the output"},
		"as many on both sides": {map[string]npy.Array{"a": numbers(tried, 3), "u": numbers(tried, 3)}, nil, "a", "u", "nc->nc", ""},
		"named": {map[string]npy.Array{"E": column(1), "L": column(2), "stress": column(3)},
			[]string{"data.input=stress,L", "data.output=E"}, "stress,L", "E", "n,n->n", ""},
		"a letter beside a word for outputs": {map[string]npy.Array{"p": column(1), "q": column(2), "out": column(3)}, nil, "p,q", "out",
			"n,n->n", "out is taken as the output"},
		"a letter alone": {map[string]npy.Array{"k": column(1), "p": column(2)}, nil, "k", "p", "n->n", ""},
		"labels":         {map[string]npy.Array{"id": column(5), "load": column(2), "drag": column(3)}, nil, "load", "drag", "n->n", ""},
		"tests": {map[string]npy.Array{"x_train": numbers(tried, 3), "y_train": column(1), "x_test": numbers(20, 3),
			"y_test": numbers(20, 1)}, nil, "x_train", "y_train", "nc->n", "20 pairs for testing"},
	} {
		c, notes, err := readingOf(t, test.arrays, test.settings...)
		d := c.Data
		if err != nil || d.Input != test.input || d.Output != test.output || d.Axes != test.axes ||
			!strings.Contains(notes, "pairs of numbers") || !strings.Contains(notes, test.says) {
			t.Errorf("%s: got %q -> %q, axes %q, %v, want %q -> %q, axes %q, and notes with %q; they are:\n%s", name,
				d.Input, d.Output, d.Axes, err, test.input, test.output, test.axes, test.says, notes)
		}
	}
	series := map[string]npy.Array{"time": column(0), "load": column(1), "response": column(2)}
	if c, notes, err := readingOf(t, series); err == nil {
		t.Errorf("a table with times is read as %q -> %q\n%s", c.Data.Input, c.Data.Output, notes)
	}
}

// Channels of coordinates, as programs for Fourier neural operators append them, are left out, in tests as well.
func TestChannelsOfCoordinatesAreLeftOut(t *testing.T) {
	const side = 12
	curves := func(first, count int) npy.Array { // a function and its places
		return filled(func(p []int) float64 {
			if p[2] == 1 {
				return float64(p[1]) / points
			}
			return wave(first+p[0], 0, float64(p[1])/points)
		}, count, points, 2)
	}
	outputs := func(first, count int) npy.Array {
		return filled(func(p []int) float64 { return math.Tanh(wave(first+p[0], 0, float64(p[1])/points)) }, count, points)
	}
	fields := filled(func(p []int) float64 { // places before the values
		if p[3] < 2 {
			return float64(p[1+p[3]]) / side
		}
		return smooth(p[0], at(p[1], side)) * (2 + smooth(p[0]+9, at(p[2], side)))
	}, tried, side, side, 3)
	ofFields := filled(func(p []int) float64 { return smooth(p[0], at(p[1], side)) + at(p[2], side) }, tried, side, side)
	for name, test := range map[string]struct {
		arrays      map[string]npy.Array
		input, test string
	}{
		"curves": {map[string]npy.Array{"x_train": curves(0, tried), "y_train": outputs(0, tried), "x_test": curves(90, 20),
			"y_test": outputs(90, 20)}, "x_train[:, :, 0]", "x_test[:, :, 0]"},
		"fields": {map[string]npy.Array{"x": fields, "y": ofFields}, "x[:, :, :, 2]", ""},
	} {
		c, notes, err := readingOf(t, test.arrays)
		if err != nil || c.Data.Input != test.input || c.Data.TestInput != test.test ||
			!strings.Contains(notes, "hold the coordinates of the points, the same in all pairs, and are left out") {
			t.Errorf("%s: inputs %q, of tests %q, %v\n%s", name, c.Data.Input, c.Data.TestInput, err, notes)
		}
	}
}

// A field and one number for each pair are a functional, or the other way round if the number comes first, by a guess.
func TestOneNumberBesideFields(t *testing.T) {
	fields := filled(func(p []int) float64 {
		return smooth(p[0], at(p[1], 12)) * (2 + smooth(p[0]+9, at(p[2], 12)))
	}, tried, 12, 12)
	number := filled(func(p []int) float64 { return coefficient(p[0], 1) }, tried)
	for _, test := range []struct{ field, number, input, output string }{
		{"k_perm", "keff", "k_perm", "keff"}, // a known name
		{"cells", "effective", "cells", "effective"},
		{"wing", "mach", "mach", "wing"}, // in the order of the file, which is that of the names here
	} {
		c, notes, err := readingOf(t, map[string]npy.Array{test.field: fields, test.number: number})
		if err != nil || c.Data.Input != test.input || c.Data.Output != test.output {
			t.Errorf("%s: got %q -> %q, %v, want %q -> %q; notes:\n%s",
				test.field, c.Data.Input, c.Data.Output, err, test.input, test.output, notes)
		}
	}
}

// Outputs whose first entries along an axis equal the inputs are the states after them, also on a square and with few times,
// whatever the names.
func TestOutputsThatBeginWithTheInputs(t *testing.T) {
	const width = 16
	for _, test := range []struct {
		input, output string
		order         string
		times         int
		want          string
	}{
		{"u0", "ut", "nxt", width, "ut[:, :, -1]"},
		{"u0", "ut", "ntx", width, "ut[:, -1]"},
		{"begin", "later", "ntx", 5, "later[:, -1]"},
		{"a", "u", "nxt", 5, "u[:, :, -1]"}, // not five channels
	} {
		lengths := map[rune]int{'n': tried, 't': test.times, 'x': width}
		arrays := map[string]npy.Array{
			test.input:  statesIn("nx", map[rune]int{'n': tried, 'x': width}),
			test.output: statesIn(test.order, lengths),
		}
		c, notes, err := readingOf(t, arrays)
		if err != nil || c.Data.Input != test.input || c.Data.Output != test.want || !strings.Contains(notes, "because the first are") {
			t.Errorf("got %q -> %q, %v, want %q -> %q and a note with \"because the first are\"; notes:\n%s",
				c.Data.Input, c.Data.Output, err, test.input, test.want, notes)
		}
	}
	_, _, err := readingOf(t, map[string]npy.Array{"w": statesIn("ntx", map[rune]int{'n': tried, 't': width, 'x': width})})
	if err == nil || !strings.Contains(err.Error(), "if axis 1 is time: --set data.input='w[:, 0]' --set data.output='w[:, -1]'") {
		t.Errorf("an array that may be fields or states: %v", err)
	}
}

// Values whose squares are not finite, or zero, are refused before anything is computed.
func TestValuesBeyondDoublePrecision(t *testing.T) {
	a, u := pairsOf(0, tried, points)
	times := func(array npy.Array, factor float64) npy.Array {
		return filled(func(p []int) float64 { return factor * array.Data[p[0]*points+p[1]] }, tried, points)
	}
	for _, test := range []struct {
		a, u npy.Array
		want string
	}{
		{a, times(u, 1e200), "whose square is not finite"},
		{times(a, 1e-200), u, "whose squares are zero"},
	} {
		_, _, err := readingOf(t, map[string]npy.Array{"a": test.a, "u": test.u})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// complexFile writes an array whose last axis has the parts of complex numbers as a file of complex numbers.
func complexFile(t *testing.T, parts npy.Array) string {
	t.Helper()
	file := arraytest.NPY(t, filepath.Join(t.TempDir(), "own.npy"), parts)
	content, err := os.ReadFile(file)
	noError(t, err)
	shape := parts.Shape[:len(parts.Shape)-1]
	ofParts := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %v, }", parts.Shape)
	ofComplex := fmt.Sprintf("{'descr': '<c16', 'fortran_order': False, 'shape': %v, }", shape)
	padded := fmt.Sprintf("%-*s", len(ofParts), ofComplex)
	content = bytes.Replace(content, []byte(ofParts), []byte(padded), 1)
	noError(t, os.WriteFile(file, content, 0o600))
	return file
}

// The parts of complex numbers are channels, and neither times nor both sides of pairs.
func TestComplexStates(t *testing.T) {
	const times = 6
	value := func(p []int) float64 {
		x := at(p[2], points)
		return smooth(p[0]+40*p[3], x-0.02*float64(p[1])) * (1 + 0.1*float64(p[1]))
	}
	trajectories := filled(value, tried, times, points, 2)
	sides := filled(value, tried, 2, points, 2)
	for name, test := range map[string]struct {
		array         npy.Array
		input, output string
	}{
		"trajectories": {trajectories, "[:, 0]", "[:, -1]"},
		"sides":        {sides, "[:, 0]", "[:, 1]"},
	} {
		c, notes, err := readingOfFile(t, complexFile(t, test.array))
		noError(t, err)
		if c.Data.Input != test.input || c.Data.Output != test.output || !strings.Contains(c.Data.Axes, "nxc") {
			t.Errorf("%s: %s -> %s with axes %s, want %s -> %s with nxc\n%s", name, c.Data.Input, c.Data.Output, c.Data.Axes,
				test.input, test.output, notes)
		}
	}
	alone := filled(func(p []int) float64 { return smooth(p[0]+40*p[2], at(p[1], points)) }, tried, points, 2)
	c, notes, err := readingOfFile(t, complexFile(t, alone))
	if err == nil {
		t.Errorf("the parts of complex functions are read as %s -> %s, axes %s:\n%s", c.Data.Input, c.Data.Output, c.Data.Axes, notes)
	}
}
