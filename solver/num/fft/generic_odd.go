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
		differenceRe := re[0] - re[1]
		differenceIm := im[0] - im[1]
		re[0] += re[1]
		im[0] += im[1]
		re[1] = differenceRe
		im[1] = differenceIm
	}
	n := int(radix)
	x := *re
	y := *im
	for k := 1; k <= (n-1)/2; k++ {
		re[0] += x[k] + x[n-k]
		im[0] += y[k] + y[n-k]
		evenRe, evenIm := x[0], y[0]
		oddRe, oddIm := 0.0, 0.0
		for j := 1; j <= (n-1)/2; j++ {
			cos := roots[n].cos[j*k%n]
			sin := roots[n].sin[j*k%n]
			evenRe += cos * (x[j] + x[n-j])
			evenIm += cos * (y[j] + y[n-j])
			oddRe += sin * (x[j] - x[n-j])
			oddIm += sin * (y[j] - y[n-j])
		}
		re[k] = evenRe - oddIm
		im[k] = evenIm + oddRe
		re[n-k] = evenRe + oddIm
		im[n-k] = evenIm - oddRe
	}
}

// pass joins sub-transforms of length q, or splits into them if real parts, which begin at the position re, follow the
// imaginary ones. Twiddle factors come before an inverse butterfly, and after a forward one.
func (radix odd) pass(z, twiddles []float64, q, re, im int) {
	var x, y parts
	n := int(radix)
	inverse := re == 0
	for first := 0; first < len(z)/stride; first += n * q {
		for j := range q {
			w := twiddles[2*(n-1)*j : 2*(n-1)*(j+1)] // those of positions 1 ... n-1
			for l := range Lanes {
				for r := range n {
					p := at(z, first+j+r*q)
					x[r] = p[l+re]
					y[r] = p[l+im]
					if inverse && r > 0 {
						x[r], y[r] = times(x[r], y[r], w[2*r-2], w[2*r-1])
					}
				}
				radix.butterfly(&x, &y)
				for k := range n {
					if !inverse && k > 0 {
						x[k], y[k] = times(x[k], y[k], w[2*k-2], w[2*k-1])
					}
					p := at(z, first+j+k*q)
					p[l+re] = x[k]
					p[l+im] = y[k]
				}
			}
		}
	}
}
