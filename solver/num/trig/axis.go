// This file transforms eight columns along one axis by one complex transform of length n. Two columns u, v share a
// complex lane Z = U + i V, from which U = (Z_k + conj Z_-k)/2, V = (Z_k - conj Z_-k)/(2i).

package trig

import (
	"fmt"
	"math"

	"rfm/solver/num/fft"
	"rfm/solver/num/simd"
)

// Axis is a transform along one axis, of eight columns at a time. It is immutable and safe for concurrent use.
type Axis struct {
	Values int // before and after the transform
	Work   int // length of the scratch memory of Transform
	// Transform writes the transforms of the columns of src, of Values rows, to the columns of dst. It overwrites work, of
	// Work numbers. dst may be src.
	Transform func(dst, src Rows, work []float64)
}

// planOf returns the complex transform of length n, and the offset of each frequency modulo n in its blocks.
func planOf(n int) (plan *fft.Plan, offsets []int) {
	plan = fft.On(0, n)
	offsets = make([]int, n)
	for position, k := range plan.Frequencies() {
		offsets[(k[0]+n)%n] = position * Columns
	}
	return plan, offsets
}

// NewSineAxis returns the sine transform along an axis of r points, counting both ends, r >= 3:
//
//	F_k = scale sum_j f_j sin(j k pi/n),  j, k = 1 ... n-1,  n = r-1.
//
// For f_1 ... f_n-1 and
//
//	y_j = sin(j pi/n) (f_j + f_n-j) + (f_j - f_n-j)/2,  j = 0 ... n-1,
//
// the sums F_k = sum_j f_j sin(j k pi/n) follow from X_k = sum_j y_j exp(2 pi i j k/n):
//
//	F_1 = Re X_0/2,  F_2k = Im X_k,  F_2k+1 = F_2k-1 + Re X_k.
//
// (Press et al., Numerical Recipes, section 12.4.1.) It panics if r < 3.
func NewSineAxis(r int, scale float64) *Axis { return newSineAxis(r, scale, simd.Active()) }

func newSineAxis(r int, scale float64, level simd.Level) *Axis {
	if r < 3 {
		panic(fmt.Sprintf("trig: an axis of %d points has none inside", r))
	}
	n := r - 1
	kernels := simd.Choose(level, genericKernels, vectorKernels)
	plan, offsets := planOf(n)
	// The factors of f_j - f_n-j and of f_j + f_n-j in y_j, for j = 1 ... n/2. They contain the scale, and the 1/2 of
	// separating two columns.
	difference := scale / 4
	var sum []float64
	var positions []int // offsets in a block of frequencies j and -j
	for j := 1; j <= n/2; j++ {
		angle := math.Pi * float64(j) / float64(n)
		sum = append(sum, scale/2*math.Sin(angle))
		positions = append(positions, offsets[j], offsets[n-j])
	}
	transform := func(dst, src Rows, work []float64) {
		kernels.foldSine(work, positions, src.Values, src.Stride, difference, sum)
		plan.Inverse(work)
		kernels.unfoldSine(dst.Values, dst.Stride, work)
	}
	return &Axis{Values: n - 1, Work: Columns * n, Transform: transform}
}

// NewCosineAxis returns the cosine transform along an axis of r points, counting both ends:
//
//	F_k = sum_j w_j f_j cos(j k pi/n),  j, k = 0 ... n,  n = r-1,
//
// where w is 1/2 at both ends and 1 between. Applied twice it multiplies by n/2. For
//
//	y_j = (f_j + f_n-j)/2 - sin(j pi/n) (f_j - f_n-j),  j = 0 ... n-1,
//
// the sums follow from X_k = sum_j y_j exp(2 pi i j k/n):
//
//	F_1 = sum_j w_j f_j cos(j pi/n),  F_2k = Re X_k,  F_2k+1 = F_2k-1 + Im X_k.
//
// (Press et al., Numerical Recipes, section 12.4.2.) It panics if r < 2.
func NewCosineAxis(r int) *Axis { return newCosineAxis(r, simd.Active()) }

func newCosineAxis(r int, level simd.Level) *Axis {
	if r < 2 {
		panic(fmt.Sprintf("trig: an axis of %d points", r))
	}
	n := r - 1
	kernels := simd.Choose(level, genericKernels, vectorKernels)
	plan, offsets := planOf(n)
	// for j = 0 ... n/2:
	var positions []int   // offsets in a block of frequencies j and -j
	var sines []float64   // sin(j pi/n)/2, with the 1/2 of separating two columns
	var cosines []float64 // cos(j pi/n)
	for j := 0; j <= n/2; j++ {
		angle := math.Pi * float64(j) / float64(n)
		sine, cosine := math.Sincos(angle)
		positions = append(positions, offsets[j], offsets[(n-j)%n])
		sines = append(sines, sine/2)
		cosines = append(cosines, cosine)
	}
	transform := func(dst, src Rows, work []float64) {
		z := work[:Columns*n]
		odd := work[Columns*n:]
		kernels.foldCosine(z, positions, src.Values, src.Stride, sines, cosines, odd)
		plan.Inverse(z)
		kernels.unfoldCosine(dst.Values, dst.Stride, z, odd)
	}
	return &Axis{Values: r, Work: Columns * r, Transform: transform}
}

// NewCentredAxis returns the cosine transform of values at the centres of n cells along an axis:
//
//	F_k = sum_j f_j cos((j+1/2) k pi/n),  j, k = 0 ... n-1,
//
// or, if sum, f_j = F_0/2 + sum_k>0 F_k cos((j+1/2) k pi/n). Their composition multiplies by n/2. With the values of
// even index first and the values of odd index after them in reverse,
//
//	v_j = f_2j,  v_n-1-j = f_2j+1,  X_k = sum_j v_j exp(2 pi i j k/n),
//
// F_k are the real parts of X_k exp(i k pi/2n), and F_n-k the imaginary parts. The inverse reverses these steps.
// (Makhoul, IEEE Trans. Acoust. 28, 1980.) It panics if n < 1.
func NewCentredAxis(n int, sum bool) *Axis {
	if n < 1 {
		panic(fmt.Sprintf("trig: an axis of %d cells", n))
	}
	plan, positions := planOf(n)
	order := make([]int, n) // row of f with v_j
	for j := range n {
		if j%2 == 0 {
			order[j/2] = j
		} else {
			order[n-1-j/2] = j
		}
	}
	// of k pi/2n, k = 0 ... n/2, times the 1/2 of separating two columns:
	var cosines, sines []float64
	for k := 0; k <= n/2; k++ {
		angle := math.Pi / 2 * float64(k) / float64(n)
		sine, cosine := math.Sincos(angle)
		cosines = append(cosines, cosine/2)
		sines = append(sines, sine/2)
	}
	analyse := func(dst, src Rows, work []float64) {
		for j, row := range order {
			*at(work, positions[j]) = *src.row(row)
		}
		plan.Inverse(work)
		unfoldCentred(dst, work, cosines, sines)
	}
	summate := func(dst, src Rows, work []float64) {
		foldCentred(work, positions, src, cosines, sines)
		plan.Inverse(work)
		for j, row := range order {
			*dst.row(row) = *at(work, j*Columns)
		}
	}
	axis := &Axis{Values: n, Work: Columns * n, Transform: analyse}
	if sum {
		axis.Transform = summate
	}
	return axis
}
