// This file infers from names and shapes which arrays of a file are inputs and outputs.

package pairs

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// Guess names the arrays of inputs and outputs in a file, or parts of them.
type Guess struct {
	Input, Output         string
	TestInput, TestOutput string // empty if the file has no test arrays
	Known                 bool   // names determine the roles of input and output
	Note                  string // assumptions besides names
	Layout                string // data.layout of the functions; empty if any
}

// Usual names of inputs and outputs, and words for training and test parts; the likeliest first.
var (
	inputNames = []string{"a", "x", "input", "inputs", "in", "coeff", "coef", "branch", "f", "k", "nu", "initial", "init",
		"ic", "coefficient", "permeability", "conductivity", "forcing", "source", "params", "parameters", "theta"}
	outputNames = []string{"u", "y", "sol", "solution", "solutions", "output", "outputs", "out", "target", "targets",
		"tensor", "p", "s", "label", "labels", "response", "qoi", "flux", "drag", "energy"}
	trainNames = []string{"train", "training", "tr"}
	testNames  = []string{"test", "testing"}
	placeNames = []string{"grid", "coordinate", "coordinates", "coords", "dimensions"} // of arrays that are no functions
)

var word = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)

// words returns the parts of an array's name: those of "x_train", "train/x" and "data.npz/xTrain" contain x and train.
func words(name string) []string {
	all := word.FindAllString(name, -1)
	for i, w := range all {
		all[i] = strings.ToLower(w)
	}
	return all
}

// rank returns the place in names of the likeliest word of an array's name, len(names) if none is there.
func rank(name string, names []string) int {
	all := words(name)
	if at := slices.IndexFunc(names, func(n string) bool { return slices.Contains(all, n) }); at >= 0 {
		return at
	}
	return len(names)
}

// asInput and asOutput return the ranks of a name. A zero at its end, as in u0, is that of an initial state.
func asInput(name string) int {
	if strings.HasSuffix(name, "0") {
		return 0
	}
	return rank(name, inputNames)
}

func asOutput(name string) int {
	if strings.HasSuffix(name, "0") {
		return len(outputNames)
	}
	return rank(name, outputNames)
}

// withoutWords returns the words of a name that are not among some, and whether any is.
func withoutWords(name string, some []string) (rest []string, any bool) {
	all := words(name)
	rest = slices.DeleteFunc(slices.Clone(all), func(w string) bool { return slices.Contains(some, w) })
	return rest, len(rest) < len(all)
}

// counterpart returns the test array that belongs to a training array, empty if none exists: its name has "test" in
// place of "train", or in addition.
func counterpart(f *exchange.File, name string) string {
	own, _ := withoutWords(name, trainNames)
	for _, m := range f.Members {
		if rest, test := withoutWords(m.Name, testNames); m.Readable() && test && slices.Equal(rest, own) {
			return m.Name
		}
	}
	return ""
}

// Guesses returns the possible arrays of inputs and outputs in a file, the likeliest first. Names that are not empty
// take the place of guesses. The error is a *fault.Data that describes the arrays if there are none.
func Guesses(f *exchange.File, input, output string) ([]Guess, error) {
	var all []Guess
	switch {
	case input != "" && output != "":
		all = []Guess{{Known: true}}
	case f.Unnamed():
		all = append([]Guess{{Known: true}}, guesses(f, false, false)...)
	default:
		all = guesses(f, false, false)
	}
	if len(all) == 0 { // a file of test pairs alone, or of functions on a "grid"
		all = append(guesses(f, true, false), guesses(f, false, true)...)
	}
	if len(all) == 0 && input+output == "" {
		return nil, noPairs(f)
	} else if len(all) == 0 {
		all = []Guess{{Input: "a", Output: "u"}}
	}
	for i := range all {
		g := &all[i]
		if input+output != "" {
			g.Input, g.Output, g.Note, g.Layout = cmp.Or(input, g.Input), cmp.Or(output, g.Output), "", ""
		}
		if in, out := counterpart(f, g.Input), counterpart(f, g.Output); in != "" && out != "" {
			g.TestInput, g.TestOutput = in, out
		}
	}
	return all[:min(len(all), mostGuesses)], nil
}

// mostGuesses bounds the guesses that are tried: a file of many arrays has as many as pairs of arrays.
const mostGuesses = 64

// guesses returns the guesses of training arrays, or of test arrays, without or with those that have names of places.
func guesses(f *exchange.File, tests, places bool) []Guess {
	var arrays []npy.Member // that may be functions
	for _, m := range f.Members {
		if m.Readable() && len(npy.Long(m.Shape)) >= 2 && len(m.Shape) <= 6 && slices.Max(m.Shape) >= 3 &&
			slices.Min(m.Shape) >= 1 && (rank(m.Name, testNames) < len(testNames)) == tests &&
			(places || rank(m.Name, placeNames) == len(placeNames)) {
			arrays = append(arrays, m)
		}
	}
	var all []Guess
	if !f.Unnamed() {
		all = append(alike(arrays), evolved(f, arrays)...)
		if g, ok := channelled(arrays); ok && len(all) == 0 {
			all = append(all, g)
		} else if g, ok := functionals(f, arrays); ok && len(all) == 0 {
			all = append(all, g)
		}
	}
	if len(all) == 0 || !all[0].Known {
		all = append(all, sequences(f, arrays)...)
	}
	slices.SortStableFunc(all, func(a, b Guess) int {
		unknown := map[bool]int{false: 1}
		return cmp.Compare(unknown[a.Known], unknown[b.Known])
	})
	last := func(name string) bool { return name == f.Members[len(f.Members)-1].Name }
	if f.Kind == exchange.CSV && len(arrays) == 1 && slices.ContainsFunc(csvIndex, last) {
		all = append(all, halves(arrays[0])...)
	}
	return all
}

// csvIndex lists the arrays of a table that are not values, see package csv; the empty name is that of all values.
var csvIndex = []string{"", "line", "points"}

// halves splits a nameless table along the points of the functions: the first half of the values of each pair is the
// input, the second half the output. The functions are in the lines, or in the columns.
func halves(m npy.Member) (all []Guess) {
	for d, half := range []int{m.Shape[0] / 2, m.Shape[1] / 2} {
		if m.Shape[d] == 2*half && half >= 3 {
			before, what := strings.Repeat(":, ", d), []string{"lines", "columns"}[d]
			all = append([]Guess{{Input: fmt.Sprintf("%s[%s:%d]", m.Name, before, half),
				Output: fmt.Sprintf("%s[%s%d:]", m.Name, before, half),
				Layout: []string{config.PointsFirst, config.FunctionsFirst}[d],
				Note:   fmt.Sprintf("the first %d %s are taken as inputs, the other %[1]d as outputs", half, what)}}, all...)
		}
	}
	return all
}

// alike returns the inputs and outputs among arrays of one shape: of the first such group, the arrays with known names,
// or else the first two.
func alike(arrays []npy.Member) []Guess {
	var groups [][]npy.Member
	for _, m := range arrays {
		g := slices.IndexFunc(groups, func(g []npy.Member) bool {
			return slices.Equal(npy.Long(g[0].Shape), npy.Long(m.Shape))
		})
		if g < 0 {
			g, groups = len(groups), append(groups, nil)
		}
		groups[g] = append(groups[g], m)
	}
	// best is the array with the likeliest name: first those without other words (coeff, not Kcoeff_x), then the
	// likeliest word, then the fewest (a_1, not a_smooth_1).
	best := func(as func(string) int, g []npy.Member, other string) (name string, rank int) {
		least := math.MaxInt
		for _, m := range g {
			cost, at := math.MaxInt-1, as(m.Name)
			if own, _ := withoutWords(m.Name, trainNames); at < as("") {
				cost = 1e6*min(len(own), 2) + 1e3*at + len(own)
			}
			if m.Name != other && cost < least {
				name, least = m.Name, cost
			}
		}
		return name, as(name)
	}
	var found []Guess
	least := 0
	for _, g := range groups {
		if len(g) < 2 {
			continue
		}
		out, outRank := best(asOutput, g, "")
		in, inRank := best(asInput, g, out)
		if outRank == len(outputNames) { // no known name
			in, inRank = best(asInput, g, "")
			out, _ = best(func(string) int { return len(inputNames) }, g, in)
		}
		if total := outRank + inRank; found == nil || total < least {
			least = total
			found = []Guess{{Input: in, Output: out, Known: inRank < len(inputNames) && outRank < len(outputNames)}}
		}
	}
	return found
}

// evolved returns inputs with outputs of one more axis: a few channels, or times, of which the last is taken.
func evolved(f *exchange.File, arrays []npy.Member) []Guess {
	var all []Guess
	for _, in := range arrays {
		for _, out := range arrays {
			if asInput(in.Name) == len(inputNames) || len(out.Shape) != len(in.Shape)+1 ||
				asOutput(out.Name) == len(outputNames) {
				continue
			}
			for d := len(out.Shape) - 1; d >= 0; d-- { // time is often the last axis
				n, last := out.Shape[d], out.Name+index(len(out.Shape), d, "-1")
				g := Guess{Input: in.Name, Output: last, Known: true,
					Note: fmt.Sprintf("axis %d of %s, of length %d, is taken as time, of which outputs are the last", d, out.Name, n)}
				if n <= mostParameters && (d == len(out.Shape)-1 || d == 1) && !timed(f, n) {
					g.Output = out.Name
					g.Note = fmt.Sprintf("axis %d of %s, of length %d, is taken as channels; the last of them alone is %s", d,
						out.Name, n, last)
				}
				if slices.Equal(slices.Delete(slices.Clone(out.Shape), d, d+1), in.Shape) {
					all = append(all, g)
				}
			}
		}
	}
	return all
}

// channelled returns inputs with several channels, or of another shape than the outputs. They are all arrays with as
// many functions as the likeliest outputs, except those with names of outputs. Where no name is that of outputs, the
// only array of functions besides parameters is.
func channelled(arrays []npy.Member) (Guess, bool) {
	functions := slices.DeleteFunc(slices.Clone(arrays), parameters)
	if len(functions) == 0 {
		return Guess{}, false
	}
	out := slices.MinFunc(functions, func(a, b npy.Member) int {
		return cmp.Compare(asOutput(a.Name), asOutput(b.Name))
	})
	told := asOutput(out.Name) < len(outputNames)
	var in []string
	known := false
	if !told && (len(functions) > 1 || asInput(out.Name) < len(inputNames)) {
		return Guess{}, false
	}
	for _, m := range arrays {
		if m.Shape[0] == out.Shape[0] && m.Name != out.Name &&
			(told && parameters(m) || asOutput(m.Name) == len(outputNames)) {
			in = append(in, m.Name)
			known = known || asInput(m.Name) < len(inputNames)
		}
	}
	return Guess{Input: strings.Join(in, ","), Output: out.Name, Known: known}, len(in) > 0
}

// parameters reports whether an array has a few numbers for each pair, instead of a function.
func parameters(m npy.Member) bool {
	shape := npy.Long(m.Shape)
	return len(shape) == 1 || len(shape) == 2 && shape[1] <= mostParameters
}

// functionals returns functions as inputs and numbers as outputs: those with names of outputs or, if inputs have known
// names, the only ones.
func functionals(f *exchange.File, arrays []npy.Member) (Guess, bool) {
	functions := slices.DeleteFunc(slices.Clone(arrays), parameters)
	var in, all, named []string
	known := false
	for _, m := range functions {
		if asOutput(m.Name) < len(outputNames) || m.Shape[0] != functions[0].Shape[0] {
			return Guess{}, false
		}
		in, known = append(in, m.Name), known || asInput(m.Name) < len(inputNames)
	}
	for _, m := range f.Members {
		if in != nil && m.Readable() && len(m.Shape) > 0 && m.Shape[0] == functions[0].Shape[0] && parameters(m) &&
			!slices.Contains(csvIndex, m.Name) {
			if all = append(all, m.Name); asOutput(m.Name) < len(outputNames) {
				named = append(named, m.Name)
			}
		}
	}
	if named == nil && known && len(all) == 1 {
		named = all
	}
	return Guess{Input: strings.Join(in, ","), Output: strings.Join(named, ","), Known: known}, named != nil
}

// timed reports whether a file has an array of the given number of times, or of one more.
func timed(f *exchange.File, times int) bool {
	return slices.ContainsFunc(f.Members, func(t npy.Member) bool {
		n, name := npy.Long(t.Shape), path.Base(t.Name)
		if len(n) == 2 && strings.Contains(t.Name, "*") { // the same in each group
			n = n[1:]
		}
		return len(n) == 1 && (n[0] == times || n[0] == times+1) &&
			(strings.HasPrefix(name, "t-") || name == "t" || name == "time")
	})
}

// sequences returns parts of single arrays: the first and the last of functions at several times, (count, time, x) as
// in PDEBench and The Well, also of all arrays with known times together, or both sides of an axis of length 2.
func sequences(f *exchange.File, arrays []npy.Member) []Guess {
	var all []Guess
	var in, out []string // known parts
	for _, m := range arrays {
		axes := len(m.Shape)
		if axes < 3 || len(npy.Long(m.Shape)) < 3 || axes > 4 && !timed(f, m.Shape[1]) ||
			f.Unnamed() && slices.Contains(m.Shape, 2) {
			continue
		}
		part := func(axis int, at string) string { return m.Name + index(axes, axis, at) }
		g := Guess{Input: part(1, "0"), Output: part(1, "-1"), Known: timed(f, m.Shape[1]),
			Note: fmt.Sprintf("axis 1, of length %d, is taken as time: inputs are the first, outputs the last", m.Shape[1])}
		for _, d := range []int{0, axes - 1} {
			if m.Shape[d] == 2 && m.Shape[1] != 2 && !g.Known {
				g = Guess{Input: part(d, "0"), Output: part(d, "1"),
					Note: fmt.Sprintf("axis %d, of length 2, is taken as that of inputs and outputs", d)}
				break
			}
		}
		if g.Known {
			in, out = append(in, g.Input), append(out, g.Output)
		}
		if m.Shape[1] > 1 {
			all = append(all, g)
		}
	}
	if len(in) > 1 { // channels of one state
		all = append([]Guess{{Input: strings.Join(in, ","), Output: strings.Join(out, ","), Known: true,
			Note: "axis 1 of each array is taken as time: inputs are the first, outputs the last"}}, all...)
	}
	return all
}

// index selects one position along an axis and everything along the others: "[:, 0]".
func index(axes, axis int, position string) string {
	words := slices.Repeat([]string{":"}, axes)
	words[axis] = position
	return "[" + strings.Join(words[:max(axis+1, 2)], ", ") + "]"
}

// noPairs returns the error that describes the arrays of a file without pairs.
func noPairs(f *exchange.File) error {
	role := func(as func(string) int, most, axes int) int { // of the first array with such a name
		return slices.IndexFunc(f.Members, func(m npy.Member) bool {
			return m.Readable() && len(m.Shape) >= axes && as(m.Name) < most
		})
	}
	in, out := role(asInput, len(inputNames), 2), role(asOutput, len(outputNames), 2)
	if out < 0 { // numbers
		out = role(asOutput, len(outputNames), 1)
	}
	if in >= 0 && out >= 0 && in != out {
		a, u := f.Members[in], f.Members[out]
		if a.Shape[0] != u.Shape[0] {
			return Source{File: f.Name}.Unequal([]string{a.Name, u.Name}, []int{a.Shape[0], u.Shape[0]})
		}
	}
	e := fault.Bad(f.Name, "store inputs and outputs as arrays of shape (count, K), a function in each row, and name "+
		"them with data.input and data.output", "has no pairs: arrays a and u of shapes (n, K) or (n, r, r) are "+
		"expected, with at least 2 functions")
	var found, numbers []string
	for _, m := range f.Members {
		var refused *fault.Data
		if m.Readable() && out >= 0 && !parameters(f.Members[out]) && slices.Equal(m.Shape, f.Members[out].Shape[:1]) {
			numbers = append(numbers, m.Name)
		}
		switch {
		case len(found) == 8:
		case m.Readable():
			found = append(found, fmt.Sprintf("%q has shape %v", m.Name, m.Shape))
		case m.Shape != nil && errors.As(m.Refused, &refused):
			found = append(found, fmt.Sprintf("%q %s", m.Name, refused.What))
			e.Do = refused.Do
		}
	}
	if numbers != nil {
		e.Do = fmt.Sprintf("if inputs are numbers, set data.input=%s and data.output=%s", strings.Join(numbers, ","),
			f.Members[out].Name)
	}
	if found != nil && !f.Unnamed() {
		e.What += "; " + strings.Join(found, ", ")
	}
	return e
}
