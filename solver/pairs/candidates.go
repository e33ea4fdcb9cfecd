// This file selects the arrays of a file that may belong to pairs.

package pairs

import (
	"slices"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// candidateArrays are the arrays of a file that may belong to pairs.
type candidateArrays struct {
	file    *exchange.File
	all     []npy.Member // functions and parameters, in the order of the file
	numbers []npy.Member // one number for each pair, of shape (n)
}

// functions returns the arrays that are no parameters.
func (c candidateArrays) functions() []npy.Member {
	return slices.DeleteFunc(slices.Clone(c.all), parameters)
}

// candidatesOf returns the arrays of training pairs, or of test pairs, without or with those that have names of places.
// A leading axis of length one means nothing: the array is the part [0].
func candidatesOf(f *exchange.File, tests, places bool) candidateArrays {
	const mostAxes = 6
	c := candidateArrays{file: f}
	for _, m := range f.Members {
		axes := len(m.Shape)
		if !m.Readable() || axes == 0 || axes > mostAxes || slices.Min(m.Shape) < 1 {
			continue
		}
		isPlace := has(m.Name, placeNames)
		if isHeldOutName(m.Name) != tests || isPlace && !places {
			continue
		}
		for len(m.Shape) > 2 && m.Shape[0] == 1 {
			m = Lookup(f, m.Name+"[0]")
		}
		if slices.Max(m.Shape) < 3 {
			continue
		}
		isFunction := npy.LongAxes(m.Shape) >= 2
		switch {
		case len(m.Shape) == 1:
			if !has(m.Name, coordinateNames) && !slices.Contains(csvIndex, m.Name) {
				c.numbers = append(c.numbers, m)
			}
		case !places && (coordinatesOfEach(f, m) || isMeshed(m)):
		case isFunction || m.Shape[0] > 1 && !evenlySpaced(m):
			c.all = append(c.all, m)
		}
	}
	return c
}

// isMeshed reports whether an array holds a coordinate, or times, at each point of a mesh.
func isMeshed(m npy.Member) bool {
	_, ok := meshAxis(m)
	return ok
}

// evenlySpaced reports whether an array with the name of coordinates has equal steps, so that it holds no parameters.
func evenlySpaced(m npy.Member) bool {
	if !has(m.Name, coordinateNames) {
		return false
	}
	array, err := m.Array()
	if err != nil || len(array.Data) < 3 {
		return false
	}
	return hasEqualSteps(array.Data)
}

// csvIndex lists the arrays of a table that are not values, see package csv; the empty name is that of all values.
var csvIndex = []string{"", "line", "points"}
