// This file computes the tables: the storage order of spectra and the twiddle factors.

package fft

import (
	"math"
	"math/bits"
)

// radicesOf returns the radices of the passes in the order of the inverse, whose product is n, or nil if n has a prime
// factor beyond 7. Powers of two in the first pass and radix 4 for the rest in the last passes are the cheapest.
func radicesOf(n int) []int {
	var radices []int
	fours := 0
	twos := bits.TrailingZeros(uint(n))
	switch {
	case twos == 1:
		radices = append(radices, 2)
	case twos%2 == 1:
		radices = append(radices, 8)
		fours = (twos - 3) / 2
	case twos > 0:
		radices = append(radices, 4)
		fours = (twos - 2) / 2
	}
	n >>= twos
	for _, radix := range []int{7, 5, 3} {
		for ; n%radix == 0; n /= radix {
			radices = append(radices, radix)
		}
	}
	if n > 1 {
		return nil
	}
	for range fours {
		radices = append(radices, 4)
	}
	if len(radices) == 0 {
		return []int{1}
	}
	return radices
}

// digitReversed returns the signed frequency at every position: a transform of length n whose last pass has radix R
// keeps the frequencies Rk+r in the r-th of R parts, ordered by k as in a transform of length n/R, down to the length
// of the first pass, whose order is natural.
func digitReversed(n int, radices []int) []int {
	order := make([]int, 0, n)
	var visit func(k, step, last int)
	visit = func(k, step, last int) {
		radix := radices[last]
		for r := range radix {
			next := k + r*step
			switch {
			case last > 0:
				visit(next, radix*step, last-1)
			case 2*next > n:
				order = append(order, next-n)
			default:
				order = append(order, next)
			}
		}
	}
	visit(0, 1, len(radices)-1)
	return order
}

// mirrored returns, for every position, the position of the opposite frequency.
func mirrored(frequencies []int) []int {
	n := len(frequencies)
	position := make([]int, n)
	for p, k := range frequencies {
		position[(k+n)%n] = p
	}
	mirror := make([]int, n)
	for p, k := range frequencies {
		mirror[p] = position[(n-k)%n]
	}
	return mirror
}

// twiddles returns w^j, w^2j ... w^(radix-1)j for j = 0 ... q-1, w = exp(2 pi i/(radix q)), real and imaginary parts
// interleaved.
func twiddles(q, radix int) []float64 {
	table := make([]float64, 0, 2*(radix-1)*q)
	for j := range q {
		for r := 1; r < radix; r++ {
			re, im := rootOfUnity(r*j, radix*q)
			table = append(table, re, im)
		}
	}
	return table
}

// rootOfUnity returns exp(2 pi i k/n), 0 <= k < n, correct to half a unit in the last
// place or so: the angle is reduced to at most pi/4 in integers.
func rootOfUnity(k, n int) (re, im float64) {
	switch {
	case 2*k > n:
		re, im = rootOfUnity(n-k, n)
		return re, -im
	case 4*k > n:
		re, im = rootOfUnity(n-2*k, 2*n)
		return -re, im
	case 8*k > n:
		re, im = rootOfUnity(n-4*k, 4*n)
		return im, re
	}
	angle := 2 * math.Pi * float64(k) / float64(n)
	im, re = math.Sincos(angle)
	return re, im
}
