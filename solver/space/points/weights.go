package points

import (
	"math"
	"slices"
)

// Weigh returns places with weights of quadrature, and how they were found, in words: of the cells if there are any, else
// on a line those of the trapezoid rule, in the plane those of a triangulation, else all equal. Regular grids have the
// weights of the product rule.
func Weigh(axes int, at []float64, count, corners int, cells []int) (Places, string) {
	p := Equal(axes, at, count)
	p.Corners = corners
	p.Cells = cells
	switch {
	case len(cells) > 0:
		p.spread()
		return p, "weights of the cells"
	case axes == 1:
		p.segments()
		p.spread()
		return p, "weights of the trapezoid rule"
	}
	if g, ok := RegularOf(p); ok {
		p.Weights = g.weights()
		if axes == 2 {
			p.Corners = 3
			p.Cells = g.triangles()
		}
		return p, "a regular grid of " + g.String() + ", whose order has no meaning"
	}
	if axes == 2 {
		if triangles := triangulate(at); len(triangles) > 0 {
			p.Corners = 3
			p.Cells = triangles
			p.spread()
			return p, "weights of a triangulation"
		}
	}
	return p, "equal weights"
}

// segments joins neighbours on a line.
func (p *Places) segments() {
	order := make([]int, p.Count())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case p.At[i] < p.At[j]:
			return -1
		case p.At[i] > p.At[j]:
			return 1
		}
		return 0
	})
	p.Corners = 2
	for i := 1; i < len(order); i++ {
		p.Cells = append(p.Cells, order[i-1], order[i])
	}
}

// spread gives every point its share of the cells around it. A point without one has the least share of all others.
func (p *Places) spread() {
	shares := make([]float64, p.Count())
	for c := 0; c < len(p.Cells); c += p.Corners {
		cell := p.Cells[c : c+p.Corners]
		size := p.size(cell)
		for _, point := range cell {
			shares[point] += size / float64(p.Corners)
		}
	}
	least := math.Inf(1)
	for _, v := range shares {
		if v > 0 {
			least = min(least, v)
		}
	}
	if math.IsInf(least, 1) { // all cells are flat
		return
	}
	sum := 0.0
	for i, v := range shares {
		if !(v > 0) {
			shares[i] = least
		}
		sum += shares[i]
	}
	for i := range shares {
		p.Weights[i] = shares[i] / sum
	}
}

// size returns the length, area or volume of a cell.
func (p *Places) size(cell []int) float64 {
	edge := func(corner int) (d [MostAxes]float64) {
		from := p.Place(cell[0])
		for axis, v := range p.Place(cell[corner]) {
			d[axis] = v - from[axis]
		}
		return d
	}
	a := edge(1)
	if len(cell) == 2 {
		return math.Sqrt(dot(a, a))
	}
	b := edge(2)
	normal := cross(a, b)
	if len(cell) == 3 {
		return math.Sqrt(dot(normal, normal)) / 2
	}
	return math.Abs(dot(normal, edge(3))) / 6
}

// Extent returns the length, area or volume of a cell, and its longest side.
func (p Places) Extent(cell []int) (size, side float64) {
	for k, point := range cell {
		for _, other := range cell[:k] {
			square := 0.0
			from := p.Place(other)
			for axis, v := range p.Place(point) {
				square += (v - from[axis]) * (v - from[axis])
			}
			side = max(side, math.Sqrt(square))
		}
	}
	return p.size(cell), side
}

func dot(a, b [MostAxes]float64) float64 {
	return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]
}

func cross(a, b [MostAxes]float64) [MostAxes]float64 {
	return [MostAxes]float64{
		a[1]*b[2] - a[2]*b[1],
		a[2]*b[0] - a[0]*b[2],
		a[0]*b[1] - a[1]*b[0],
	}
}
