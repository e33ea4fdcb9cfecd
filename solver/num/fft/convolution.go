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

type convolution struct {
	line             *line
	forward, inverse chirp
	blocks           *sync.Pool
}

// chirp holds c_j, conjugated for the forward transform, and the spectrum of conj c_j divided by its length, in the
// storage order of the convolution's transform.
type chirp struct{ factors, spectrum []float64 }

func newConvolution(n int, level simd.Level) *convolution {
	m := convolutionLength(n)
	c := &convolution{line: newLine(m, level), blocks: blocksOf(stride * m)}
	c.inverse = chirp{make([]float64, 2*n), make([]float64, 2*m)}
	c.forward = chirp{make([]float64, 2*n), make([]float64, 2*m)}
	block := make([]float64, stride*m)
	for j := range n {
		re, im := rootOfUnity(j*j%(2*n), 2*n)
		c.inverse.factors[2*j], c.inverse.factors[2*j+1] = re, im
		c.forward.factors[2*j], c.forward.factors[2*j+1] = re, -im
		for _, position := range []int{j, (m - j) % m} { // conj c in lane 0, c in lane 1
			z := at(block, position)
			z[0], z[Lanes], z[1], z[1+Lanes] = re, -im, re, im
		}
	}
	c.line.forward(block)
	for p := range m {
		z, scale := at(block, p), 1/float64(m)
		c.inverse.spectrum[2*p], c.inverse.spectrum[2*p+1] = scale*z[0], scale*z[Lanes]
		c.forward.spectrum[2*p], c.forward.spectrum[2*p+1] = scale*z[1], scale*z[1+Lanes]
	}
	return c
}

// transform replaces the block z by its transforms, in natural order.
func (c *convolution) transform(z []float64, with *chirp) {
	scratch := c.blocks.Get().(*[]float64)
	defer c.blocks.Put(scratch)
	block := *scratch
	c.line.kernels.productFirst(1, block, z, with.factors)
	clear(block[len(z):])
	c.line.forward(block)
	c.line.inverse(block, block, with.spectrum, nil, nil)
	c.line.kernels.productFirst(1, z, block, with.factors)
}

// passCosts contains the measured times of a pass of each radix per position, relative to radix 4.
var passCosts = map[int]float64{2: 0.8, 3: 1, 4: 1, 5: 1.3, 7: 1.9, 8: 1.4}

// convolutionLength returns the length from 2n-1 on with the cheapest passes.
func convolutionLength(n int) int {
	best, least := 0, math.Inf(1)
	for m := 2*n - 1; m < 4*n; m++ {
		cost := 0.0
		for _, radix := range radicesOf(m) {
			cost += passCosts[radix] * float64(m)
		}
		if cost > 0 && cost < least {
			best, least = m, cost
		}
	}
	return best
}
