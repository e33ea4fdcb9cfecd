// This file transforms values at cell centres: DCT-II computes the coefficients of a cosine series, DCT-III sums it.

package trig

import (
	"fmt"

	"rfm/solver/simd"
)

// centred holds the tables of the transforms of fields at the centres of cells. It is immutable and safe for concurrent
// use; in the steady state its methods do not allocate.
type centred struct {
	rows, columns       int
	analysis, summation *planar
}

// newCentred returns the transforms on rows x columns cells. It panics if rows or columns is less than 1.
func newCentred(rows, columns int, level simd.Level) *centred {
	if rows < 1 || columns < 1 {
		panic(fmt.Sprintf("trig: grid of %d x %d cells", rows, columns))
	}
	of := func(sum bool) *planar {
		first := newCentredAxis(rows, sum, level)
		second := first
		if columns != rows {
			second = newCentredAxis(columns, sum, level)
		}
		return newPlanar(first, second, level)
	}
	return &centred{rows, columns, of(false), of(true)}
}

// Transform sets dst to the discrete cosine transform (DCT-II) of the field f, both row-major,
//
//	dst_kl = sum_ij f_ij cos((i+1/2) k pi/n) cos((j+1/2) l pi/p),  i, k = 0 ... n-1,  j, l = 0 ... p-1,
//
// n rows, p columns. dst may be f. It panics unless both have n p values.
func (c *centred) Transform(dst, f []float64) { c.transform(c.analysis, dst, f) }

// Sum sets dst to the field with the coefficients f (DCT-III),
//
//	dst_ij = sum_kl w_k w_l f_kl cos((i+1/2) k pi/n) cos((j+1/2) l pi/p),
//
// where w is 1/2 for k = 0 and 1 otherwise. Sum of Transform multiplies by n p/4.
func (c *centred) Sum(dst, f []float64) { c.transform(c.summation, dst, f) }

func (c *centred) transform(t *planar, dst, f []float64) {
	if len(dst) != c.rows*c.columns || len(f) != c.rows*c.columns {
		panic(fmt.Sprintf("trig: fields of %d and %d values on %d x %d cells", len(dst), len(f), c.rows, c.columns))
	}
	t.transform(Field{dst, c.columns, c.rows, c.columns}, Field{f, c.columns, c.rows, c.columns}, nil)
}
