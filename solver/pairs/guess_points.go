// This file recognises files with values at points of any geometry.

package pairs

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"rfm/solver/dataset/csv"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// AtPoints recognises a file with values at points of any geometry by the coordinates in it, and names its arrays. Names
// that are not empty take the place of guesses. ok is false for files of functions on grids, unless values are known to
// be rough along all axes.
func AtPoints(f *exchange.File, input, output, named string, rough bool) (g Guess, ok bool) {
	members := trainingArrays(f)
	for i, m := range members {
		for len(m.Shape) > 1 && m.Shape[0] == 1 { // a leading axis of length one means nothing
			m = Lookup(f, m.Name+"[0]")
		}
		members[i] = m
	}
	g, ok = unaligned(members)
	if ok && input == "" && output == "" && named == "" {
		return g, true
	}
	for _, names := range placeArrays(f, members, named) {
		var coordinateArrays []npy.Member
		for _, name := range names {
			coordinateArrays = append(coordinateArrays, Lookup(f, name))
		}
		g, ok := aroundPlaces(f, members, coordinateArrays, input, output, named != "" || rough)
		if !ok {
			continue
		}
		g.Points = strings.Join(names, ",")
		g.withTests(f)
		g.Regular = g.onRegular(f)
		if g.Regular != nil {
			g.Regular.withTests(f)
		}
		return g, true
	}
	if named != "" || input != "" {
		return Guess{}, false
	}
	for _, s := range stackedPlaces(f, members) {
		isStack := func(m npy.Member) bool { return m.Name == s.name }
		others := slices.DeleteFunc(slices.Clone(members), isStack)
		places := []npy.Member{Lookup(f, s.places)}
		g, ok := aroundPlaces(f, others, places, s.input, output, rough)
		if !ok {
			continue
		}
		g.Points = s.places
		g.Note = fmt.Sprintf("the first %d channels of %s are the same in all pairs, and are taken for coordinates", s.axes, s.name)
		g.withTests(f)
		g.Regular = g.onRegular(f)
		return g, true
	}
	return Guess{}, false
}

// stacked is an array of shape (pairs, points, channels) whose first channels are the coordinates of the points, and how
// its parts are written.
type stacked struct {
	name   string
	axes   int // coordinates
	places string
	input  string
}

// stackedPlaces returns the arrays whose first channels are coordinates: they are the same in all pairs, and others are not.
func stackedPlaces(f *exchange.File, members []npy.Member) (all []stacked) {
	for _, m := range members {
		isStack := len(m.Shape) == 3 && m.Shape[0] > 1 && m.Shape[1] >= leastPoints
		if !isStack || m.Shape[2] < 3 || m.Shape[2] > grid.MostChannels || isOutputName(m.Name) {
			continue
		}
		axes := equalChannels(m)
		if axes < 2 || axes > points.MostAxes || axes == m.Shape[2] {
			continue
		}
		all = append(all, stacked{
			name:   m.Name,
			axes:   axes,
			places: fmt.Sprintf("%s[0, :, :%d]", m.Name, axes),
			input:  fmt.Sprintf("%s[:, :, %d:]", m.Name, axes),
		})
	}
	return all
}

// equalChannels returns how many of the first channels of an array of shape (pairs, points, channels) are the same in the
// first pairs.
func equalChannels(m npy.Member) int {
	pairs := min(m.Shape[0], lookedPairs)
	count := m.Shape[1]
	channels := m.Shape[2]
	values := make([]float64, pairs*count*channels)
	axes := npy.Along(count*channels, channels, 1)
	axes[0] = axes[0].Of(0, 1, pairs)
	if err := m.Read(values, axes, len(values)); err != nil {
		return 0 // it is reported with the array
	}
	first := values[:count*channels]
	for c := range channels {
		for i := c; i < len(values); i += channels {
			if values[i] != first[i%len(first)] {
				return c
			}
		}
	}
	return channels
}

// withTests adds the arrays of test pairs that belong to those of a guess, if the file has both.
func (g *Guess) withTests(f *exchange.File) {
	in := counterpart(f, g.Input)
	out := counterpart(f, g.Output)
	if in != "" && out != "" {
		g.TestInput = in
		g.TestOutput = out
	}
}

// onRegular returns the guess of functions on the regular grid that the points form; nil if they form none in one or two
// dimensions.
func (g Guess) onRegular(f *exchange.File) *Guess {
	output, grid, ok := g.namesOnGrid(f, g.Output)
	if !ok || len(grid.sides) > 2 {
		return nil
	}
	input, _, _ := g.namesOnGrid(f, g.Input)
	for _, name := range Names(input) {
		if strings.Contains(name, gridWord) {
			continue
		}
		m := Lookup(f, name) // it has points of its own
		if npy.LongAxes(m.Shape) > 2 || slices.Min(m.Shape) > mostParameters {
			return nil
		}
	}
	sides := fmt.Sprint(grid.sides[0])
	for _, n := range grid.sides[1:] {
		sides += fmt.Sprintf(" x %d", n)
	}
	regular := g
	regular.Points = ""
	regular.Input = input
	regular.Output = output
	regular.Note = fmt.Sprintf("the points %s form a regular grid of %s points, in whose order values are put",
		g.Points, sides)
	regular.Other = "--set data.points='" + g.Points + "' for points without an order"
	return &regular
}

// namesOnGrid returns the names in a text, those of arrays with values at the points in the order of the regular grid
// that the points form, and that grid. ok is false if there is no such array.
func (g Guess) namesOnGrid(f *exchange.File, text string) (all string, grid ordered, ok bool) {
	var names []string
	for _, name := range namesIn(f, text) {
		if o, err := orderOf(f, Lookup(f, name), g.Points); err == nil {
			name += gridWord + g.Points + ")"
			grid = o
			ok = true
		}
		names = append(names, quoted(name))
	}
	return strings.Join(names, ","), grid, ok
}

// placeArrays returns the possible names of arrays of coordinates.
func placeArrays(f *exchange.File, members []npy.Member, named string) (all [][]string) {
	if named != "" {
		return [][]string{Names(named)}
	}
	if axesOfToolbox(members) > 0 {
		all = append(all, []string{"p"})
	}
	all = append(all, axesOfNodes(members)...)
	for _, names := range axisNames {
		var found []string
		for _, name := range names {
			hasName := func(m npy.Member) bool { return isCalled(m, name) }
			i := slices.IndexFunc(members, hasName)
			if i >= 0 {
				found = append(found, quoted(members[i].Name))
			}
		}
		if len(found) > 1 {
			all = append(all, found)
		}
	}
	for _, m := range members {
		if has(nameOf(f, m), pointNames) && len(m.Shape) > 1 {
			all = append(all, []string{quoted(m.Name)})
		}
	}
	for _, m := range members {
		if npy.LongAxes(m.Shape) == 1 && isCalled(m, "x") {
			all = append(all, []string{quoted(m.Name)})
		}
	}
	return all
}

// axesOfNodes returns the arrays of each coordinate with names as node_x and node_y.
func axesOfNodes(members []npy.Member) (all [][]string) {
	nodeNames := append([]string{"node", "vertex"}, pointNames...)
	for _, m := range members {
		stem, ok := strings.CutSuffix(m.Name, "x")
		if !ok || !has(stem, nodeNames) || npy.LongAxes(m.Shape) != 1 {
			continue
		}
		found := []string{quoted(m.Name)}
		for _, letter := range []string{"y", "z"} {
			isNext := func(other npy.Member) bool { return other.Name == stem+letter && slices.Equal(other.Shape, m.Shape) }
			if slices.ContainsFunc(members, isNext) {
				found = append(found, quoted(stem+letter))
			}
		}
		if len(found) > 1 {
			all = append(all, found)
		}
	}
	return all
}

// isCalled reports whether an array has this name in the group that contains it, or, as a column of a table, with a unit
// or a word such as coordinate.
func isCalled(m npy.Member, name string) bool {
	return strings.EqualFold(path.Base(m.Name), name) || csv.Coordinate(m.Name) == name
}

// nameOf returns the name of an array for people: that of its file, if it has none of its own because files are given as
// inputs and outputs.
func nameOf(f *exchange.File, m npy.Member) string {
	paths := exchange.Paths(f.Name)
	i := slices.Index([]string{"a", "u"}, m.Name)
	if i < 0 || len(paths) != 2 || len(f.Members) < 2 {
		return m.Name
	}
	base := path.Base(paths[i])
	return strings.TrimSuffix(base, path.Ext(base))
}

// aroundPlaces returns the arrays of pairs beside arrays of coordinates. Points of a grid need no places, unless the
// places were told.
func aroundPlaces(f *exchange.File, members, places []npy.Member, input, output string, told bool) (g Guess, ok bool) {
	others := slices.DeleteFunc(slices.Clone(members), func(m npy.Member) bool {
		isShort := npy.LongAxes(m.Shape) < 2 && npy.Count(m.Shape) < 3
		isOfPoints := isCells(m, members) || has(m.Name, weightNames)
		isPlaces := isAmong(m, places) || isAmong(inOppositeOrder(m), places)
		return isPlaces || isShort || isOfPoints
	})
	var atPlaces []npy.Member // with values at the points
	c := coordinates{}
	for _, m := range others {
		found, ok := coordinatesIn(places, [][]int{m.Shape})
		if !ok {
			continue
		}
		if len(atPlaces) == 0 || slices.Equal(found.lattice, c.lattice) {
			c = found
			atPlaces = append(atPlaces, m)
		}
	}
	if len(atPlaces) == 0 {
		return g, false
	}
	if output == "" {
		atPlaces = ofMostPairs(atPlaces, c.lattice)
	}
	if !told && (onGrid(c, atPlaces) || lacksAxis(c, atPlaces)) {
		return g, false
	}
	g = Guess{Known: true, Input: input, Output: output}
	if len(atPlaces) == 1 && len(others) == 1 && input == "" && output == "" {
		states, ok := statesAtPoints(atPlaces[0], c.lattice)
		if ok {
			return states, true
		}
	}
	if output == "" {
		best := likeliestOutput(atPlaces)
		g.Known = isOutputName(best.Name) || len(atPlaces) == 1
		g.Output = quoted(best.Name)
	}
	if input == "" {
		g.Input = inputsBeside(f, others, atPlaces, places, c, g.Output)
	}
	return g, g.Input != ""
}

// lacksAxis reports whether points on a line have more values than channels: the coordinate of another axis is not known.
func lacksAxis(c coordinates, at []npy.Member) bool {
	if c.moving || c.axes != 1 || len(c.lattice) != 1 {
		return false
	}
	return slices.ContainsFunc(at, func(m npy.Member) bool {
		pairs := pairsAt(m.Shape, c.lattice)
		return pairs > 0 && npy.Count(m.Shape)/pairs/c.lattice[0] > mostParameters
	})
}

// pairsAt returns the number of pairs in an array of values at the points of a lattice; 0 if it is not known.
func pairsAt(shape, lattice []int) int {
	for _, n := range shape {
		axes := pointAxes(shape, n, lattice, true, false)
		if axes != "" {
			return shape[strings.IndexByte(axes, 'n')]
		}
	}
	return 0
}

// ofMostPairs returns the arrays with the number of pairs that most of them have, the larger one of two. Others are no
// functions, as the tags (points, 2) that Gmsh keeps of nodes.
func ofMostPairs(members []npy.Member, lattice []int) []npy.Member {
	arrays := map[int]int{} // by their number of pairs
	most := 0
	for _, m := range members {
		pairs := pairsAt(m.Shape, lattice)
		arrays[pairs]++
		more := arrays[pairs] > arrays[most]
		larger := arrays[pairs] == arrays[most] && pairs > most
		if more || larger {
			most = pairs
		}
	}
	return slices.DeleteFunc(slices.Clone(members), func(m npy.Member) bool {
		return pairsAt(m.Shape, lattice) != most
	})
}

// statesAtPoints returns the reading of one array of values at points, (pairs, points, 2) with both sides or
// (pairs, times, points) with the states of trajectories, which may have channels as their last axis.
func statesAtPoints(m npy.Member, lattice []int) (g Guess, ok bool) {
	if len(lattice) != 1 || len(m.Shape) < 3 || m.Shape[0] == lattice[0] || m.Complex {
		return g, false
	}
	var rest []int // axes besides those of pairs and points
	for axis, n := range m.Shape {
		if axis > 0 && n != lattice[0] {
			rest = append(rest, axis)
		}
	}
	if len(rest) == 2 && rest[1] == len(m.Shape)-1 && m.Shape[rest[1]] <= mostParameters {
		rest = rest[:1] // the last axis is that of channels
	}
	if len(rest) != 1 || len(m.Shape) > 4 || m.Shape[rest[0]] < 2 {
		return g, false
	}
	axis := rest[0]
	g = Guess{
		Input:  quoted(m.Name) + Entry(len(m.Shape), axis, "0"),
		Output: quoted(m.Name) + Entry(len(m.Shape), axis, "-1"),
		Known:  true,
		Note: fmt.Sprintf("axis %d of %s, of length %d, is taken as time: inputs are the first states, outputs the last",
			axis, m.Name, m.Shape[axis]),
	}
	if m.Shape[axis] == 2 {
		g.Known = false
		g.Note = fmt.Sprintf("axis %d of %s, of length 2, is taken as that of inputs and outputs", axis, m.Name)
	}
	return g, true
}

// likeliestOutput returns the array whose name suits outputs best, and inputs least; the last one of equals.
func likeliestOutput(members []npy.Member) npy.Member {
	best := members[len(members)-1]
	for _, m := range slices.Backward(members) {
		order := asOutput(m.Name) - asOutput(best.Name)
		if order == 0 {
			order = asInput(best.Name) - asInput(m.Name)
		}
		if order < 0 {
			best = m
		}
	}
	return best
}

// inputsBeside names the inputs of outputs at points: the likeliest other array at the points, else every array with as
// many entries as there are pairs, else the places, if those of each pair differ.
func inputsBeside(f *exchange.File, others, atPlaces, places []npy.Member, c coordinates, output string) string {
	out := Lookup(f, Names(output)[0])
	count := pairsAt(out.Shape, c.lattice)
	var best npy.Member
	for _, m := range atPlaces {
		if m.Name == out.Name {
			continue
		}
		if best.Shape == nil || asInput(m.Name) < asInput(best.Name) {
			best = m
		}
	}
	if best.Shape != nil {
		return quoted(best.Name)
	}
	var names []string
	for _, m := range others {
		if m.Name != out.Name && slices.Contains(m.Shape, count) {
			names = append(names, quoted(m.Name))
		}
	}
	if names == nil && c.moving {
		for _, m := range places {
			names = append(names, quoted(m.Name))
		}
	}
	return strings.Join(names, ",")
}

// onGrid reports whether coordinates are those of a grid in the order of the arrays, which needs no places: equal steps
// of one coordinate, or of both along the axes of a lattice. Places that differ from pair to pair, with an array for
// each coordinate or two axes of a lattice, are functions as others are.
func onGrid(c coordinates, at []npy.Member) bool {
	if c.moving {
		return len(c.lattice) == 2 || len(c.members) > 1
	}
	values, err := c.read()
	if err != nil {
		return true // it is reported with the array
	}
	isList := len(c.lattice) == 1
	if c.axes == 1 {
		return isList && (grid.HasEqualSteps(values) || !finite(values))
	}
	if isList && c.axes == 2 && len(c.members) == 2 { // x and y of a square, each along an axis
		isSquare := func(m npy.Member) bool { return isSquareOf(m, c.lattice[0]) }
		if slices.ContainsFunc(at, isSquare) {
			return true
		}
	}
	if len(c.lattice) != 2 {
		return false
	}
	p := points.Equal(c.axes, values, npy.Count(c.lattice))
	g, ok := points.RegularOf(p)
	return ok && slices.Max(g.Lengths[:]) == slices.Max(c.lattice)
}

// isSquareOf reports whether more than one axis of an array has this length.
func isSquareOf(m npy.Member, length int) bool {
	same := 0
	for _, n := range m.Shape {
		if n == length {
			same++
		}
	}
	return same > 1
}
