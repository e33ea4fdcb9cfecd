// Tables: the storage order of spectra and the twiddle factors.

package fft

import (
	"math"
	"math/bits"
)

// firstRadix returns the radix of the pass without twiddle factors: 4 or 8, so that
// radix-4 passes make up the rest of n, a power of two.
func firstRadix(n int) int {
	if bits.TrailingZeros(uint(n))%2 == 1 {
		return 8
	}
	return 4
}

// digitReversed returns the signed frequency at every position: a transform of length
// n keeps the frequencies 4k+r in its r-th quarter, ordered by k as in a transform of
// length n/4, down to the length of the first pass, whose order is natural.
func digitReversed(n, first int) []int {
	order := make([]int, 0, n)
	var visit func(k, step, points int)
	visit = func(k, step, points int) {
		if points == first {
			for i := range first {
				order = append(order, signed(k+i*step, n))
			}
			return
		}
		for r := range 4 {
			visit(k+r*step, 4*step, points/4)
		}
	}
	visit(0, 1, n)
	return order
}

func naturalOrder(n int) []int {
	order := make([]int, n)
	for k := range order {
		order[k] = signed(k, n)
	}
	return order
}

// signed returns the representative of k modulo n in (-n/2, n/2], for 0 <= k < n.
func signed(k, n int) int {
	if 2*k > n {
		return k - n
	}
	return k
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

// passesOf returns the passes of a transform of length n in the order of the inverse.
func passesOf(n, first int) []pass {
	passes := []pass{{points: first}}
	for q := first; q < n; q *= 4 {
		passes = append(passes, pass{points: 4 * q, twiddles: twiddles(q)})
	}
	return passes
}

// twiddles returns w^j, w^2j, w^3j for j = 0 ... q-1, w = exp(2 pi i/(4q)), real and
// imaginary parts interleaved.
func twiddles(q int) []float64 {
	table := make([]float64, 0, 6*q)
	for j := range q {
		for r := 1; r <= 3; r++ {
			re, im := rootOfUnity(r*j, 4*q)
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
	im, re = math.Sincos(2 * math.Pi * float64(k) / float64(n))
	return re, im
}
