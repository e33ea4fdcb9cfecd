// From samples to one vertex per column edge: decimation that keeps extremes, interpolation where samples are sparse,
// gaps where data are missing.

package plot

import (
	"math"
	"slices"

	"rfm/model/show/report"
)

// path is a series in plot coordinates: at[i] is the horizontal position (0 is the left edge of the plot, 1 the right
// one), ascending; c[i] the vertical coordinate, NaN where there is a gap, possibly infinite. Inside has the
// coordinates within the edges, without gaps.
type path struct{ at, c, inside []float64 }

// rounding is that of positions and fractions.
const rounding = 1e-9

// newPath transforms a series. Samples without a position on x are dropped; values that a logarithmic vertical axis
// does not show are gaps.
func newPath(s series, x report.Axis, logY bool) (p path) {
	for i, y := range s.Y {
		at := x.Fraction(report.Coordinate(s.X[i], x.Log))
		if math.IsNaN(at) || math.IsInf(at, 0) {
			continue
		}
		c := report.Coordinate(y, logY)
		if logY && y < report.Smallest {
			c = math.NaN() // an arrow down at each zero would look like data
		}
		p.at = append(p.at, at)
		p.c = append(p.c, c)
		if at >= -rounding && at <= 1+rounding && !math.IsNaN(c) {
			p.inside = append(p.inside, c)
		}
	}
	return p
}

// vertices returns columns+1 rows at the edges of the columns; NaN is a gap.
//
// Each vertex is the interpolant there or, if that is farther from the vertex before, an extreme of the samples of its
// column: a spike keeps its height and noise its envelope. Where samples are dense, only they count, so that a jump has
// no steps in it. A spike on the other side of the vertex before comes a column later. A NaN among the samples makes a
// gap of at least one vertex, but never two in a row while there are finite samples.
func (p path) vertices(columns int, rowOf func(c float64) float64) []float64 {
	const dense = 4 // samples in a column
	v, late := make([]float64, columns+1), math.NaN()
	first, _ := slices.BinarySearch(p.at, -rounding)
	for i := range v {
		x, before := float64(i)/float64(columns), math.NaN()
		if i > 0 {
			before = v[i-1]
		}
		lo, hi, next, gap := math.Inf(1), math.Inf(-1), first, false
		add := func(row float64) {
			if !math.IsNaN(row) {
				lo, hi = min(lo, row), max(hi, row)
			}
		}
		for ; next < len(p.at) && p.at[next] <= x+rounding; next++ {
			gap = gap || math.IsNaN(p.c[next])
			add(rowOf(p.c[next]))
		}
		if next-first < dense && !gap {
			add(rowOf(p.interpolate(x, next)))
		}
		add(late)
		first, late = next, math.NaN()
		switch {
		case lo > hi || gap && !math.IsNaN(before):
			v[i] = math.NaN()
			continue
		case math.IsNaN(before):
			before = lo
		}
		far, near := hi, lo
		if before-lo > hi-before {
			far, near = lo, hi
		}
		if v[i] = far; (far-before)*(near-before) < 0 {
			late = near
		}
	}
	return v
}

// interpolate evaluates the piecewise linear function through the samples at x, which lies before sample next: NaN
// outside them and next to a gap.
func (p path) interpolate(x float64, next int) float64 {
	switch {
	case next > 0 && p.at[next-1] == x:
		return p.c[next-1]
	case next == 0 || next == len(p.at):
		return math.NaN()
	case p.c[next] == p.c[next-1]: // to the last bit: it may lie between two rows
		return p.c[next]
	}
	t := (x - p.at[next-1]) / (p.at[next] - p.at[next-1])
	return (1-t)*p.c[next-1] + t*p.c[next]
}
