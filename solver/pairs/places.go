// This file finds the places of points of any geometry.

package pairs

import (
	"fmt"
	"math"
	"slices"

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
	pairs   int // that have points of their own; 0: all pairs have the same
	note    string
}

// leastPoints is the least number of points with coordinates: fewer numbers in an array may be anything.
const leastPoints = 8

// Words in the names of arrays with all coordinates of a point, of arrays with one coordinate, of cells, and of weights.
var (
	pointNames = []string{
		"xy", "xyz", "coords", "coord", "coordinates", "mesh", "nodes", "points", "pos", "position", "positions",
		"locations", "vertices", "sensors", "geometry", "trunk",
	}
	axisNames = [][]string{
		{"x", "y", "z"},
		{"xx", "yy", "zz"},
		{"lon", "lat"},
		{"longitude", "latitude"},
		{"x_grid", "y_grid", "z_grid"},
		{"grid_x", "grid_y", "grid_z"},
		{"x_coord", "y_coord", "z_coord"},
		{"x_coords", "y_coords", "z_coords"},
	}
	cellNames = []string{
		"cells", "triangles", "triangle", "tri", "tetra", "tetrahedra", "tets", "quads", "quad", "elements", "elems", "connectivity",
		"topology", "simplices", "faces",
	}
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
	members, err := f.placeMembers()
	if err != nil {
		return found, err
	}
	c, ok := coordinatesIn(members, f.outputShapes())
	if !ok {
		return found, fault.Bad(
			f.File,
			"name one array (points, 1 to 3), or an array for each coordinate, whose points are those of an axis of the "+
				"outputs: data.points = xy, or x,y",
			"has no places of the points of its outputs in data.points = %s", f.Points,
		)
	}
	mean, err := c.read()
	if err != nil {
		return found, err
	}
	count := npy.Count(c.lattice)
	axes, at := varying(c.axes, mean)
	corners, cells := points.Lattice(c.lattice)
	how := fmt.Sprintf(", cells of %s", npy.Shape(c.lattice))
	if len(c.lattice) == 1 {
		corners, cells, how, err = f.cells(points.Equal(axes, at, count))
		if err != nil {
			return found, err
		}
	}
	places, weights := points.Weigh(axes, at, count, corners, cells)
	own, name, err := f.weights(count)
	if err != nil {
		return found, err
	}
	if own != nil {
		places.Weights = own
		weights = "weights of " + name
	}
	if wrong := places.Check(); wrong != "" {
		return found, fault.Bad(
			f.File,
			"repair the coordinates, or set data.points = none",
			"has places that cannot be used: %s", wrong,
		)
	}
	where := "at " + f.Points
	if c.across != nil {
		where = "all combinations of " + f.Points
	}
	note := fmt.Sprintf("points are %s%s, %s", where, how, weights)
	pairs := 0
	if c.moving {
		pairs = c.members[0].Shape[c.pairs]
		moved, err := c.moves(mean)
		if err != nil {
			return found, err
		}
		const rounding = 1e-9
		if moved > rounding {
			note += "; the points of each pair differ, those shown are their means"
		} else if pairs > lookedPairs {
			note += fmt.Sprintf("; they are the same in the first %d pairs", lookedPairs)
		}
		if moved > farMoved {
			note += fmt.Sprintf(". A point moves by %.0f%% of the size of the whole from pair to pair: points with one "+
				"number hardly correspond, so that errors are large for every method that compares values at equal numbers",
				100*moved)
		}
	}
	return foundPlaces{places: places, lattice: c.lattice, pairs: pairs, note: note}, nil
}

// placeMembers returns the arrays that Source.Points names.
func (f *Functions) placeMembers() ([]npy.Member, error) {
	var members []npy.Member
	for _, name := range namesIn(f.Open, f.Points) {
		m := Lookup(f.Open, name)
		if m.Refused != nil && exchange.IsThere(name) {
			return nil, fault.Bad(
				name,
				"give it before the inputs and outputs, as in rfm run xy.npy a.npy u.npy",
				"is a file of its own, and data.points names arrays of %s", f.File,
			)
		}
		if m.Refused != nil {
			return nil, m.Refused
		}
		members = append(members, m)
	}
	return members, nil
}

// varying returns the coordinates without those that are the same for all points, as z is in files of plane meshes.
func varying(axes int, at []float64) (kept int, coordinates []float64) {
	var which []int // axes whose coordinates differ
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
	// across has the axis of the lattice along which the numbers of each array lie, if the points are all combinations of
	// the numbers of two arrays; nil: they are not.
	across []int
}

// coordinatesIn returns how arrays hold the coordinates of points that an axis, or two, of the outputs list. Axes of
// length one mean nothing, but that of the coordinate of a line.
func coordinatesIn(members []npy.Member, outputs [][]int) (c coordinates, ok bool) {
	if len(members) == 0 || len(members) > points.MostAxes || len(outputs) == 0 {
		return c, false
	}
	if c, ok := combinedIn(members, outputs); ok {
		return c, true
	}
	shape := members[0].Shape
	for _, m := range members {
		if !slices.Equal(m.Shape, shape) {
			return c, false
		}
	}
	c = coordinates{members: members, axes: len(members), along: -1}
	if len(members) == 1 && npy.LongAxes(shape) > 1 {
		c.along = coordinateAxis(shape)
		if c.along < 0 {
			return c, false
		}
		c.axes = shape[c.along]
	}
	var rest []int // axes that list points or count pairs
	for d, n := range shape {
		if n > 1 && d != c.along {
			rest = append(rest, d)
		}
	}
	lattice := lengthsOf(shape, rest)
	for _, output := range outputs {
		if listsPoints(output, lattice) {
			c.lattice = lattice
			return c, true
		}
	}
	for _, output := range outputs { // an axis counts pairs, as that of outputs does
		for _, pairAxis := range c.pairAxes(rest) {
			isPairs := func(axis int) bool { return axis == pairAxis }
			others := slices.DeleteFunc(slices.Clone(rest), isPairs)
			lattice := lengthsOf(shape, others)
			hasPairs := slices.Contains(output, shape[pairAxis])
			if !hasPairs || len(lattice) == 0 || !listsPoints(output, lattice) {
				continue
			}
			c.lattice = lattice
			c.moving = true
			c.pairs = pairAxis
			return c, true
		}
	}
	return c, false
}

// combinedIn returns how two arrays of numbers are the coordinates along two axes of the outputs that follow each other: the
// points are all combinations, as on a grid with steps of any sizes.
func combinedIn(members []npy.Member, outputs [][]int) (c coordinates, ok bool) {
	if len(members) != 2 {
		return c, false
	}
	first, firstOk := lineOf(members[0])
	second, secondOk := lineOf(members[1])
	if !firstOk || !secondOk || first < 2 || second < 2 {
		return c, false
	}
	c = coordinates{members: members, axes: 2, along: -1}
	for _, output := range outputs {
		switch {
		case listsPoints(output, []int{first, second}):
			c.lattice = []int{first, second}
			c.across = []int{0, 1}
			return c, true
		case listsPoints(output, []int{second, first}):
			c.lattice = []int{second, first}
			c.across = []int{1, 0}
			return c, true
		}
	}
	return c, false
}

// combinations returns the coordinates, points x axes, of all combinations of the numbers of two arrays.
func (c coordinates) combinations() ([]float64, error) {
	count := npy.Count(c.lattice)
	all := make([]float64, count*c.axes)
	for k, m := range c.members {
		array, err := m.Array()
		if err != nil {
			return nil, err
		}
		for point := range count {
			index := point / c.lattice[1]
			if c.across[k] == 1 {
				index = point % c.lattice[1]
			}
			all[point*c.axes+k] = array.Data[index]
		}
	}
	return all, nil
}

// coordinateAxis returns the axis of one array that lists the coordinates of a point, the last one that can; -1 if none
// can.
func coordinateAxis(shape []int) int {
	for d, n := range slices.Backward(shape) {
		isShort := n > 1 && n <= points.MostAxes
		if isShort && npy.Count(shape) >= leastPoints*n {
			return d
		}
	}
	return -1
}

// lengthsOf returns the lengths of some axes of a shape.
func lengthsOf(shape, axes []int) (lengths []int) {
	for _, d := range axes {
		lengths = append(lengths, shape[d])
	}
	return lengths
}

// listsPoints reports whether an array of outputs has the axes of a lattice of points, which are at most two.
func listsPoints(output, lattice []int) bool {
	return len(lattice) <= 2 && npy.Count(lattice) >= leastPoints && beside(output, lattice)
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
	if npy.LongAxes(shape) <= len(lengths) {
		return false
	}
	for first := range len(shape) - len(lengths) + 1 {
		if slices.Equal(shape[first:first+len(lengths)], lengths) {
			return true
		}
	}
	return false
}

// lookedPairs is the number of pairs whose places make the mean places of points that move.
const lookedPairs = 64

// each passes the coordinates, points x axes, of one pair after the other, of the only one if points do not move.
func (c coordinates) each(use func(at []float64)) error {
	if c.across != nil {
		all, err := c.combinations()
		if err != nil {
			return err
		}
		use(all)
		return nil
	}
	count := npy.Count(c.lattice)
	pairs := 1
	if c.moving {
		pairs = min(lookedPairs, c.members[0].Shape[c.pairs])
	}
	all := make([]float64, pairs*count*c.axes) // pairs x points x axes
	ofPair := npy.Along(count * c.axes)[0]
	for k, m := range c.members {
		axes := npy.Along(make([]int, len(m.Shape))...)
		stride := c.axes
		for d, n := range slices.Backward(m.Shape) {
			switch {
			case d == c.along:
				axes[d] = npy.Along(1)[0]
			case c.moving && d == c.pairs:
				axes[d] = ofPair.Of(0, 1, pairs)
			default:
				axes[d] = npy.Along(stride)[0]
				stride *= n
			}
		}
		share := len(all) / len(c.members)
		if err := m.Read(all[k:], axes, share); err != nil {
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

// moves returns how far points move from pair to pair: the root mean square distance from their mean places, relative
// to that of all points from their centre.
func (c coordinates) moves(mean []float64) (float64, error) {
	centre := make([]float64, c.axes)
	count := float64(len(mean) / c.axes)
	for i, v := range mean {
		centre[i%c.axes] += v / count
	}
	moved := 0.0  // sum of squared distances from the mean places
	spread := 0.0 // sum of squared distances from the centre
	err := c.each(func(at []float64) {
		for i, v := range at {
			fromMean := v - mean[i]
			fromCentre := v - centre[i%c.axes]
			moved += fromMean * fromMean
			spread += fromCentre * fromCentre
		}
	})
	if spread == 0 {
		return 0, err
	}
	return math.Sqrt(moved / spread), err
}

// weights reads the weights of points if the file has some, in parts of their sum.
func (f *Functions) weights(count int) (weights []float64, name string, err error) {
	for _, m := range f.Open.Members {
		areForEach := m.Readable() && m.Count() == count
		if !areForEach || !has(m.Name, weightNames) {
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

// finite reports whether all of some values are finite.
func finite(x []float64) bool {
	for _, v := range x {
		if !isFinite(v) {
			return false
		}
	}
	return true
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
