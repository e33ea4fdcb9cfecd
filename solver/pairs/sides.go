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
	output := f.Members[last]
	if len(output.Shape) == 0 { // a single number
		return Guess{}, false
	}
	var in []string
	for i, m := range f.Members {
		if !hasRows(m, output.Shape[0]) {
			return Guess{}, false
		}
		if i < last {
			in = append(in, quoted(m.Name))
		}
	}
	return Guess{
		Input:  strings.Join(in, ","),
		Output: quoted(output.Name),
		Known:  true,
		Note:   "of several files with one array each, the last is the output",
	}, true
}

// halves splits a table of one array along the points of the functions: the first half of the values of each pair is the
// input, the second half the output. The functions are in the lines, or in the columns. Values that go on smoothly from
// one half to the other are one function.
func halves(f *exchange.File, m npy.Member) (all []Guess) {
	if len(m.Shape) != 2 {
		return nil
	}
	hasPlaces := slices.ContainsFunc(f.Members, func(other npy.Member) bool { return other.Name == "points" }) // of the lines
	columns := m.Shape[1]
	name := quoted(m.Name)
	if half := columns / 2; columns == 2*half && half >= 3 && !hasPlaces && !goesOn(f, m, 1) {
		all = append(all, Guess{
			Input:  fmt.Sprintf("%s[:, :%d]", name, half),
			Output: fmt.Sprintf("%s[:, %d:]", name, half),
			Layout: config.FunctionsFirst,
			Note: fmt.Sprintf("the first %d columns are taken as inputs, the other %[1]d as outputs",
				half),
		})
	}
	lines := m.Shape[0]
	if half := lines / 2; lines == 2*half && half >= 3 && !hasPlaces && !goesOn(f, m, 0) {
		all = append(all, Guess{
			Input:  fmt.Sprintf("%s[:%d]", name, half),
			Output: fmt.Sprintf("%s[%d:]", name, half),
			Layout: config.PointsFirst,
			Note: fmt.Sprintf("the first %d lines are taken as inputs, the other %[1]d as outputs",
				half),
		})
	}
	return all
}

// goesOn reports whether values are smooth along an axis of an array, in the middle as elsewhere: neither they nor their
// slopes jump there, as they do where two functions meet.
func goesOn(f *exchange.File, m npy.Member, axis int) bool {
	const jump = 16 // least ratio of squared differences in the middle to those elsewhere
	s, err := sampleOf(f, m, few)
	half := m.Shape[axis] / 2
	if err != nil || s.shape[axis] != m.Shape[axis] || half < 3 {
		return false
	}
	if !(s.roughness(axis) < roughValues) {
		return false
	}
	var middle, usual [2]float64 // sums of squares of first and second differences
	for line := range s.lines(axis, fewLines) {
		for i := 1; i < len(line)-1; i++ {
			step := line[i+1] - line[i]
			bend := step - (line[i] - line[i-1])
			isMiddle := i == half-1 || i == half
			if isMiddle {
				middle[1] += bend * bend / 2
			} else {
				usual[1] += bend * bend / float64(len(line)-4)
			}
			if i == half-1 {
				middle[0] += step * step
			} else {
				usual[0] += step * step / float64(len(line)-3)
			}
		}
	}
	return middle[0] <= jump*usual[0] && middle[1] <= jump*usual[1]
}

// unnamedBases are the names that R, MATLAB, Julia and spreadsheets number for columns without names.
var unnamedBases = []string{"V", "Var", "x", "Column", "col", "c", "X"}

// byShape returns groups of arrays of one shape, without axes of length one, in the order of the first of each.
func byShape(arrays []npy.Member) (groups [][]npy.Member) {
	for _, m := range arrays {
		shape := npy.Long(m.Shape)
		i := slices.IndexFunc(groups, func(group []npy.Member) bool {
			return slices.Equal(npy.Long(group[0].Shape), shape)
		})
		if i < 0 {
			groups = append(groups, []npy.Member{m})
		} else {
			groups[i] = append(groups[i], m)
		}
	}
	return groups
}

// likeliest returns the array with the likeliest name but for another one, and the rank of its name among words: first
// those without other words (coeff, not Kcoeff_x), then the likeliest word, then the fewest (a_1, not a_smooth_1).
func likeliest(arrays []npy.Member, rankOf func(name string) int, except string) (name string, rank int) {
	unknown := rankOf("")
	least := math.MaxInt
	for _, m := range arrays {
		if m.Name == except {
			continue
		}
		cost := math.MaxInt - 1
		word := rankOf(m.Name)
		if word < unknown {
			own, _ := withoutWords(m.Name, trainNames)
			others := len(own)
			cost = 1e6*min(others, 2) + 1e3*word + others
		}
		if cost < least {
			name = m.Name
			least = cost
		}
	}
	return name, rankOf(name)
}

// alike returns the inputs and outputs among arrays of one shape: of the first such group, the arrays with known names,
// or else the first two.
func alike(arrays []npy.Member) []Guess {
	if g, ok := overPlaces(arrays); ok {
		return []Guess{g}
	}
	var best []Guess
	least := 0
	for _, group := range byShape(arrays) {
		if len(group) < 2 {
			continue
		}
		out, outRank := likeliest(group, asOutput, "")
		in, inRank := likeliest(group, asInput, out)
		if outRank == len(outputNames) { // no known name
			in, inRank = likeliest(group, asInput, "")
			out = firstBut(group, in)
		}
		total := outRank + inRank
		if best == nil || total < least {
			least = total
			best = []Guess{{
				Input:  quoted(in),
				Output: quoted(out),
				Known:  inRank < len(inputNames) && outRank < len(outputNames),
			}}
		}
	}
	return best
}

// firstBut returns the name of the first array but for one.
func firstBut(arrays []npy.Member, except string) string {
	for _, m := range arrays {
		if m.Name != except {
			return m.Name
		}
	}
	return ""
}

// endingIn returns the position of the first array whose name has a letter as its last word; -1 if there is none.
func endingIn(arrays []npy.Member, letter string) int {
	return slices.IndexFunc(arrays, func(m npy.Member) bool {
		own := words(m.Name)
		return len(own) > 0 && own[len(own)-1] == letter
	})
}

// overPlaces returns the coordinates X and Y as inputs and the only other array of functions on their points as the
// output, as in files of bodies with a flow around them. It may have channels besides.
func overPlaces(arrays []npy.Member) (Guess, bool) {
	x := endingIn(arrays, "x")
	y := endingIn(arrays, "y")
	if x < 0 || y < 0 || len(arrays) != 3 {
		return Guess{}, false
	}
	first := arrays[x]
	second := arrays[y]
	other := arrays[3-x-y]
	ofX := strings.TrimSuffix(strings.ToLower(first.Name), "x")
	ofY := strings.TrimSuffix(strings.ToLower(second.Name), "y")
	if ofX != ofY || !slices.Equal(first.Shape, second.Shape) {
		return Guess{}, false
	}
	if !withinShape(first.Shape, other.Shape) || other.Shape[0] != first.Shape[0] {
		return Guess{}, false
	}
	alone := Settings(quoted(first.Name), quoted(second.Name))
	return Guess{
		Input:  quoted(first.Name) + "," + quoted(second.Name),
		Output: quoted(other.Name),
		Note: fmt.Sprintf("%s and %s are taken for places, of which %s is the output",
			first.Name, second.Name, other.Name),
		Other: fmt.Sprintf("%s alone: %s", first.Name, alone),
	}, true
}

// withinShape reports whether a shape is another one without at most one axis of channels.
func withinShape(shape, other []int) bool {
	if slices.Equal(shape, other) {
		return true
	}
	for d, n := range other {
		if n > mostParameters {
			continue
		}
		if slices.Equal(shape, withoutAxis(other, d)) {
			return true
		}
	}
	return false
}

// pairAxis returns the length of the axis of an array that may count pairs: the first or the last.
type pairAxis func(m npy.Member) int

func firstAxis(m npy.Member) int { return m.Shape[0] }

func lastAxis(m npy.Member) int { return m.Shape[len(m.Shape)-1] }

// isParameter reports whether an array has a few numbers for each pair and a name of inputs.
func isParameter(m npy.Member) bool { return parameters(m) && isInputName(m.Name) }

// isFunctional reports whether an array has a few numbers for each pair and a name of outputs.
func isFunctional(m npy.Member) bool { return parameters(m) && isOutputName(m.Name) }

// channelled returns inputs with several channels, or of another shape than the outputs. They are all arrays with as
// many functions as the likeliest outputs, except those with names of outputs. Where no name is that of outputs, the
// only array of functions besides parameters is. Functions may be in rows or in columns.
func (c candidateArrays) channelled() []Guess {
	functions := c.functions()
	if len(functions) == 0 {
		return nil
	}
	out := slices.MinFunc(functions, func(a, b npy.Member) int {
		return cmp.Compare(asOutput(a.Name), asOutput(b.Name))
	})
	isOutput := isOutputName(out.Name)
	if !isOutput {
		if len(functions) > 1 || slices.ContainsFunc(c.all, isFunctional) {
			return nil
		}
		if isInputName(out.Name) && !slices.ContainsFunc(c.all, isParameter) {
			return nil
		}
	}
	for _, anyNumbers := range []bool{false, true} { // any few numbers for each pair may be inputs if nothing else is
		sides := [][2]pairAxis{ // of inputs and outputs
			{firstAxis, firstAxis},
			{lastAxis, lastAxis},
			{firstAxis, lastAxis},
			{lastAxis, firstAxis},
		}
		for _, axes := range sides {
			inputs := c.inputsOf(out, axes, anyNumbers && isOutput)
			if inputs == nil && isOutput {
				inputs = c.numbersOf(out, axes)
			}
			if inputs != nil {
				return []Guess{{
					Input:  strings.Join(quotedNames(inputs), ","),
					Output: quoted(out.Name),
					Known:  slices.ContainsFunc(inputs, hasInputName),
				}}
			}
		}
	}
	return nil
}

// inputsOf returns the arrays with as many pairs as outputs that may be their inputs, by the axes that count pairs in
// inputs and outputs: those without names of outputs, and parameters, of which names of inputs are asked unless any
// serve.
func (c candidateArrays) inputsOf(out npy.Member, axes [2]pairAxis, anyNumbers bool) (inputs []npy.Member) {
	for _, m := range c.all {
		if m.Name == out.Name || axes[0](m) != axes[1](out) {
			continue
		}
		mayServe := anyNumbers && parameters(m)
		if !isOutputName(m.Name) || mayServe || isParameter(m) {
			inputs = append(inputs, m)
		}
	}
	return inputs
}

// ofParameters returns parameters with names of inputs, and several arrays of functions of one shape without such names as
// the outputs, as tables of a sweep hold them.
func (c candidateArrays) ofParameters() (g Guess, ok bool) {
	functions := c.functions()
	isNoParameter := func(m npy.Member) bool { return !isParameter(m) }
	inputs := slices.DeleteFunc(slices.Clone(c.all), isNoParameter)
	if len(functions) < 2 || len(functions) > mostParameters || len(inputs) == 0 {
		return Guess{}, false
	}
	for _, axis := range []pairAxis{firstAxis, lastAxis} {
		isOther := func(m npy.Member) bool {
			return isInputName(m.Name) || axis(m) != firstAxis(inputs[0]) || !slices.Equal(m.Shape, functions[0].Shape)
		}
		if slices.ContainsFunc(functions, isOther) {
			continue
		}
		return Guess{
			Input:  strings.Join(quotedNames(inputs), ","),
			Output: strings.Join(quotedNames(functions), ","),
		}, true
	}
	return Guess{}, false
}

// numbersOf returns the first array of numbers that may be the input of outputs, alone.
func (c candidateArrays) numbersOf(out npy.Member, axes [2]pairAxis) []npy.Member {
	for _, m := range c.numbers {
		asMany := axes[0](m) == axes[1](out)
		if asMany && !isOutputName(m.Name) {
			return []npy.Member{m}
		}
	}
	return nil
}

func hasInputName(m npy.Member) bool { return isInputName(m.Name) }

// hasRows reports whether a member can be read and has so many entries along its first axis.
func hasRows(m npy.Member, count int) bool {
	return m.Readable() && len(m.Shape) > 0 && m.Shape[0] == count
}

// quotedNames returns the names of arrays as they stand in settings.
func quotedNames(arrays []npy.Member) (names []string) {
	for _, m := range arrays {
		names = append(names, quoted(m.Name))
	}
	return names
}

// parameters reports whether an array has a few numbers for each pair, instead of a function.
func parameters(m npy.Member) bool {
	shape := npy.Long(m.Shape)
	return len(shape) == 1 || len(shape) == 2 && shape[1] <= mostParameters
}

// functionals returns functions as inputs and numbers as outputs: those with names of outputs, or else the only ones. If
// no names are known, numbers that come first in the file are the inputs. Functions are counted by their first axis or, if
// no numbers are as many, by the last.
func (c candidateArrays) functionals() []Guess {
	all := c.functionalsAlong(firstAxis)
	if all == nil {
		all = c.functionalsAlong(lastAxis)
	}
	return all
}

// functionalsAlong returns the functionals of functions that an axis counts.
func (c candidateArrays) functionalsAlong(axis pairAxis) []Guess {
	functions := c.functions()
	if len(functions) == 0 {
		return nil
	}
	pairs := axis(functions[0])
	for _, m := range functions {
		if isOutputName(m.Name) || axis(m) != pairs {
			return nil
		}
	}
	var all, named []npy.Member
	for _, m := range c.file.Members {
		isPart := slices.Contains(csvIndex, m.Name)
		if isPart || !hasRows(m, pairs) || !parameters(m) || isLineOfPlaces(m) {
			continue
		}
		all = append(all, m)
		if isFunctional(m) {
			named = append(named, m)
		}
	}
	known := slices.ContainsFunc(functions, hasInputName)
	if named == nil && len(all) == 1 && !has(all[0].Name, labelNames) {
		named = all
		comesFirst := c.file.Members[0].Name == all[0].Name
		if comesFirst && !known {
			return []Guess{{
				Input:  strings.Join(quotedNames(all), ","),
				Output: strings.Join(quotedNames(functions), ","),
			}}
		}
	}
	if named == nil {
		return nil
	}
	return []Guess{{
		Input:  strings.Join(quotedNames(functions), ","),
		Output: strings.Join(quotedNames(named), ","),
		Known:  known,
	}}
}

// partners returns two arrays of functions with as many pairs and other shapes, if no name is that of outputs: the
// likeliest input, and the first of the others.
func (c candidateArrays) partners() []Guess {
	functions := c.functions()
	if len(functions) < 2 {
		return nil
	}
	in := slices.MinFunc(functions, func(a, b npy.Member) int {
		return cmp.Compare(asInput(a.Name), asInput(b.Name))
	})
	var all []Guess
	for _, out := range functions {
		hasPairs := firstAxis(out) == firstAxis(in) || lastAxis(out) == lastAxis(in)
		if out.Name != in.Name && hasPairs {
			all = append(all, Guess{
				Input:  quoted(in.Name),
				Output: quoted(out.Name),
			})
		}
	}
	if len(all) == 1 {
		turned := Guess{
			Input:  all[0].Output,
			Output: all[0].Input,
		}
		all = append(all, turned)
	}
	return all
}
