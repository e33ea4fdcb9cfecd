// This file implements the kernels of radix 2 and of odd radices in pure Go.

package fft

// largestOdd is the largest of the radices of this file.
const largestOdd = 7

// odd is the radix of a pass: 1, 2, 3, 5 or 7.
type odd int

// roots holds the cosines and sines of 2 pi k/radix.
var roots = func() (all [largestOdd + 1]struct{ cos, sin [largestOdd]float64 }) {
	for _, radix := range []int{3, 5, 7} {
		for k := range radix {
			cos, sin := rootOfUnity(k, radix)
			all[radix].cos[k] = cos
			all[radix].sin[k] = sin
		}
	}
	return all
}()

// butterfly replaces the numbers x_j by y_k = sum_j x_j exp(2 pi i jk/radix). With s_j = x_j + x_radix-j and
// d_j = x_j - x_radix-j, j = 1 ... h, h = (radix-1)/2,
//
//	y_k, y_radix-k = x_0 + sum_j cos(2 pi jk/radix) s_j +- i sum_j sin(2 pi jk/radix) d_j.
func (radix odd) butterfly(numbers *[largestOdd]complex128) {
	if radix == 2 {
		x0 := numbers[0]
		x1 := numbers[1]
		numbers[0] = x0 + x1
		numbers[1] = x0 - x1
		return
	}
	n := int(radix)
	half := (n - 1) / 2
	x := *numbers
	for k := 1; k <= half; k++ {
		numbers[0] += x[k] + x[n-k]
		cosines := x[0]
		sines := complex(0, 0)
		for j := 1; j <= half; j++ {
			cos := roots[n].cos[j*k%n]
			sin := roots[n].sin[j*k%n]
			sum := x[j] + x[n-j]
			difference := x[j] - x[n-j]
			cosines += complex(cos*real(sum), cos*imag(sum))
			sines += complex(sin*real(difference), sin*imag(difference))
		}
		numbers[k] = plusI(cosines, sines)
		numbers[n-k] = minusI(cosines, sines)
	}
}

// inversePass joins sub-transforms of length q. The twiddle factors for each j are those of positions 1 ... radix-1,
// and come before the butterfly.
func (radix odd) inversePass(z, twiddles []float64, q int) {
	var group [largestOdd]complex128
	n := int(radix)
	factors := n - 1
	for first := 0; first < len(z)/stride; first += n * q {
		for j := range q {
			w := twiddles[2*factors*j:][:2*factors]
			for l := range Lanes {
				group[0] = at(z, first+j).get(l)
				for r := 1; r < n; r++ {
					value := at(z, first+j+r*q).get(l)
					group[r] = value * complexAt(w, r-1)
				}
				radix.butterfly(&group)
				for k := range n {
					at(z, first+j+k*q).set(l, group[k])
				}
			}
		}
	}
}

// forwardPass splits into sub-transforms of length q, with the conjugates of the same factors behind the butterfly.
func (radix odd) forwardPass(z, twiddles []float64, q int) {
	var group [largestOdd]complex128
	n := int(radix)
	factors := n - 1
	for first := 0; first < len(z)/stride; first += n * q {
		for j := range q {
			w := twiddles[2*factors*j:][:2*factors]
			for l := range Lanes {
				for r := range n {
					group[r] = at(z, first+j+r*q).getExchanged(l)
				}
				radix.butterfly(&group)
				at(z, first+j).setExchanged(l, group[0])
				for k := 1; k < n; k++ {
					value := group[k] * complexAt(w, k-1)
					at(z, first+j+k*q).setExchanged(l, value)
				}
			}
		}
	}
}

func (radix odd) inverseFirst(z []float64) {
	var group [largestOdd]complex128
	n := int(radix)
	for ; len(z) > 0; z = z[n*stride:] {
		for l := range Lanes {
			for r := range n {
				group[r] = at(z, r).get(l)
			}
			radix.butterfly(&group)
			for k := range n {
				at(z, k).set(l, group[k])
			}
		}
	}
}

func (radix odd) forwardLast(z []float64) {
	var group [largestOdd]complex128
	n := int(radix)
	for ; len(z) > 0; z = z[n*stride:] {
		for l := range Lanes {
			for r := range n {
				group[r] = at(z, r).getExchanged(l)
			}
			radix.butterfly(&group)
			for k := range n {
				at(z, k).setExchanged(l, group[k])
			}
		}
	}
}
