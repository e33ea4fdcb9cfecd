// From samples to one vertex per column edge: decimation that keeps extremes, interpolation where samples are sparse,
// gaps where data are missing.

package plot

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/model/report"
)

// path is a series in plot coordinates: at[i] is the horizontal position (0 is the left edge of the plot, 1 the right
// one), ascending; c[i] the vertical coordinate, NaN where there is a gap, possibly infinite.
type path struct{ at, c []float64 }

// newPath transforms a series. Samples without a position on x are dropped, an unsorted X is sorted.
func newPath(s series, x report.Axis, logY bool) path {
	n := len(s.Y)
	p := path{make([]float64, 0, n), make([]float64, 0, n)}
	for i, y := range s.Y {
		if at := x.Fraction(report.Coordinate(s.X[i], x.Log)); at == at && !math.IsInf(at, 0) {
			p.at, p.c = append(p.at, at), append(p.c, report.Coordinate(y, logY))
		}
	}
	if !slices.IsSorted(p.at) {
		order, c := make([]int, len(p.at)), slices.Clone(p.c)
		floats.ArgsortStable(p.at, order)
		for i, j := range order {
			p.c[i] = c[j]
		}
	}
	return p
}

// vertices returns columns+1 vertical coordinates at the edges of the columns; NaN is a gap.
//
// Each vertex represents the samples closer to it than to any other vertex. It is the linear interpolant, or the
// nearest sample where samples are dense, so that a jump has no steps in it. If the samples leave the range of the
// curve around the vertex by a row or more, the vertex is their extreme farther from the vertex before, and the next
// one may be the other extreme: a spike keeps its height and noise its envelope. A NaN among the samples makes a gap of
// at least one vertex, but never two in a row while there are finite samples.
func (p path) vertices(columns int, rowOf func(c float64) float64) []float64 {
	const enough = 4 // samples draw the curve across a bin
	around := p.interpolate(columns)
	v, other := make([]float64, columns+1), math.NaN() // other is a spike that the vertex before does not show
	for i, b := range p.bin(columns) {
		v[i] = around[2*i]
		if b.count == 0 {
			continue
		}
		if b.Empty() || b.gap && (i == 0 || !math.IsNaN(v[i-1])) {
			v[i] = math.NaN()
			continue
		}
		// around the vertex a smooth curve stays between its values at the edges of the bin where samples are dense, and at
		// the adjacent vertices where one sample may be the only one for several columns
		dense, reach := b.count >= enough, 2
		if dense {
			reach = 1
		}
		if dense || math.IsNaN(v[i]) {
			v[i] = b.nearest
		}
		near, sides := report.NewSpan(), 0
		for _, j := range []int{2*i - reach, 2*i + reach} {
			if j >= 0 && j < len(around) && !math.IsNaN(around[j]) {
				near.Lo, near.Hi, sides = min(near.Lo, around[j]), max(near.Hi, around[j]), sides+1
			}
		}
		if sides < 2 || !dense { // else the nearest sample may be a spike itself
			near.Lo, near.Hi = min(near.Lo, v[i]), max(near.Hi, v[i])
		}
		lo, hi := rowOf(b.Lo), rowOf(b.Hi)
		above, below := hi-rowOf(near.Hi) >= 1, rowOf(near.Lo)-lo >= 1
		switch {
		case above || below:
			before := rowOf(v[i])
			if i > 0 && !math.IsNaN(v[i-1]) {
				before = rowOf(v[i-1])
			}
			v[i], other = b.Lo, b.Hi
			if hi-before >= before-lo {
				v[i], other = b.Hi, b.Lo
			}
			if !above || !below {
				other = math.NaN()
			}
		case !math.IsNaN(other):
			v[i], other = other, math.NaN()
		}
	}
	return v
}

// interpolate evaluates the piecewise linear function through the samples at positions 0, 1/2, 1, ..., columns: NaN
// outside them and next to a gap.
func (p path) interpolate(columns int) []float64 {
	v := make([]float64, 2*columns+1)
	j := 0 // first sample at or after the vertex
	for i := range v {
		x := float64(i) / float64(2*columns)
		for j < len(p.at) && p.at[j] < x {
			j++
		}
		switch {
		case j < len(p.at) && p.at[j] == x:
			v[i] = p.c[j]
		case j == 0 || j == len(p.at):
			v[i] = math.NaN()
		case p.c[j] == p.c[j-1]: // to the last bit: it may lie between two rows
			v[i] = p.c[j]
		default:
			t := (x - p.at[j-1]) / (p.at[j] - p.at[j-1])
			v[i] = (1-t)*p.c[j-1] + t*p.c[j]
		}
	}
	return v
}

// bin summarises the samples closer to one vertex than to any other.
type bin struct {
	report.Span
	count   int     // samples, NaN included
	gap     bool    // one of them is NaN
	nearest float64 // finite sample nearest to the vertex
}

func (p path) bin(columns int) []bin {
	bins := make([]bin, columns+1)
	best := make([]float64, columns+1)
	for i := range bins {
		bins[i].Span = report.NewSpan()
		best[i] = math.Inf(1)
	}
	const rounding = 1e-9
	for i, x := range p.at {
		at := x * float64(columns)
		if at < -0.5 || at > float64(columns)+0.5+rounding {
			continue
		}
		k := min(math.Floor(at+0.5), float64(columns))
		b := &bins[int(k)]
		b.count++
		c := p.c[i]
		if math.IsNaN(c) {
			b.gap = true
			continue
		}
		b.Lo, b.Hi = min(b.Lo, c), max(b.Hi, c)
		if d := math.Abs(at - k); d < best[int(k)] {
			best[int(k)], b.nearest = d, c
		}
	}
	return bins
}
