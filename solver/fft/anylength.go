// Transforms of a length that is not a power of two, by gonum, one lane after the other.

package fft

import (
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"
)

// anyLength lends out gonum transforms, which are not safe for concurrent use.
type anyLength struct{ pool sync.Pool }

type lane struct {
	transform *fourier.CmplxFFT
	sequence  []complex128
}

func newAnyLength(n int) *anyLength {
	a := &anyLength{}
	a.pool.New = func() any {
		return &lane{fourier.NewCmplxFFT(n), make([]complex128, n)}
	}
	return a
}

func (a *anyLength) forward(z []float64) {
	a.eachLane(z, func(s *lane) { s.transform.Coefficients(s.sequence, s.sequence) })
}

func (a *anyLength) inverse(z []float64) {
	a.eachLane(z, func(s *lane) { s.transform.Sequence(s.sequence, s.sequence) })
}

func (a *anyLength) eachLane(z []float64, transform func(*lane)) {
	s := a.pool.Get().(*lane)
	defer a.pool.Put(s)
	for l := range Lanes {
		for i := range s.sequence {
			x := at(z, i)
			s.sequence[i] = complex(x[l], x[l+Lanes])
		}
		transform(s)
		for i, c := range s.sequence {
			x := at(z, i)
			x[l], x[l+Lanes] = real(c), imag(c)
		}
	}
}

// split writes the real and imaginary parts of the block z as panels of four lanes.
func split(re, im, z []float64) {
	for i := range len(z) / stride {
		x := at(z, i)
		copy(re[Lanes*i:Lanes*i+Lanes], x[:Lanes])
		copy(im[Lanes*i:Lanes*i+Lanes], x[Lanes:])
	}
}
