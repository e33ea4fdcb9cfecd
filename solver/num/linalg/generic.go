// The pure Go twins of the vector kernels.

package linalg

import "rfm/solver/num/simd"

// kernels computes with the instructions of one level.
type kernels struct{ level simd.Level }

// tilesGeneric is tiles in pure Go, on tiles of 4 x 12.
func (u *product) tilesGeneric(i0, i1, j0, j1, r, k int) {
	const (
		rows = 4
		cols = 12
	)
	for j := j0; j < j1; j += cols {
		b := u.right.data[u.right.at(r, j):]
		for i := i0; i < u.end(i1, j+cols); i += rows {
			a := u.left.data[u.left.at(r, i):]
			rankTileGeneric(k, a, b, u.right.stride, u.tileAt(i, j), u.row, u.panel)
		}
	}
}

// tileAt returns C from entry (i, j) on.
func (u *product) tileAt(i, j int) []float64 { return u.c[i*u.row+j/4*u.panel:] }

// end returns the end of the rows of the tiles to compute, for the columns before j.
func (u *product) end(i, j int) int {
	if u.upper {
		return min(i, j)
	}
	return i
}

// rankTileGeneric adds the 4 x 12 tile A'B to c: a is one panel of k rows, b three
// panels of k rows that start bStride apart; entry (i, 4p+l) of the tile is c[i*cRow+p*cPanel+l].
func rankTileGeneric(k int, a, b []float64, bStride int, c []float64, cRow, cPanel int) {
	for p := range 3 {
		panel := b[p*bStride:]
		ofPanel := c[p*cPanel:]
		rankHalfTile(k, a, panel, ofPanel, cRow)
		rankHalfTile(k, a[2:], panel, ofPanel[2*cRow:], cRow)
	}
}

// rankHalfTile adds a 2 x 4 tile: the first two lanes of panel a times panel b. Eight sums and six operands fit in 16
// registers.
func rankHalfTile(k int, a, b, c []float64, cRow int) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	a = a[:4*k-2]
	b = b[:4*k]
	for r := 0; r+4 <= len(b); r += 4 {
		x := (*[2]float64)(a[r : r+2])
		y := (*[4]float64)(b[r : r+4])
		a0 := x[0]
		a1 := x[1]
		c00 += a0 * y[0]
		c01 += a0 * y[1]
		c02 += a0 * y[2]
		c03 += a0 * y[3]
		c10 += a1 * y[0]
		c11 += a1 * y[1]
		c12 += a1 * y[2]
		c13 += a1 * y[3]
	}
	upper := (*[4]float64)(c)
	lower := (*[4]float64)(c[cRow:])
	upper[0] += c00
	upper[1] += c01
	upper[2] += c02
	upper[3] += c03
	lower[0] += c10
	lower[1] += c11
	lower[2] += c12
	lower[3] += c13
}

func combineGeneric(out, panel, alpha []float64) {
	a := (*[4]float64)(alpha)
	for r := range out {
		v := (*[4]float64)(panel[4*r:])
		out[r] += (a[0]*v[0] + a[1]*v[1]) + (a[2]*v[2] + a[3]*v[3])
	}
}

func dotGeneric(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		u := (*[4]float64)(x[i:])
		v := (*[4]float64)(y[i:])
		s0 += u[0] * v[0]
		s1 += u[1] * v[1]
		s2 += u[2] * v[2]
		s3 += u[3] * v[3]
	}
	for ; i < len(x); i++ {
		s0 += x[i] * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func axpyGeneric(a float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += a * v
	}
}
