// This file transforms lengths with a prime factor beyond 7 by a convolution (Bluestein 1970, Rabiner, Schafer & Rader
// 1969):
//
//	sum_j z_j exp(2 pi i jk/n) = c_k sum_j (z_j c_j) conj c_k-j,
//
// where the sum over j is a cyclic convolution of any length from 2n-1 on.

package fft

import (
	"math"
	"sync"

	"rfm/solver/num/simd"
)

// convolution transforms functions on n points by transforms of the length m of its line.
type convolution struct {
	line    *line
	forward chirp
	inverse chirp
	blocks  *sync.Pool // of m positions
}

// chirp holds c_j, conjugated for the forward transform, and the spectrum of conj c_j divided by its length, in the
// storage order of the convolution's transform.
type chirp struct {
	factors  []float64 // n complex numbers
	spectrum []float64 // m complex numbers
}

func newChirp(n, m int) chirp {
	return chirp{
		factors:  make([]float64, 2*n),
		spectrum: make([]float64, 2*m),
	}
}

func newConvolution(n int, level simd.Level) *convolution {
	m := convolutionLength(n)
	c := &convolution{
		line:    newLine(m, level),
		forward: newChirp(n, m),
		inverse: newChirp(n, m),
		blocks:  blocksOf(stride * m),
	}
	block := make([]float64, stride*m) // conj c in lane 0, c in lane 1
	for j := range n {
		re, im := rootOfUnity(j*j%(2*n), 2*n)
		setComplex(c.inverse.factors, j, re, im)
		setComplex(c.forward.factors, j, re, -im)
		for _, position := range []int{j, (m - j) % m} {
			z := at(block, position)
			z.set(0, complex(re, -im))
			z.set(1, complex(re, im))
		}
	}
	c.line.forward(block)
	scale := 1 / float64(m)
	for p := range m {
		z := at(block, p)
		inverse := z.get(0)
		forward := z.get(1)
		setComplex(c.inverse.spectrum, p, scale*real(inverse), scale*imag(inverse))
		setComplex(c.forward.spectrum, p, scale*real(forward), scale*imag(forward))
	}
	return c
}

// setComplex sets number j of a table in which real and imaginary parts are interleaved.
func setComplex(table []float64, j int, re, im float64) {
	table[2*j] = re
	table[2*j+1] = im
}

// transform replaces the block z by its transforms, in natural order.
func (c *convolution) transform(z []float64, with *chirp) {
	scratch := c.blocks.Get().(*[]float64)
	defer c.blocks.Put(scratch)
	block := *scratch
	c.line.kernels.productFirst(1, block, z, with.factors)
	clear(block[len(z):])
	c.line.forward(block)
	c.line.inverse(inversion{z: block, v: block, a: with.spectrum})
	c.line.kernels.productFirst(1, z, block, with.factors)
}

// passCosts contains the measured times of a pass of each radix per position, relative to radix 4.
var passCosts = map[int]float64{
	2: 0.8,
	3: 1,
	4: 1,
	5: 1.3,
	7: 1.9,
	8: 1.4,
}

// convolutionLength returns the length from 2n-1 on with the cheapest passes.
func convolutionLength(n int) int {
	best := 0
	least := math.Inf(1)
	for m := 2*n - 1; m < 4*n; m++ {
		cost := 0.0
		for _, radix := range radicesOf(m) {
			cost += passCosts[radix] * float64(m)
		}
		if cost > 0 && cost < least {
			best = m
			least = cost
		}
	}
	return best
}
