// This file finds the places of the points of functions in arrays of coordinates beside them.

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
	"rfm/solver/space/grid"
)

// coordinateNames are words in the names of arrays of coordinates.
var coordinateNames = []string{
	"x", "y", "xs", "ys", "grid", "coordinate", "coordinates", "coord", "coords",
	"points", "mesh", "sensors", "t",
}

// IsCoordinates reports whether an array holds places by its name: in any shape, or one number for each point.
func IsCoordinates(m npy.Member) bool {
	if isPlaceName(m.Name) {
		return true
	}
	return npy.LongAxes(m.Shape) == 1 && has(m.Name, coordinateNames)
}

// isLineOfPlaces reports whether an array has the name of coordinates, and values that increase or decrease as those do.
func isLineOfPlaces(m npy.Member) bool {
	const least = 8 // so that a few numbers are not taken for coordinates by chance
	length, ok := lineOfCoordinates(m)
	if !ok || length < least {
		return false
	}
	array, err := m.Array()
	return err == nil && isMonotonic(array.Data)
}

// lineOf returns the length of an array of numbers in one line, whatever axes of length one it has. ok is false for other
// arrays and those that cannot be read.
func lineOf(m npy.Member) (length int, ok bool) {
	long := npy.Long(m.Shape)
	if !m.Readable() || len(long) != 1 {
		return 0, false
	}
	return long[0], true
}

// lineOfCoordinates returns the length of an array as lineOf does, if it has the name of coordinates.
func lineOfCoordinates(m npy.Member) (length int, ok bool) {
	length, ok = lineOf(m)
	return length, ok && has(m.Name, coordinateNames)
}

// coordinatesOfEach reports whether an array (count, K) has the name of coordinates or times and equal steps in each of
// a few rows: the coordinates of each pair, of which only the length differs.
func coordinatesOfEach(f *exchange.File, m npy.Member) bool {
	const least = 8 // so that a few parameters are not taken for coordinates by chance
	name := path.Base(m.Name)
	named := has(name, coordinateNames) || name == "time"
	if !named || !m.Readable() || len(m.Shape) != 2 {
		return false
	}
	rows := m.Shape[0]
	if rows < 2 || m.Shape[1] < least {
		return false
	}
	for _, row := range []int{0, rows / 2, rows - 1} {
		array, err := f.Member(fmt.Sprintf("%s[%d]", m.Name, row)).Array()
		if err != nil { // it is reported with the array
			return false
		}
		x := array.Data
		if x[0] == x[len(x)-1] || !grid.HasEqualSteps(x) {
			return false
		}
	}
	return true
}

// mostMeshed bounds the numbers of an array that is looked at as a coordinate of a mesh.
const mostMeshed = 1 << 22

// meshAxis returns the axis along which an array with the name of a coordinate, or of times, increases or decreases, if it
// is constant along all others, as the arrays are that numpy.meshgrid makes.
func meshAxis(m npy.Member) (axis int, ok bool) {
	axis, steps := meshSteps(m)
	return axis, steps != nil
}

// meshSteps returns the axis of meshAxis, and the coordinates along it; these are nil if there is none.
func meshSteps(m npy.Member) (axis int, along []float64) {
	name := strings.ToLower(path.Base(m.Name))
	isNamed := has(name, coordinateNames) || slices.Contains(meshNames, name)
	if !isNamed || !m.Readable() || len(m.Shape) < 2 || slices.Min(m.Shape) < 3 || m.Count() > mostMeshed {
		return 0, nil
	}
	array, err := m.Array()
	if err != nil { // it is reported with the array
		return 0, nil
	}
	axis = -1
	stride := 1
	strideOf := 0 // that of the axis
	for d, n := range slices.Backward(m.Shape) {
		if array.Data[stride] != array.Data[0] {
			if axis >= 0 {
				return 0, nil
			}
			axis = d
			strideOf = stride
		}
		stride *= n
	}
	if axis < 0 {
		return 0, nil
	}
	steps := make([]float64, m.Shape[axis])
	for i := range steps {
		steps[i] = array.Data[i*strideOf]
	}
	for i, v := range array.Data {
		if v != steps[i/strideOf%len(steps)] {
			return 0, nil
		}
	}
	if !isMonotonic(steps) {
		return 0, nil
	}
	return axis, steps
}

// meshNames are further names of coordinates of a mesh, and of times.
var meshNames = []string{"xx", "yy", "zz", "tt", "time", "times"}

// meanStep returns the mean difference of two or more numbers that follow each other.
func meanStep(x []float64) float64 {
	last := len(x) - 1
	return (x[last] - x[0]) / float64(last)
}

// Coordinates checks arrays with the names of coordinates and a number for each point along an axis of the functions, or for
// each point of a mesh. place is the position of these points, as in config.Data.Endpoint, by the array that shows it;
// both are empty if none does. The error is a *fault.Data if points are not evenly spaced.
func Coordinates(f *Functions) (place, by string, err error) {
	for _, m := range f.Open.Members {
		x := f.alongAxis(m)
		if x == nil || !isMonotonic(x) { // no coordinates
			continue
		}
		at, distance := furthestFromEven(x)
		step := meanStep(x)
		if distance > 0.05*math.Abs(step) {
			return "", "", fault.Bad(
				f.File,
				f.unevenRemedy(m.Name, x),
				"has the points of the functions in %s, and they are not evenly spaced (point %d is at %.4g, not %.4g)",
				m.Name, at, x[at], x[0]+float64(at)*step,
			)
		}
		if place := placeOfPoints(x); place != "" {
			return place, m.Name, nil
		}
	}
	return "", "", nil
}

// alongAxis returns the coordinates in an array along an axis of the functions; nil if it holds none.
func (f *Functions) alongAxis(m npy.Member) []float64 {
	n, ok := lineOfCoordinates(m)
	if !ok {
		_, x := meshSteps(m)
		if len(x) >= 3 && !isOfTimes(m) && slices.Contains(f.Shape, len(x)) {
			return x
		}
		return nil
	}
	if n < 3 || n == f.Count || !slices.Contains(f.Shape, n) {
		return nil
	}
	array, err := m.Array()
	if err != nil { // it is reported with the array
		return nil
	}
	return array.Data
}

// placeOfPoints tells from evenly spaced coordinates whether they are the centres of cells or count both ends, because those
// of one kind, and not of the other, make an interval with round ends; empty if neither or both do.
func placeOfPoints(x []float64) string {
	first := x[0]
	last := x[len(x)-1]
	half := meanStep(x) / 2
	tolerance := 2e-3 * math.Abs(half) // coordinates may be in half precision
	isInterval := func(a, b float64) bool { return isRound(a, tolerance) && isRound(b, tolerance) }
	countsEnds := isInterval(first, last)
	areCentres := isInterval(first-half, last+half)
	switch {
	case math.Abs(first-half) <= tolerance || areCentres && !countsEnds:
		return config.Centres
	case countsEnds && !areCentres:
		return config.Included
	}
	return ""
}

// isRound reports whether a number is a multiple of a twentieth of a power of ten near it, or of pi.
func isRound(v, tolerance float64) bool {
	if math.Abs(v) <= tolerance {
		return true
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))) / 20
	for _, unit := range []float64{unit, math.Pi} {
		multiple := math.Round(v / unit)
		if multiple != 0 && math.Abs(v-multiple*unit) <= tolerance {
			return true
		}
	}
	return false
}

// unevenRemedy tells what to do with functions whose points x along an axis, in the named array, are not evenly spaced: to
// name the places, if the file has those of all axes, else to interpolate along the axis.
func (f *Functions) unevenRemedy(name string, x []float64) string {
	places := []string{quoted(name)}
	isLine := true // a number for each point along the axis
	for _, m := range f.Open.Members {
		if f.alongAxis(m) == nil {
			continue
		}
		if m.Name == name {
			_, isLine = lineOfCoordinates(m)
			continue
		}
		places = append(places, quoted(m.Name))
	}
	ofLine := npy.LongAxes(f.Shape) == 2 // one axis besides that of the pairs
	if len(places) == 2 || ofLine {
		return "name the places, at which functions are learned as they are: --set data.points=" + strings.Join(places, ",")
	}
	axis := slices.Index(f.all[0].Shape, len(x))
	increasing := name
	if x[len(x)-1] < x[0] { // numpy.interp needs numbers that increase
		increasing = "-" + name
	}
	if !isLine {
		increasing = "numpy.unique(" + increasing + ")"
	}
	return fmt.Sprintf("take the functions to an even grid, in Python:\n"+
		"  x = %s\n"+
		"  grid = numpy.linspace(x[0], x[-1], len(x))\n"+
		"  a = numpy.apply_along_axis(lambda f: numpy.interp(grid, x, f), %d, a)", increasing, axis)
}

// isMonotonic reports whether numbers increase, or decrease.
func isMonotonic(x []float64) bool {
	total := x[len(x)-1] - x[0]
	for i := 1; i < len(x); i++ {
		if !((x[i]-x[i-1])*total > 0) {
			return false
		}
	}
	return true
}

// furthestFromEven returns the number that differs most from one that an even spacing has in its place, and by how much.
func furthestFromEven(x []float64) (at int, distance float64) {
	step := meanStep(x)
	for i, v := range x {
		difference := math.Abs(v - x[0] - float64(i)*step)
		if difference > distance {
			at = i
			distance = difference
		}
	}
	return at, distance
}
