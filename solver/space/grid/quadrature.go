package grid

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Weights returns the weights of the composite trapezoid rule, or with Cells the midpoint rule: the inner product of f
// and g, the mean of f g, is sum_x w_x f_x g_x. It panics if the grid has fewer than 2 points along an axis.
func (d Domain) Weights(points int) []float64 {
	if points < 2 || !d.Exists(points) {
		panic(fmt.Sprintf("grid: quadrature on %d points", points))
	}
	line := func(points int) []float64 {
		weight := 1 / float64(d.Intervals(points))
		line := slices.Repeat([]float64{weight}, points)
		if !d.Cells {
			line[0] /= 2
			line[points-1] /= 2
		}
		return line
	}
	if d.Channels > 1 {
		return slices.Repeat(d.One().Weights(points), d.Channels)
	}
	if d.Scattered() {
		return d.Cloud.Weights()
	}
	rows, columns := d.Axes(points)
	if d.Dims == 1 {
		return line(columns)
	}
	second := line(columns)
	weights := make([]float64, 0, rows*columns)
	for _, v := range line(rows) {
		for _, w := range second {
			weights = append(weights, v*w)
		}
	}
	return weights
}

// Cell returns the share of an interval, or of a cell of a field's grid, in the whole domain.
func (d Domain) Cell(points int) float64 {
	rows, columns := d.Axes(points)
	if d.Dims == 1 {
		return 1 / float64(d.Intervals(columns))
	}
	return 1 / float64(d.Intervals(rows)*d.Intervals(columns))
}

// Inner returns the L2 inner product of two functions by the quadrature of Weights. On periodic functions of one
// variable this is the mean over the K-1 distinct points.
func (d Domain) Inner(f, g []float64) float64 {
	if len(g) != len(f) {
		panic(fmt.Sprintf("grid: functions of %d and %d values", len(f), len(g)))
	}
	sum := 0.0
	if d.Channels > 1 {
		for c := range d.Channels {
			sum += d.One().Inner(d.channel(f, c), d.channel(g, c))
		}
		return sum
	}
	if d.Scattered() {
		return d.Cloud.Inner(f, g)
	}
	rows, columns := d.Axes(d.PointsOf(f))
	if d.Dims == 1 {
		return d.line(f, g) / float64(d.Intervals(columns))
	}
	for i := range rows {
		sumOfRow := d.line(f[i*columns:][:columns], g[i*columns:][:columns])
		isEnd := i == 0 || i == rows-1
		if isEnd && !d.Cells {
			sumOfRow /= 2
		}
		sum += sumOfRow
	}
	return sum / float64(d.Intervals(rows)*d.Intervals(columns))
}

// line returns the sum of the products along an axis. Without Cells its ends have half the weight.
func (d Domain) line(f, g []float64) float64 {
	sum := 0.0
	if !d.Cells {
		last := len(f) - 1
		sum = (f[0]*g[0] + f[last]*g[last]) / 2
		f = f[1:last]
		g = g[1:last]
	}
	for i, v := range f {
		sum += v * g[i]
	}
	return sum
}

// Norm returns the L2 norm of a function, without overflow or underflow of squares.
func (d Domain) Norm(f []float64) float64 {
	b := Batch{Domain: d, Points: d.PointsOf(f), Count: 1, Data: f}
	unit := b.Unit()
	scaled := b.In(unit).Data
	return unit * math.Sqrt(d.Inner(scaled, scaled))
}

// Distance2 returns the squared L2 norm of f - g by the same quadrature.
func (d Domain) Distance2(f, g []float64) float64 {
	difference := floats.SubTo(make([]float64, len(f)), f, g)
	return d.Inner(difference, difference)
}
