// This file tells the axes of one array that holds all states of trajectories: pairs, times, channels and points.

package pairs

import (
	"math"
	"slices"

	"rfm/solver/dataset/npy"
)

// stateAxes are the axes of an array of trajectories, (count, time, x, channels) in any order.
type stateAxes struct {
	pairs    int
	time     int
	channels int // -1: there is none
	points   []int
	// areSides tells that an axis of two entries is rather that of inputs and outputs than that of channels or times.
	areSides bool
}

// axisEvidence is what the values of a sample say about one axis.
type axisEvidence struct {
	axis   int
	length int
	// disorder is 0 if values along the axis lie on straight lines, about 1 if they are independent, as from pair to
	// pair, and NaN if the axis is too short to tell.
	disorder float64
}

// isShort reports whether an axis has as few entries as channels have.
func (e axisEvidence) isShort() bool { return e.length <= mostParameters }

// statesOf finds the axes of an array with four or five, of which values differ from pair to pair without order. ok is
// false if no axis is like that, or if the others cannot be those of time, points and channels.
func (c candidateArrays) statesOf(m npy.Member) (axes stateAxes, ok bool) {
	if len(m.Shape) < 4 || len(m.Shape) > 5 {
		return axes, false
	}
	s, err := sampleOf(c.file, m, few)
	if err != nil {
		return axes, false
	}
	all := s.evidence()
	axes.pairs = mostDisordered(all)
	if axes.pairs < 0 {
		return axes, false
	}
	rest := slices.DeleteFunc(all, func(e axisEvidence) bool { return e.axis == axes.pairs })
	long := slices.DeleteFunc(slices.Clone(rest), axisEvidence.isShort)
	dimensions := dimensionsOf(rest, long)
	if dimensions == 0 {
		return axes, false
	}
	axes.points = pointsAmong(s, long, dimensions)
	isOfPoints := func(e axisEvidence) bool { return slices.Contains(axes.points, e.axis) }
	rest = slices.DeleteFunc(rest, isOfPoints)
	if len(rest) == 0 {
		return axes, false
	}
	axes.channels = -1
	axes.time = rest[0].axis
	if len(rest) == 2 {
		axes.channels = channelsAmong(rest)
		if m.Complex {
			axes.channels = len(m.Shape) - 1
		}
		if axes.channels == axes.time {
			axes.time = rest[1].axis
		}
	}
	axes.areSides = axes.haveSides(m, s)
	return axes, axes.channels < 0 || m.Shape[axes.channels] <= mostParameters
}

// evidence returns what the values of a sample say about each axis.
func (s sample) evidence() []axisEvidence {
	all := make([]axisEvidence, len(s.whole))
	for axis, length := range s.whole {
		all[axis] = axisEvidence{axis: axis, length: length, disorder: s.disorder(axis)}
	}
	return all
}

// disorder returns the roughness along an axis, less that of a straight line with as many values, so that short axes
// compare with long ones.
func (s sample) disorder(axis int) float64 {
	n := float64(s.shape[axis])
	if n < 3 {
		return math.NaN()
	}
	ofLine := 6 / (n * (n + 1))
	return (s.roughness(axis) - ofLine) / (1 - ofLine)
}

// mostDisordered returns the axis of pairs: the one along which values have least order, of those that are not short,
// and the first of several that are alike. It is -1 if values are smooth along each.
func mostDisordered(all []axisEvidence) int {
	const alike = 1.2 // factor
	found := -1
	most := 0.0
	for _, e := range all {
		if e.isShort() || math.IsNaN(e.disorder) || e.disorder < roughValues {
			continue
		}
		if e.disorder > alike*most {
			found = e.axis
			most = e.disorder
		}
	}
	return found
}

// dimensionsOf returns the number of axes of points among those that are not of pairs, of which some are long: two if one
// is left for time and, with four, one for channels; or one if there are too few long axes, or values change without
// order along a short one, which is then an axis of channels. It is 0 if there are none.
func dimensionsOf(rest, long []axisEvidence) int {
	ordered := true // along the short axes
	for _, e := range rest {
		isOrdered := e.disorder < smooth // not if it is NaN
		if e.isShort() && !isOrdered {
			ordered = false
		}
	}
	switch {
	case len(rest) == 4 && len(long) >= 2:
		return 2
	case len(rest) != 3 || len(long) == 0:
		return 0
	case len(long) == 3:
		return 2
	case len(long) == 2 && long[0].length == long[1].length:
		return 2
	case len(long) == 2 && ordered:
		return 2
	}
	return 1
}

// pointsAmong returns the axes of points among long ones: of two dimensions the sides of a square, or else the last long axes, since time
// mostly stands before them; of one dimension the long axis along which functions are periodic, or else the last.
func pointsAmong(s sample, long []axisEvidence, dimensions int) []int {
	if dimensions == 2 {
		for i, e := range long[1:] {
			if e.length == long[i].length {
				return []int{long[i].axis, e.axis}
			}
		}
		last := long[len(long)-2:]
		return []int{last[0].axis, last[1].axis}
	}
	point := long[len(long)-1].axis
	if len(long) == 2 && s.repeatsRather(long[0].axis, point) {
		point = long[0].axis
	}
	return []int{point}
}

// channelsAmong returns the axis of channels among two, of which the other is that of time: a short one beside a long one,
// one of two entries, or the one along which values have less order.
func channelsAmong(two []axisEvidence) int {
	first := two[0]
	second := two[1]
	switch {
	case first.isShort() != second.isShort():
		if first.isShort() {
			return first.axis
		}
		return second.axis
	case second.length == 2:
		return second.axis
	case first.length == 2:
		return first.axis
	case first.disorder > second.disorder:
		return first.axis
	}
	return second.axis
}

// areTrajectories reports whether an array holds the states of trajectories, and not both sides of pairs, which two states
// are as well.
func (c candidateArrays) areTrajectories(m npy.Member) (states stateAxes, ok bool) {
	states, ok = c.statesOf(m)
	return states, ok && !states.areSides
}

// axisOfSides returns the axis of inputs and outputs in one array, which has two entries: the second, the first or the
// last, unless that has the parts of complex numbers. It is -1 if there is none.
func axisOfSides(m npy.Member) int {
	shape := m.Shape
	if m.Complex {
		shape = shape[:len(shape)-1]
	}
	for _, axis := range []int{1, 0, len(shape) - 1} {
		if axis < len(shape) && shape[axis] == 2 {
			return axis
		}
	}
	return -1
}

// haveSides reports whether an array with a sample has an axis of two entries that is rather that of inputs and outputs
// than that of times or channels. Of channels it is if the axes stand in an order that no array of pairs has, if one of the
// others is too short for points, or if functions are periodic along the points alone, since fields are so along both axes
// or along none.
func (a stateAxes) haveSides(m npy.Member, s sample) bool {
	axes := len(s.whole)
	if axes > 4 {
		return false
	}
	if s.whole[a.time] == 2 {
		return true
	}
	sides := axisOfSides(m)
	isTooShort := s.whole[a.time] <= mostParameters
	if sides < 0 || isTooShort || !isOrderOfSides(axes, a.pairs, sides) {
		return false
	}
	return s.repeats(a.points[0], gapOfLines) == s.repeats(a.time, gapOfLines)
}

// isOrderOfSides reports whether arrays with both sides of pairs may have their axes of pairs and of sides at some places.
func isOrderOfSides(axes, pairs, sides int) bool {
	order := make([]byte, 0, axes)
	for axis := range axes {
		switch axis {
		case pairs:
			order = append(order, 'n')
		case sides:
			order = append(order, 's')
		default:
			isNext := len(order) > 0 && order[len(order)-1] == '.'
			if !isNext { // all axes of points are one letter
				order = append(order, '.')
			}
		}
	}
	return slices.Contains(singleOrders, string(order))
}
