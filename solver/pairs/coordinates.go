// This file finds the places of the points of functions in arrays of coordinates beside them.

package pairs

import (
	"fmt"
	"math"
	"path"
	"slices"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// coordinateNames are words in the names of arrays of coordinates.
var coordinateNames = []string{"x", "y", "xs", "ys", "grid", "coordinate", "coordinates", "coord", "coords", "points",
	"mesh", "sensors", "t"}

// IsCoordinates reports whether an array holds places by its name: in any shape, or one number for each point.
func IsCoordinates(m npy.Member) bool {
	if has(m.Name, placeNames) {
		return true
	}
	return len(npy.Long(m.Shape)) == 1 && has(m.Name, coordinateNames)
}

// coordinatesOfEach reports whether an array (count, K) has the name of coordinates or times and equal steps in each of a
// few rows: the coordinates of each pair, of which only the length differs.
func coordinatesOfEach(f *exchange.File, m npy.Member) bool {
	const least = 8 // so that a few parameters are not taken for coordinates by chance
	name := path.Base(m.Name)
	named := has(name, coordinateNames) || name == "time"
	if !named || !m.Readable() || len(m.Shape) != 2 || m.Shape[0] < 2 || m.Shape[1] < least {
		return false
	}
	for _, row := range []int{0, m.Shape[0] / 2, m.Shape[0] - 1} {
		array, err := f.Member(fmt.Sprintf("%s[%d]", m.Name, row)).Array()
		if err != nil { // it is reported with the array
			return false
		}
		x := array.Data
		if x[0] == x[len(x)-1] || !hasEqualSteps(x) {
			return false
		}
	}
	return true
}

// hasEqualSteps reports whether numbers, three or more, differ by equal steps.
func hasEqualSteps(x []float64) bool {
	step := (x[len(x)-1] - x[0]) / float64(len(x)-1)
	for i, v := range x {
		if !(math.Abs(v-x[0]-float64(i)*step) <= 1e-3*math.Abs(step)) {
			return false
		}
	}
	return true
}

// Coordinates checks arrays with the names of coordinates and a number for each point along an axis of the functions.
// place is the position of these points, as in config.Data.Endpoint, by the array that shows it; both are empty if none
// does. The error is a *fault.Data if points are not evenly spaced.
func Coordinates(f *Functions) (place, by string, err error) {
	for _, m := range f.Open.Members {
		size := npy.Long(m.Shape)
		if !m.Readable() || len(size) != 1 || size[0] < 3 || size[0] == f.Count || !slices.Contains(f.Shape, size[0]) ||
			!has(m.Name, coordinateNames) {
			continue
		}
		array, err := m.Array()
		if err != nil {
			continue // reported with the array
		}
		x, n := array.Data, len(array.Data)
		h := (x[n-1] - x[0]) / float64(n-1)
		furthest, at := 0.0, 0
		for i, v := range x {
			if i > 0 && !((v-x[i-1])*h > 0) {
				furthest = math.NaN() // not monotonic: no coordinates
			}
			if d := math.Abs(v - x[0] - float64(i)*h); d > furthest {
				furthest, at = d, i
			}
		}
		const tolerance = 1e-3 // of a step; coordinates may be in half precision
		switch {
		case math.IsNaN(furthest):
		case furthest > 0.05*math.Abs(h):
			return "", "", fault.Bad(f.File, "take the functions to an even grid, in Python:\n  grid = "+
				"numpy.linspace(x[0], x[-1], len(x))\n  a = numpy.array([numpy.interp(grid, x, f) for f in a])",
				"has the points of the functions in %s, and they are not evenly spaced (point %d is at %.4g, not %.4g)",
				m.Name, at, x[at], x[0]+float64(at)*h)
		case math.Abs(x[0]-h/2) < tolerance*h:
			return config.Centres, m.Name, nil
		case math.Abs(x[0]) < tolerance*h && math.Abs(x[n-1]-1) < tolerance*h:
			return config.Included, m.Name, nil
		}
	}
	return "", "", nil
}
