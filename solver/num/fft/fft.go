// Package fft transforms four complex or eight real functions at a time, one per SIMD lane: functions of one variable,
// or fields on a periodic rectangle.
//
// A block holds four complex functions on N points as a []float64 of length 8N: for every position the four real parts,
// then the four imaginary parts. Eight real functions u_0 ... u_7 are packed into one block as z_l = u_l + i u_{4+l}, l
// = 0 ... 3. Fields on N1 x N2 points are row-major: N = N1 N2, point (i, j) is at position i N2 + j.
//
// Spectra stay in the order in which the kernels produce them (see On); nothing is ever permuted, because all
// operations on spectra are pointwise. No transform is normalised: Inverse after Forward multiplies by N.
package fft

import (
	"fmt"
	"sync"

	"rfm/solver/num/simd"
)

// Lanes is the number of complex functions in a block.
const Lanes = 4

// stride is the number of floats that one position occupies in a block.
const stride = 2 * Lanes

// Plan holds the tables of the transforms on one grid. It is immutable and safe for concurrent use; in the steady state
// its methods do not allocate.
type Plan struct {
	n           int      // points: N
	frequencies [][2]int // N, in storage order
	mirror      []int    // N; the position of frequency -k for that of k
	kernels     kernels
	blocks      *sync.Pool // of one block, for Spectrum

	rows       *line      // along the last axis
	columns    *line      // along the first one; nil for functions of one variable
	transposed *sync.Pool // of a block with its axes exchanged, see exchange
	ones       []float64  // 2 N2; the spectrum 1 for a row
}

// blocksOf returns a pool of blocks, of so many numbers.
func blocksOf(numbers int) *sync.Pool {
	return &sync.Pool{New: func() any {
		block := make([]float64, numbers)
		return &block
	}}
}

// On returns the plan for n1 x n2 points, or for n2 points of one axis if n1 = 0. The numbers are arbitrary, see
// newLine. It panics if one of them is not positive.
func On(n1, n2 int) *Plan { return newPlan(n1, n2, simd.Active()) }

// newPlan is On with kernels of a level.
func newPlan(n1, n2 int, level simd.Level) *Plan {
	p := &Plan{
		n:       n2,
		kernels: simd.Choose(level, genericKernels, vectorKernels),
		rows:    newLine(n2, level),
	}
	if n1 == 0 {
		p.mirror = p.rows.mirror
		for _, k := range p.rows.frequencies {
			p.frequencies = append(p.frequencies, [2]int{k, 0})
		}
		p.blocks = blocksOf(stride * n2)
		return p
	}
	p.n = n1 * n2
	p.columns = newLine(n1, level)
	for second, k2 := range p.rows.frequencies {
		firstOfMirror := n1 * p.rows.mirror[second]
		for first, k1 := range p.columns.frequencies {
			p.frequencies = append(p.frequencies, [2]int{k1, k2})
			p.mirror = append(p.mirror, firstOfMirror+p.columns.mirror[first])
		}
		p.ones = append(p.ones, 1, 0)
	}
	p.blocks = blocksOf(stride * p.n)
	p.transposed = blocksOf(stride * max(n1*(n2+1), n2*(n1+1)))
	return p
}

// Pointwise returns a plan without transforms, for operations on blocks of n positions.
func Pointwise(n int) *Plan {
	return &Plan{n: n, kernels: simd.Choose(simd.Active(), genericKernels, vectorKernels)}
}

// N returns the number of points of the transform.
func (p *Plan) N() int { return p.n }

// Mirror returns, for every position of a spectrum, that of the opposite frequency. Callers must not change it.
func (p *Plan) Mirror() []int { return p.mirror }

// Frequencies returns the frequencies (k1, k2), -N1/2 < k1 <= N1/2 and -N2/2 < k2 <= N2/2, that each position of a
// spectrum holds, or (k, 0) for one axis: storage order, in which the second axis comes first. Callers must not change
// it.
func (p *Plan) Frequencies() [][2]int { return p.frequencies }

// Forward replaces the block z by its discrete Fourier transforms
//
//	Z_k = sum_j z_j exp(-2 pi i j k/N), or sum_ij z_ij exp(-2 pi i (i k1/N1 + j k2/N2)) for fields,
//
// from natural order in space to storage order in frequency (decimation in frequency).
func (p *Plan) Forward(z []float64) {
	p.check("block", z, stride)
	if p.columns == nil {
		p.rows.forward(z)
		return
	}
	scratch := p.transposed.Get().(*[]float64)
	defer p.transposed.Put(scratch)
	block := *scratch
	n1 := p.columns.n
	n2 := p.rows.n
	for i := range n1 {
		row := part(z, i, stride*n2)
		p.rows.forward(row)
		exchange(block, row, i, n1)
	}
	for j := range n2 {
		column := part(z, j, stride*n1)
		copy(column, block[stride*(n1+1)*j:])
		p.columns.forward(column)
	}
}

// part returns part i of x, whose parts have a length.
func part(x []float64, i, length int) []float64 {
	first := i * length
	return x[first : first+length]
}

// Inverse replaces the block z by the sums
//
//	z_j = sum_k Z_k exp(+2 pi i j k/N), or z_ij = sum_k Z_k exp(+2 pi i (i k1/N1 + j k2/N2)) for fields,
//
// from storage order in frequency to natural order in space (decimation in time).
func (p *Plan) Inverse(z []float64) {
	p.check("block", z, stride)
	p.inverse(inversion{z: z})
}

// InverseOf sets z to the inverse transform of v a; v is a block in storage order, a one complex spectrum as in
// Multiply. z may be v.
func (p *Plan) InverseOf(z, v, a []float64) {
	p.check("block", z, stride)
	p.check("block v", v, stride)
	p.check("spectrum", a, 2)
	p.inverse(inversion{z: z, v: v, a: a})
}

// InverseProduct writes the inverse transform of the pointwise product v a as panels
// of four real functions: for position j and lane l
//
//	re[4j+l] + i im[4j+l] = sum_k v_{k,l} a_k exp(+2 pi i j k/N).
//
// v is a block in storage order; a is one complex spectrum for all lanes as in Multiply; re and im have length 4N and
// work, which is overwritten, 8N. None of them may overlap.
//
// If v packs the Hermitian spectra of eight real functions and a belongs to a real
// function, re and im are the first and the last four of the eight products.
func (p *Plan) InverseProduct(re, im, v, a, work []float64) {
	p.check("panel of real parts", re, Lanes)
	p.check("panel of imaginary parts", im, Lanes)
	p.check("block", v, stride)
	p.check("spectrum", a, 2)
	p.check("scratch block", work, stride)
	p.inverse(inversion{z: work, v: v, a: a, re: re, im: im})
}

// Wide reports whether the processor has AVX-512, which transforms the two blocks of a wide block at a time, with the
// bits that each has by itself. There are no wide blocks of fields, and of lengths of a single pass or with large prime
// factors.
func (p *Plan) Wide() bool { return p.columns == nil && p.rows.wide != nil }

// Pack writes the blocks v and w side by side to a wide block, length 16N: for every position the four real parts of v
// and those of w, then the imaginary parts. A w of nil is zero.
func (p *Plan) Pack(wide, v, w []float64) {
	p.check("wide block", wide, 2*stride)
	p.check("first block", v, stride)
	if w != nil {
		p.check("second block", w, stride)
	}
	type half [Lanes]float64 // of a position
	for from := 0; from < len(v); from += Lanes {
		to := wide[2*from:][:2*Lanes]
		*(*half)(to) = half(v[from:])
		var second half
		if w != nil {
			second = half(w[from:])
		}
		*(*half)(to[Lanes:]) = second
	}
}

// InverseProductWide is InverseOf for wide blocks z and v. It panics unless the plan is Wide.
func (p *Plan) InverseProductWide(z, v, a []float64) {
	if !p.Wide() {
		panic("fft: wide block of a plan that has none")
	}
	p.check("wide block", z, 2*stride)
	p.check("wide block v", v, 2*stride)
	p.check("spectrum", a, 2)
	p.rows.inverseWide(z, v, a)
}

// inverse implements the inverse transforms.
func (p *Plan) inverse(what inversion) {
	if p.columns == nil {
		p.rows.inverse(what)
		return
	}
	scratch := p.transposed.Get().(*[]float64)
	defer p.transposed.Put(scratch)
	block := *scratch
	n1 := p.columns.n
	n2 := p.rows.n
	for j := range n2 {
		column := inversion{z: part(what.z, j, stride*n1)}
		if what.v != nil {
			column.v = part(what.v, j, stride*n1)
			column.a = part(what.a, j, 2*n1)
		}
		p.columns.inverse(column)
		exchange(block, column.z, j, n2)
	}
	for i := range n1 {
		exchanged := part(block, i, stride*(n2+1))
		row := exchanged[:stride*n2]
		if what.re != nil {
			p.rows.inverse(inversion{
				z:  row,
				re: part(what.re, i, Lanes*n2),
				im: part(what.im, i, Lanes*n2),
			})
			continue
		}
		p.rows.inverse(inversion{
			z: part(what.z, i, stride*n2),
			v: row,
			a: p.ones, // saves a copy, because the pass that multiplies reads row and writes to z
		})
	}
}

// exchange writes a line of positions as position i of the lines of the block. The lines have n positions and one more,
// so that they do not compete for the same sets of the cache.
func exchange(block, line []float64, i, n int) {
	to := stride * i
	for from := 0; from < len(line); from += stride {
		value := *(*point)(line[from : from+stride]) // in registers, because lines and block do not overlap
		*(*point)(block[to : to+stride]) = value
		to += stride * (n + 1)
	}
}

// Combine sets dst_k = sum_j c_jk v_jk in every lane, with a factor i after the first plain summands: v and dst are
// blocks in storage order, length 8N; the tables c are real, length N, one number for each position. dst may be one of
// v. Even plain c and odd others keep packed real sequences apart.
func (p *Plan) Combine(dst []float64, plain int, tables, blocks [][]float64) {
	p.checkSum(dst, 1, tables, blocks)
	p.kernels.combine(plain, dst, tables, blocks)
}

// Blend is Combine without a factor, for complex spectra as in Multiply in place of c.
func (p *Plan) Blend(dst []float64, tables, blocks [][]float64) {
	p.checkSum(dst, 2, tables, blocks)
	p.kernels.blend(len(tables), dst, tables, blocks)
}

// checkSum checks the arguments of sums of products with tables of so many numbers for each position.
func (p *Plan) checkSum(dst []float64, perPoint int, tables, blocks [][]float64) {
	p.check("block dst", dst, stride)
	for j, v := range blocks {
		p.check("table", tables[j], perPoint)
		p.check("block", v, stride)
	}
}

// Multiply sets dst = v a in every lane: v and dst are blocks in storage order, length 8N, a is one complex spectrum
// for all lanes, real and imaginary parts interleaved, length 2N. dst may be v. An a with a_-k = conj a_k, such as the
// symbol of a derivative, keeps packed real sequences apart.
func (p *Plan) Multiply(dst, v, a []float64) {
	p.check("block dst", dst, stride)
	p.check("block v", v, stride)
	p.check("spectrum", a, 2)
	p.kernels.productFirst(1, dst, v, a)
}

// Product sets dst = (c a + e) b, number by number, or adds it to dst if there is more: a, b and dst are real, of equal
// length, a multiple of 8. dst may be a or b.
func (p *Plan) Product(dst []float64, c float64, a []float64, e float64, b []float64, more bool) {
	check("factor a", a, len(dst))
	check("factor b", b, len(dst))
	check("product", dst, len(dst)/stride*stride)
	if len(dst) > 0 {
		p.kernels.product(more, dst, c, a, e, b)
	}
}

// Step holds the spectra by which the error of a time step is estimated, as blocks.
type Step struct {
	U    []float64 // the solution
	Last []float64 // the rate at its last stage
	Next []float64 // the rate at the solution after the step

	// The rates at the beginning and in the middle of the step; First is nil if there is no bend.
	First  []float64
	Middle []float64
}

// Sums are the error, the norm, the rate and the bend of a time step for each lane; see Estimate.
type Sums [4][Lanes]float64

// Estimate adds the error, the norm, the rate and the bend of a time step to the sums of each lane: for the four
// weights a, b, c, d of every position
//
//	a |next - last|^2, b |u|^2, c |next|^2, d |first - 2 middle + next|^4/(|first|^2 + 2 |middle|^2 + |next|^2).
//
// Here |z|^2 is the sum for the two functions of a lane.
func (p *Plan) Estimate(sums *Sums, weights []float64, s Step) {
	hasBend := s.First != nil
	p.check("weights", weights, 4)
	p.check("last block", s.Last, stride)
	p.check("next block", s.Next, stride)
	p.check("block u", s.U, stride)
	if hasBend {
		p.check("first block", s.First, stride)
		p.check("middle block", s.Middle, stride)
	}
	p.kernels.estimate(hasBend, (*[4][Lanes]float64)(sums), weights, s.Last, s.Next, s.U, s.First, s.Middle)
}

// Squares adds the weighted squares of the spectra in a block to the second and the third sum, as Estimate does for the
// norm and the rate.
func (p *Plan) Squares(sums *Sums, weights, block []float64) {
	p.Estimate(sums, weights, Step{U: block, Last: block, Next: block})
}

// check checks the length of an argument with so many numbers for each position.
func (p *Plan) check(what string, x []float64, perPoint int) { check(what, x, perPoint*p.n) }

// check panics if an argument has another length.
func check(what string, x []float64, length int) {
	if len(x) != length {
		panic(fmt.Sprintf("fft: %s has length %d, want %d", what, len(x), length))
	}
}

// Spectrum writes the unnormalised discrete Fourier transform of a real function u, length N, to dst: the full spectrum
// in storage order, real and imaginary parts interleaved, length 2N, as InverseProduct and Multiply expect. dst and u
// may not overlap. A function is transformed by itself: its last bit must not depend on others.
func (p *Plan) Spectrum(dst, u []float64) {
	p.check("function", u, 1)
	p.check("spectrum", dst, 2)
	scratch := p.blocks.Get().(*[]float64)
	defer p.blocks.Put(scratch)
	block := *scratch
	clear(block)
	for x, v := range u {
		block[stride*x] = v
	}
	p.Forward(block)
	for i, j := range p.mirror { // U_k = (Z_k + conj Z_-k)/2
		z := at(block, i)
		opposite := at(block, j)
		dst[2*i] = (z[0] + opposite[0]) / 2
		dst[2*i+1] = (z[Lanes] - opposite[Lanes]) / 2
	}
}
