// This file halves the products between coordinates and points where modes are even or odd about the middle of the interval,
// as they are if both ends have the same kind of condition.

package equation

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
)

// mirrored is the matrix between modes, of which every other one is even and the others are odd, and points that lie
// symmetrically. The part on the first half of the points determines it:
//
//	value at x        = sum over even modes + sum over odd modes
//	value at L - x    = sum over even modes - sum over odd modes.
type mirrored struct {
	points, modes int
	half          int // points up to the middle
	even, odd     modesOfParity
	// scratch of products: values at the first half of the points, as blocks
	evenHalf, oddHalf []float64
}

// modesOfParity are the even or the odd ones of the modes of a mirrored matrix.
type modesOfParity struct {
	first int // the first one; the others follow two by two
	count int
	part  *linalg.Packed // to points: half x count; from points: count x half
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

// newMirrored takes the halves of a matrix with entries at(point, mode); nil if modes are not even and odd in turn.
func newMirrored(points, modes int, at func(point, mode int) float64, toPoints bool) *mirrored {
	m := &mirrored{points: points, modes: modes, half: (points + 1) / 2}
	first := m.parityOf(0, at)
	if first == neither {
		return nil
	}
	for j := range modes {
		isInTurn := m.parityOf(j, at) == first*parity(1-2*(j%2))
		if !isInTurn {
			return nil
		}
	}
	firstEven := 0
	if first == odd {
		firstEven = 1
	}
	m.even = m.part(firstEven, 1, at, toPoints)
	m.odd = m.part(1-firstEven, -1, at, toPoints)
	m.evenHalf = make([]float64, m.half*block)
	m.oddHalf = make([]float64, m.half*block)
	return m
}

// parityOf returns the parity of a mode about the middle.
func (m *mirrored) parityOf(mode int, at func(point, mode int) float64) parity {
	const rounding = 1e-10 // of the largest entry of a mode
	largest := 0.0
	ofEven := 0.0
	ofOdd := 0.0
	for i := range m.points {
		v := at(i, mode)
		mirror := at(m.points-1-i, mode)
		largest = math.Max(largest, math.Abs(v))
		ofEven = math.Max(ofEven, math.Abs(v+mirror))
		ofOdd = math.Max(ofOdd, math.Abs(v-mirror))
	}
	switch {
	case ofOdd <= rounding*largest:
		return even
	case ofEven <= rounding*largest:
		return odd
	}
	return neither
}

// part returns the modes from the first one on with their entries at the first half of the points, without the rounding errors
// by which they differ from those at the other half.
func (m *mirrored) part(first int, sign float64, at func(point, mode int) float64, toPoints bool) modesOfParity {
	modes := modesOfParity{
		first: first,
		count: (m.modes - first + 1) / 2,
	}
	part := make([]float64, m.half*modes.count) // row-major
	for k := range modes.count {
		j := first + 2*k
		for i := range m.half {
			v := (at(i, j) + sign*at(m.points-1-i, j)) / 2
			if toPoints {
				part[i*modes.count+k] = v
			} else {
				part[k*m.half+i] = v
			}
		}
	}
	if toPoints {
		modes.part = linalg.Pack(part, m.half, modes.count)
	} else {
		modes.part = linalg.Pack(part, modes.count, m.half)
	}
	return modes
}

// of returns the rows of the modes in a block of coordinates, which are two rows apart.
func (p *modesOfParity) of(coordinates []float64) []float64 {
	if p.count == 0 {
		return nil
	}
	return coordinates[p.first*block:]
}

// setValues sets dst to the values at the points, points x block, of functions with coordinates, modes x block.
func (m *mirrored) setValues(dst, coordinates []float64) {
	clear(m.evenHalf)
	clear(m.oddHalf)
	m.even.part.AddTo(m.evenHalf, block, m.even.of(coordinates), 2*block)
	m.odd.part.AddTo(m.oddHalf, block, m.odd.of(coordinates), 2*block)
	linalg.UnfoldRows(dst, m.evenHalf, m.oddHalf)
}

// addCoordinates adds the coordinates, modes x block, of functions with values at the points, points x block.
func (m *mirrored) addCoordinates(dst, values []float64) {
	linalg.FoldRows(m.evenHalf, m.oddHalf, values)
	m.even.part.AddTo(m.even.of(dst), 2*block, m.evenHalf, block)
	m.odd.part.AddTo(m.odd.of(dst), 2*block, m.oddHalf, block)
}
