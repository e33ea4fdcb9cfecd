// This file implements the kernels in pure Go.
//
// A forward transform is an inverse one with real and imaginary parts exchanged before
// and after, so the forward kernels call the same butterflies with their arguments in
// the other order.

package fft

import "math"

// point is one position of a block: real parts of the lanes, then imaginary parts.
type point = [stride]float64

func at(z []float64, i int) *point { return (*point)(z[stride*i : stride*i+stride]) }

func times(xr, xi, wr, wi float64) (re, im float64) {
	re = xr*wr - xi*wi
	im = xr*wi + xi*wr
	return re, im
}

// butterfly4 returns y_k = sum_j x_j exp(2 pi i jk/4), by the sums s, t and differences d, e of the points of even and
// of odd index. It has few statements, because the compiler does not inline it with more.
func butterfly4(x0r, x0i, x1r, x1i, x2r, x2i, x3r, x3i float64) (y0r, y0i, y1r, y1i, y2r, y2i, y3r, y3i float64) {
	sr, si, dr, di := x0r+x2r, x0i+x2i, x0r-x2r, x0i-x2i
	tr, ti, er, ei := x1r+x3r, x1i+x3i, x1r-x3r, x1i-x3i
	return sr + tr, si + ti, dr - ei, di + er, sr - tr, si - ti, dr + ei, di - er
}

// inversePass4 joins four sub-transforms of length q at a time. The twiddle factors of positions 1, 2 and 3 are three
// complex numbers for each j, in a row.
func inversePass4(z, twiddles []float64, q int) {
	for first := 0; first < len(z)/stride; first += 4 * q {
		for j := range q {
			w := (*[6]float64)(twiddles[6*j : 6*j+6])
			x0 := at(z, first+j)
			x1 := at(z, first+j+q)
			x2 := at(z, first+j+2*q)
			x3 := at(z, first+j+3*q)
			for l := range Lanes {
				m := l + Lanes
				r1, i1 := times(x1[l], x1[m], w[0], w[1])
				r2, i2 := times(x2[l], x2[m], w[2], w[3])
				r3, i3 := times(x3[l], x3[m], w[4], w[5])
				r0, i0, r1, i1, r2, i2, r3, i3 := butterfly4(x0[l], x0[m], r1, i1, r2, i2, r3, i3)
				x0[l], x0[m] = r0, i0
				x1[l], x1[m] = r1, i1
				x2[l], x2[m] = r2, i2
				x3[l], x3[m] = r3, i3
			}
		}
	}
}

// forwardPass4 splits transforms into four of length q each, with the conjugates of the same factors.
func forwardPass4(z, twiddles []float64, q int) {
	for first := 0; first < len(z)/stride; first += 4 * q {
		for j := range q {
			w := (*[6]float64)(twiddles[6*j : 6*j+6])
			x0 := at(z, first+j)
			x1 := at(z, first+j+q)
			x2 := at(z, first+j+2*q)
			x3 := at(z, first+j+3*q)
			for l := range Lanes {
				m := l + Lanes
				i0, r0, i1, r1, i2, r2, i3, r3 := butterfly4(x0[m], x0[l], x1[m], x1[l], x2[m], x2[l], x3[m], x3[l])
				x0[l], x0[m] = r0, i0
				x1[m], x1[l] = times(i1, r1, w[0], w[1])
				x2[m], x2[l] = times(i2, r2, w[2], w[3])
				x3[m], x3[l] = times(i3, r3, w[4], w[5])
			}
		}
	}
}

func inversePass(radix int, z, twiddles []float64, q int) { join(radix, z, twiddles, q, 0, Lanes) }

func forwardPass(radix int, z, twiddles []float64, q int) { join(radix, z, twiddles, q, Lanes, 0) }

func inverseFirst(radix int, z []float64) { join(radix, z, nil, 1, 0, Lanes) }

func forwardLast(radix int, z []float64) { join(radix, z, nil, 1, Lanes, 0) }

// join applies a pass to points whose real parts begin at re: after the imaginary parts in forward transforms. The
// first pass has no twiddle factors.
func join(radix int, z, twiddles []float64, q, re, im int) {
	switch first := twiddles == nil; {
	case first && radix == 4:
		join(radix, z, []float64{1, 0, 1, 0, 1, 0}, q, re, im)
	case first:
		adjacent(radix, z, re, im)
	case radix != 4:
		odd(radix).pass(z, twiddles, q, re, im)
	case re == 0:
		inversePass4(z, twiddles, q)
	default:
		forwardPass4(z, twiddles, q)
	}
}

// adjacent transforms groups of adjacent positions, whose real parts begin at z[re].
func adjacent(radix int, z []float64, re, im int) {
	var x, y parts
	for ; len(z) > 0; z = z[radix*stride:] {
		for l := range Lanes {
			if radix == 8 {
				butterfly8(z[:8*stride], re+l, im+l)
				continue
			}
			for j := range radix {
				x[j] = z[stride*j+l+re]
				y[j] = z[stride*j+l+im]
			}
			odd(radix).butterfly(&x, &y)
			for k := range radix {
				z[stride*k+l+re] = x[k]
				z[stride*k+l+im] = y[k]
			}
		}
	}
}

// butterfly8 replaces the eight points x_j whose real parts are z[8j+re] and whose
// imaginary parts are z[8j+im] by y_k = sum_j x_j exp(2 pi i jk/8): two butterflies of
// the even and the odd points, joined by the eighth roots of unity.
func butterfly8(z []float64, re, im int) {
	x := z[re : re+7*stride+1]
	y := z[im : im+7*stride+1]
	e0r, e0i, e1r, e1i, e2r, e2i, e3r, e3i := butterfly4(x[0], y[0], x[16], y[16], x[32], y[32], x[48], y[48])
	o0r, o0i, o1r, o1i, o2r, o2i, o3r, o3i := butterfly4(x[8], y[8], x[24], y[24], x[40], y[40], x[56], y[56])

	// the odd ones times exp(2 pi i k/8)
	const c = 1 / math.Sqrt2
	o1r, o1i = c*(o1r-o1i), c*(o1r+o1i)
	o2r, o2i = -o2i, o2r
	o3r, o3i = -c*(o3r+o3i), c*(o3r-o3i)

	// y_k is their sum, and y_k+4 their difference
	x[0] = e0r + o0r
	y[0] = e0i + o0i
	x[32] = e0r - o0r
	y[32] = e0i - o0i
	x[8] = e1r + o1r
	y[8] = e1i + o1i
	x[40] = e1r - o1r
	y[40] = e1i - o1i
	x[16] = e2r + o2r
	y[16] = e2i + o2i
	x[48] = e2r - o2r
	y[48] = e2i - o2i
	x[24] = e3r + o3r
	y[24] = e3i + o3i
	x[56] = e3r - o3r
	y[56] = e3i - o3i
}

func productFirst(radix int, z, v, a []float64) {
	for i := range len(a) / 2 {
		wr, wi := a[2*i], a[2*i+1]
		x := at(z, i)
		y := at(v, i)
		for l := range Lanes {
			m := l + Lanes
			x[l], x[m] = times(y[l], y[m], wr, wi)
		}
	}
	if radix > 1 {
		inverseFirst(radix, z)
	}
}

func combine(plain int, dst []float64, tables, blocks [][]float64) {
	for i := range tables[0] {
		var sum point
		for j, table := range tables {
			c := table[i]
			v := at(blocks[j], i)
			if j < plain {
				for l, x := range v {
					sum[l] += c * x
				}
				continue
			}
			for l := range Lanes { // i c v
				m := l + Lanes
				sum[l] -= c * v[m]
				sum[m] += c * v[l]
			}
		}
		*at(dst, i) = sum
	}
}

func blend(_ int, dst []float64, tables, blocks [][]float64) {
	for i := range len(tables[0]) / 2 {
		var sum point
		for j, a := range tables {
			v := at(blocks[j], i)
			for l := range Lanes {
				m := l + Lanes
				re, im := times(v[l], v[m], a[2*i], a[2*i+1])
				sum[l] += re
				sum[m] += im
			}
		}
		*at(dst, i) = sum
	}
}

func product(more bool, dst []float64, c float64, a []float64, e float64, b []float64) {
	for i, v := range a {
		if more {
			dst[i] += (c*v + e) * b[i]
		} else {
			dst[i] = (c*v + e) * b[i]
		}
	}
}

func inverseSplit(radix int, re, im, z, twiddles []float64, q int) {
	inversePass(radix, z, twiddles, q)
	split(re, im, z)
}

// split writes the real and imaginary parts of the block z as panels of four lanes.
func split(re, im, z []float64) {
	for i := range len(z) / stride {
		x := at(z, i)
		copy(re[Lanes*i:Lanes*i+Lanes], x[:Lanes])
		copy(im[Lanes*i:Lanes*i+Lanes], x[Lanes:])
	}
}

func estimate(bend bool, sums *[4][Lanes]float64, weights, last, next, u, first, middle []float64) {
	for i := range len(weights) / 4 {
		weight := (*[4]float64)(weights[4*i : 4*i+4])
		before := at(last, i)
		after := at(next, i)
		state := at(u, i)
		for l := range Lanes {
			m := l + Lanes
			re := after[l] - before[l]
			im := after[m] - before[m]
			sums[0][l] += weight[0] * (re*re + im*im)
			sums[1][l] += weight[1] * (state[l]*state[l] + state[m]*state[m])
			sums[2][l] += weight[2] * (after[l]*after[l] + after[m]*after[m])
		}
	}
	if !bend {
		return
	}
	for i := range len(weights) / 4 {
		x := at(first, i)
		y := at(middle, i)
		z := at(next, i)
		for l := range Lanes {
			m := l + Lanes
			re := x[l] - 2*y[l] + z[l]
			im := x[m] - 2*y[m] + z[m]
			square := re*re + im*im
			size := x[l]*x[l] + x[m]*x[m] + 2*(y[l]*y[l]+y[m]*y[m]) + z[l]*z[l] + z[m]*z[m] + tiny
			sums[3][l] += weights[4*i+3] * square * square / size
		}
	}
}

// tiny keeps a quotient of zeros finite.
const tiny = 1e-300
