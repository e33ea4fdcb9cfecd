// This file implements the kernels of radix 2 and of odd radices in pure Go.

package fft

import "math"

// parts holds the real or the imaginary parts of the points of one butterfly.
type parts = [7]float64

// odd is the radix of a pass: 1, 2, 3, 5 or 7.
type odd int

var (
	sin13, _     = math.Sincos(2 * math.Pi / 3)
	sin15, cos15 = math.Sincos(2 * math.Pi / 5)
	sin25, cos25 = math.Sincos(4 * math.Pi / 5)
	sin17, cos17 = math.Sincos(2 * math.Pi / 7)
	sin27, cos27 = math.Sincos(4 * math.Pi / 7)
	sin37, cos37 = math.Sincos(6 * math.Pi / 7)
)

// butterfly replaces the points x_j of one lane by y_k = sum_j x_j exp(2 pi i jk/radix). With
// s_j = x_j + x_radix-j and d_j = x_j - x_radix-j, j = 1 ... h, h = (radix-1)/2,
//
//	y_k, y_radix-k = x_0 + sum_j cos(2 pi jk/radix) s_j +- i sum_j sin(2 pi jk/radix) d_j.
func (radix odd) butterfly(re, im *parts) {
	switch radix {
	case 2:
		re[0], im[0], re[1], im[1] = re[0]+re[1], im[0]+im[1], re[0]-re[1], im[0]-im[1]
	case 3:
		butterfly3(re, im)
	case 5:
		butterfly5(re, im)
	case 7:
		butterfly7(re, im)
	}
}

func butterfly3(re, im *parts) {
	sr, si, dr, di := re[1]+re[2], im[1]+im[2], re[1]-re[2], im[1]-im[2]
	cr, ci := re[0]-sr/2, im[0]-si/2
	re[0], im[0] = re[0]+sr, im[0]+si
	re[1], re[2] = cr-sin13*di, cr+sin13*di
	im[1], im[2] = ci+sin13*dr, ci-sin13*dr
}

func butterfly5(re, im *parts) {
	s1r, s1i, d1r, d1i := re[1]+re[4], im[1]+im[4], re[1]-re[4], im[1]-im[4]
	s2r, s2i, d2r, d2i := re[2]+re[3], im[2]+im[3], re[2]-re[3], im[2]-im[3]
	c1r, c1i := re[0]+cos15*s1r+cos25*s2r, im[0]+cos15*s1i+cos25*s2i
	c2r, c2i := re[0]+cos25*s1r+cos15*s2r, im[0]+cos25*s1i+cos15*s2i
	o1r, o1i := sin15*d1r+sin25*d2r, sin15*d1i+sin25*d2i
	o2r, o2i := sin25*d1r-sin15*d2r, sin25*d1i-sin15*d2i
	re[0], im[0] = re[0]+s1r+s2r, im[0]+s1i+s2i
	re[1], re[4], im[1], im[4] = c1r-o1i, c1r+o1i, c1i+o1r, c1i-o1r
	re[2], re[3], im[2], im[3] = c2r-o2i, c2r+o2i, c2i+o2r, c2i-o2r
}

func butterfly7(re, im *parts) {
	s1r, s1i, d1r, d1i := re[1]+re[6], im[1]+im[6], re[1]-re[6], im[1]-im[6]
	s2r, s2i, d2r, d2i := re[2]+re[5], im[2]+im[5], re[2]-re[5], im[2]-im[5]
	s3r, s3i, d3r, d3i := re[3]+re[4], im[3]+im[4], re[3]-re[4], im[3]-im[4]
	c1r, c1i := re[0]+cos17*s1r+cos27*s2r+cos37*s3r, im[0]+cos17*s1i+cos27*s2i+cos37*s3i
	c2r, c2i := re[0]+cos27*s1r+cos37*s2r+cos17*s3r, im[0]+cos27*s1i+cos37*s2i+cos17*s3i
	c3r, c3i := re[0]+cos37*s1r+cos17*s2r+cos27*s3r, im[0]+cos37*s1i+cos17*s2i+cos27*s3i
	o1r, o1i := sin17*d1r+sin27*d2r+sin37*d3r, sin17*d1i+sin27*d2i+sin37*d3i
	o2r, o2i := sin27*d1r-sin37*d2r-sin17*d3r, sin27*d1i-sin37*d2i-sin17*d3i
	o3r, o3i := sin37*d1r-sin17*d2r+sin27*d3r, sin37*d1i-sin17*d2i+sin27*d3i
	re[0], im[0] = re[0]+s1r+s2r+s3r, im[0]+s1i+s2i+s3i
	re[1], re[6], im[1], im[6] = c1r-o1i, c1r+o1i, c1i+o1r, c1i-o1r
	re[2], re[5], im[2], im[5] = c2r-o2i, c2r+o2i, c2i+o2r, c2i-o2r
	re[3], re[4], im[3], im[4] = c3r-o3i, c3r+o3i, c3i+o3r, c3i-o3r
}

func (radix odd) firstKernels() firstKernels {
	return firstKernels{radix.inverseFirst, productFirst(radix.inverseFirst), radix.forwardLast}
}

func (radix odd) inverseFirst(z []float64) { radix.adjacent(z, 0, Lanes) }

func (radix odd) forwardLast(z []float64) { radix.adjacent(z, Lanes, 0) }

// adjacent transforms groups of adjacent positions, whose real parts begin at z[re].
func (radix odd) adjacent(z []float64, re, im int) {
	var x, y parts
	for group := 0; group < len(z); group += int(radix) * stride {
		for l := range Lanes {
			for j := range int(radix) {
				i := group + stride*j + l
				x[j], y[j] = z[i+re], z[i+im]
			}
			radix.butterfly(&x, &y)
			for k := range int(radix) {
				i := group + stride*k + l
				z[i+re], z[i+im] = x[k], y[k]
			}
		}
	}
}

func (radix odd) passKernels() passKernels {
	return passKernels{radix.inverse, splitAfter(radix.inverse), radix.forward}
}

// factors returns the twiddle factors of position j.
func (radix odd) factors(twiddles []float64, j int) []float64 {
	width := 2 * int(radix-1)
	return twiddles[width*j : width*(j+1)]
}

// legs are pointers to the points of one butterfly.
type legs [7]*point

// at points to position j of each of the sub-transforms of length q.
func (p *legs) at(z []float64, j, q int, radix odd) {
	for r := range int(radix) {
		p[r] = at(z, j+r*q)
	}
}

func (radix odd) inverse(z, twiddles []float64, q int) {
	var x, y parts
	var p legs
	for b := 0; b < len(z)/stride; b += int(radix) * q {
		for j := range q {
			w := radix.factors(twiddles, j)
			p.at(z, b+j, q, radix)
			for l := range Lanes {
				x[0], y[0] = p[0][l], p[0][l+Lanes]
				for r := 1; r < int(radix); r++ {
					x[r], y[r] = times(p[r][l], p[r][l+Lanes], w[2*r-2], w[2*r-1])
				}
				radix.butterfly(&x, &y)
				for k := range int(radix) {
					p[k][l], p[k][l+Lanes] = x[k], y[k]
				}
			}
		}
	}
}

func (radix odd) forward(z, twiddles []float64, q int) {
	var x, y parts
	var p legs
	for b := 0; b < len(z)/stride; b += int(radix) * q {
		for j := range q {
			w := radix.factors(twiddles, j)
			p.at(z, b+j, q, radix)
			for l := range Lanes {
				for r := range int(radix) {
					x[r], y[r] = p[r][l+Lanes], p[r][l]
				}
				radix.butterfly(&x, &y)
				p[0][l+Lanes], p[0][l] = x[0], y[0]
				for k := 1; k < int(radix); k++ {
					p[k][l+Lanes], p[k][l] = times(x[k], y[k], w[2*k-2], w[2*k-1])
				}
			}
		}
	}
}
