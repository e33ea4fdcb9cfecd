// This file finds the places of points of any geometry, and recognises files with values at such points.

package pairs

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/points"
)

// foundPlaces are the places of the points of outputs, with the lengths of the axes that list them, and how they were
// found, in words. Without places the lengths are nil.
type foundPlaces struct {
	places  points.Places
	lattice []int
	note    string
}

// leastPoints is the least number of points with coordinates: fewer numbers in an array may be anything.
const leastPoints = 8

// Words in the names of arrays of coordinates with all coordinates of a point, of single coordinates, of cells, and of
// weights.
var (
	pointNames = []string{"xy", "xyz", "coords", "coord", "coordinates", "mesh", "nodes", "points", "pos", "position",
		"positions", "locations", "vertices", "sensors", "geometry", "trunk"}
	axisNames   = [][]string{{"x", "y", "z"}, {"xx", "yy", "zz"}, {"lon", "lat"}, {"longitude", "latitude"}}
	cellNames   = []string{"cells", "triangles", "tri", "elements", "elems", "connectivity", "simplices", "faces"}
	weightNames = []string{"weights", "quadrature", "areas", "volumes"}
)

// places reads the places of the points of outputs by the arrays that Source.Points names.
func (f *Functions) places() (found foundPlaces, err error) {
	switch f.Points {
	case config.NoPlaces:
		return foundPlaces{note: "the values have no places, and equal weights"}, nil
	case config.OnAxes:
		return foundPlaces{note: "points are numbered along the axes of the arrays"}, nil
	}
	var members []npy.Member
	for _, name := range namesIn(f.Open, f.Points) {
		m := Lookup(f.Open, name)
		if m.Refused != nil && exchange.IsThere(name) {
			return found, fault.Bad(name, "give it before the inputs and outputs, as in rfm run xy.npy a.npy u.npy", "is a file of "+
				"its own, and data.points names arrays of %s", f.File)
		}
		if m.Refused != nil {
			return found, m.Refused
		}
		members = append(members, m)
	}
	c, ok := coordinatesIn(members, f.outputShapes())
	if !ok {
		return found, fault.Bad(f.File, "name one array (points, 1 to 3), or an array for each coordinate, whose points are those "+
			"of an axis of the outputs: data.points = xy, or x,y", "has no places of the points of its outputs in data.points = %s",
			f.Points)
	}
	mean, err := c.read()
	if err != nil {
		return found, err
	}
	count := npy.Count(c.lattice)
	axes, at := varying(c.axes, mean)
	corners, cells := points.Lattice(c.lattice)
	how := ""
	if len(c.lattice) == 1 {
		if corners, cells, how, err = f.cells(count); err != nil {
			return found, err
		}
	} else {
		how = fmt.Sprintf(", cells of %s", npy.Shape(c.lattice))
	}
	places, weights := points.Weigh(axes, at, count, corners, cells)
	if own, name, err := f.weights(count); err != nil {
		return found, err
	} else if own != nil {
		places.Weights = own
		weights = "weights of " + name
	}
	if wrong := places.Check(); wrong != "" {
		return found, fault.Bad(f.File, "repair the coordinates, or set data.points = none", "has places that are no places: %s",
			wrong)
	}
	note := fmt.Sprintf("points are at %s%s, %s", f.Points, how, weights)
	if c.moving {
		note += "; the points of each pair differ, those shown are their means"
		moved, err := c.moves(mean)
		if err != nil {
			return found, err
		}
		if moved > farMoved {
			note += fmt.Sprintf(". A point moves by %.0f%% of the size of the whole from pair to pair: points with one number "+
				"hardly correspond, so that errors are large for every method that compares values at equal numbers", 100*moved)
		}
	}
	return foundPlaces{places: places, lattice: c.lattice, note: note}, nil
}

// varying returns coordinates without those that are the same for all points, as z is in files of plane meshes.
func varying(axes int, at []float64) (kept int, coordinates []float64) {
	var which []int
	for axis := range axes {
		for i := axis; i < len(at); i += axes {
			if at[i] != at[axis] {
				which = append(which, axis)
				break
			}
		}
	}
	if len(which) == axes || len(which) == 0 {
		return axes, at
	}
	for i := 0; i < len(at); i += axes {
		for _, axis := range which {
			coordinates = append(coordinates, at[i+axis])
		}
	}
	return len(which), coordinates
}

// farMoved is the root mean square distance of a point from its mean place, in that of all points from their centre,
// above which points with one number do not correspond: 1 for points that are drawn for each pair.
const farMoved = 0.5

// outputShapes returns the shapes of the outputs, or of the inputs if there are none.
func (f *Functions) outputShapes() (shapes [][]int) {
	for _, p := range f.all {
		if p.output || f.Alone {
			shapes = append(shapes, p.Shape)
		}
	}
	return shapes
}

// coordinates are arrays of the coordinates of points, and where the axes of their numbers are.
type coordinates struct {
	members []npy.Member
	axes    int   // coordinates of a point
	lattice []int // lengths of the axes that list the points
	moving  bool  // points of each pair have their own
	pairs   int   // axis that counts pairs, if points move
	along   int   // axis of the coordinates, -1 if each has an array
}

// coordinatesIn returns how arrays hold the coordinates of points that an axis, or two, of the outputs list. Axes of length
// one mean nothing, but that of the coordinate of a line.
func coordinatesIn(members []npy.Member, outputs [][]int) (c coordinates, ok bool) {
	if len(members) == 0 || len(members) > points.MostAxes || len(outputs) == 0 {
		return c, false
	}
	shape := members[0].Shape
	for _, m := range members {
		if !slices.Equal(m.Shape, shape) {
			return c, false
		}
	}
	c = coordinates{members: members, axes: len(members), along: -1}
	if len(members) == 1 && len(npy.Long(shape)) > 1 {
		for d := len(shape) - 1; d >= 0 && c.along < 0; d-- {
			if shape[d] > 1 && shape[d] <= points.MostAxes && npy.Count(shape) >= leastPoints*shape[d] {
				c.along = d
				c.axes = shape[d]
			}
		}
		if c.along < 0 {
			return c, false
		}
	}
	var rest []int // axes that list points or count pairs
	for d, n := range shape {
		if n > 1 && d != c.along {
			rest = append(rest, d)
		}
	}
	lengths := func(axes []int) (list []int) {
		for _, d := range axes {
			list = append(list, shape[d])
		}
		return list
	}
	for _, output := range outputs {
		if lattice := lengths(rest); len(lattice) <= 2 && beside(output, lattice) && npy.Count(lattice) >= leastPoints {
			c.lattice = lattice
			return c, true
		}
	}
	for _, output := range outputs { // an axis counts pairs, as that of outputs does
		for _, d := range c.pairAxes(rest) {
			lattice := lengths(slices.DeleteFunc(slices.Clone(rest), func(axis int) bool { return axis == d }))
			if len(lattice) == 0 || len(lattice) > 2 || npy.Count(lattice) < leastPoints || !beside(output, lattice) ||
				!slices.Contains(output, shape[d]) {
				continue
			}
			c.lattice = lattice
			c.moving = true
			c.pairs = d
			return c, true
		}
	}
	return c, false
}

// pairAxes returns the axes, without that of coordinates, in the order in which they may count pairs: the coordinates of a
// point usually follow its number, as in (points, 2, pairs) and (pairs, points, 2).
func (c coordinates) pairAxes(axes []int) (order []int) {
	for _, d := range axes {
		if d != c.along-1 {
			order = append(order, d)
		}
	}
	if slices.Contains(axes, c.along-1) {
		order = append(order, c.along-1)
	}
	return order
}

// beside reports whether axes of a shape follow each other with these lengths, and at least one other axis is there.
func beside(shape, lengths []int) bool {
	for first := range len(shape) - len(lengths) + 1 {
		if slices.Equal(shape[first:first+len(lengths)], lengths) && len(npy.Long(shape)) > len(lengths) {
			return true
		}
	}
	return false
}

// lookedPairs is the number of pairs whose places make the mean places of points that move.
const lookedPairs = 64

// each passes the coordinates, points x axes, of one pair after the other, of the only one if points do not move.
func (c coordinates) each(use func(at []float64)) error {
	count := npy.Count(c.lattice)
	total := 1
	if c.moving {
		total = min(lookedPairs, c.members[0].Shape[c.pairs])
	}
	all := make([]float64, total*count*c.axes)
	for k, m := range c.members {
		axes := npy.Along(make([]int, len(m.Shape))...)
		stride := c.axes
		for d := len(m.Shape) - 1; d >= 0; d-- {
			switch {
			case d == c.along:
				axes[d] = npy.Along(1)[0]
			case c.moving && d == c.pairs:
				axes[d] = npy.Along(count * c.axes)[0].Of(0, 1, total)
			default:
				axes[d] = npy.Along(stride)[0]
				stride *= m.Shape[d]
			}
		}
		if err := m.Read(all[k:], axes, len(all)/len(c.members)); err != nil {
			return err
		}
	}
	for at := range slices.Chunk(all, count*c.axes) {
		use(at)
	}
	return nil
}

// read returns the coordinates of all points, points x axes: means if points move.
func (c coordinates) read() ([]float64, error) {
	var mean []float64
	total := 0.0
	err := c.each(func(at []float64) {
		if mean == nil {
			mean = make([]float64, len(at))
		}
		for i, v := range at {
			mean[i] += v
		}
		total++
	})
	for i := range mean {
		mean[i] /= total
	}
	return mean, err
}

// moves returns how far points move from pair to pair: the root mean square distance from their mean places, relative to
// that of all points from their centre.
func (c coordinates) moves(mean []float64) (float64, error) {
	centre := make([]float64, c.axes)
	count := float64(len(mean) / c.axes)
	for i, v := range mean {
		centre[i%c.axes] += v / count
	}
	moved, spread := 0.0, 0.0
	err := c.each(func(at []float64) {
		for i, v := range at {
			moved += (v - mean[i]) * (v - mean[i])
			spread += (v - centre[i%c.axes]) * (v - centre[i%c.axes])
		}
	})
	if spread == 0 {
		return 0, err
	}
	return math.Sqrt(moved / spread), err
}

// cells reads the cells of points if the file has some: triangles, quadrilaterals (as two triangles), or tetrahedra of
// points in space, with numbers of points from 0 or 1 on.
func (f *Functions) cells(count int) (corners int, cells []int, how string, err error) {
	for _, m := range f.Open.Members {
		if !m.Readable() || len(m.Shape) != 2 || rank(m.Name, cellNames) == len(cellNames) || m.Shape[1] < 3 || m.Shape[1] > 4 {
			continue
		}
		array, err := m.Array()
		if err != nil {
			return 0, nil, "", err
		}
		first, last := slices.Min(array.Data), slices.Max(array.Data)
		if first < 0 || first > 1 || int(last-first) >= count {
			continue
		}
		width := m.Shape[1]
		for row := range slices.Chunk(array.Data, width) {
			corner := func(k int) int { return int(row[k] - first) }
			cells = append(cells, corner(0), corner(1), corner(2))
			if width == 4 { // quadrilaterals of the plane or of a surface
				cells = append(cells, corner(0), corner(2), corner(3))
			}
		}
		return 3, cells, fmt.Sprintf(", cells of %s", WithShape(m)), nil
	}
	return 0, nil, "", nil
}

// weights reads the weights of points if the file has some, in parts of their sum.
func (f *Functions) weights(count int) (weights []float64, name string, err error) {
	for _, m := range f.Open.Members {
		if !m.Readable() || npy.Count(m.Shape) != count || rank(m.Name, weightNames) == len(weightNames) {
			continue
		}
		array, err := m.Array()
		if err != nil {
			return nil, "", err
		}
		total := 0.0
		for _, w := range array.Data {
			total += w
		}
		if !(total > 0) || slices.Min(array.Data) <= 0 {
			continue
		}
		for _, w := range array.Data {
			weights = append(weights, w/total)
		}
		return weights, m.Name, nil
	}
	return nil, "", nil
}

// AtPoints recognises a file with values at points of any geometry by the coordinates in it, and names its arrays. Names
// that are not empty take the place of guesses. ok is false for files of functions on grids, unless values are known to be
// rough along all axes.
func AtPoints(f *exchange.File, input, output, named string, rough bool) (g Guess, ok bool) {
	members := slices.DeleteFunc(slices.Clone(f.Members), func(m npy.Member) bool {
		return !m.Readable() || len(m.Shape) == 0 || rank(m.Name, testNames) < len(testNames)
	})
	for i, m := range members {
		for len(m.Shape) > 1 && m.Shape[0] == 1 { // a leading axis of length one means nothing
			m = Lookup(f, m.Name+"[0]")
		}
		members[i] = m
	}
	if g, ok := unaligned(f, members); ok && input == "" && output == "" && named == "" {
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
		if g.Regular = g.onRegular(f); g.Regular != nil {
			g.Regular.withTests(f)
		}
		return g, true
	}
	return Guess{}, false
}

// withTests adds the arrays of test pairs that belong to those of a guess, if the file has both.
func (g *Guess) withTests(f *exchange.File) {
	in, out := counterpart(f, g.Input), counterpart(f, g.Output)
	if in != "" && out != "" {
		g.TestInput = in
		g.TestOutput = out
	}
}

// onRegular returns the guess of functions on the regular grid that the points form; nil if they form none in one or two
// dimensions.
func (g Guess) onRegular(f *exchange.File) *Guess {
	onGrid := func(text string) (string, ordered, bool) {
		var names []string
		last := ordered{}
		found := false
		for _, name := range namesIn(f, text) {
			if o, err := orderOf(f, Lookup(f, name), g.Points); err == nil {
				name += gridWord + g.Points + ")"
				last = o
				found = true
			}
			names = append(names, quoted(name))
		}
		return strings.Join(names, ","), last, found
	}
	regular := g
	regular.Points = ""
	var o ordered
	var ok bool
	if regular.Output, o, ok = onGrid(g.Output); !ok || len(o.sides) > 2 {
		return nil
	}
	regular.Input, _, _ = onGrid(g.Input)
	for _, name := range Names(regular.Input) { // others have points of their own
		if m := Lookup(f, name); !strings.Contains(name, gridWord) && (len(npy.Long(m.Shape)) > 2 || slices.Min(m.Shape) > mostParameters) {
			return nil
		}
	}
	sides := fmt.Sprint(o.sides[0])
	for _, n := range o.sides[1:] {
		sides += fmt.Sprintf(" x %d", n)
	}
	regular.Note = fmt.Sprintf("the points %s form a regular grid of %s points, in whose order values are put", g.Points, sides)
	regular.Other = "--set data.points='" + g.Points + "' for points without an order"
	return &regular
}

// placeArrays returns the possible names of arrays of coordinates.
func placeArrays(f *exchange.File, members []npy.Member, named string) (all [][]string) {
	if named != "" {
		return [][]string{Names(named)}
	}
	for _, names := range axisNames {
		var found []string
		for _, name := range names {
			i := slices.IndexFunc(members, func(m npy.Member) bool { return strings.EqualFold(path.Base(m.Name), name) })
			if i >= 0 {
				found = append(found, quoted(members[i].Name))
			}
		}
		if len(found) > 1 {
			all = append(all, found)
		}
	}
	for _, m := range members {
		if rank(nameOf(f, m), pointNames) < len(pointNames) && len(m.Shape) > 1 {
			all = append(all, []string{quoted(m.Name)})
		}
	}
	for _, m := range members {
		if len(npy.Long(m.Shape)) == 1 && strings.EqualFold(path.Base(m.Name), "x") {
			all = append(all, []string{quoted(m.Name)})
		}
	}
	return all
}

// nameOf returns the name of an array for people: that of its file, if it has none of its own because files are given as
// inputs and outputs.
func nameOf(f *exchange.File, m npy.Member) string {
	paths := exchange.Paths(f.Name)
	if i := slices.Index([]string{"a", "u"}, m.Name); i >= 0 && len(paths) == 2 && len(f.Members) == 2 {
		base := path.Base(paths[i])
		return strings.TrimSuffix(base, path.Ext(base))
	}
	return m.Name
}

// aroundPlaces returns the arrays of pairs beside arrays of coordinates.
func aroundPlaces(f *exchange.File, members, places []npy.Member, input, output string, told bool) (g Guess, ok bool) {
	isPlace := func(m npy.Member) bool {
		return slices.ContainsFunc(places, func(p npy.Member) bool { return p.Name == m.Name })
	}
	others := slices.DeleteFunc(slices.Clone(members), func(m npy.Member) bool {
		return isPlace(m) || len(npy.Long(m.Shape)) < 2 && npy.Count(m.Shape) < 3 ||
			rank(m.Name, cellNames) < len(cellNames) || rank(m.Name, weightNames) < len(weightNames)
	})
	var atPlaces []npy.Member // with values at the points
	c := coordinates{}
	for _, m := range others {
		if found, ok := coordinatesIn(places, [][]int{m.Shape}); ok && (len(atPlaces) == 0 || slices.Equal(found.lattice, c.lattice)) {
			c = found
			atPlaces = append(atPlaces, m)
		}
	}
	if len(atPlaces) == 0 {
		return g, false
	}
	if !told && onGrid(c, atPlaces) {
		return g, false
	}
	g = Guess{Known: true, Input: input, Output: output}
	if output == "" {
		best := atPlaces[len(atPlaces)-1]
		for _, m := range slices.Backward(atPlaces) {
			if asOutput(m.Name) < asOutput(best.Name) || asOutput(m.Name) == asOutput(best.Name) && asInput(m.Name) > asInput(best.Name) {
				best = m
			}
		}
		g.Known = asOutput(best.Name) < len(outputNames) || len(atPlaces) == 1
		g.Output = quoted(best.Name)
	}
	if input == "" {
		g.Input = inputsBeside(f, others, atPlaces, places, c, g.Output)
	}
	return g, g.Input != ""
}

// inputsBeside names the inputs of outputs at points: the likeliest other array at the points, else every array with as
// many entries as there are pairs, else the places, if those of each pair differ.
func inputsBeside(f *exchange.File, others, atPlaces, places []npy.Member, c coordinates, output string) string {
	out := Lookup(f, Names(output)[0])
	count := 0
	for d := range out.Shape {
		axes := pointAxes(out.Shape, out.Shape[d], c.lattice, true, false)
		if axes != "" {
			count = out.Shape[strings.IndexByte(axes, 'n')]
			break
		}
	}
	var best npy.Member
	for _, m := range atPlaces {
		if m.Name != out.Name && (best.Shape == nil || asInput(m.Name) < asInput(best.Name)) {
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
// of one coordinate, or of both along the axes of a lattice. Places that differ from pair to pair, with an array for each
// coordinate or two axes of a lattice, are functions as others are.
func onGrid(c coordinates, at []npy.Member) bool {
	if c.moving {
		return len(c.lattice) == 2 || len(c.members) > 1
	}
	values, err := c.read()
	if err != nil {
		return true // it is reported with the array
	}
	if c.axes == 1 {
		x := values
		return len(c.lattice) == 1 && (hasEqualSteps(x) || !finite(x))
	}
	if len(c.lattice) == 1 && c.axes == 2 && len(c.members) == 2 { // x and y of a square, each along an axis
		for _, m := range at {
			same := 0
			for _, n := range m.Shape {
				if n == c.lattice[0] {
					same++
				}
			}
			if same > 1 {
				return true
			}
		}
	}
	if len(c.lattice) != 2 {
		return false
	}
	p := points.Equal(c.axes, values, npy.Count(c.lattice))
	g, ok := points.RegularOf(p)
	return ok && slices.Max(g.Lengths[:]) == max(c.lattice[0], c.lattice[1])
}

func finite(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}
