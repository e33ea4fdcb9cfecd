// This file infers from names and shapes which arrays of a file are inputs and outputs.

package pairs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// Guess names the arrays of inputs and outputs in a file, or parts of them.
type Guess struct {
	Input      string
	Output     string
	TestInput  string // empty if the file has no test arrays
	TestOutput string
	Known      bool   // names determine the roles of input and output
	Note       string // assumptions besides names
	Layout     string // data.layout of the functions; empty if any
	Axes       string // data.axes; empty if they are inferred from shapes and values
	Other      string // settings of another reading, which the note mentions
	Points     string // data.points, see AtPoints; empty: functions are on grids
	Places     string // data.points, should a grid not have equal steps; empty if the file has no coordinates of it
	Regular    *Guess // the same with points in the order of the regular grid that they form; nil if they form none
}

// Guesses returns the possible arrays of inputs and outputs in a file, the likeliest first. Names that are not empty
// take the place of guesses. The error is a *fault.Data that describes the arrays if there are none.
func Guesses(f *exchange.File, input, output string) ([]Guess, error) {
	var all []Guess
	switch {
	case input != "" && output != "":
		all = []Guess{{Known: true, Axes: axesOfNamed(f, input, output)}}
	case f.Unnamed():
		all = unnamedGuesses(f)
	default:
		all = guesses(f, false, false)
		if g, ok := atOwnPlaces(f); ok {
			all = []Guess{g}
		}
	}
	if len(all) == 0 { // a file of test pairs alone, or of functions on a "grid"
		all = append(guesses(f, true, false), guesses(f, false, true)...)
	}
	if len(all) == 0 {
		all = numbersAlone(f)
	}
	if len(all) == 0 {
		if input == "" && output == "" {
			return nil, noPairs(f)
		}
		all = []Guess{{Input: "a", Output: "u"}}
	}
	for i := range all {
		g := &all[i]
		if input != "" || output != "" {
			named := Guess{
				Input:  cmp.Or(input, g.Input),
				Output: cmp.Or(output, g.Output),
				Known:  g.Known,
			}
			if named.Input == input && named.Output == output {
				named.Axes = g.Axes
			}
			*g = named
		}
		if g.TestInput == "" {
			g.withTests(f)
		}
	}
	return all[:min(len(all), mostGuesses)], nil
}

// unnamedGuesses returns the guesses for a file with one array without a name: both sides of pairs, unless the array
// holds trajectories, which come first then.
func unnamedGuesses(f *exchange.File) []Guess {
	all := guesses(f, false, false)
	if f.Members[0].Complex {
		return all // an axis of length two is that of the parts
	}
	bothSides := Guess{Known: true}
	c := candidatesOf(f, false, false)
	if len(c.all) != 1 {
		return append([]Guess{bothSides}, all...)
	}
	m := c.all[0]
	states, ok := c.statesOf(m)
	if ok && !states.areSides {
		return append(all, bothSides)
	}
	axes := len(m.Shape)
	sides := axisOfSides(m)
	if ok && sides >= 0 && states.time != sides {
		first := quoted(m.Name) + Entry(axes, states.time, "0")
		last := quoted(m.Name) + Entry(axes, states.time, "-1")
		bothSides.Note = fmt.Sprintf("axis %d, of length 2, is taken as that of inputs and outputs", sides)
		bothSides.Other = fmt.Sprintf("axis %d as time: %s", states.time, Settings(first, last))
	}
	return append([]Guess{bothSides}, all...)
}

// mostGuesses bounds the guesses that are tried: a file of many arrays has as many as pairs of arrays.
const mostGuesses = 64

// guesses returns the guesses of training arrays, or of test arrays, without or with those that have names of places.
func guesses(f *exchange.File, tests, places bool) []Guess {
	c := candidatesOf(f, tests, places)
	if g, ok := inOrder(f); ok {
		return []Guess{g}
	}
	var all []Guess
	if !f.Unnamed() {
		all = append(alike(c.functions()), c.evolved()...)
		if g, ok := c.ofParameters(); ok && (len(all) == 0 || !all[0].Known) {
			all = append([]Guess{g}, all...)
		}
		strategies := []func() []Guess{c.continued, c.channelled, c.functionals, c.partners}
		for _, strategy := range strategies {
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
	for _, strategy := range []func() []Guess{c.transposed, c.trajectory, c.fewColumns} {
		if len(all) == 0 {
			all = strategy()
		}
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
	if f.Kind == exchange.CSV && len(c.all) == 1 {
		last := f.Members[len(f.Members)-1]
		isNameless := slices.Contains(csvIndex, last.Name) || len(all) == 0 && slices.Contains(unnamedBases, c.all[0].Name)
		if isNameless {
			all = append(all, halves(f, c.all[0])...)
		}
	}
	return all
}

// onlyStack returns the array of a file that has one with three long axes, and no other functions.
func onlyStack(f *exchange.File) (only npy.Member, ok bool) {
	for _, m := range f.Members {
		if !m.Readable() || len(npy.Long(m.Shape)) < 2 {
			continue
		}
		if ok || f.Unnamed() || len(m.Shape) != 3 || slices.Min(m.Shape) <= mostParameters {
			return npy.Member{}, false
		}
		only = m
		ok = true
	}
	return only, ok
}

// noPairs returns the error that describes the arrays of a file without pairs.
func noPairs(f *exchange.File) error {
	first := func(isCalled func(name string) bool, leastAxes int) int { // array with such a name
		return slices.IndexFunc(f.Members, func(m npy.Member) bool {
			return m.Readable() && len(m.Shape) >= leastAxes && isCalled(m.Name)
		})
	}
	in := first(isInputName, 2)
	out := first(isOutputName, 2)
	if out < 0 { // numbers
		out = first(isOutputName, 1)
	}
	if in >= 0 && out >= 0 && in != out {
		a := f.Members[in]
		u := f.Members[out]
		isMatrixAndList := len(a.Shape) == 2 && len(u.Shape) == 1
		if isMatrixAndList && a.Shape[1] == u.Shape[0] {
			settings := Settings(quoted(a.Name), quoted(u.Name)) + " " + axesSetting("xn->n")
			return fault.Bad(
				f.Name,
				"if these are functions in columns: "+settings,
				"has shape %v in %q and %d numbers in %q", a.Shape, a.Name, u.Shape[0], u.Name,
			)
		}
		haveNumbers := parameters(a) || parameters(u)
		alike := haveNumbers || slices.Equal(a.Shape[1:], u.Shape[1:])
		if a.Shape[0] != u.Shape[0] {
			names := []string{a.Name, u.Name}
			counts := []int{a.Shape[0], u.Shape[0]}
			return Source{File: f.Name}.Unequal(names, counts, alike)
		}
	}
	e := fault.Bad(
		f.Name,
		"store inputs and outputs as arrays of shape (count, K), a function in each row, and name them with data.input and "+
			"data.output",
		"has no pairs; want arrays such as a and u of shape (n, K) or (n, r, r), n at least 2",
	)
	var found []string
	for _, m := range f.Members {
		var refused *fault.Data
		switch {
		case len(found) == 8:
		case m.Readable():
			found = append(found, fmt.Sprintf("%q has shape %v", m.Name, m.Shape))
		case m.Type != "file" && errors.As(m.Refused, &refused):
			found = append(found, fmt.Sprintf("%q %s", m.Name, refused.What))
			e.Do = refused.Do
		}
	}
	hasNumbers := false
	hasFunctions := false
	for _, m := range f.Members {
		if !m.Readable() || len(m.Shape) == 0 {
			continue
		}
		hasNumbers = hasNumbers || npy.LongAxes(m.Shape) > 0
		for _, n := range m.Shape[1:] {
			hasFunctions = hasFunctions || n > mostParameters
		}
	}
	if len(f.Members) > 1 && hasNumbers && !hasFunctions {
		e.What = "has numbers alone, and no functions"
		e.Do = "name inputs and outputs with data.input and data.output, or give functions on nine or more points, in arrays " +
			"of shape (count, K)"
	}
	if m, ok := onlyStack(f); ok { // fields, or functions at as many times as points
		name := quoted(m.Name)
		e.Do = "if axis 1 is time: " + Settings(name+"[:, 0]", name+"[:, -1]") + "; if these are fields, give their outputs as well"
	}
	if found != nil && !f.Unnamed() {
		e.What += "; " + strings.Join(found, ", ")
	}
	return e
}
