// This file finds inputs and outputs in different arrays.

package pairs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

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
	if g, ok := overPlaces(arrays); ok {
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

// overPlaces returns the coordinates X and Y as inputs and the only other array of functions on their points as the
// output, as in files of bodies with a flow around them. It may have channels besides.
func overPlaces(arrays []npy.Member) (Guess, bool) {
	of := func(letter string) int {
		return slices.IndexFunc(arrays, func(m npy.Member) bool {
			own := words(m.Name)
			return len(own) > 0 && own[len(own)-1] == letter
		})
	}
	x, y := of("x"), of("y")
	if x < 0 || y < 0 || len(arrays) != 3 {
		return Guess{}, false
	}
	first, second, other := arrays[x], arrays[y], arrays[3-x-y]
	before, after := strings.ToLower(first.Name), strings.ToLower(second.Name)
	if strings.TrimSuffix(before, "x") != strings.TrimSuffix(after, "y") {
		return Guess{}, false
	}
	if !slices.Equal(first.Shape, second.Shape) || !withinShape(first.Shape, other.Shape) || other.Shape[0] != first.Shape[0] {
		return Guess{}, false
	}
	return Guess{Input: quoted(first.Name) + "," + quoted(second.Name), Output: quoted(other.Name),
		Note:  fmt.Sprintf("%s and %s are taken for places, of which %s is the output", first.Name, second.Name, other.Name),
		Other: fmt.Sprintf("%s alone: %s", first.Name, Settings(quoted(first.Name), quoted(second.Name)))}, true
}

// withinShape reports whether a shape is another one without at most one axis of channels.
func withinShape(shape, other []int) bool {
	if slices.Equal(shape, other) {
		return true
	}
	for d, n := range other {
		if n <= mostParameters && slices.Equal(shape, slices.Delete(slices.Clone(other), d, d+1)) {
			return true
		}
	}
	return false
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
	isNumbers := func(m npy.Member) bool { return parameters(m) && asOutput(m.Name) < len(outputNames) }
	if !told && slices.ContainsFunc(c.all, isNumbers) { // of functions
		return nil
	}
	if !told && (len(functions) > 1 || asInput(out.Name) < len(inputNames) && !slices.ContainsFunc(c.all, named)) {
		return nil
	}
	last := func(m npy.Member) int { return m.Shape[len(m.Shape)-1] }
	first := func(m npy.Member) int { return m.Shape[0] }
	type counted struct{ in, out func(npy.Member) int } // the axis of pairs of both sides
	// accepted reports whether an array may be an input; any few numbers for each pair may, if nothing else does.
	accepted := func(m npy.Member, any bool) bool {
		switch {
		case asOutput(m.Name) == len(outputNames):
			return true
		case parameters(m):
			return any && told || named(m)
		}
		return false
	}
	for _, any := range []bool{false, true} {
		for _, count := range []counted{{first, first}, {last, last}, {first, last}, {last, first}} {
			var in []string
			known := false
			add := func(m npy.Member) {
				in = append(in, quoted(m.Name))
				known = known || asInput(m.Name) < len(inputNames)
			}
			for _, m := range c.all {
				if count.in(m) == count.out(out) && m.Name != out.Name && accepted(m, any) {
					add(m)
				}
			}
			for _, m := range c.numbers { // alone
				if in == nil && count.in(m) == count.out(out) && told && asOutput(m.Name) == len(outputNames) {
					add(m)
				}
			}
			if in != nil {
				return []Guess{{Input: strings.Join(in, ","), Output: quoted(out.Name), Known: known}}
			}
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
