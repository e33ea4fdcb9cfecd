// This file halves the products between coordinates and points where modes are even or odd about the middle of the interval,
// as they are if both ends have the same kind of condition.

package equation

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
)

// mirrored is the matrix between modes, each even or odd, and points that lie symmetrically. The part on the first half of
// the points determines it:
//
//	value at x        = sum over even modes + sum over odd modes
//	value at L - x    = sum over even modes - sum over odd modes.
type mirrored struct {
	points, modes int
	half          int       // points up to the middle
	even, odd     []int     // modes
	evenPart      []float64 // to points: half x even modes, row-major; from points: even modes x half
	oddPart       []float64 // the same of odd modes
	// scratch of products, for blocks
	ofEven, ofOdd     []float64 // coordinates
	evenHalf, oddHalf []float64 // values at the first half of the points
}

// mirroredRows returns a matrix to points, points x modes, as a mirrored one; nil if it is none.
func mirroredRows(m *mat.Dense) *mirrored {
	points, modes := m.Dims()
	return newMirrored(points, modes, m.At, true)
}

// mirroredColumns returns a matrix from points, modes x points, as a mirrored one; nil if it is none.
func mirroredColumns(m *mat.Dense) *mirrored {
	modes, points := m.Dims()
	at := func(point, mode int) float64 { return m.At(mode, point) }
	return newMirrored(points, modes, at, false)
}

// newMirrored takes the halves of a matrix with entries at(point, mode); nil if a mode is neither even nor odd.
func newMirrored(points, modes int, at func(point, mode int) float64, toPoints bool) *mirrored {
	const rounding = 1e-10 // of the largest entry of a mode
	m := &mirrored{points: points, modes: modes, half: (points + 1) / 2}
	for j := range modes {
		largest := 0.0
		ofEven := 0.0
		ofOdd := 0.0
		for i := range points {
			v := at(i, j)
			mirror := at(points-1-i, j)
			largest = math.Max(largest, math.Abs(v))
			ofEven = math.Max(ofEven, math.Abs(v+mirror))
			ofOdd = math.Max(ofOdd, math.Abs(v-mirror))
		}
		switch {
		case ofOdd <= rounding*largest:
			m.even = append(m.even, j)
		case ofEven <= rounding*largest:
			m.odd = append(m.odd, j)
		default:
			return nil
		}
	}
	m.evenPart = m.part(m.even, 1, at, toPoints)
	m.oddPart = m.part(m.odd, -1, at, toPoints)
	m.ofEven = make([]float64, len(m.even)*block)
	m.ofOdd = make([]float64, len(m.odd)*block)
	m.evenHalf = make([]float64, m.half*block)
	m.oddHalf = make([]float64, m.half*block)
	return m
}

// part returns the entries of modes of one parity at the first half of the points, without the rounding errors by which they
// differ from those at the other half.
func (m *mirrored) part(modes []int, sign float64, at func(point, mode int) float64, toPoints bool) []float64 {
	part := make([]float64, m.half*len(modes))
	for k, j := range modes {
		for i := range m.half {
			v := (at(i, j) + sign*at(m.points-1-i, j)) / 2
			if toPoints {
				part[i*len(modes)+k] = v
			} else {
				part[k*m.half+i] = v
			}
		}
	}
	return part
}

// addValues adds the values at the points, points x block, of functions with coordinates, modes x block.
func (m *mirrored) addValues(dst, coordinates []float64) {
	gather(m.ofEven, m.even, coordinates)
	gather(m.ofOdd, m.odd, coordinates)
	clear(m.evenHalf)
	clear(m.oddHalf)
	linalg.Columns(m.evenHalf, m.evenPart, m.half, len(m.even), m.ofEven, block)
	linalg.Columns(m.oddHalf, m.oddPart, m.half, len(m.odd), m.ofOdd, block)
	for i := range m.half {
		even := (*[block]float64)(m.evenHalf[i*block:])
		odd := (*[block]float64)(m.oddHalf[i*block:])
		near := (*[block]float64)(dst[i*block:])
		for l := range near {
			near[l] += even[l] + odd[l]
		}
		if mirror := m.points - 1 - i; mirror != i {
			far := (*[block]float64)(dst[mirror*block:])
			for l := range far {
				far[l] += even[l] - odd[l]
			}
		}
	}
}

// addCoordinates adds the coordinates, modes x block, of functions with values at the points, points x block.
func (m *mirrored) addCoordinates(dst, values []float64) {
	for i := range m.half {
		even := (*[block]float64)(m.evenHalf[i*block:])
		odd := (*[block]float64)(m.oddHalf[i*block:])
		near := (*[block]float64)(values[i*block:])
		mirror := m.points - 1 - i
		if mirror == i {
			*even = *near
			*odd = [block]float64{}
			continue
		}
		far := (*[block]float64)(values[mirror*block:])
		for l := range even {
			even[l] = near[l] + far[l]
			odd[l] = near[l] - far[l]
		}
	}
	clear(m.ofEven)
	clear(m.ofOdd)
	linalg.Columns(m.ofEven, m.evenPart, len(m.even), m.half, m.evenHalf, block)
	linalg.Columns(m.ofOdd, m.oddPart, len(m.odd), m.half, m.oddHalf, block)
	addScattered(dst, m.even, m.ofEven)
	addScattered(dst, m.odd, m.ofOdd)
}

// gather copies some rows of a block to dst.
func gather(dst []float64, rows []int, src []float64) {
	for k, j := range rows {
		copy(dst[k*block:(k+1)*block], src[j*block:(j+1)*block])
	}
}

// addScattered adds rows to some rows of a block.
func addScattered(dst []float64, rows []int, src []float64) {
	for k, j := range rows {
		to := (*[block]float64)(dst[j*block:])
		from := (*[block]float64)(src[k*block:])
		for l := range to {
			to[l] += from[l]
		}
	}
}
