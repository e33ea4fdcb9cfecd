// This file says where functions live, and what follows from that: the values of a grid, the quadrature, restriction.

package grid

import (
	"fmt"
	"math"
)

// Domain is where functions live: on the unit interval or the unit square, periodic or not. Its grids are equispaced with
// the same number of points along every axis, both ends counted; the last value along an axis of a periodic domain repeats
// the first. Fields are stored row-major: value i*r + j is at (i h, j h), h = 1/(r-1). Domains can be compared with ==.
type Domain struct {
	Dims     int // variables, 1 or 2
	Periodic bool
}

// The domains.
var (
	Torus    = Domain{1, true}  // periodic functions of one variable
	Interval = Domain{1, false} // functions of one variable
	Torus2   = Domain{2, true}  // periodic fields
	Square   = Domain{2, false} // fields on the closed square
)

// Domains lists them all.
func Domains() []Domain { return []Domain{Torus, Interval, Torus2, Square} }

// Name says what lives on the domain, for people.
func (d Domain) Name() string {
	switch d {
	case Torus:
		return "periodic functions"
	case Interval:
		return "functions on an interval"
	case Torus2:
		return "periodic fields"
	}
	return "fields"
}

// Symbol is the paper's name for the number of points along an axis: K for functions of one variable, r for fields.
func (d Domain) Symbol() string {
	if d.Dims == 2 {
		return "r"
	}
	return "K"
}

// Grid names the grid with so many points along an axis: K=129, or 33 x 33 points.
func (d Domain) Grid(points int) string {
	if d.Dims == 2 {
		return fmt.Sprintf("%d x %d points", points, points)
	}
	return fmt.Sprintf("K=%d", points)
}

// Values is the number of values of a function on the grid with so many points along an axis.
func (d Domain) Values(points int) int {
	if d.Dims == 2 {
		return points * points
	}
	return points
}

// Shape is the shape of the array of a function's values.
func (d Domain) Shape(points int) []int {
	if d.Dims == 2 {
		return []int{points, points}
	}
	return []int{points}
}

// Points is the number of points along an axis of the grid with so many values, the inverse of Values. ok is false if
// there is no such grid.
func (d Domain) Points(values int) (points int, ok bool) {
	if d.Dims == 2 {
		r := int(math.Round(math.Sqrt(float64(values))))
		return r, r*r == values
	}
	return values, true
}

// PointsOf is Points for a function's values. It panics if no grid has so many.
func (d Domain) PointsOf(f []float64) int {
	points, ok := d.Points(len(f))
	if !ok {
		panic(fmt.Sprintf("grid: %s with %d values, which is no square", d.Name(), len(f)))
	}
	return points
}

// Contains reports whether every point of the coarse grid is one of the fine grid: its intervals divide the other's.
func Contains(fine, coarse int) bool { return coarse >= 2 && fine >= 2 && (fine-1)%(coarse-1) == 0 }

// Sample writes the values of the function fine at the points of the grid of coarse. It panics if that is not contained.
func (d Domain) Sample(coarse, fine []float64) {
	n, N := d.PointsOf(coarse), d.PointsOf(fine)
	if !Contains(N, n) {
		panic(fmt.Sprintf("grid: a function on %s sampled on %s", d.Grid(N), d.Grid(n)))
	}
	stride := (N - 1) / (n - 1)
	if d.Dims == 1 {
		for x := range coarse {
			coarse[x] = fine[stride*x]
		}
		return
	}
	for i := range n {
		row := fine[stride*i*N:]
		for j := range n {
			coarse[i*n+j] = row[stride*j]
		}
	}
}

// Weights are the weights of the composite trapezoid rule: the L2 inner product of f and g is sum_x w_x f_x g_x. It panics
// if the grid has fewer than 2 points along an axis.
func (d Domain) Weights(points int) []float64 {
	if points < 2 {
		panic(fmt.Sprintf("grid: trapezoid rule on %d points", points))
	}
	line := make([]float64, points)
	for i := range line {
		line[i] = 1 / float64(points-1)
	}
	line[0] /= 2
	line[points-1] /= 2
	if d.Dims == 1 {
		return line
	}
	weights := make([]float64, 0, points*points)
	for _, v := range line {
		for _, w := range line {
			weights = append(weights, v*w)
		}
	}
	return weights
}

// Inner is the L2 inner product of two functions by the composite trapezoid rule. On periodic functions of one variable
// this is the mean over the K-1 distinct points.
func (d Domain) Inner(f, g []float64) float64 {
	return d.integral(f, g, func(f, g []float64) float64 {
		n := len(f) - 1
		sum := (f[0]*g[0] + f[n]*g[n]) / 2
		for i := 1; i < n; i++ {
			sum += f[i] * g[i]
		}
		return sum
	})
}

// Distance2 is the squared L2 norm of f - g by the composite trapezoid rule.
func (d Domain) Distance2(f, g []float64) float64 {
	return d.integral(f, g, func(f, g []float64) float64 {
		n := len(f) - 1
		first, last := f[0]-g[0], f[n]-g[n]
		sum := (first*first + last*last) / 2
		for i := 1; i < n; i++ {
			d := f[i] - g[i]
			sum += d * d
		}
		return sum
	})
}

// integral sums what line makes of the lines of two functions, by the trapezoid rule in the other variable.
func (d Domain) integral(f, g []float64, line func(f, g []float64) float64) float64 {
	if len(g) != len(f) {
		panic(fmt.Sprintf("grid: functions of %d and %d values", len(f), len(g)))
	}
	r := d.PointsOf(f)
	if d.Dims == 1 {
		return line(f, g) / float64(r-1)
	}
	sum := 0.0
	for i := range r {
		row := line(f[i*r:(i+1)*r], g[i*r:(i+1)*r])
		if i == 0 || i == r-1 {
			row /= 2
		}
		sum += row
	}
	return sum / float64((r-1)*(r-1))
}
