// This file transforms functions that are even or odd along each axis of a torus, from their values between the sides alone,
// by sine and cosine transforms. These take half the points along each axis, and half the time of transforms on the torus.

package equation

import (
	"math"
	"sync"

	"rfm/solver/num/fft"
	"rfm/solver/num/trig"
)

// parities are those of a function along the axes. On a torus that is not reflected they are neither.
type parities [2]parity

// reflection holds functions on the torus by their values between the sides, and their spectra by the wavenumbers that are
// not negative. Spectra are those of package fft, times the square root of 2 for each wavenumber that has a mirror, so that
// sums of squares are those over all wavenumbers. It is immutable.
type reflection struct {
	fields []parities // of the fields with an equation, then time
	cells  int        // between the sides along an axis
	dims   int
	// Sums over the points between the sides:
	//
	//	sine:   of f_j sin(j k pi/cells), j and k = 1 ... cells-1
	//	cosine: of f_j cos(j k pi/cells), j and k = 0 ... cells, with half the values at the ends
	sine, cosine *trig.Axis
	work         sync.Pool // of scratch memory of both
}

// newReflection returns the transforms on so many cells along each axis between the sides.
func newReflection(fields []parities, cells, dims int) *reflection {
	r := &reflection{
		fields: fields,
		cells:  cells,
		dims:   dims,
		sine:   trig.NewSineAxis(cells+1, 1),
		cosine: trig.NewCosineAxis(cells + 1),
	}
	r.work.New = func() any {
		work := make([]float64, max(r.sine.Work, r.cosine.Work))
		return &work
	}
	return r
}

// points returns the points along an axis, with both sides.
func (r *reflection) points() int { return r.cells + 1 }

// sum replaces a block by its sums over sines or cosines along each axis.
func (r *reflection) sum(b []float64, p parities) {
	scratch := r.work.Get().(*[]float64)
	defer r.work.Put(scratch)
	work := *scratch
	points := r.points()
	if r.dims == 1 {
		r.sumAlong(trig.Block(b), p[0], work)
		return
	}
	width := points * block // numbers from a point to the next along the first axis
	for j := range points {
		column := trig.Rows{Values: b[j*block:], Stride: width}
		r.sumAlong(column, p[0], work)
	}
	for i := range points {
		row := b[i*width : (i+1)*width]
		r.sumAlong(trig.Block(row), p[1], work)
	}
}

// sumAlong replaces the rows of points along one axis by their sums.
func (r *reflection) sumAlong(rows trig.Rows, p parity, work []float64) {
	if p == even {
		r.cosine.Transform(rows, rows, work[:r.cosine.Work])
		return
	}
	last := r.cells * rows.Stride
	clear(rows.Values[:block])
	clear(rows.Values[last : last+block])
	inside := trig.Rows{Values: rows.Values[rows.Stride:], Stride: rows.Stride}
	r.sine.Transform(inside, inside, work[:r.sine.Work])
}

// fromSums returns the factors from sums of values along an axis to the spectrum of a function on the torus, by wavenumber.
// That of an even one has twice the sums over cosines, that of an odd one -2i times those over sines.
func (r *reflection) fromSums(p parity) []complex128 {
	return r.factors(p, 2, -2i)
}

// toSums returns the factors from a spectrum to numbers whose sums over sines or cosines are the values of the function.
func (r *reflection) toSums(p parity) []complex128 {
	return r.factors(p, 1, 1i)
}

// factors returns a number for each wavenumber along an axis, of even or of odd functions, with others for the two that are
// their own mirrors. Odd functions do not have these.
func (r *reflection) factors(p parity, ofEven, ofOdd complex128) []complex128 {
	inside := ofEven * math.Sqrt2
	atEnds := complex(2, 0)
	if p == odd {
		inside = ofOdd * math.Sqrt2
		atEnds = 0
	}
	all := make([]complex128, r.points())
	for k := range all {
		all[k] = inside
	}
	all[0] = atEnds
	all[r.cells] = atEnds
	return all
}

// scale multiplies a symbol, of complex numbers, by factors along each axis.
func (r *reflection) scale(symbol []float64, factors [2][]complex128) {
	points := r.points()
	for at := range len(symbol) / 2 {
		factor := factors[0][at%points]
		if r.dims == 2 {
			factor = factors[0][at/points] * factors[1][at%points]
		}
		value := complex(symbol[2*at], symbol[2*at+1]) * factor
		symbol[2*at] = real(value)
		symbol[2*at+1] = imag(value)
	}
}

// alongAxes returns factors along each axis by the parities.
func (r *reflection) alongAxes(p parities, of func(parity) []complex128) (factors [2][]complex128) {
	for axis := range r.dims {
		factors[axis] = of(p[axis])
	}
	return factors
}

// forward replaces the values of functions with such parities at the points by what symbols of fromValues take to spectra.
func (s *evolution) forward(b []float64, p parities) {
	if s.reflected == nil {
		s.transform.Forward(b)
		return
	}
	s.reflected.sum(b, p)
}

// inverseOf writes the values of functions with such parities to z, from the product of their spectrum v and a symbol of
// toValues.
func (s *evolution) inverseOf(z, v, symbol []float64, p parities) {
	if s.reflected == nil {
		s.transform.InverseOf(z, v, symbol)
		return
	}
	s.transform.Multiply(z, v, symbol)
	s.reflected.sum(z, p)
}

// fromValues makes a symbol one that acts on what forward returns for functions with such parities.
func (s *evolution) fromValues(symbol []float64, p parities) []float64 {
	if r := s.reflected; r != nil {
		r.scale(symbol, r.alongAxes(p, r.fromSums))
	}
	return symbol
}

// toValues makes a symbol one for inverseOf to functions with such parities.
func (s *evolution) toValues(symbol []float64, p parities) []float64 {
	if r := s.reflected; r != nil {
		r.scale(symbol, r.alongAxes(p, r.toSums))
	}
	return symbol
}

// paritiesOf returns the parities of an expression of the fields.
func (s *evolution) paritiesOf(p poly) (all parities) {
	if s.reflected == nil {
		return all
	}
	for axis := range s.reflected.dims {
		var fields []parity
		for _, f := range s.reflected.fields {
			fields = append(fields, f[axis])
		}
		all[axis] = p.parity(fields, axis)
	}
	return all
}

// paritiesOfField returns the parities of a field.
func (s *evolution) paritiesOfField(f int) (all parities) {
	if s.reflected == nil {
		return all
	}
	return s.reflected.fields[f]
}

// paritiesOfConstants returns the parities of functions that are the same everywhere.
func (s *evolution) paritiesOfConstants() (all parities) {
	if s.reflected == nil {
		return all
	}
	return parities{even, even}
}

// setReflectedModes sets points and modes between the sides.
func (s *evolution) setReflectedModes(cells int) (frequencies [][2]int) {
	rows := 1
	s.reflected = newReflection(s.reflected.fields, cells/2, s.domain.Dims)
	columns := s.reflected.points()
	if s.domain.Dims == 2 {
		rows = columns
	}
	for i := range rows {
		for j := range columns {
			k := [2]int{j, 0}
			if s.domain.Dims == 2 {
				k = [2]int{i, j}
			}
			s.mirror = append(s.mirror, len(frequencies)) // no other position has the mirror of a wavenumber
			frequencies = append(frequencies, k)
		}
	}
	s.transform = fft.Pointwise(len(frequencies))
	return frequencies
}
