// This file selects the arrays of a file that may belong to pairs.

package pairs

import (
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
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
		isPlace := isPlaceName(m.Name)
		isScale := strings.HasPrefix(m.Name, scales)
		if isHeldOutName(m.Name) != tests || isPlace && !places || isScale {
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
			isOther := has(m.Name, coordinateNames) || has(m.Name, labelNames) || slices.Contains(csvIndex, m.Name)
			if !isOther {
				c.numbers = append(c.numbers, m)
			}
		case !places && (coordinatesOfEach(f, m) || isMeshed(m)):
		case isFunction || m.Shape[0] > 1 && !evenlySpaced(m):
			c.all = append(c.all, m)
		}
	}
	c.dropConstant()
	return c
}

// dropConstant leaves out functions with one value everywhere, as a force of 1, if two or more others differ.
func (c *candidateArrays) dropConstant() {
	const most = 16 // each is read in part
	functions := c.functions()
	if len(functions) < 3 || len(functions) > most {
		return
	}
	isConstant := func(m npy.Member) bool { return !parameters(m) && c.isConstant(m) }
	others := slices.DeleteFunc(slices.Clone(c.all), isConstant)
	left := len(functions) - (len(c.all) - len(others))
	if left >= 2 {
		c.all = others
	}
}

// isConstant reports whether an array has one value everywhere.
func (c *candidateArrays) isConstant(m npy.Member) bool {
	s, err := sampleOf(c.file, m, few)
	if err != nil {
		return false
	}
	isOther := func(v float64) bool { return v != s.data[0] }
	if slices.ContainsFunc(s.data, isOther) || m.Count() > mostMeshed {
		return false
	}
	array, err := m.Array()
	return err == nil && !slices.ContainsFunc(array.Data, isOther)
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
	return grid.HasEqualSteps(array.Data)
}

// csvIndex lists the arrays of a table that are not values, see package csv; the empty name is that of all values.
var csvIndex = []string{"", "line", "points"}
