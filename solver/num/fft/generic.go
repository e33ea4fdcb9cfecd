// This file implements the kernels in pure Go.
//
// A forward transform is an inverse one with real and imaginary parts exchanged before and after, so the forward
// kernels call the same butterflies with numbers that they read and write in the other order.

package fft

import "math"

// point is one position of a block: real parts of the lanes, then imaginary parts.
type point [stride]float64

// at returns position i of a block.
func at(z []float64, i int) *point {
	first := stride * i
	return (*point)(z[first : first+stride])
}

// get returns the number of a lane.
func (p *point) get(lane int) complex128 {
	re := p[lane]
	im := p[lane+Lanes]
	return complex(re, im)
}

// set sets the number of a lane.
func (p *point) set(lane int, z complex128) {
	p[lane] = real(z)
	p[lane+Lanes] = imag(z)
}

// getExchanged returns the number of a lane with its parts exchanged.
func (p *point) getExchanged(lane int) complex128 {
	re := p[lane+Lanes]
	im := p[lane]
	return complex(re, im)
}

// setExchanged sets the number of a lane, whose parts are exchanged.
func (p *point) setExchanged(lane int, z complex128) {
	p[lane+Lanes] = real(z)
	p[lane] = imag(z)
}

// complexAt returns number i of a table in which real and imaginary parts are interleaved.
func complexAt(table []float64, i int) complex128 {
	re := table[2*i]
	im := table[2*i+1]
	return complex(re, im)
}

// plusI returns x + i y without a multiplication.
func plusI(x, y complex128) complex128 {
	re := real(x) - imag(y)
	im := imag(x) + real(y)
	return complex(re, im)
}

// minusI returns x - i y without a multiplication.
func minusI(x, y complex128) complex128 {
	re := real(x) + imag(y)
	im := imag(x) - real(y)
	return complex(re, im)
}

// butterfly4 returns y_k = sum_j x_j exp(2 pi i jk/4), by sums and differences of the points of even and of odd index.
func butterfly4(x0, x1, x2, x3 complex128) (y0, y1, y2, y3 complex128) {
	evenSum := x0 + x2
	evenDifference := x0 - x2
	oddSum := x1 + x3
	oddDifference := x1 - x3
	y0 = evenSum + oddSum
	y1 = plusI(evenDifference, oddDifference)
	y2 = evenSum - oddSum
	y3 = minusI(evenDifference, oddDifference)
	return y0, y1, y2, y3
}

// inversePass4 joins four sub-transforms of length q at a time. The twiddle factors of positions 1, 2 and 3 are three
// complex numbers for each j, in a row.
func inversePass4(z, twiddles []float64, q int) {
	for first := 0; first < len(z)/stride; first += 4 * q {
		for j := range q {
			w := (*[6]float64)(twiddles[6*j : 6*j+6])
			p0 := at(z, first+j)
			p1 := at(z, first+j+q)
			p2 := at(z, first+j+2*q)
			p3 := at(z, first+j+3*q)
			for l := range Lanes {
				x0 := p0.get(l)
				x1 := p1.get(l) * complexAt(w[:], 0)
				x2 := p2.get(l) * complexAt(w[:], 1)
				x3 := p3.get(l) * complexAt(w[:], 2)
				y0, y1, y2, y3 := butterfly4(x0, x1, x2, x3)
				p0.set(l, y0)
				p1.set(l, y1)
				p2.set(l, y2)
				p3.set(l, y3)
			}
		}
	}
}

// forwardPass4 splits transforms into four of length q each, with the conjugates of the same factors.
func forwardPass4(z, twiddles []float64, q int) {
	for first := 0; first < len(z)/stride; first += 4 * q {
		for j := range q {
			w := (*[6]float64)(twiddles[6*j : 6*j+6])
			p0 := at(z, first+j)
			p1 := at(z, first+j+q)
			p2 := at(z, first+j+2*q)
			p3 := at(z, first+j+3*q)
			for l := range Lanes {
				x0 := p0.getExchanged(l)
				x1 := p1.getExchanged(l)
				x2 := p2.getExchanged(l)
				x3 := p3.getExchanged(l)
				y0, y1, y2, y3 := butterfly4(x0, x1, x2, x3)
				p0.setExchanged(l, y0)
				p1.setExchanged(l, y1*complexAt(w[:], 0))
				p2.setExchanged(l, y2*complexAt(w[:], 1))
				p3.setExchanged(l, y3*complexAt(w[:], 2))
			}
		}
	}
}

func inversePass(radix int, z, twiddles []float64, q int) {
	if radix == 4 {
		inversePass4(z, twiddles, q)
	} else {
		odd(radix).inversePass(z, twiddles, q)
	}
}

func forwardPass(radix int, z, twiddles []float64, q int) {
	if radix == 4 {
		forwardPass4(z, twiddles, q)
	} else {
		odd(radix).forwardPass(z, twiddles, q)
	}
}

// unitTwiddles are the factors of a pass of radix 4 that is the first one.
var unitTwiddles = []float64{1, 0, 1, 0, 1, 0}

func inverseFirst(radix int, z []float64) {
	switch radix {
	case 4:
		inversePass4(z, unitTwiddles, 1)
	case 8:
		for ; len(z) > 0; z = z[8*stride:] {
			for l := range Lanes {
				butterfly8(z[:8*stride], l, l+Lanes)
			}
		}
	default:
		odd(radix).inverseFirst(z)
	}
}

func forwardLast(radix int, z []float64) {
	switch radix {
	case 4:
		forwardPass4(z, unitTwiddles, 1)
	case 8:
		for ; len(z) > 0; z = z[8*stride:] {
			for l := range Lanes {
				butterfly8(z[:8*stride], l+Lanes, l)
			}
		}
	default:
		odd(radix).forwardLast(z)
	}
}

// butterfly8 replaces the eight numbers x_j whose real parts are z[8j+re] and whose imaginary parts are z[8j+im] by
// y_k = sum_j x_j exp(2 pi i jk/8): two butterflies of the even and of the odd ones, joined by the eighth roots of unity.
func butterfly8(z []float64, re, im int) {
	const (
		last = 7 * stride
		c    = 1 / math.Sqrt2
	)
	x := (*[last + 1]float64)(z[re : re+last+1])
	y := (*[last + 1]float64)(z[im : im+last+1])
	even0, even1, even2, even3 := butterfly4(
		complex(x[0], y[0]),
		complex(x[2*stride], y[2*stride]),
		complex(x[4*stride], y[4*stride]),
		complex(x[6*stride], y[6*stride]),
	)
	odd0, odd1, odd2, odd3 := butterfly4(
		complex(x[1*stride], y[1*stride]),
		complex(x[3*stride], y[3*stride]),
		complex(x[5*stride], y[5*stride]),
		complex(x[7*stride], y[7*stride]),
	)

	// times exp(2 pi i k/8), besides odd2, which plusI and minusI multiply
	odd1 = complex(
		c*(real(odd1)-imag(odd1)),
		c*(real(odd1)+imag(odd1)),
	)
	odd3 = complex(
		-c*(real(odd3)+imag(odd3)),
		c*(real(odd3)-imag(odd3)),
	)

	set := func(k int, value complex128) {
		x[stride*k] = real(value)
		y[stride*k] = imag(value)
	}
	set(0, even0+odd0)
	set(1, even1+odd1)
	set(2, plusI(even2, odd2))
	set(3, even3+odd3)
	set(4, even0-odd0)
	set(5, even1-odd1)
	set(6, minusI(even2, odd2))
	set(7, even3-odd3)
}

func productFirst(radix int, z, v, a []float64) {
	for i := range len(a) / 2 {
		factor := complexAt(a, i)
		from := at(v, i)
		to := at(z, i)
		for l := range Lanes {
			to.set(l, from.get(l)*factor)
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
				sum[l] -= c * v[l+Lanes]
				sum[l+Lanes] += c * v[l]
			}
		}
		*at(dst, i) = sum
	}
}

func blend(_ int, dst []float64, tables, blocks [][]float64) {
	for i := range len(tables[0]) / 2 {
		var sum point
		for j, table := range tables {
			factor := complexAt(table, i)
			v := at(blocks[j], i)
			for l := range Lanes {
				sum.set(l, sum.get(l)+v.get(l)*factor)
			}
		}
		*at(dst, i) = sum
	}
}

func product(more bool, dst []float64, c float64, a []float64, e float64, b []float64) {
	for i, v := range a {
		value := (c*v + e) * b[i]
		if more {
			value += dst[i]
		}
		dst[i] = value
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

// squared returns |z|^2.
func squared(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }

func estimate(bend bool, sums *[4][Lanes]float64, weights, last, next, u, first, middle []float64) {
	for i := range len(weights) / 4 {
		weight := (*[4]float64)(weights[4*i : 4*i+4])
		before := at(last, i)
		after := at(next, i)
		state := at(u, i)
		for l := range Lanes {
			step := after.get(l) - before.get(l)
			sums[0][l] += weight[0] * squared(step)
			sums[1][l] += weight[1] * squared(state.get(l))
			sums[2][l] += weight[2] * squared(after.get(l))
		}
	}
	if !bend {
		return
	}
	for i := range len(weights) / 4 {
		weight := weights[4*i+3]
		x := at(first, i)
		y := at(middle, i)
		z := at(next, i)
		for l := range Lanes {
			m := l + Lanes
			re := x[l] - 2*y[l] + z[l]
			im := x[m] - 2*y[m] + z[m]
			square := re*re + im*im
			size := squared(x.get(l)) + 2*squared(y.get(l))
			size += z[l] * z[l]
			size += z[m] * z[m]
			sums[3][l] += weight * square * square / (size + tiny)
		}
	}
}

// tiny keeps a quotient of zeros finite.
const tiny = 1e-300
