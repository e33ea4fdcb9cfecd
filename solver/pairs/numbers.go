// This file finds pairs of numbers: inputs and outputs of a few values each, and no functions.

package pairs

import (
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// leastNumbers is the least number of pairs of numbers that are read without being asked for: fewer may be anything.
const leastNumbers = 16

// numbersAlone returns the pairs of a file that has only a few numbers for each pair: outputs are the arrays with names of
// outputs, or else the last array; inputs are those with names of inputs, or else all others. A table with places or
// times has one function in its columns, so that it has no such pairs.
func numbersAlone(f *exchange.File) []Guess {
	if f.Unnamed() {
		return nil
	}
	var all []npy.Member
	for _, m := range f.Members {
		if !m.Readable() || slices.Contains(csvIndex, m.Name) {
			continue
		}
		if npy.LongAxes(m.Shape) == 0 || isHeldOutName(m.Name) {
			continue
		}
		if slices.Min(m.Shape) < 1 {
			return nil
		}
		isAlongPairs := len(all) == 0 || m.Shape[0] == all[0].Shape[0]
		isPlace := len(m.Shape) == 1 && has(m.Name, placesAndTimes)
		if !parameters(m) || !isAlongPairs || isPlace {
			return nil
		}
		if !has(m.Name, labelNames) {
			all = append(all, m)
		}
	}
	if len(all) < 2 || all[0].Shape[0] < leastNumbers {
		return nil
	}
	inputs, outputs, known := rolesOfNumbers(all)
	return []Guess{{
		Input:  strings.Join(quotedNames(inputs), ","),
		Output: strings.Join(quotedNames(outputs), ","),
		Axes:   axesOfNumbers(inputs) + "->" + axesOfNumbers(outputs),
		Known:  known,
		Note:   numbersNote(outputs, known),
	}}
}

// placesAndTimes are names of coordinates in a table, whose other columns are functions of them.
var placesAndTimes = []string{"x", "t", "time", "times", "pos", "position"}

// labelNames are names of arrays that tell pairs apart.
var labelNames = []string{"id", "ids", "index", "seed", "seeds", "sample", "run"}

// rolesOfNumbers sorts arrays into inputs and outputs; known tells whether names determine both.
func rolesOfNumbers(all []npy.Member) (inputs, outputs []npy.Member, known bool) {
	for _, m := range all {
		if isFunctional(m) {
			outputs = append(outputs, m)
		} else if isInputName(m.Name) {
			inputs = append(inputs, m)
		}
	}
	outputs = withoutLetters(outputs)
	haveRoles := len(inputs)+len(outputs) == len(all)
	if haveRoles && len(inputs) > 0 && len(outputs) > 0 {
		return inputs, outputs, true
	}
	if len(outputs) == 0 || len(outputs) == len(all) {
		outputs = all[len(all)-1:]
	}
	isOutput := func(m npy.Member) bool { return isAmong(m, outputs) }
	inputs = slices.DeleteFunc(slices.Clone(all), isOutput)
	return inputs, outputs, false
}

// isAmong reports whether an array is one of some.
func isAmong(m npy.Member, some []npy.Member) bool {
	return slices.ContainsFunc(some, func(other npy.Member) bool { return other.Name == m.Name })
}

// numbersNote tells what is assumed about the roles of arrays.
func numbersNote(outputs []npy.Member, known bool) string {
	if known {
		return ""
	}
	names := strings.Join(quotedNames(outputs), ",")
	return names + " is taken as the output, all other numbers as inputs"
}

// axesOfNumbers returns the letters of the axes of arrays of numbers.
func axesOfNumbers(all []npy.Member) string {
	var letters []string
	for _, m := range all {
		axes := "n"
		for _, length := range m.Shape[1:] {
			if length == 1 {
				axes += "1"
			} else {
				axes += "c"
			}
		}
		letters = append(letters, axes)
	}
	return strings.Join(letters, ",")
}

// axesOfNamed returns the axes of arrays of numbers that are named; empty if one is not, or may hold functions in its
// columns.
func axesOfNamed(f *exchange.File, input, output string) string {
	c := candidateArrays{file: f}
	var sides []string
	for _, text := range []string{input, output} {
		var members []npy.Member
		for _, name := range namesIn(f, text) {
			m := Lookup(f, name)
			areNumbers := m.Readable() && len(m.Shape) > 0 && parameters(m)
			if !areNumbers || c.isFewColumns(m) {
				return ""
			}
			members = append(members, m)
		}
		sides = append(sides, axesOfNumbers(members))
	}
	return strings.Join(sides, "->")
}
