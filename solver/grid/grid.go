// Package grid holds batches of functions sampled on equispaced grids of the unit interval.
//
// A grid has K points x_i = i/(K-1), both ends counted; N = K-1 is the number of intervals. A periodic function's last
// value repeats its first.
package grid

import (
	"fmt"
	"math"

	"rfm/solver/fault"
)

// Batch is Count functions on the grid of K points, function i in Data[i*K : (i+1)*K].
type Batch struct {
	K, Count int
	Data     []float64
}

// NewBatch returns a batch of zero functions.
func NewBatch(count, K int) Batch { return Batch{K: K, Count: count, Data: make([]float64, count*K)} }

// At is function i; it shares memory with the batch.
func (b Batch) At(i int) []float64 { return b.Data[i*b.K : (i+1)*b.K] }

// Restrict takes every s-th point, s = (b.K-1)/(K-1). The error is a *fault.Data if the intervals do not divide.
// The result is b itself if K == b.K.
func (b Batch) Restrict(K int) (Batch, error) {
	if K == b.K {
		return b, nil
	}
	if K < 2 || b.K < 2 || (b.K-1)%(K-1) != 0 {
		return Batch{}, &fault.Data{Where: "grid", What: fmt.Sprintf("functions on K=%d points cannot be restricted to K=%d: %d intervals do not divide %d", b.K, K, K-1, b.K-1),
			Do: "choose a K whose intervals divide the data's"}
	}
	r := NewBatch(b.Count, K)
	for i := range b.Count {
		Sample(r.At(i), b.At(i))
	}
	return r, nil
}

// Sample writes every s-th value of the function fine to coarse. It panics if the intervals of coarse do not divide those
// of fine.
func Sample(coarse, fine []float64) {
	n, N := len(coarse)-1, len(fine)-1
	if n < 1 || N%n != 0 {
		panic(fmt.Sprintf("grid: a function on %d points sampled on %d", N+1, n+1))
	}
	for x := range coarse {
		coarse[x] = fine[N/n*x]
	}
}

// First is the batch of the first count functions; it shares memory with b.
func (b Batch) First(count int) Batch { return b.Range(0, count) }

// Range is the batch of count functions from the first on; it shares memory with b.
func (b Batch) Range(first, count int) Batch {
	return Batch{K: b.K, Count: count, Data: b.Data[first*b.K : (first+count)*b.K]}
}

// CheckFinite returns a *fault.Data naming what, the function and the point if a value is NaN or infinite.
func (b Batch) CheckFinite(what string) error {
	for i, v := range b.Data {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &fault.Data{Where: what, What: fmt.Sprintf("function %d has the value %v at grid point %d of %d", i/b.K, v, i%b.K, b.K), Do: "all values must be finite: repair or drop this function"}
		}
	}
	return nil
}

// periodicTolerance is how far the ends of a periodic function may differ, relative to its largest value: single
// precision data are rounded to 6e-8.
const periodicTolerance = 1e-6

// CheckPeriodic returns a *fault.Data naming what and the function if its last value does not repeat its first.
func (b Batch) CheckPeriodic(what string) error {
	for i := range b.Count {
		f := b.At(i)
		largest := 0.0
		for _, v := range f {
			largest = math.Max(largest, math.Abs(v))
		}
		if math.Abs(f[0]-f[b.K-1]) > periodicTolerance*largest {
			return &fault.Data{Where: what, What: fmt.Sprintf("function %d is not periodic: it begins with %g and ends with %g", i, f[0], f[b.K-1]),
				Do: "the last grid point must repeat the first; append it if your grid leaves it out"}
		}
	}
	return nil
}

// Inner is the L2 inner product of two functions on the unit interval by the composite trapezoid rule. On periodic
// functions this is the mean over the N distinct points.
func Inner(f, g []float64) float64 {
	n := len(f) - 1
	sum := (f[0]*g[0] + f[n]*g[n]) / 2
	for i := 1; i < n; i++ {
		sum += f[i] * g[i]
	}
	return sum / float64(n)
}

// Distance2 is the squared L2 norm of f - g by the composite trapezoid rule.
func Distance2(f, g []float64) float64 {
	n := len(f) - 1
	first, last := f[0]-g[0], f[n]-g[n]
	sum := (first*first + last*last) / 2
	for i := 1; i < n; i++ {
		d := f[i] - g[i]
		sum += d * d
	}
	return sum / float64(n)
}

// Mean is the mean of the functions of a batch, K values.
func (b Batch) Mean() []float64 {
	mean := make([]float64, b.K)
	for i := range b.Count {
		for x, v := range b.At(i) {
			mean[x] += v / float64(b.Count)
		}
	}
	return mean
}

// Plus is a copy of the batch with c f added to every function; f has K values.
func (b Batch) Plus(c float64, f []float64) Batch {
	sum := NewBatch(b.Count, b.K)
	for i := range b.Count {
		for x, v := range b.At(i) {
			sum.Data[i*b.K+x] = v + c*f[x]
		}
	}
	return sum
}
