// What the pixels of a heat map show: means of the grid points below them, or values between these.

package plot

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/model/show/report"
)

// resample returns rows x columns pixels, row-major, row 0 at the top (x2 = 1). A pixel is not finite if one of the
// values it shows is not.
func resample(field []float64, r, columns, rows int, smooth bool) []float64 {
	n := len(field) / r // values along x2: the field is r x n, row-major
	across := footprints(r, columns, smooth)
	up := footprints(n, rows, smooth)
	pixels := make([]float64, rows*columns)
	line := make([]float64, rows*r) // rows x r, row-major: averaged over x2 only
	for i := range r {
		values := field[i*n : (i+1)*n]
		for above, p := range up {
			y := rows - 1 - above
			line[y*r+i] = p.mean(values)
		}
	}
	for y := range rows {
		values := line[y*r : (y+1)*r]
		for x, p := range across {
			pixels[y*columns+x] = p.mean(values)
		}
	}
	return pixels
}

// resampleInside does the same for a field whose values outside of its domain are not finite: a pixel shows the mean of
// those inside, and is not finite if less than half of it is inside.
func resampleInside(h report.Field, columns, rows int) []float64 {
	inside := make([]float64, len(h.Values))
	values := make([]float64, len(h.Values))
	for i, v := range h.Values {
		if math.Abs(v) <= report.Largest {
			inside[i] = 1
			values[i] = v
		}
	}
	const half = 0.5
	shares := resample(inside, h.R, columns, rows, false)
	pixels := resample(values, h.R, columns, rows, false)
	for i, share := range shares {
		if share < half {
			pixels[i] = math.NaN()
		} else {
			pixels[i] /= share
		}
	}
	return pixels
}

// A footprint is the set of grid points that a pixel shows, first, first+1, ..., with weights, positive and with sum 1.
type footprint struct {
	first   int
	weights []float64
}

// mean returns the weighted mean of the values at the grid points.
func (p footprint) mean(values []float64) float64 {
	shown := values[p.first : p.first+len(p.weights)]
	return floats.Dot(p.weights, shown)
}

// footprints returns the footprints of equal pixels that cover [0,1] with r grid points. Pixels smaller than the cells
// of the grid show the nearest point or, if the field is smooth, the linear interpolant in their middle, which is the
// mean over the width of a cell.
func footprints(r, pixels int, smooth bool) []footprint {
	out := make([]footprint, pixels)
	count := float64(pixels)
	last := float64(r - 1)
	for p := range out {
		from := float64(p) / count * last
		to := float64(p+1) / count * last
		middle := (from + to) / 2
		switch {
		case pixels < r:
			out[p] = average(from, to, r)
		case smooth:
			out[p] = average(middle-0.5, middle+0.5, r)
		default:
			nearest := int(math.Round(middle))
			out[p] = footprint{
				first:   nearest,
				weights: []float64{1},
			}
		}
	}
	return out
}

// average returns the footprint of [from, to], in units of h: point i covers the interval of positions closer to it
// than to any other point.
func average(from, to float64, r int) footprint {
	const negligible = 1e-9 // weight of a point included by rounding
	const half = 0.5
	length := to - from
	p := footprint{first: int(from + half + negligible)}
	for i := p.first; i < r; i++ {
		left := max(from, float64(i)-half)
		right := min(to, float64(i)+half)
		w := right - left
		if w <= negligible {
			break
		}
		p.weights = append(p.weights, w/length)
	}
	return p
}
