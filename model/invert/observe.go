// This file contains values of functions at points of their domain.

package invert

import (
	"math"

	"rfm/solver/grid"
)

// Place is a point of a domain, its coordinates from 0 to 1; the second one is 0 for functions of one variable.
type Place [2]float64

// observer interpolates between the points of a grid: by cubics along each axis, exact for cubic polynomials and with
// an error of fourth order for other functions.
type observer struct {
	indices [][]int // of values, per place
	weights [][]float64
}

func newObserver(d grid.Domain, points int, places []Place) *observer {
	o := &observer{}
	rows, columns := d.Axes(points)
	for _, place := range places {
		rowsAt, rowWeights := []int{0}, []float64{1}
		across := place[0]
		if d.Dims == 2 {
			rowsAt, rowWeights = stencil(d, rows, place[0])
			across = place[1]
		}
		columnsAt, columnWeights := stencil(d, columns, across)
		var indices []int
		var weights []float64
		for i, row := range rowsAt {
			for j, column := range columnsAt {
				indices, weights = append(indices, row*columns+column), append(weights, rowWeights[i]*columnWeights[j])
			}
		}
		o.indices, o.weights = append(o.indices, indices), append(o.weights, weights)
	}
	return o
}

// Observe returns the values of functions at places, one function after the other.
func Observe(functions grid.Batch, places []Place) [][]float64 {
	o, all := newObserver(functions.Domain, functions.Points, places), make([][]float64, functions.Count)
	for i := range all {
		for place := range places {
			all[i] = append(all[i], o.at(place, functions.At(i)))
		}
	}
	return all
}

// stencil returns up to four points of an axis with the weights of Lagrange's polynomials.
func stencil(d grid.Domain, points int, place float64) (at []int, weights []float64) {
	n, position := d.Intervals(points), place*float64(d.Intervals(points))
	if d.Cells {
		position -= 0.5
	}
	width := min(4, points)
	first := int(math.Floor(position)) - 1
	if !d.Periodic {
		first = max(0, min(first, points-width))
	}
	for i := first; i < first+width; i++ {
		weight := 1.0
		for k := first; k < first+width; k++ {
			if k != i {
				weight *= (position - float64(k)) / float64(i-k)
			}
		}
		index := i
		if d.Periodic {
			index = (i%n + n) % n
		}
		at, weights = append(at, index), append(weights, weight)
	}
	return at, weights
}

// at returns the value of a function at a place.
func (o *observer) at(place int, f []float64) float64 {
	sum := 0.0
	for k, index := range o.indices[place] {
		sum += o.weights[place][k] * f[index]
	}
	return sum
}
