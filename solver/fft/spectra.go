// Spectra of real sequences.

package fft

import "fmt"

// Spectra writes the unnormalised discrete Fourier transforms of count real sequences.
// u holds them one after the other, length count N; dst receives for each the full
// spectrum in storage order, real and imaginary parts interleaved, length 2N each:
// the form in which InverseProduct takes its spectrum. dst and u may not overlap.
func (p *Plan) Spectra(dst, u []float64, count int) {
	if len(u) != count*p.n || len(dst) != 2*count*p.n {
		panic(fmt.Sprintf("fft: %d spectra of length %d from %d into %d numbers, want %d into %d",
			count, p.n, len(u), len(dst), count*p.n, 2*count*p.n))
	}
	scratch := p.scratch.Get().(*[]float64)
	defer p.scratch.Put(scratch)
	block := *scratch
	for first := 0; first < count; first += stride {
		sequences := min(stride, count-first)
		p.pack(block, u[first*p.n:(first+sequences)*p.n])
		p.Forward(block)
		p.unpack(dst[2*first*p.n:2*(first+sequences)*p.n], block)
	}
}

// pack sets z_l = u_l + i u_{4+l}; sequences that are not there count as zero.
func (p *Plan) pack(block, u []float64) {
	sequences := len(u) / p.n
	for s := range sequences {
		for i, value := range u[s*p.n : (s+1)*p.n] {
			block[stride*i+s] = value
		}
	}
	for s := sequences; s < stride; s++ {
		for i := range p.n {
			block[stride*i+s] = 0
		}
	}
}

// unpack separates the transforms of the real and imaginary parts of z = u + i v:
// U_k = (Z_k + conj Z_-k)/2, V_k = (Z_k - conj Z_-k)/(2i).
func (p *Plan) unpack(dst, block []float64) {
	sequences := len(dst) / (2 * p.n)
	for s := range sequences {
		spectrum := dst[2*s*p.n : 2*(s+1)*p.n]
		l := s % Lanes
		for i, j := range p.mirror {
			z, opposite := at(block, i), at(block, j)
			zr, zi, or, oi := z[l], z[l+Lanes], opposite[l], opposite[l+Lanes]
			if s < Lanes {
				spectrum[2*i], spectrum[2*i+1] = (zr+or)/2, (zi-oi)/2
			} else {
				spectrum[2*i], spectrum[2*i+1] = (zi+oi)/2, (or-zr)/2
			}
		}
	}
}
