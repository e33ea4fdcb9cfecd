// Tests of the spectra of real functions, and of the kernels against each other.

package fft

import (
	"fmt"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/simd"
)

func TestSpectrumIsTheDirectSum(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	forEachPlan(t, func(t *testing.T, p *Plan) {
		n1, n2 := p.shape()
		if n2 > 256 {
			t.Skip("the direct sums take long; longer spectra differ in the transform only")
		}
		u, got, x := random(p.n), make([]float64, 2*p.n), make([]complex128, p.n)
		for i, v := range u {
			x[i] = complex(v, 0)
		}
		p.Spectrum(got, u)
		expectEqual(t, "spectrum", got, interleaved(stored(p, directSums(x, n1, n2, -1))), rounding)
	})
}

func TestAssemblyAgreesWithPureGo(t *testing.T) {
	if simd.Active() < simd.AVX2 {
		t.Skip("this processor has only the pure Go kernels")
	}
	for _, n := range lengths {
		assembly, pure := newPlan(0, n, simd.AVX2), newPlan(0, n, simd.Generic)
		for name, transform := range map[string]func(p *Plan, z []float64){
			"Forward": (*Plan).Forward,
			"Inverse": (*Plan).Inverse,
		} {
			got, want := random(stride*n), random(stride*n)
			transform(assembly, got)
			transform(pure, want)
			expectEqual(t, fmt.Sprintf("%s of length %d", name, n), got, want, rounding)
		}
	}
}
