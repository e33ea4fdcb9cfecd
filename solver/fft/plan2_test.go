// Tests of the transforms on a periodic rectangle, on both kinds of kernels.

package fft

import (
	"fmt"
	"math"
	"testing"

	"rfm/solver/parallel/detector"
	"rfm/solver/simd"
)

// shapes contains single points and lines, both parities, squares and rectangles, and convolutions along either axis.
var shapes = [][2]int{{1, 1}, {1, 6}, {6, 1}, {2, 2}, {3, 5}, {5, 4}, {8, 8}, {12, 10}, {11, 6}, {6, 11}, {16, 16},
	{15, 32}, {20, 21}, {64, 48}}

func forEachPlan2(t *testing.T, test func(t *testing.T, p *Plan2)) {
	for _, level := range levels() {
		for _, s := range shapes {
			t.Run(fmt.Sprintf("%v/%dx%d", level, s[0], s[1]), func(t *testing.T) { test(t, newPlan2(s[0], s[1], level)) })
		}
	}
}

// directSum2 returns sum_ij x_ij exp(sign 2 pi i (i k1/N1 + j k2/N2)) in row-major order of the frequencies modulo N1,
// N2.
func directSum2(x []complex128, n1, n2 int, sign float64) []complex128 {
	half, sums := make([]complex128, len(x)), make([]complex128, len(x))
	for i := range n1 {
		copy(half[i*n2:(i+1)*n2], directSum(x[i*n2:(i+1)*n2], upTo(n2), sign))
	}
	column := make([]complex128, n1)
	for j := range n2 {
		for i := range column {
			column[i] = half[i*n2+j]
		}
		for k, sum := range directSum(column, upTo(n1), sign) {
			sums[k*n2+j] = sum
		}
	}
	return sums
}

func upTo(n int) []int {
	ks := make([]int, n)
	for k := range ks {
		ks[k] = k
	}
	return ks
}

// stored rearranges values from row-major order of the frequencies to storage order.
func stored(p *Plan2, natural []complex128) []complex128 {
	n1, n2 := p.shape()
	spectrum := make([]complex128, len(natural))
	for position, k := range p.Frequencies() {
		spectrum[position] = natural[(k[0]+n1)%n1*n2+(k[1]+n2)%n2]
	}
	return spectrum
}

func TestForward2AndInverse2AreTheDirectSums(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	forEachPlan2(t, func(t *testing.T, p *Plan2) {
		n1, n2 := p.shape()
		z := random(stride * p.N())
		for l := range Lanes {
			x := laneOf(z, l)
			got := clone(z)
			p.Forward(got)
			expectEqual(t, "Forward", interleaved(laneOf(got, l)), interleaved(stored(p, directSum2(x, n1, n2, -1))),
				2*bound(p.N()))
			got = clone(z)
			setLane(got, l, stored(p, x))
			p.Inverse(got)
			expectEqual(t, "Inverse", interleaved(laneOf(got, l)), interleaved(directSum2(x, n1, n2, 1)), 2*bound(p.N()))
		}
	})
}

func TestInverse2UndoesForward2AndParsevalHolds(t *testing.T) {
	forEachPlan2(t, func(t *testing.T, p *Plan2) {
		z := random(stride * p.N())
		want, energy := clone(z), 0.0
		for i := range want {
			energy += z[i] * z[i]
			want[i] *= float64(p.N())
		}
		p.Forward(z)
		var transformed float64
		for _, v := range z {
			transformed += v * v
		}
		expectEqual(t, "energy", []float64{transformed}, []float64{energy * float64(p.N())}, rounding)
		p.Inverse(z)
		expectEqual(t, "inverse of forward", z, want, rounding)
	})
}

func TestInverseProduct2IsInverseOfTheProduct(t *testing.T) {
	forEachPlan2(t, func(t *testing.T, p *Plan2) {
		n := p.N()
		v, a := random(stride*n), random(2*n)
		keptV, keptA := clone(v), clone(a)
		re, im, work := make([]float64, Lanes*n), make([]float64, Lanes*n), random(stride*n)
		p.InverseProduct(re, im, v, a, work)
		product := make([]float64, stride*n)
		for l := range Lanes {
			x := laneOf(v, l)
			for i := range x {
				x[i] *= complex(a[2*i], a[2*i+1])
			}
			setLane(product, l, x)
		}
		multiplied := make([]float64, stride*n)
		p.Multiply(multiplied, v, a)
		expectEqual(t, "product", multiplied, product, rounding)
		p.Inverse(product)
		wantRe, wantIm := make([]float64, Lanes*n), make([]float64, Lanes*n)
		split(wantRe, wantIm, product)
		expectEqual(t, "panel of real parts", re, wantRe, rounding)
		expectEqual(t, "panel of imaginary parts", im, wantIm, rounding)
		expectEqual(t, "input block afterwards", v, keptV, 0)
		expectEqual(t, "input spectrum afterwards", a, keptA, 0)
	})
}

func TestSpectra2AreTheDirectSums(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const count = 13 // one whole block and one that is not full, with both halves in use
	forEachPlan2(t, func(t *testing.T, p *Plan2) {
		n1, n2 := p.shape()
		n := p.N()
		u, spectra := random(count*n), make([]float64, 2*count*n)
		p.Spectra(spectra, u, count)
		for s := range count {
			x := make([]complex128, n)
			for i, v := range u[s*n : (s+1)*n] {
				x[i] = complex(v, 0)
			}
			sums := directSum2(x, n1, n2, -1)
			expectEqual(t, fmt.Sprintf("spectrum %d", s), spectra[2*s*n:2*(s+1)*n], interleaved(stored(p, sums)), rounding)
		}
	})
}

func ExamplePlan2() {
	// The derivative of sin(2 pi y) cos(4 pi x) with respect to the first variable, x, at x = 1/8, y = 1/4.
	plan := newPlan2(8, 8, simd.Active())
	u := make([]float64, 64)
	for i := range 8 {
		for j := range 8 {
			u[8*i+j] = math.Cos(4*math.Pi*float64(i)/8) * math.Sin(2*math.Pi*float64(j)/8)
		}
	}
	derivative := make([]float64, 2*plan.N())
	for position, k := range plan.Frequencies() {
		if k[0] != 4 { // the Nyquist mode has no odd derivative
			derivative[2*position+1] = 2 * math.Pi * float64(k[0]) / float64(plan.N())
		}
	}
	block := make([]float64, 8*plan.N()) // room for eight real fields
	plan.Pack(block, u)
	plan.Forward(block)
	plan.Multiply(block, block, derivative)
	plan.Inverse(block)
	plan.Unpack(u, block)
	fmt.Printf("%.4f = -4 pi\n", u[8*1+2])
	// Output:
	// -12.5664 = -4 pi
}

// Pack packs up to eight real fields, row-major and one after the other in u, into a block.
func (p *Plan2) Pack(z, u []float64) { pack(z, u, p.n) }

// Unpack writes the first of the eight real fields of a block, as many as u has room for.
func (p *Plan2) Unpack(u, z []float64) {
	for s := range len(u) / p.n {
		for x := range p.n {
			u[s*p.n+x] = z[stride*x+s]
		}
	}
}
