// This file implements the kernels of radix 2 and of odd radices in pure Go.

package fft

// parts holds the real or the imaginary parts of the points of one butterfly.
type parts = [7]float64

// odd is the radix of a pass: 1, 2, 3, 5 or 7.
type odd int

// roots holds the cosines and sines of 2 pi k/radix.
var roots = func() (all [8]struct{ cos, sin parts }) {
	for _, radix := range []int{3, 5, 7} {
		for k := range radix {
			all[radix].cos[k], all[radix].sin[k] = rootOfUnity(k, radix)
		}
	}
	return all
}()

// butterfly replaces the points x_j of one lane by y_k = sum_j x_j exp(2 pi i jk/radix). With
// s_j = x_j + x_radix-j and d_j = x_j - x_radix-j, j = 1 ... h, h = (radix-1)/2,
//
//	y_k, y_radix-k = x_0 + sum_j cos(2 pi jk/radix) s_j +- i sum_j sin(2 pi jk/radix) d_j.
func (radix odd) butterfly(re, im *parts) {
	if radix == 2 {
		re[0], im[0], re[1], im[1] = re[0]+re[1], im[0]+im[1], re[0]-re[1], im[0]-im[1]
	}
	n, x, y := int(radix), *re, *im
	for k := 1; k <= (n-1)/2; k++ {
		re[0], im[0] = re[0]+(x[k]+x[n-k]), im[0]+(y[k]+y[n-k])
		evenRe, evenIm, oddRe, oddIm := x[0], y[0], 0.0, 0.0
		for j := 1; j <= (n-1)/2; j++ {
			cos, sin := roots[n].cos[j*k%n], roots[n].sin[j*k%n]
			evenRe, evenIm = evenRe+cos*(x[j]+x[n-j]), evenIm+cos*(y[j]+y[n-j])
			oddRe, oddIm = oddRe+sin*(x[j]-x[n-j]), oddIm+sin*(y[j]-y[n-j])
		}
		re[k], re[n-k], im[k], im[n-k] = evenRe-oddIm, evenRe+oddIm, evenIm+oddRe, evenIm-oddRe
	}
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
