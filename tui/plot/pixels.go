// Pixels of a field: the values on the grid that each of them shows.

package plot

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// resample returns rows x columns pixels, row-major, row 0 at the top (x2 = 1). A pixel is not finite if one of the
// values it shows is not.
func resample(field []float64, r, columns, rows int, smooth bool) []float64 {
	n := len(field) / r // values along x2
	across, up := footprints(r, columns, smooth), footprints(n, rows, smooth)
	pixels := make([]float64, rows*columns)
	line := make([]float64, rows*r) // line[y*r+i] is averaged over x2 only
	for i := range r {
		values := field[i*n : (i+1)*n]
		for y, p := range up {
			line[(rows-1-y)*r+i] = p.mean(values)
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

// A footprint is the set of grid points that a pixel shows, first, first+1, ..., with weights, positive and with sum 1.
type footprint struct {
	first   int
	weights []float64
}

// mean returns the weighted mean of the values at the grid points.
func (p footprint) mean(values []float64) float64 {
	return floats.Dot(p.weights, values[p.first:p.first+len(p.weights)])
}

// footprints returns the footprints of equal pixels that cover [0,1] with r grid points.
func footprints(r, pixels int, smooth bool) []footprint {
	out := make([]footprint, pixels)
	last := float64(r - 1)
	for p := range out {
		from, to := float64(p)/float64(pixels)*last, float64(p+1)/float64(pixels)*last
		middle := (from + to) / 2
		switch {
		case pixels < r:
			out[p] = average(from, to, r)
		case smooth:
			first := math.Floor(middle)
			out[p] = footprint{int(first), []float64{1}}
			if t := middle - first; t > 0 {
				out[p].weights = []float64{1 - t, t}
			}
		default:
			out[p] = footprint{int(math.Round(middle)), []float64{1}}
		}
	}
	return out
}

// average returns the footprint of [from, to], in units of h: point i covers the interval of positions closer to it
// than to any other point.
func average(from, to float64, r int) footprint {
	const negligible = 1e-9 // weight of a point included by rounding
	first := int(from + 0.5 + negligible)
	p := footprint{first: first}
	for i := first; i < r; i++ {
		w := min(to, float64(i)+0.5) - max(from, float64(i)-0.5)
		if w <= negligible {
			break
		}
		p.weights = append(p.weights, w/(to-from))
	}
	return p
}
