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
type path struct {
	at     []float64
	c      []float64
	inside []float64
}

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
	v := make([]float64, columns+1)
	before := math.NaN()                             // the vertex on the left
	late := math.NaN()                               // the extreme that the vertex on the left did not show
	first, _ := slices.BinarySearch(p.at, -rounding) // sample of the column
	for i := range v {
		x := float64(i) / float64(columns)
		rows := nothing
		gap := false
		next := first
		for next < len(p.at) && p.at[next] <= x+rounding {
			gap = gap || math.IsNaN(p.c[next])
			rows.add(rowOf(p.c[next]))
			next++
		}
		if next-first < dense && !gap {
			rows.add(rowOf(p.interpolate(x, next)))
		}
		rows.add(late)
		first = next
		late = math.NaN()
		if rows.empty() || gap && !math.IsNaN(before) {
			v[i] = math.NaN()
			before = math.NaN()
			continue
		}
		if math.IsNaN(before) {
			before = rows.lo
		}
		far := rows.hi
		near := rows.lo
		if before-rows.lo > rows.hi-before {
			far = rows.lo
			near = rows.hi
		}
		if (far-before)*(near-before) < 0 { // on two sides of the vertex on the left
			late = near
		}
		v[i] = far
		before = far
	}
	return v
}

// extent is the least interval that holds some rows.
type extent struct{ lo, hi float64 }

// nothing holds no row.
var nothing = extent{lo: math.Inf(1), hi: math.Inf(-1)}

// add extends the interval by a row, if it is one.
func (e *extent) add(row float64) {
	if math.IsNaN(row) {
		return
	}
	e.lo = min(e.lo, row)
	e.hi = max(e.hi, row)
}

func (e extent) empty() bool { return e.lo > e.hi }

// interpolate evaluates the piecewise linear function through the samples at x, which lies before sample next: NaN
// outside them and next to a gap.
func (p path) interpolate(x float64, next int) float64 {
	if next > 0 && p.at[next-1] == x {
		return p.c[next-1]
	}
	if next == 0 || next == len(p.at) {
		return math.NaN()
	}
	left := p.c[next-1]
	right := p.c[next]
	if left == right { // to the last bit, because it may lie between two rows
		return right
	}
	from := p.at[next-1]
	to := p.at[next]
	t := (x - from) / (to - from)
	return (1-t)*left + t*right
}
