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
	return xr*wr - xi*wi, xr*wi + xi*wr
}

// butterfly4 returns y_k = sum_j x_j exp(2 pi i jk/4).
func butterfly4(x0r, x0i, x1r, x1i, x2r, x2i, x3r, x3i float64) (y0r, y0i, y1r, y1i, y2r, y2i, y3r, y3i float64) {
	sr, si, dr, di := x0r+x2r, x0i+x2i, x0r-x2r, x0i-x2i
	tr, ti, er, ei := x1r+x3r, x1i+x3i, x1r-x3r, x1i-x3i
	return sr + tr, si + ti, dr - ei, di + er, sr - tr, si - ti, dr + ei, di - er
}

func inversePass4(z, twiddles []float64, q int) {
	for b := 0; b < len(z)/stride; b += 4 * q {
		for j := b; j < b+q; j++ {
			w := (*[6]float64)(twiddles[6*(j-b) : 6*(j-b)+6])
			x0, x1, x2, x3 := at(z, j), at(z, j+q), at(z, j+2*q), at(z, j+3*q)
			for l := range Lanes {
				m := l + Lanes
				br, bi := times(x1[l], x1[m], w[0], w[1])
				cr, ci := times(x2[l], x2[m], w[2], w[3])
				dr, di := times(x3[l], x3[m], w[4], w[5])
				x0[l], x0[m], x1[l], x1[m], x2[l], x2[m], x3[l], x3[m] = butterfly4(x0[l], x0[m], br, bi, cr, ci, dr, di)
			}
		}
	}
}

func forwardPass4(z, twiddles []float64, q int) {
	for b := 0; b < len(z)/stride; b += 4 * q {
		for j := b; j < b+q; j++ {
			w := (*[6]float64)(twiddles[6*(j-b) : 6*(j-b)+6])
			x0, x1, x2, x3 := at(z, j), at(z, j+q), at(z, j+2*q), at(z, j+3*q)
			for l := range Lanes {
				m := l + Lanes
				ai, ar, bi, br, ci, cr, di, dr := butterfly4(x0[m], x0[l], x1[m], x1[l], x2[m], x2[l], x3[m], x3[l])
				x0[l], x0[m] = ar, ai
				x1[m], x1[l] = times(bi, br, w[0], w[1])
				x2[m], x2[l] = times(ci, cr, w[2], w[3])
				x3[m], x3[l] = times(di, dr, w[4], w[5])
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
				x[j], y[j] = z[stride*j+l+re], z[stride*j+l+im]
			}
			odd(radix).butterfly(&x, &y)
			for k := range radix {
				z[stride*k+l+re], z[stride*k+l+im] = x[k], y[k]
			}
		}
	}
}

// butterfly8 replaces the eight points x_j whose real parts are z[8j+re] and whose
// imaginary parts are z[8j+im] by y_k = sum_j x_j exp(2 pi i jk/8): two butterflies of
// the even and the odd points, joined by the eighth roots of unity.
func butterfly8(z []float64, re, im int) {
	x, y := z[re:re+7*stride+1], z[im:im+7*stride+1]
	e0r, e0i, e1r, e1i, e2r, e2i, e3r, e3i := butterfly4(x[0], y[0], x[16], y[16], x[32], y[32], x[48], y[48])
	o0r, o0i, o1r, o1i, o2r, o2i, o3r, o3i := butterfly4(x[8], y[8], x[24], y[24], x[40], y[40], x[56], y[56])
	const c = 1 / math.Sqrt2
	o1r, o1i = c*(o1r-o1i), c*(o1r+o1i)
	o2r, o2i = -o2i, o2r
	o3r, o3i = -c*(o3r+o3i), c*(o3r-o3i)
	x[0], y[0], x[32], y[32] = e0r+o0r, e0i+o0i, e0r-o0r, e0i-o0i
	x[8], y[8], x[40], y[40] = e1r+o1r, e1i+o1i, e1r-o1r, e1i-o1i
	x[16], y[16], x[48], y[48] = e2r+o2r, e2i+o2i, e2r-o2r, e2i-o2i
	x[24], y[24], x[56], y[56] = e3r+o3r, e3i+o3i, e3r-o3r, e3i-o3i
}

func productFirst(radix int, z, v, a []float64) {
	for i := range len(a) / 2 {
		wr, wi := a[2*i], a[2*i+1]
		x, y := at(z, i), at(v, i)
		for l := range Lanes {
			x[l], x[l+Lanes] = times(y[l], y[l+Lanes], wr, wi)
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
			c, v := table[i], at(blocks[j], i)
			for l := range Lanes {
				if m := l + Lanes; j < plain {
					sum[l], sum[m] = sum[l]+c*v[l], sum[m]+c*v[m]
				} else {
					sum[l], sum[m] = sum[l]-c*v[m], sum[m]+c*v[l]
				}
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
				re, im := times(v[l], v[l+Lanes], a[2*i], a[2*i+1])
				sum[l], sum[l+Lanes] = sum[l]+re, sum[l+Lanes]+im
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
		f := (*[4]float64)(weights[4*i : 4*i+4])
		v, z, w := at(last, i), at(next, i), at(u, i)
		for l := range Lanes {
			m := l + Lanes
			re, im := z[l]-v[l], z[m]-v[m]
			sums[0][l] += f[0] * (re*re + im*im)
			sums[1][l] += f[1] * (w[l]*w[l] + w[m]*w[m])
			sums[2][l] += f[2] * (z[l]*z[l] + z[m]*z[m])
		}
	}
	if !bend {
		return
	}
	for i := range len(weights) / 4 {
		x, y, z := at(first, i), at(middle, i), at(next, i)
		for l := range Lanes {
			m := l + Lanes
			re, im := x[l]-2*y[l]+z[l], x[m]-2*y[m]+z[m]
			square := re*re + im*im
			sums[3][l] += weights[4*i+3] * square * square /
				(x[l]*x[l] + x[m]*x[m] + 2*(y[l]*y[l]+y[m]*y[m]) + z[l]*z[l] + z[m]*z[m] + tiny)
		}
	}
}

// tiny keeps a quotient of zeros finite.
const tiny = 1e-300
