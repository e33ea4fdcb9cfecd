// This file computes spectra of real sequences.

package fft

import "fmt"

// Spectra writes the unnormalised discrete Fourier transforms of count real sequences. u holds them one after the
// other, length count N; dst receives for each the full spectrum in storage order, real and imaginary parts
// interleaved, length 2N each: as InverseProduct expects. dst and u may not overlap.
func (p *Plan) Spectra(dst, u []float64, count int) {
	p.spectra(dst, u, count, p.Forward)
}

// spectra implements Spectra with the transform forward of blocks.
func (p *space) spectra(dst, u []float64, count int, forward func(z []float64)) {
	n := p.n
	if len(u) != count*n || len(dst) != 2*count*n {
		panic(fmt.Sprintf("fft: %d spectra of length %d from %d into %d numbers, want %d into %d",
			count, n, len(u), len(dst), count*n, 2*count*n))
	}
	scratch := p.scratch.Get().(*[]float64)
	defer p.scratch.Put(scratch)
	block := *scratch
	for first := 0; first < count; first += stride {
		sequences := min(stride, count-first)
		pack(block, u[first*n:(first+sequences)*n], n)
		forward(block)
		unpack(dst[2*first*n:2*(first+sequences)*n], block, p.mirror)
	}
}

// pack sets z_l = u_l + i u_{4+l} for sequences of length n; missing ones count as zero.
func pack(block, u []float64, n int) {
	sequences := len(u) / n
	for s := range sequences {
		for i, value := range u[s*n : (s+1)*n] {
			block[stride*i+s] = value
		}
	}
	for s := sequences; s < stride; s++ {
		for i := range n {
			block[stride*i+s] = 0
		}
	}
}

// unpack separates the transforms of the real and imaginary parts of z = u + i v:
// U_k = (Z_k + conj Z_-k)/2, V_k = (Z_k - conj Z_-k)/(2i).
func unpack(dst, block []float64, mirror []int) {
	n := len(mirror)
	sequences := len(dst) / (2 * n)
	for s := range sequences {
		spectrum := dst[2*s*n : 2*(s+1)*n]
		for i, j := range mirror {
			spectrum[2*i], spectrum[2*i+1] = separated(block, i, j, s)
		}
	}
}

// separated returns the transform of the real sequence s at the position i, whose opposite is j.
func separated(block []float64, i, j, s int) (re, im float64) {
	z, opposite := at(block, i), at(block, j)
	l := s % Lanes
	zr, zi, or, oi := z[l], z[l+Lanes], opposite[l], opposite[l+Lanes]
	if s < Lanes {
		return (zr + or) / 2, (zi - oi) / 2
	}
	return (zi + oi) / 2, (or - zr) / 2
}
