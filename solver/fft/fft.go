// Package fft transforms four complex or eight real sequences at a time, one
// sequence per SIMD lane.
//
// A block holds four complex sequences of length N as a []float64 of length 8N: for every position the four real parts,
// then the four imaginary parts. Eight real sequences u_0 ... u_7 are packed into one block as z_l = u_l + i u_{4+l}, l
// = 0 ... 3.
//
// Plan transforms functions of one variable, Plan2 functions of two.
//
// Spectra stay in the order in which the kernels produce them (see Plan.Frequencies); nothing is ever permuted, because
// all operations on spectra are pointwise. No transform is normalised: Inverse after Forward multiplies by N.
package fft

import (
	"fmt"
	"sync"

	"rfm/solver/simd"
)

// Lanes is the number of complex sequences in a block.
const Lanes = 4

// stride is the number of floats that one position occupies in a block.
const stride = 2 * Lanes

// Plan holds the tables of the transform of one length. It is immutable and safe for concurrent use.
type Plan struct {
	space
	frequencies []int

	first  firstKernels
	passes []pass
	// convolution, if not nil, replaces the passes.
	convolution *convolution
}

// space holds the tables common to blocks and spectra of one number of points.
type space struct {
	n       int
	mirror  []int // the position of frequency -k for that of k
	points  pointKernels
	scratch sync.Pool // blocks
}

func newSpace(n int, mirror []int, points pointKernels) space {
	return space{n: n, mirror: mirror, points: points, scratch: sync.Pool{New: func() any {
		block := make([]float64, stride*n)
		return &block
	}}}
}

// A pass of the transform joins sub-transforms of length q into sub-transforms of
// length points = radix q. The first pass has q = 1, no twiddle factors and kernels of its own.
type pass struct {
	radix, points int
	twiddles      []float64
	kernels       passKernels
}

// NewPlan returns the plan for transforms of length n. It panics if n < 1.
//
// Lengths without prime factors beyond 7 use passes of radix 2, 3, 4, 5, 7 and 8; the time per value hardly depends on
// the radices. All other lengths use a convolution by transforms of about twice the length (Bluestein 1970), five to
// seven times the time. Errors are of the order of the rounding unit times log n, relative to the root mean square of
// the result, for all lengths.
func NewPlan(n int) *Plan { return newPlan(n, simd.Active()) }

func newPlan(n int, level simd.Level) *Plan {
	if n < 1 {
		panic(fmt.Sprintf("fft: length %d of a transform is not positive", n))
	}
	k := kernelsFor(level)
	p := new(Plan)
	if radices := radicesOf(n); radices != nil {
		p.frequencies = digitReversed(n, radices)
		p.first, p.passes = k.first[radices[0]], passesOf(radices, k)
	} else {
		p.frequencies = naturalOrder(n)
		p.convolution = newConvolution(n, level)
	}
	p.space = newSpace(n, mirrored(p.frequencies), k.points)
	return p
}

// N returns the number of points of the transform.
func (p *space) N() int { return p.n }

// Mirror returns, for every position of a spectrum, that of the opposite frequency.
func (p *space) Mirror() []int { return p.mirror }

// Frequencies returns the frequency k, -N/2 < k <= N/2, that each of the N positions of a spectrum holds: storage
// order. The slice is a copy.
func (p *Plan) Frequencies() []int { return append([]int(nil), p.frequencies...) }

// Forward replaces the block z, length 8N, by its discrete Fourier transforms
//
//	Z_k = sum_j z_j exp(-2 pi i j k/N),
//
// from natural order in space to storage order in frequency (decimation in frequency).
func (p *Plan) Forward(z []float64) {
	p.check("block", z, stride)
	if p.convolution != nil {
		p.convolution.transform(z, &p.convolution.forward)
		return
	}
	p.forward(z)
}

// forward applies the passes from the last to the first.
func (p *Plan) forward(z []float64) {
	for s := len(p.passes) - 1; s > 0; s-- {
		p.passes[s].kernels.forward(z, p.passes[s].twiddles, p.passes[s-1].points)
	}
	p.first.forward(z)
}

// Combine sets dst_k = c_0k v_0k + i sum_j c_jk v_jk, j = 1 ..., in every lane: v and dst are blocks in storage order,
// length 8N; the tables c are real, length N, one number for each position. dst may be one of v. An even c_0 and other
// odd c keep packed real sequences apart; this is then a stage of an integrating-factor method for a conservation law.
// Mix is Combine without the factor i, Blend is Mix for complex spectra as in Multiply in place of c.
func (p *space) Combine(dst []float64, tables, blocks [][]float64) {
	p.sum(p.points.combine, 1, dst, tables, blocks)
}

func (p *space) Mix(dst []float64, tables, blocks [][]float64) {
	p.sum(p.points.mix, 1, dst, tables, blocks)
}

func (p *space) Blend(dst []float64, tables, blocks [][]float64) {
	p.sum(p.points.blend, 2, dst, tables, blocks)
}

func (p *space) sum(kernel func(dst []float64, tables, blocks [][]float64), perPoint int, dst []float64,
	tables, blocks [][]float64) {
	p.check("block dst", dst, stride)
	for j, v := range blocks {
		p.check("table", tables[j], perPoint)
		p.check("block", v, stride)
	}
	kernel(dst, tables, blocks)
}

// Multiply sets dst = v a in every lane: v and dst are blocks in storage order, length 8N, a is one complex spectrum
// for all lanes, real and imaginary parts interleaved, length 2N. dst may be v. An a with a_-k = conj a_k, such as the
// symbol of a derivative, keeps packed real sequences apart.
func (p *space) Multiply(dst, v, a []float64) {
	p.check("block dst", dst, stride)
	p.check("block v", v, stride)
	p.check("spectrum", a, 2)
	p.points.multiply(dst, v, a)
}

// Product sets dst = (c a + e) b, number by number, or adds it to dst if there is more: a, b and dst are real, of equal
// length, a multiple of 8. dst may be a or b.
func (p *space) Product(dst []float64, c float64, a []float64, e float64, b []float64, more bool) {
	check("factor a", a, len(dst))
	check("factor b", b, len(dst))
	check("product", dst, len(dst)/stride*stride)
	switch {
	case len(dst) == 0:
	case more:
		p.points.productAdd(dst, c, a, e, b)
	default:
		p.points.product(dst, c, a, e, b)
	}
}

// Estimate adds the error, the norm, the rate and the bend of a time step to the sums of each lane: for the four
// weights a, b, c, d of every position
//
//	a |next - last|^2, b |u|^2, c |next|^2, d |first - 2 middle + next|^4/(|first|^2 + 2 |middle|^2 + |next|^2).
//
// Here |z|^2 is the sum for the two functions of a lane, and all arguments but the weights are blocks. There is no bend
// if first is nil.
func (p *space) Estimate(sums *[4][Lanes]float64, weights, last, next, u, first, middle []float64) {
	p.check("weights", weights, 4)
	for _, b := range [][]float64{last, next, u} {
		p.check("block", b, stride)
	}
	if first == nil {
		p.points.estimate(sums, weights, last, next, u, nil, nil)
		return
	}
	p.check("first block", first, stride)
	p.check("middle block", middle, stride)
	p.points.estimateBend(sums, weights, last, next, u, first, middle)
}

// Inverse replaces the block z, length 8N, by the sums
//
//	z_j = sum_k Z_k exp(+2 pi i j k/N),
//
// from storage order in frequency to natural order in space (decimation in time).
func (p *Plan) Inverse(z []float64) {
	p.check("block", z, stride)
	if p.convolution != nil {
		p.convolution.transform(z, &p.convolution.inverse)
		return
	}
	p.first.inverse(z)
	p.join(z, len(p.passes))
}

// join applies the passes of the inverse between the first and the one with index end.
func (p *Plan) join(z []float64, end int) {
	for s := 1; s < end; s++ {
		p.passes[s].kernels.inverse(z, p.passes[s].twiddles, p.passes[s-1].points)
	}
}

// InverseProduct writes the inverse transform of the pointwise product v a as panels
// of four real sequences: for position j and lane l
//
//	re[4j+l] + i im[4j+l] = sum_k v_{k,l} a_k exp(+2 pi i j k/N).
//
// v is a block in storage order, length 8N; a is one complex spectrum for all lanes,
// storage order, real and imaginary parts interleaved, length 2N; re and im have
// length 4N and work, which is overwritten, 8N. None of them may overlap.
//
// If v packs the Hermitian spectra of eight real sequences and a belongs to a real
// sequence, re and im are the first and the last four of the eight products.
func (p *Plan) InverseProduct(re, im, v, a, work []float64) {
	p.check("panel of real parts", re, Lanes)
	p.check("panel of imaginary parts", im, Lanes)
	p.check("block", v, stride)
	p.check("spectrum", a, 2)
	p.check("scratch block", work, stride)
	if len(p.passes) < 2 {
		p.InverseOf(work, v, a)
		split(re, im, work)
		return
	}
	p.first.product(work, v, a)
	p.split(re, im, work)
}

// split applies the passes of the inverse after the first to z, which is overwritten, and writes the result into
// panels.
func (p *Plan) split(re, im, z []float64) {
	last := len(p.passes) - 1
	p.join(z, last)
	p.passes[last].kernels.split(re, im, z, p.passes[last].twiddles, p.passes[last-1].points)
}

// inverseSplit writes the inverse transform of the block z, which is overwritten, into panels.
func (p *Plan) inverseSplit(re, im, z []float64) {
	if len(p.passes) < 2 {
		p.Inverse(z)
		split(re, im, z)
		return
	}
	p.first.inverse(z)
	p.split(re, im, z)
}

// InverseOf sets z to the inverse transform of v a; v is a block in storage order, a one complex spectrum as in
// Multiply. z may be v.
func (p *Plan) InverseOf(z, v, a []float64) {
	p.check("block", z, stride)
	p.check("block v", v, stride)
	p.check("spectrum", a, 2)
	if p.convolution != nil {
		p.points.multiply(z, v, a)
		p.Inverse(z)
		return
	}
	p.first.product(z, v, a)
	p.join(z, len(p.passes))
}

func (p *space) check(what string, x []float64, perPoint int) { check(what, x, perPoint*p.n) }

func check(what string, x []float64, length int) {
	if len(x) != length {
		panic(fmt.Sprintf("fft: %s has length %d, want %d", what, len(x), length))
	}
}

// Spectra writes the unnormalised discrete Fourier transforms of count real sequences. u holds them one after the
// other, length count N; dst receives for each the full spectrum in storage order, real and imaginary parts
// interleaved, length 2N each: as InverseProduct expects. dst and u may not overlap.
func (p *Plan) Spectra(dst, u []float64, count int) {
	p.spectra(dst, u, count, p.Forward)
}

// spectra implements Spectra with the transform forward of blocks.
func (p *space) spectra(dst, u []float64, count int, forward func(z []float64)) {
	n := p.n
	if len(u) != count*n || len(dst) != 2*count*n {
		panic(fmt.Sprintf("fft: %d spectra of length %d from %d into %d numbers, want %d into %d",
			count, n, len(u), len(dst), count*n, 2*count*n))
	}
	scratch := p.scratch.Get().(*[]float64)
	defer p.scratch.Put(scratch)
	block := *scratch
	for first := 0; first < count; first += stride {
		sequences := min(stride, count-first)
		pack(block, u[first*n:(first+sequences)*n], n)
		forward(block)
		unpack(dst[2*first*n:2*(first+sequences)*n], block, p.mirror)
	}
}

// pack sets z_l = u_l + i u_{4+l} for sequences of length n; missing ones count as zero.
func pack(block, u []float64, n int) {
	sequences := len(u) / n
	for s := range sequences {
		for i, value := range u[s*n : (s+1)*n] {
			block[stride*i+s] = value
		}
	}
	for s := sequences; s < stride; s++ {
		for i := range n {
			block[stride*i+s] = 0
		}
	}
}

// unpack separates the transforms of the real and imaginary parts of z = u + i v:
// U_k = (Z_k + conj Z_-k)/2, V_k = (Z_k - conj Z_-k)/(2i).
func unpack(dst, block []float64, mirror []int) {
	n := len(mirror)
	sequences := len(dst) / (2 * n)
	for s := range sequences {
		spectrum := dst[2*s*n : 2*(s+1)*n]
		for i, j := range mirror {
			spectrum[2*i], spectrum[2*i+1] = separated(block, i, j, s)
		}
	}
}

// separated returns the transform of the real sequence s at the position i, whose opposite is j.
func separated(block []float64, i, j, s int) (re, im float64) {
	z, opposite := at(block, i), at(block, j)
	l := s % Lanes
	zr, zi, or, oi := z[l], z[l+Lanes], opposite[l], opposite[l+Lanes]
	if s < Lanes {
		return (zr + or) / 2, (zi - oi) / 2
	}
	return (zi + oi) / 2, (or - zr) / 2
}
