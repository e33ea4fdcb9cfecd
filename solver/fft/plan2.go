// This file transforms fields on a periodic rectangle.

package fft

import (
	"sync"

	"rfm/solver/simd"
)

// Plan2 transforms four complex or eight real fields at a time, on N1 x N2 points of a periodic rectangle. It
// corresponds to Plan in two variables: a block holds four complex fields, for each point four real and four imaginary
// parts; eight real fields are packed into a block as z_l = u_l + i u_{4+l}, l = 0 ... 3; no transform is normalised.
//
// In space a block is row-major, point (i, j) at position i N2 + j. Spectra are in storage order, see Frequencies: all
// operations on them are pointwise. A Plan2 is immutable and safe for concurrent use; in the steady state its methods
// do not allocate.
type Plan2 struct {
	space       // of N1 N2 points
	rows        *Plan
	columns     *Plan
	frequencies [][2]int
	transposed  sync.Pool // blocks with the axes exchanged
	ones        []float64 // a spectrum of rows
}

// newPlan2 returns the plan for transforms on n1 x n2 points. As for NewPlan, the numbers are arbitrary. It panics if
// n1 or n2 is less than 1.
func newPlan2(n1, n2 int, level simd.Level) *Plan2 {
	p := &Plan2{columns: newPlan(n1, level), rows: newPlan(n2, level)}
	var mirror []int
	for second, k2 := range p.rows.frequencies {
		for first, k1 := range p.columns.frequencies {
			p.frequencies = append(p.frequencies, [2]int{k1, k2})
			mirror = append(mirror, p.rows.mirror[second]*n1+p.columns.mirror[first])
		}
	}
	for range n2 {
		p.ones = append(p.ones, 1, 0)
	}
	p.space = newSpace(n1*n2, mirror, p.rows.points)
	p.transposed.New = func() any {
		block := make([]float64, stride*max(n1*(n2+1), n2*(n1+1)))
		return &block
	}
	return p
}

func (p *Plan2) shape() (n1, n2 int) { return p.columns.n, p.rows.n }

// Frequencies returns the frequencies (k1, k2), -N1/2 < k1 <= N1/2 and -N2/2 < k2 <= N2/2, that each of the N1 N2
// positions of a spectrum holds: storage order, in which the second axis comes first. The slice is a copy.
func (p *Plan2) Frequencies() [][2]int { return append([][2]int(nil), p.frequencies...) }

// Forward replaces the block z, length 8 N1 N2, by its discrete Fourier transforms
//
//	Z_k = sum_ij z_ij exp(-2 pi i (i k1/N1 + j k2/N2)),
//
// from row-major order in space to storage order in frequency.
func (p *Plan2) Forward(z []float64) {
	p.check("block", z, stride)
	n1, n2 := p.shape()
	scratch := p.transposed.Get().(*[]float64)
	defer p.transposed.Put(scratch)
	block := *scratch
	for i := range n1 {
		row := z[stride*n2*i : stride*n2*(i+1)]
		p.rows.Forward(row)
		exchange(block, row, i, n1)
	}
	for j := range n2 {
		column := z[stride*n1*j : stride*n1*(j+1)]
		copy(column, block[stride*(n1+1)*j:])
		p.columns.Forward(column)
	}
}

// Inverse replaces the block z, length 8 N1 N2, by the sums
//
//	z_ij = sum_k Z_k exp(+2 pi i (i k1/N1 + j k2/N2)),
//
// from storage order in frequency to row-major order in space. Inverse after Forward multiplies by N1 N2.
func (p *Plan2) Inverse(z []float64) {
	p.check("block", z, stride)
	p.inverse(z, nil, nil)
}

// InverseOf sets z to the inverse transform of v a; v is a block in storage order, a one complex spectrum as in
// Multiply. z may be v.
func (p *Plan2) InverseOf(z, v, a []float64) {
	p.check("block", z, stride)
	p.check("block v", v, stride)
	p.check("spectrum", a, 2)
	p.inverse(z, v, a)
}

func (p *Plan2) inverse(z, v, a []float64) {
	n := stride * p.rows.n
	p.rowsOf(z, v, a, func(i int, row []float64) { // times 1: the first pass also copies
		p.rows.InverseOf(z[n*i:n*(i+1)], row, p.ones)
	})
}

// rowsOf transforms the columns of v a, or of z if v is nil, into z and passes on their rows, which may be overwritten.
func (p *Plan2) rowsOf(z, v, a []float64, row func(i int, row []float64)) {
	n1, n2 := p.shape()
	scratch := p.transposed.Get().(*[]float64)
	defer p.transposed.Put(scratch)
	block := *scratch
	for j := range n2 {
		column := z[stride*n1*j : stride*n1*(j+1)]
		if v == nil {
			p.columns.Inverse(column)
		} else {
			p.columns.InverseOf(column, v[stride*n1*j:stride*n1*(j+1)], a[2*n1*j:2*n1*(j+1)])
		}
		exchange(block, column, j, n2)
	}
	for i := range n1 {
		row(i, block[stride*(n2+1)*i:][:stride*n2])
	}
}

// InverseProduct writes the inverse transform of the pointwise product v a as panels of four real fields: for position
// x = i N2 + j and lane l
//
//	re[4x+l] + i im[4x+l] = sum_k v_{k,l} a_k exp(+2 pi i (i k1/N1 + j k2/N2)).
//
// The arguments are as for Plan.InverseProduct with N = N1 N2.
func (p *Plan2) InverseProduct(re, im, v, a, work []float64) {
	p.check("panel of real parts", re, Lanes)
	p.check("panel of imaginary parts", im, Lanes)
	p.check("block", v, stride)
	p.check("spectrum", a, 2)
	p.check("scratch block", work, stride)
	p.rowsOf(work, v, a, func(i int, row []float64) {
		n := Lanes * p.rows.n
		p.rows.inverseSplit(re[n*i:n*(i+1)], im[n*i:n*(i+1)], row)
	})
}

// exchange writes a line of positions as position i of the lines of the block. The lines have n positions and one more,
// so that they do not compete for the same sets of the cache.
func exchange(block, line []float64, i, n int) {
	to := stride * i
	for from := 0; from < len(line); from += stride {
		v := *(*point)(line[from : from+stride]) // in registers: lines and block do not overlap
		*(*point)(block[to : to+stride]) = v
		to += stride * (n + 1)
	}
}

// Spectra writes the unnormalised discrete Fourier transforms of count real fields, row-major and one after the other
// in u, length count N1 N2, to dst: full spectra in storage order, real and imaginary parts interleaved, 2 N1 N2
// numbers each, as InverseProduct and Multiply expect. dst and u may not overlap.
func (p *Plan2) Spectra(dst, u []float64, count int) {
	p.spectra(dst, u, count, p.Forward)
}

// Transform is the part that Plan and Plan2 have in common.
type Transform interface {
	N() int
	Mirror() []int // the position of frequency -k for that of k, which callers must not change
	Forward(z []float64)
	Inverse(z []float64)
	InverseOf(z, v, a []float64)
	InverseProduct(re, im, v, a, work []float64)
	Spectra(dst, u []float64, count int)
	Combine(dst []float64, tables, blocks [][]float64)
	Mix(dst []float64, tables, blocks [][]float64)
	Multiply(dst, v, a []float64)
	Blend(dst []float64, tables, blocks [][]float64)
	Estimate(sums *[4][Lanes]float64, weights, last, next, u, first, middle []float64)
	Product(dst []float64, c float64, a []float64, e float64, b []float64, more bool)
}

// On returns the plan for n1 x n2 points, or for n2 points of one axis if n1 = 0, and the frequencies that positions of
// a spectrum hold: (k, 0) for one axis.
func On(n1, n2 int) (t Transform, frequencies [][2]int) {
	if n1 > 0 {
		p := newPlan2(n1, n2, simd.Active())
		return p, p.frequencies
	}
	p := NewPlan(n2)
	for _, k := range p.frequencies {
		frequencies = append(frequencies, [2]int{k, 0})
	}
	return p, frequencies
}
