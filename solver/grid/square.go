// This file is about fields on the unit square: a batch of K = r^2 values a function holds those on the closed r x r
// grid, row-major: value i*r + j is at (i h, j h), h = 1/(r-1).

package grid

import (
	"fmt"
	"math"

	"rfm/solver/fault"
)

// Side is r, the number of points along an axis of fields with K = r^2 values. It panics if K is not a square.
func Side(K int) int {
	r := int(math.Round(math.Sqrt(float64(K))))
	if r*r != K {
		panic(fmt.Sprintf("grid: fields of %d values, which is no square", K))
	}
	return r
}

// RestrictSquare takes every s-th point along both axes of fields on the R x R grid, s = (R-1)/(r-1). The error is a
// *fault.Data if the intervals do not divide. The result is b itself if r == R.
func (b Batch) RestrictSquare(r int) (Batch, error) {
	R := Side(b.K)
	if r == R {
		return b, nil
	}
	if r < 2 || (R-1)%(r-1) != 0 {
		return Batch{}, &fault.Data{Where: "grid", What: fmt.Sprintf("fields on %d x %d points cannot be restricted to %d x %d: %d intervals do not divide %d", R, R, r, r, r-1, R-1),
			Do: "choose a grid whose intervals divide the data's"}
	}
	coarse := NewBatch(b.Count, r*r)
	for i := range b.Count {
		SampleSquare(coarse.At(i), b.At(i))
	}
	return coarse, nil
}

// SampleSquare writes every s-th point along both axes of the field fine to coarse. It panics if the intervals of
// coarse do not divide those of fine.
func SampleSquare(coarse, fine []float64) {
	r, R := Side(len(coarse)), Side(len(fine))
	if r < 2 || (R-1)%(r-1) != 0 {
		panic(fmt.Sprintf("grid: a field on %d x %d points sampled on %d x %d", R, R, r, r))
	}
	s := (R - 1) / (r - 1)
	for i := range r {
		row := fine[s*i*R:]
		for j := range r {
			coarse[i*r+j] = row[s*j]
		}
	}
}

// InnerSquare is the L2 inner product of two fields on the unit square by the composite trapezoid rule.
func InnerSquare(f, g []float64) float64 {
	return square(f, g, func(f, g float64) float64 { return f * g })
}

// Distance2Square is the squared L2 norm of f - g for fields on the unit square, by the composite trapezoid rule.
func Distance2Square(f, g []float64) float64 {
	return square(f, g, func(f, g float64) float64 { return (f - g) * (f - g) })
}

// square is the integral of a function of two fields.
func square(f, g []float64, integrand func(f, g float64) float64) float64 {
	r := Side(len(f))
	if len(g) != len(f) {
		panic(fmt.Sprintf("grid: fields of %d and %d values", len(f), len(g)))
	}
	sum := 0.0
	for i := range r {
		u, v := f[i*r:(i+1)*r], g[i*r:(i+1)*r]
		row := (integrand(u[0], v[0]) + integrand(u[r-1], v[r-1])) / 2
		for j := 1; j < r-1; j++ {
			row += integrand(u[j], v[j])
		}
		if i == 0 || i == r-1 {
			row /= 2
		}
		sum += row
	}
	return sum / float64((r-1)*(r-1))
}
