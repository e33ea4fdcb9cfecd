// This file transforms along one axis.

package fft

import (
	"fmt"

	"rfm/solver/num/simd"
)

// line holds the tables of the transform of one length. It is immutable and safe for concurrent use.
type line struct {
	n           int
	frequencies []int // n; k at each position, -n/2 < k <= n/2
	mirror      []int // n; the position of frequency -k for that of k
	kernels     kernels
	passes      []pass
	convolution *convolution // if not nil, replaces the passes
	wide        *wide        // nil: there are no wide blocks
}

// A pass of the transform joins radix sub-transforms of length q at a time. The first pass has q = 1, and kernels of
// its own without twiddle factors.
type pass struct {
	radix    int
	q        int
	twiddles []float64
}

// inversion says what to transform, and where to: z becomes the inverse transform of v a, or of itself if v is nil.
// Unless re is nil the result is written to the panels re and im, and z is left undefined.
type inversion struct {
	z  []float64 // 8n
	v  []float64 // 8n; z or another block
	a  []float64 // 2n, a complex spectrum
	re []float64 // 4n
	im []float64 // 4n
}

// newLine returns the transform of length n. It panics if n < 1.
//
// Lengths without prime factors beyond 7 use passes of radix 2, 3, 4, 5, 7 and 8; the time per value hardly depends on
// the radices. All other lengths use a convolution by transforms of about twice the length (Bluestein 1970), five to
// seven times the time. Errors are of the order of the rounding unit times log n, relative to the root mean square of
// the result, for all lengths.
func newLine(n int, level simd.Level) *line {
	if n < 1 {
		panic(fmt.Sprintf("fft: length %d of a transform is not positive", n))
	}
	radices := radicesOf(n)
	p := &line{n: n, kernels: simd.Choose(level, genericKernels, vectorKernels)}
	q := 1
	for _, radix := range radices {
		next := pass{radix: radix, q: q, twiddles: twiddles(q, radix)}
		p.passes = append(p.passes, next)
		q *= radix
	}
	if radices == nil {
		radices = []int{n} // one pass, in natural order
		p.convolution = newConvolution(n, level)
	}
	if level >= simd.AVX512 && len(p.passes) > 1 {
		p.wide = wideKernels
	}
	p.frequencies = digitReversed(n, radices)
	p.mirror = mirrored(p.frequencies)
	return p
}

// forward applies the passes from the last to the first.
func (p *line) forward(z []float64) {
	if p.convolution != nil {
		p.convolution.transform(z, &p.convolution.forward)
		return
	}
	for s := len(p.passes) - 1; s > 0; s-- {
		next := &p.passes[s]
		p.kernels.forwardPass(next.radix, z, next.twiddles, next.q)
	}
	p.kernels.forwardLast(p.passes[0].radix, z)
}

// inverse applies the passes from the first to the last, which writes to the panels if there are some.
func (p *line) inverse(what inversion) {
	z := what.z
	switch {
	case p.convolution != nil:
		if what.v != nil {
			p.kernels.productFirst(1, z, what.v, what.a)
		}
		p.convolution.transform(z, &p.convolution.inverse)
	case what.v != nil:
		p.kernels.productFirst(p.passes[0].radix, z, what.v, what.a)
	default:
		p.kernels.inverseFirst(p.passes[0].radix, z)
	}
	for s := 1; s < len(p.passes); s++ {
		next := &p.passes[s]
		if what.re != nil && s == len(p.passes)-1 {
			p.kernels.inverseSplit(next.radix, what.re, what.im, z, next.twiddles, next.q)
			return
		}
		p.kernels.inversePass(next.radix, z, next.twiddles, next.q)
	}
	if what.re != nil {
		split(what.re, what.im, z)
	}
}

// inverseWide sets z to the inverse transform of v a for wide blocks z and v.
func (p *line) inverseWide(z, v, a []float64) {
	p.wide.productFirst(p.passes[0].radix, z, v, a)
	for s := 1; s < len(p.passes); s++ {
		next := &p.passes[s]
		p.wide.inversePass(next.radix, z, next.twiddles, next.q)
	}
}
