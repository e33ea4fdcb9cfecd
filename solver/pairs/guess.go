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
	"strconv"
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
	Axes                  string // data.axes; empty if they are inferred from shapes and values
	Other                 string // settings of another reading, which the note mentions
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

// counterpart returns the test arrays that belong to those of a text: their names have "test" in place of "train", or in
// addition. Parts of training arrays are parts of their counterparts, except along the axis that counts pairs. It is
// empty if one has none.
func counterpart(f *exchange.File, text string) string {
	var all []string
	for _, name := range namesIn(f, text) {
		base, part := splitPart(f, name)
		own, _ := withoutWords(base, trainNames)
		i := slices.IndexFunc(f.Members, func(m npy.Member) bool {
			rest, test := withoutWords(m.Name, testNames)
			return m.Readable() && test && slices.Equal(rest, own)
		})
		if i < 0 {
			return ""
		}
		all = append(all, quoted(f.Members[i].Name+allPairs(part, f.Member(base).Shape, f.Members[i].Shape)))
	}
	return strings.Join(all, ",")
}

// splitPart returns the name of an array in a file, and the part of it or the other shape that the text names.
func splitPart(f *exchange.File, text string) (name, part string) {
	for _, m := range f.Members {
		if rest, ok := strings.CutPrefix(text, m.Name); ok && m.Name != "" && len(m.Name) > len(name) &&
			(rest == "" || rest[0] == '[' || rest[0] == '.') {
			name, part = m.Name, rest
		}
	}
	if name == "" {
		return text, ""
	}
	return name, part
}

// allPairs returns a part of training arrays, as "[:800, ::2]", for test arrays: with all pairs, which are counted along
// the axis in which the shapes differ, or the first.
func allPairs(part string, train, test npy.Shape) string {
	inner, ok := strings.CutPrefix(part, "[")
	end := strings.IndexByte(inner, ']')
	if !ok || end < 0 {
		return part
	}
	axis := 0
	for d := range min(len(train), len(test)) {
		if train[d] != test[d] {
			axis = d
			break
		}
	}
	words := strings.Split(inner[:end], ",")
	if axis < len(words) && strings.Contains(words[axis], ":") && !slices.Contains(words, "...") {
		words[axis] = ":"
		if axis > 0 {
			words[axis] = " :"
		}
	}
	return "[" + strings.Join(words, ",") + inner[end:]
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
			named := Guess{Input: cmp.Or(input, g.Input), Output: cmp.Or(output, g.Output), Known: g.Known}
			*g = named
		}
		if g.TestInput != "" {
			continue
		}
		if in, out := counterpart(f, g.Input), counterpart(f, g.Output); in != "" && out != "" {
			g.TestInput = in
			g.TestOutput = out
		}
	}
	return all[:min(len(all), mostGuesses)], nil
}

// mostGuesses bounds the guesses that are tried: a file of many arrays has as many as pairs of arrays.
const mostGuesses = 64

// candidateArrays are the arrays of a file that may belong to pairs.
type candidateArrays struct {
	file    *exchange.File
	all     []npy.Member // functions and parameters, in the order of the file
	numbers []npy.Member // one number for each pair, of shape (n)
}

// functions returns the arrays that are no parameters.
func (c candidateArrays) functions() []npy.Member {
	return slices.DeleteFunc(slices.Clone(c.all), parameters)
}

// candidatesOf returns the arrays of training pairs, or of test pairs, without or with those that have names of places.
// A leading axis of length one means nothing: the array is the part [0].
func candidatesOf(f *exchange.File, tests, places bool) candidateArrays {
	c := candidateArrays{file: f}
	for _, m := range f.Members {
		if !m.Readable() || len(m.Shape) == 0 || len(m.Shape) > 6 || slices.Min(m.Shape) < 1 ||
			(rank(m.Name, testNames) < len(testNames)) != tests ||
			!places && rank(m.Name, placeNames) < len(placeNames) {
			continue
		}
		for len(m.Shape) > 3 && m.Shape[0] == 1 {
			m = Lookup(f, m.Name+"[0]")
		}
		if slices.Max(m.Shape) < 3 {
			continue
		}
		switch {
		case len(m.Shape) == 1:
			if rank(m.Name, coordinateNames) == len(coordinateNames) && !slices.Contains(csvIndex, m.Name) {
				c.numbers = append(c.numbers, m)
			}
		case !places && coordinatesOfEach(f, m):
		case len(npy.Long(m.Shape)) >= 2 || m.Shape[0] > 1 && !evenlySpaced(m):
			c.all = append(c.all, m)
		}
	}
	return c
}

// inOrder returns the arrays of three or more files with one each in the order in which they are named: the last is the
// output.
func inOrder(f *exchange.File) (Guess, bool) {
	last := len(f.Members) - 1
	if last < 2 || len(exchange.Paths(f.Name)) != last+1 {
		return Guess{}, false
	}
	var in []string
	for i, m := range f.Members {
		if !m.Readable() || len(m.Shape) == 0 || m.Shape[0] != f.Members[last].Shape[0] {
			return Guess{}, false
		}
		if i < last {
			in = append(in, quoted(m.Name))
		}
	}
	return Guess{Input: strings.Join(in, ","), Output: quoted(f.Members[last].Name), Known: true,
		Note: "of several files with one array each, the last is the output"}, true
}

// evenlySpaced reports whether an array with the name of coordinates has equal steps, so that it holds no parameters.
func evenlySpaced(m npy.Member) bool {
	if rank(m.Name, coordinateNames) == len(coordinateNames) {
		return false
	}
	array, err := m.Array()
	if err != nil || len(array.Data) < 3 {
		return false
	}
	return hasEqualSteps(array.Data)
}

// guesses returns the guesses of training arrays, or of test arrays, without or with those that have names of places.
func guesses(f *exchange.File, tests, places bool) []Guess {
	c := candidatesOf(f, tests, places)
	if g, ok := inOrder(f); ok {
		return []Guess{g}
	}
	var all []Guess
	if !f.Unnamed() {
		all = append(alike(c.functions()), c.evolved()...)
		for _, strategy := range []func() []Guess{c.channelled, c.functionals, c.partners} {
			if len(all) == 0 {
				all = strategy()
			}
		}
	}
	if len(all) == 0 || !all[0].Known {
		sequences := c.sequences()
		if len(all) > 0 { // another array fits as the output
			sequences = slices.DeleteFunc(sequences, func(g Guess) bool { return !g.Known })
		}
		all = append(all, sequences...)
	}
	if len(all) == 0 {
		all = c.trajectory()
	}
	slices.SortStableFunc(all, func(a, b Guess) int {
		switch {
		case a.Known == b.Known:
			return 0
		case a.Known:
			return -1
		}
		return 1
	})
	last := func(name string) bool { return name == f.Members[len(f.Members)-1].Name }
	if f.Kind == exchange.CSV && len(c.all) == 1 && slices.ContainsFunc(csvIndex, last) {
		all = append(all, halves(c.all[0])...)
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
	if g, ok := overPlaces(groups); ok {
		return []Guess{g}
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
			found = []Guess{{Input: quoted(in), Output: quoted(out),
				Known: inRank < len(inputNames) && outRank < len(outputNames)}}
		}
	}
	return found
}

// overPlaces returns the coordinates X and Y as inputs and the only other array of their shape as the output, as in files
// of bodies with a flow around them.
func overPlaces(groups [][]npy.Member) (Guess, bool) {
	for _, g := range groups {
		of := func(letter string) int {
			return slices.IndexFunc(g, func(m npy.Member) bool { return strings.EqualFold(m.Name, letter) })
		}
		x, y := of("x"), of("y")
		if x < 0 || y < 0 || len(g) != 3 {
			continue
		}
		other := g[3-x-y]
		return Guess{Input: g[x].Name + "," + g[y].Name, Output: quoted(other.Name), Known: false,
			Note:  fmt.Sprintf("%s and %s are taken for places, of which %s is the output", g[x].Name, g[y].Name, other.Name),
			Other: fmt.Sprintf("--set data.input=%s --set data.output=%s", g[x].Name, g[y].Name)}, true
	}
	return Guess{}, false
}

// evolved returns inputs with outputs of one more axis: a few channels, times, of which the last is taken, or a further
// variable. The axis is one of time if the file has as many times, or if outputs begin with the inputs there.
func (c candidateArrays) evolved() []Guess {
	var all []Guess
	for _, in := range c.functions() {
		for _, out := range c.functions() {
			if asInput(in.Name) == len(inputNames) || len(out.Shape) != len(in.Shape)+1 ||
				asOutput(out.Name) == len(outputNames) {
				continue
			}
			if len(all) < mostGuesses { // each looks at values
				all = append(all, c.evolvedTo(in, out)...)
			}
		}
	}
	return all
}

// evolvedTo returns the readings of outputs that have one more axis than their inputs.
func (c candidateArrays) evolvedTo(in, out npy.Member) []Guess {
	var begins, times, channels []Guess
	whole := Guess{Input: quoted(in.Name), Output: quoted(out.Name), Known: true}
	for d := len(out.Shape) - 1; d >= 0; d-- { // time is often the last axis
		if !slices.Equal(slices.Delete(slices.Clone(out.Shape), d, d+1), in.Shape) {
			continue
		}
		n := out.Shape[d]
		last := quoted(out.Name) + Entry(len(out.Shape), d, "-1")
		time := Guess{Input: quoted(in.Name), Output: last, Known: true, Note: fmt.Sprintf("axis %d of %s, of length %d, is "+
			"taken as time, of which outputs are the last", d, out.Name, n)}
		if len(in.Shape) == 2 {
			time.Other = fmt.Sprintf("all times as a field: --set data.output=%s", quoted(out.Name))
		}
		switch {
		case n <= mostParameters && (d == len(out.Shape)-1 || d == 1) && !timed(c.file, n):
			whole.Note = fmt.Sprintf("axis %d of %s, of length %d, is taken as channels; the last of them alone is %s", d,
				out.Name, n, last)
			channels = append(channels, whole)
		case c.beginsWith(out, d, in):
			time.Note += fmt.Sprintf(", because the first are %s", in.Name)
			begins = append(begins, time)
		default:
			times = append(times, time)
		}
	}
	switch {
	case begins != nil:
		return append(begins, channels...)
	case channels != nil || times == nil:
		return append(channels, times...)
	case len(in.Shape) > 2 || c.timedAxis(in, out): // no functions of three variables are learned
		return times
	}
	whole.Other = fmt.Sprintf("one time, if %s has an axis of times: --set data.output='%s'", out.Name, times[0].Output)
	whole.Note = fmt.Sprintf("%s has one variable more than %s", out.Name, in.Name)
	return append([]Guess{whole}, times...)
}

// timedAxis reports whether the additional axis of outputs has as many points as the file has times, and no other axis.
func (c candidateArrays) timedAxis(in, out npy.Member) bool {
	for d, n := range out.Shape {
		if slices.Equal(slices.Delete(slices.Clone(out.Shape), d, d+1), in.Shape) && timed(c.file, n) &&
			!slices.Contains(in.Shape, n) {
			return true
		}
	}
	return false
}

// beginsWith reports whether the first entries along an axis of outputs are the inputs or, unless the outputs may be
// fields on a square, nearer to them than to the second: the states of a trajectory follow each other.
func (c candidateArrays) beginsWith(out npy.Member, axis int, in npy.Member) bool {
	state := func(at string) (sample, error) {
		return sampleOf(c.file, Lookup(c.file, out.Name+Entry(len(out.Shape), axis, at)), few)
	}
	a, err := sampleOf(c.file, in, few)
	first, failure := state("0")
	second, another := state("1")
	if err != nil || failure != nil || another != nil || out.Shape[axis] < 2 || len(a.data) != len(first.data) ||
		!slices.Equal(a.shape, first.shape) {
		return false
	}
	square := func(x, y []float64) (sum float64) {
		for i, v := range x {
			if d := v - y[i]; !math.IsNaN(d) {
				sum += d * d
			}
		}
		return sum
	}
	const rounding = 1e-5 // of single precision, after a few operations
	most := rounding * rounding * square(a.data, make([]float64, len(a.data)))
	if !slices.Contains(in.Shape, out.Shape[axis]) {
		most = max(most, square(first.data, second.data))
	}
	return square(a.data, first.data) <= most
}

// channelled returns inputs with several channels, or of another shape than the outputs. They are all arrays with as
// many functions as the likeliest outputs, except those with names of outputs. Where no name is that of outputs, the
// only array of functions besides parameters is. Functions may be in rows or in columns.
func (c candidateArrays) channelled() []Guess {
	functions := c.functions()
	if len(functions) == 0 {
		return nil
	}
	out := slices.MinFunc(functions, func(a, b npy.Member) int { return cmp.Compare(asOutput(a.Name), asOutput(b.Name)) })
	told := asOutput(out.Name) < len(outputNames)
	named := func(m npy.Member) bool { return parameters(m) && asInput(m.Name) < len(inputNames) }
	if !told && (len(functions) > 1 || asInput(out.Name) < len(inputNames) && !slices.ContainsFunc(c.all, named)) {
		return nil
	}
	last := func(m npy.Member) int { return m.Shape[len(m.Shape)-1] }
	first := func(m npy.Member) int { return m.Shape[0] }
	type counted struct{ in, out func(npy.Member) int } // the axis of pairs of both sides
	for _, count := range []counted{{first, first}, {last, last}, {first, last}, {last, first}} {
		var in []string
		known := false
		for _, m := range c.all {
			if count.in(m) == count.out(out) && m.Name != out.Name && (told && parameters(m) && asOutput(m.Name) == len(outputNames) ||
				named(m) || asOutput(m.Name) == len(outputNames)) {
				in = append(in, quoted(m.Name))
				known = known || asInput(m.Name) < len(inputNames)
			}
		}
		for _, m := range c.numbers { // alone
			if in == nil && count.in(m) == count.out(out) && told && asOutput(m.Name) == len(outputNames) {
				in = append(in, quoted(m.Name))
				known = known || asInput(m.Name) < len(inputNames)
			}
		}
		if in != nil {
			return []Guess{{Input: strings.Join(in, ","), Output: quoted(out.Name), Known: known}}
		}
	}
	return nil
}

// parameters reports whether an array has a few numbers for each pair, instead of a function.
func parameters(m npy.Member) bool {
	shape := npy.Long(m.Shape)
	return len(shape) == 1 || len(shape) == 2 && shape[1] <= mostParameters
}

// functionals returns functions as inputs and numbers as outputs: those with names of outputs or, if inputs have known
// names, the only ones.
func (c candidateArrays) functionals() []Guess {
	functions := c.functions()
	var in, all, named []string
	known := false
	for _, m := range functions {
		if asOutput(m.Name) < len(outputNames) || m.Shape[0] != functions[0].Shape[0] {
			return nil
		}
		in = append(in, quoted(m.Name))
		known = known || asInput(m.Name) < len(inputNames)
	}
	if in == nil {
		return nil
	}
	for _, m := range c.file.Members {
		if m.Readable() && len(m.Shape) > 0 && m.Shape[0] == functions[0].Shape[0] && parameters(m) &&
			!slices.Contains(csvIndex, m.Name) {
			all = append(all, quoted(m.Name))
			if asOutput(m.Name) < len(outputNames) {
				named = append(named, quoted(m.Name))
			}
		}
	}
	if named == nil && known && len(all) == 1 {
		named = all
	}
	if named == nil {
		return nil
	}
	return []Guess{{Input: strings.Join(in, ","), Output: strings.Join(named, ","), Known: known}}
}

// partners returns two arrays of functions with as many pairs and other shapes, if no name is that of outputs: the
// likeliest input, and the first of the others.
func (c candidateArrays) partners() []Guess {
	functions := c.functions()
	if len(functions) < 2 {
		return nil
	}
	in := slices.MinFunc(functions, func(a, b npy.Member) int { return cmp.Compare(asInput(a.Name), asInput(b.Name)) })
	var all []Guess
	for _, out := range functions {
		if out.Name != in.Name && (out.Shape[0] == in.Shape[0] || out.Shape[len(out.Shape)-1] == in.Shape[len(in.Shape)-1]) {
			all = append(all, Guess{Input: quoted(in.Name), Output: quoted(out.Name)})
		}
	}
	if len(all) == 1 { // the other way round
		all = append(all, Guess{Input: all[0].Output, Output: all[0].Input})
	}
	return all
}

// timed reports whether a file has an array of the given number of times, or of one more.
func timed(f *exchange.File, times int) bool {
	return slices.ContainsFunc(f.Members, func(t npy.Member) bool {
		n, name := npy.Long(t.Shape), path.Base(t.Name)
		if len(n) == 2 && (strings.Contains(t.Name, "*") || coordinatesOfEach(f, t)) { // in each group, of each pair
			n = n[1:]
		}
		return len(n) == 1 && (n[0] == times || n[0] == times+1) &&
			(strings.HasPrefix(name, "t-") || name == "t" || name == "time")
	})
}

// sequences returns parts of single arrays: the first and the last of functions at several times, (count, time, x) as
// in PDEBench and The Well, also of all arrays with known times together, or both sides of an axis of length 2. Fields
// on a square are taken for functions at several times only if the file has the times.
func (c candidateArrays) sequences() []Guess {
	f := c.file
	var all []Guess
	var in, out []string // known parts
	for _, m := range c.functions() {
		axes := len(m.Shape)
		channels := axes == 5 && min(m.Shape[2], m.Shape[4]) <= mostParameters
		if axes < 3 || len(npy.Long(m.Shape)) < 3 || axes > 4 && !channels && !timed(f, m.Shape[1]) ||
			f.Unnamed() && slices.Contains(m.Shape, 2) {
			continue
		}
		part := func(axis int, at string) string { return quoted(m.Name) + Entry(axes, axis, at) }
		g := Guess{Input: part(1, "0"), Output: part(1, "-1"), Known: timed(f, m.Shape[1]),
			Note: fmt.Sprintf("axis 1, of length %d, is taken as time: inputs are the first, outputs the last", m.Shape[1])}
		sides := false
		for _, d := range []int{0, axes - 1} {
			if m.Shape[d] == 2 && m.Shape[1] != 2 && !g.Known {
				g = Guess{Input: part(d, "0"), Output: part(d, "1"),
					Note: fmt.Sprintf("axis %d, of length 2, is taken as that of inputs and outputs", d)}
				sides = true
				break
			}
		}
		square := axes == 3 && m.Shape[1] == m.Shape[2] || axes == 3 && m.Shape[0] == m.Shape[1]
		if m.Shape[1] < 2 || square && !sides && !g.Known {
			continue
		}
		if g.Known {
			in = append(in, g.Input)
			out = append(out, g.Output)
		}
		all = append(all, g)
	}
	if len(in) > 1 { // channels of one state
		all = append([]Guess{{Input: strings.Join(in, ","), Output: strings.Join(out, ","), Known: true,
			Note: "axis 1 of each array is taken as time: inputs are the first, outputs the last"}}, all...)
	}
	return all
}

// trajectory returns the states of a single trajectory as inputs and the next ones as outputs, if the file has one array
// of functions, (time, x), whose values are smooth along both axes. The last fifth of the states is for tests.
func (c candidateArrays) trajectory() []Guess {
	const least, smooth = 20, 0.3 // states; the roughness along time
	functions := c.functions()
	if len(functions) != 1 || len(functions[0].Shape) != 2 || min(functions[0].Shape[0], functions[0].Shape[1]) < 8 {
		return nil
	}
	m := functions[0]
	s, err := sampleOf(c.file, m, few)
	if err != nil || !(s.roughness(0) < smooth) || !(s.roughness(1) < smooth) {
		return nil
	}
	time := c.timeAxis(m, s)
	n := m.Shape[time] - 1 // steps
	if n < least {
		return nil
	}
	train := n - max(1, n/5)
	part := func(first, end string) string {
		if time == 0 {
			return quoted(m.Name) + fmt.Sprintf("[%s:%s]", first, end)
		}
		return quoted(m.Name) + fmt.Sprintf("[:, %s:%s]", first, end)
	}
	at := strconv.Itoa
	g := Guess{Input: part("", at(train)), Output: part("1", at(train+1)), TestInput: part(at(train), "-1"),
		TestOutput: part(at(train+1), ""), Axes: "nx->nx",
		Note: fmt.Sprintf("axis %d, of length %d, is taken as the time of one trajectory: the step from each state to the "+
			"next is learned from the first %d steps and tested on the others", time, n+1, train)}
	if time == 1 {
		g.Axes = "xn->xn"
	}
	return []Guess{g}
}

// timeAxis returns the axis of time of one trajectory: the one with as many values as the file has times, not the one
// with as many as it has places, not the one along which values are periodic; or else the first.
func (c candidateArrays) timeAxis(m npy.Member, s sample) int {
	for axis, n := range m.Shape {
		other := m.Shape[1-axis]
		if n != other && (timed(c.file, n) || placed(c.file, other)) {
			return axis
		}
	}
	whole := func(axis int) bool { return s.shape[axis] == s.whole[axis] }
	repeats := func(axis int) bool { return whole(axis) && meets(s.lines(axis, fewLines), gapOfLines) }
	if repeats(0) && !repeats(1) {
		return 1
	}
	return 0
}

// placed reports whether a file has an array of the given number of places along an axis of space.
func placed(f *exchange.File, points int) bool {
	return slices.ContainsFunc(f.Members, func(m npy.Member) bool {
		n := npy.Long(m.Shape)
		name := path.Base(m.Name)
		return len(n) == 1 && n[0] == points && name != "t" && rank(name, coordinateNames) < len(coordinateNames)
	})
}

// Entry selects one position along an axis and everything along the others: "[:, 0]".
func Entry(axes, axis int, position string) string {
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
			return Source{File: f.Name}.Unequal([]string{a.Name, u.Name}, []int{a.Shape[0], u.Shape[0]},
				parameters(a) || parameters(u) || slices.Equal(a.Shape[1:], u.Shape[1:]))
		}
	}
	e := fault.Bad(f.Name, "store inputs and outputs as arrays of shape (count, K), a function in each row, and name "+
		"them with data.input and data.output", "has no pairs: arrays a and u of shapes (n, K) or (n, r, r) are "+
		"expected, with at least 2 functions")
	var found []string
	for _, m := range f.Members {
		var refused *fault.Data
		switch {
		case len(found) == 8:
		case m.Readable():
			found = append(found, fmt.Sprintf("%q has shape %v", m.Name, m.Shape))
		case m.Shape != nil && errors.As(m.Refused, &refused):
			found = append(found, fmt.Sprintf("%q %s", m.Name, refused.What))
			e.Do = refused.Do
		}
	}
	if found != nil && !f.Unnamed() {
		e.What += "; " + strings.Join(found, ", ")
	}
	return e
}
