// Tests of the spectra of real sequences.

package fft

import (
	"fmt"
	"testing"

	"rfm/solver/parallel/detector"
	"rfm/solver/simd"
)

func TestSpectraAreTheDirectSums(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const count = 13 // one whole block and one that is not full, with both halves in use
	forEachPlan(t, func(t *testing.T, p *Plan) {
		n := p.N()
		n1, n2 := p.shape()
		if n2 > 256 {
			t.Skip("the direct sums take long; longer spectra differ in the transform only")
		}
		u, got := random(count*n), make([]float64, 2*count*n)
		p.Spectra(got, u, count)
		for s := range count {
			x := make([]complex128, n)
			for i, v := range u[s*n : (s+1)*n] {
				x[i] = complex(v, 0)
			}
			want := interleaved(stored(p, directSums(x, n1, n2, -1)))
			expectEqual(t, fmt.Sprintf("spectrum %d", s), got[2*s*n:2*(s+1)*n], want, rounding)
		}
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
