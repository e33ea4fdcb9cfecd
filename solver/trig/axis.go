// This file transforms eight columns along one axis by one complex transform of length n. Two columns u, v share a
// complex lane Z = U + i V, from which U = (Z_k + conj Z_-k)/2, V = (Z_k - conj Z_-k)/(2i).

package trig

import (
	"fmt"
	"math"

	"rfm/solver/fft"
	"rfm/solver/simd"
)

// SineAxis is the sine transform along one axis. For f_1 ... f_n-1 and
//
//	y_j = sin(j pi/n) (f_j + f_n-j) + (f_j - f_n-j)/2,  j = 0 ... n-1,
//
// the sums F_k = sum_j f_j sin(j k pi/n) follow from X_k = sum_j y_j exp(2 pi i j k/n):
//
//	F_1 = Re X_0/2,  F_2k = Im X_k,  F_2k+1 = F_2k-1 + Re X_k.
//
// (Press et al., Numerical Recipes, section 12.4.1.)
type SineAxis struct {
	plan    *fft.Plan
	kernels kernels
	// sum and difference map f to y, j = 1 ... n/2, with the scale and the factor 1/2 of separating two columns.
	sum        []float64
	difference float64
	// positions are the offsets in a block of fft of frequencies j and -j.
	positions []int
}

// NewSineAxis returns the transform along an axis of r points, counting both ends, r >= 3:
//
//	F_k = scale sum_j f_j sin(j k pi/n),  j, k = 1 ... n-1,  n = r-1.
//
// It panics if r < 3.
func NewSineAxis(r int, scale float64) *SineAxis {
	if r < 3 {
		panic(fmt.Sprintf("trig: an axis of %d points has none inside", r))
	}
	return newSineAxis(r-1, scale, simd.Active())
}

func newSineAxis(n int, scale float64, level simd.Level) *SineAxis {
	a := &SineAxis{plan: fft.NewPlan(n), kernels: kernelsFor(level), difference: scale / 4}
	offset := offsets(a.plan)
	for j := 1; j <= n/2; j++ {
		a.sum = append(a.sum, scale/2*math.Sin(math.Pi*float64(j)/float64(n)))
		a.positions = append(a.positions, offset[j], offset[n-j])
	}
	return a
}

// offsets returns the offset of each frequency modulo n in a block of fft.
func offsets(plan *fft.Plan) []int {
	offset := make([]int, plan.N())
	for position, k := range plan.Frequencies() {
		offset[(k+plan.N())%plan.N()] = position * Columns
	}
	return offset
}

// Work returns the length of the scratch memory of Transform.
func (a *SineAxis) Work() int { return Columns * a.plan.N() }

// Values returns the number of interior points, n-1.
func (a *SineAxis) Values() int { return a.plan.N() - 1 }

// Transform writes the transforms of the first eight columns of src, whose Values rows begin at a distance of srcStride
// numbers, to the columns of dst. It overwrites work, of Work numbers. dst may be src if the strides are equal.
func (a *SineAxis) Transform(dst []float64, dstStride int, src []float64, srcStride int, work []float64) {
	a.kernels.foldSine(work, a.positions, src, srcStride, a.difference, a.sum)
	a.plan.Inverse(work)
	a.kernels.unfoldSine(dst, dstStride, work)
}

// CosineAxis is the cosine transform along one axis. For
//
//	y_j = (f_j + f_n-j)/2 - sin(j pi/n) (f_j - f_n-j),  j = 0 ... n-1,
//
// the sums F_k = sum_j w_j f_j cos(j k pi/n) with w = 1/2 at the ends follow from X_k = sum_j y_j exp(2 pi i j k/n):
//
//	F_1 = sum_j w_j f_j cos(j pi/n),  F_2k = Re X_k,  F_2k+1 = F_2k-1 + Im X_k.
//
// (Press et al., Numerical Recipes, section 12.4.2.)
type CosineAxis struct {
	plan      *fft.Plan
	kernels   kernels
	positions []int     // offsets in a block of frequencies j and -j, for j = 0 ... n/2
	sines     []float64 // sin(j pi/n)/2, for j = 0 ... n/2: half, for the separation of two columns
	cosines   []float64 // cos(j pi/n), for j = 0 ... n/2
}

// NewCosineAxis returns the transform along an axis of r points, counting both ends:
//
//	F_k = sum_j w_j f_j cos(j k pi/n),  j, k = 0 ... n,  n = r-1,
//
// where w is 1/2 at both ends and 1 between. Applied twice it multiplies by n/2. It panics if r < 2.
func NewCosineAxis(r int) *CosineAxis {
	if r < 2 {
		panic(fmt.Sprintf("trig: an axis of %d points", r))
	}
	return newCosineAxis(r-1, simd.Active())
}

func newCosineAxis(n int, level simd.Level) *CosineAxis {
	a := &CosineAxis{plan: fft.NewPlan(n), kernels: kernelsFor(level)}
	offset := offsets(a.plan)
	for j := 0; j <= n/2; j++ {
		sine, cosine := math.Sincos(math.Pi * float64(j) / float64(n))
		a.positions = append(a.positions, offset[j], offset[(n-j)%n])
		a.sines, a.cosines = append(a.sines, sine/2), append(a.cosines, cosine)
	}
	return a
}

// Work returns the length of the scratch memory of Transform.
func (a *CosineAxis) Work() int { return Columns * (a.plan.N() + 1) }

// Values returns the number of points, n+1.
func (a *CosineAxis) Values() int { return a.plan.N() + 1 }

// Transform transforms columns as SineAxis.Transform does.
func (a *CosineAxis) Transform(dst []float64, dstStride int, src []float64, srcStride int, work []float64) {
	z, odd := work[:Columns*a.plan.N()], work[Columns*a.plan.N():]
	a.kernels.foldCosine(z, a.positions, src, srcStride, a.sines, a.cosines, odd)
	a.plan.Inverse(z)
	a.kernels.unfoldCosine(dst, dstStride, z, odd)
}

// CentredAxis is the cosine transform of values at cell centres along one axis, or its inverse. With the values of even
// index first and the values of odd index after them in reverse,
//
//	v_j = f_2j,  v_n-1-j = f_2j+1,  X_k = sum_j v_j exp(2 pi i j k/n),
//
// the sums F_k = sum_j f_j cos((j+1/2) k pi/n) are the real parts of X_k exp(i k pi/2n), and F_n-k the imaginary parts.
// The inverse reverses these steps. (Makhoul, IEEE Trans. Acoust. 28, 1980.)
type CentredAxis struct {
	plan      *fft.Plan
	sum       bool
	kernels   kernels
	order     []int     // row of f with v_j, j = 0 ... n-1
	positions []int     // offsets in a block of frequency j
	cosines   []float64 // cos(k pi/2n)/2, k = 0 ... n/2: half, for the separation of two columns
	sines     []float64 // sin(k pi/2n)/2
}

// NewCentredAxis returns the transform along an axis of n cells:
//
//	F_k = sum_j f_j cos((j+1/2) k pi/n),  j, k = 0 ... n-1,
//
// or, if sum, f_j = F_0/2 + sum_k>0 F_k cos((j+1/2) k pi/n). Their composition multiplies by n/2. It panics if n < 1.
func NewCentredAxis(n int, sum bool) *CentredAxis {
	if n < 1 {
		panic(fmt.Sprintf("trig: an axis of %d cells", n))
	}
	return newCentredAxis(n, sum, simd.Active())
}

func newCentredAxis(n int, sum bool, level simd.Level) *CentredAxis {
	a := &CentredAxis{plan: fft.NewPlan(n), sum: sum, kernels: kernelsFor(level), order: make([]int, n)}
	a.positions = offsets(a.plan)
	for j := range n {
		if j%2 == 0 {
			a.order[j/2] = j
		} else {
			a.order[n-1-j/2] = j
		}
	}
	for k := 0; k <= n/2; k++ {
		sine, cosine := math.Sincos(math.Pi / 2 * float64(k) / float64(n))
		a.cosines, a.sines = append(a.cosines, cosine/2), append(a.sines, sine/2)
	}
	return a
}

// Work returns the length of the scratch memory of Transform.
func (a *CentredAxis) Work() int { return Columns * a.plan.N() }

// Values returns the number of cells, n.
func (a *CentredAxis) Values() int { return a.plan.N() }

// Transform transforms columns as SineAxis.Transform does.
func (a *CentredAxis) Transform(dst []float64, dstStride int, src []float64, srcStride int, work []float64) {
	if a.sum {
		a.kernels.foldCentred(work, a.positions, src, srcStride, a.cosines, a.sines)
		a.plan.Inverse(work)
		for j, row := range a.order {
			*at(dst, row*dstStride) = *at(work, j*Columns)
		}
		return
	}
	for j, row := range a.order {
		*at(work, a.positions[j]) = *at(src, row*srcStride)
	}
	a.plan.Inverse(work)
	a.kernels.unfoldCentred(dst, dstStride, work, a.cosines, a.sines)
}
