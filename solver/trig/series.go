// This file sums cosine series of functions of one or two variables on grids of points or of cell centres.

package trig

import (
	"sync"

	"rfm/solver/simd"
)

// Series computes the coefficients of cosine series (Transform) and sums them (Sum), as Cosine and centred do. It is
// immutable and safe for concurrent use; dst may be f.
type Series interface {
	Transform(dst, f []float64)
	Sum(dst, f []float64)
}

// NewSeries returns the Series on cell centres or on points. A single row means functions of one variable, with
// transforms along one axis. It panics if an axis is too short.
func NewSeries(rows, columns int, centred bool) Series {
	switch {
	case rows == 1 && centred:
		return newLine(NewCentredAxis(columns, false), NewCentredAxis(columns, true))
	case rows == 1:
		axis := NewCosineAxis(columns)
		return newLine(axis, axis)
	case centred:
		return newCentred(rows, columns, simd.Active())
	}
	return NewCosine(rows, columns)
}

// line transforms along one axis, one function at a time: the last bit must not depend on other functions.
type line struct {
	analysis, summation axis
	blocks              *sync.Pool
}

func newLine(analysis, summation axis) line {
	size := Columns*analysis.Values() + max(analysis.Work(), summation.Work())
	return line{analysis, summation, &sync.Pool{New: func() any { block := make([]float64, size); return &block }}}
}

func (l line) Transform(dst, f []float64) { l.transform(l.analysis, dst, f) }

func (l line) Sum(dst, f []float64) { l.transform(l.summation, dst, f) }

func (l line) transform(a axis, dst, f []float64) {
	block := l.blocks.Get().(*[]float64)
	defer l.blocks.Put(block)
	columns, work := (*block)[:Columns*len(f)], (*block)[Columns*len(f):]
	clear(columns)
	for i, v := range f {
		columns[Columns*i] = v
	}
	a.Transform(columns, Columns, columns, Columns, work[:a.Work()])
	for i := range dst {
		dst[i] = columns[Columns*i]
	}
}
