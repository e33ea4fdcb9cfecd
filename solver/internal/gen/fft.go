//go:build assembly

// This file emits the transforms of package fft. A vector register holds the real or the imaginary parts of one
// position of a block, one lane for each sequence, so kernels need no shuffles. Forward kernels are inverse ones with
// real and imaginary parts exchanged.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/simd/emit"
)

const (
	// spectrumBytes are the bytes of a position in a spectrum or a table of twiddle factors. A position in a block has
	// RowBytes, one in a panel VectorBytes.
	spectrumBytes = 16
	// Prefetch distances of the panels that the last pass writes and of the block that the first pass reads: both are
	// unlikely to be in the nearest cache.
	prefetchPanelBytes, prefetchBlockBytes = 512, 2048
)

func transforms() {
	declareConstants()
	for _, radix := range []int{4, 3, 5, 7} {
		inversePass(radix)
		inverseSplit(radix)
		forwardPass(radix)
	}
	sum("mixAVX2", "sets dst = c_0 v_0 + c_1 v_1 + ..., position by position.", NumberBytes, addReal)
	sum("combineAVX2", "sets dst = c_0 v_0 + i (c_1 v_1 + ...), position by position.", NumberBytes, addTurned)
	sum("blendAVX2", "sets dst = a_0 v_0 + a_1 v_1 + ..., position by position.", spectrumBytes, addComplex)
	product("productAVX2", false)
	product("productAddAVX2", true)
	for _, radix := range []int{4, 8, 2, 3, 5, 7} {
		contiguous(fmt.Sprintf("inverseFirst%dAVX2", radix), radix, inverse)
		contiguous(fmt.Sprintf("forwardLast%dAVX2", radix), radix, forward)
		productFirst(fmt.Sprintf("productFirst%dAVX2", radix), radix)
	}
	multiply()
	estimate("estimateAVX2", false)
	estimate("estimateBendAVX2", true)
}

// end returns the address after the last number of the slice.
func end(slice string) Register {
	address, count := Base(slice), Count(slice)
	LEAQ(Mem{Base: address, Index: count, Scale: 8}, address)
	return address
}

func inversePass(radix int) {
	Text(fmt.Sprintf("inversePass%dAVX2", radix), "func(z, twiddles []float64, q int)",
		fmt.Sprintf("joins sub-transforms of length q, %d at a time.", radix))
	eachBlock(radix, func(z []Mem, w Mem) { inversePoints(z, w).butterfly(inverse.storeHalf(z)) })
}

func forwardPass(radix int) {
	Text(fmt.Sprintf("forwardPass%dAVX2", radix), "func(z, twiddles []float64, q int)",
		fmt.Sprintf("splits every sub-transform into %d of length q.", radix))
	eachBlock(radix, func(z []Mem, w Mem) {
		x := points{radix: radix, whole: forward.loadWhole(z), half: forward.loadHalf(z)}
		if radix == 7 { // whose results do not fit into the registers
			x.butterfly(forward.storeHalf(z))
			for k := 1; k < radix; k++ {
				forward.store(times(forward.load(z[k]), broadcast(w.Offset((k-1)*spectrumBytes))), z[k])
			}
			return
		}
		store, reals := forward.storeHalf(z), make([]VecVirtual, radix)
		x.butterfly(func(k int, imaginary bool, y VecVirtual) {
			switch {
			case k == 0:
				store(k, imaginary, y)
			case imaginary:
				forward.store(times(number{reals[k], y}, broadcast(w.Offset((k-1)*spectrumBytes))), z[k])
			default:
				reals[k] = y
			}
		})
	})
}

// eachBlock emits a loop over all butterflies of all sub-transforms of the argument z.
func eachBlock(radix int, butterfly func(z []Mem, w Mem)) {
	z, twiddles, stop := Base("z"), Base("twiddles"), end("z")
	q := Load(Param("q"), GP64())
	leg := multiplesOf(q, RowBytes, radix)

	w, left := GP64(), GP64()
	Label("block")
	MOVQ(twiddles, w)
	MOVQ(q, left)
	Label("butterfly")
	butterfly(leg.addresses(z), Mem{Base: w})
	Advance(RowBytes, z)
	Advance((radix-1)*spectrumBytes, w)
	DECQ(left)
	JNZ(LabelRef("butterfly"))
	LEAQ(leg.times(z, radix-1), z)
	CMPQ(z, stop)
	JNE(LabelRef("block"))
	Leave()
}

func inverseSplit(radix int) {
	Text(fmt.Sprintf("inverseSplit%dAVX2", radix), "func(re, im, z, twiddles []float64, q int)",
		fmt.Sprintf("joins the last %d sub-transforms, of length q, into two panels.", radix))
	re, im, z, w := Base("re"), Base("im"), Base("z"), Base("twiddles")
	q := Load(Param("q"), GP64())
	leg, panelLeg := multiplesOf(q, RowBytes, radix), multiplesOf(q, VectorBytes, radix)
	// Two positions of a panel fill a cache line; q is even with radix 4, which comes after 4 or 8.
	steps := 1
	if radix == 4 {
		steps = 2
		SHRQ(Imm(1), q)
	}
	Label("step")
	reals, imaginaries := panelLeg.addresses(re), panelLeg.addresses(im)
	for k := range reals {
		PREFETCHT0(reals[k].Offset(prefetchPanelBytes))
		PREFETCHT0(imaginaries[k].Offset(prefetchPanelBytes))
	}
	for j := range steps {
		from := leg.addresses(z)
		for k := range from {
			from[k] = from[k].Offset(j * RowBytes)
		}
		x := inversePoints(from, Mem{Base: w, Disp: j * (radix - 1) * spectrumBytes})
		x.butterfly(func(k int, imaginary bool, y VecVirtual) {
			panel := reals
			if imaginary {
				panel = imaginaries
			}
			VMOVUPD(y, panel[k].Offset(j*VectorBytes))
		})
	}
	Advance(steps*VectorBytes, re, im)
	Advance(steps*RowBytes, z)
	Advance(steps*(radix-1)*spectrumBytes, w)
	DECQ(q)
	JNZ(LabelRef("step"))
	Leave()
}

// multiples holds the distances in bytes between the sub-transforms of a butterfly, times 1, 3 and 5.
type multiples struct {
	radix            int
	one, three, five Register
}

func multiplesOf(q Register, bytes uint64, radix int) multiples {
	m := multiples{radix: radix, one: GP64()}
	IMUL3Q(Imm(bytes), q, m.one)
	if radix > 3 {
		m.three = GP64()
		LEAQ(Mem{Base: m.one, Index: m.one, Scale: 2}, m.three)
	}
	if radix > 5 {
		m.five = GP64()
		LEAQ(Mem{Base: m.one, Index: m.one, Scale: 4}, m.five)
	}
	return m
}

// times returns the address k sub-transforms after z.
func (m multiples) times(z Register, k int) Mem {
	at := Mem{Base: z}
	switch k {
	case 0:
		return at
	case 3:
		return at.Idx(m.three, 1)
	case 5:
		return at.Idx(m.five, 1)
	case 6:
		return at.Idx(m.three, 2)
	}
	return at.Idx(m.one, uint8(k))
}

// addresses returns the addresses of one position in each of the sub-transforms.
func (m multiples) addresses(z Register) []Mem {
	all := make([]Mem, m.radix)
	for k := range all {
		all[k] = m.times(z, k)
	}
	return all
}

// inversePoints returns the points of an inverse butterfly, all but the first multiplied by their twiddle factors.
func inversePoints(z []Mem, w Mem) points {
	load := inverse.loadWhole(z)
	return points{radix: len(z), half: inverse.loadHalf(z), whole: func(j int) number {
		if j == 0 {
			return load(0)
		}
		return times(load(j), broadcast(w.Offset((j-1)*spectrumBytes)))
	}}
}

// adjacent returns the addresses of adjacent positions.
func adjacent(z Register, radix int) []Mem {
	all := make([]Mem, radix)
	for k := range all {
		all[k] = Mem{Base: z, Disp: k * RowBytes}
	}
	return all
}

func contiguous(name string, radix int, d direction) {
	Text(name, "func(z []float64)", fmt.Sprintf("transforms groups of %d adjacent positions.", radix))
	z, stop := Base("z"), end("z")
	Until(z, stop, func() {
		at := adjacent(z, radix)
		x := points{radix: radix, whole: d.loadWhole(at), half: d.loadHalf(at)}
		x.butterflyInto(d, at)
		Advance(radix*RowBytes, z)
	})
	Leave()
}

func productFirst(name string, radix int) {
	Text(name, "func(z, v, a []float64)",
		fmt.Sprintf("multiplies v by a and transforms groups of %d adjacent positions.", radix))
	eachProduct(radix, func(z Register, product func(j int) number) {
		at := adjacent(z, radix)
		x := points{radix: radix, whole: product, half: inverse.loadHalf(at)}
		if radix%2 == 1 { // to reduce the registers in use later
			inverse.store(product(0), at[0])
		}
		x.butterflyInto(inverse, at)
	})
}

func multiply() {
	Text("multiplyAVX2", "func(z, v, a []float64)", "multiplies the block v by the spectrum a, position by position.")
	eachProduct(1, func(z Register, product func(j int) number) { inverse.store(product(0), Mem{Base: z}) })
}

// eachProduct emits a loop over groups of adjacent positions of z, v and a. product multiplies v by a.
func eachProduct(radix int, group func(z Register, product func(j int) number)) {
	z, v, a, stop := Base("z"), Base("v"), Base("a"), end("a")
	Until(a, stop, func() {
		for j := range radix {
			PREFETCHT0(Mem{Base: v, Disp: prefetchBlockBytes + j*RowBytes})
		}
		group(z, func(j int) number {
			return times(inverse.load(Mem{Base: v}.Offset(j*RowBytes)), broadcast(Mem{Base: a}.Offset(j*spectrumBytes)))
		})
		Advance(radix*RowBytes, z, v)
		Advance(radix*spectrumBytes, a)
	})
	Leave()
}

// sum emits dst = c_0 v_0 + c_1 v_1 + ... for tables c, with tableBytes for a position, and blocks v. add adds a
// product to the sum.
func sum(name, doc string, tableBytes int, add func(first bool, sum number, table, block Mem)) {
	Text(name, "func(dst []float64, tables, blocks [][]float64)", doc)
	const sliceBytes = 24
	dst, tables, blocks, stop, end := Base("dst"), Base("tables"), Base("blocks"), Count("dst"), Count("tables")
	scale := RowBytes / tableBytes // of at, the bytes of a table before the position
	IMUL3Q(Imm(uint64(NumberBytes/scale)), stop, stop)
	IMUL3Q(Imm(sliceBytes), end, end)
	at, j, table, block, whole := GP64(), GP64(), GP64(), GP64(), GP64()
	const together = 4 // positions for which the addresses of tables and blocks are loaded once
	sums := func(label string, count int, stop Register) {
		totals := make([]number, count)
		products := func(first bool) {
			MOVQ(Mem{Base: tables, Index: j, Scale: 1}, table)
			MOVQ(Mem{Base: blocks, Index: j, Scale: 1}, block)
			for i, total := range totals {
				add(first, total, Mem{Base: table, Index: at, Scale: 1, Disp: i * tableBytes},
					Mem{Base: block, Index: at, Scale: uint8(scale), Disp: i * RowBytes})
			}
			Advance(sliceBytes, j)
			CMPQ(j, end)
		}
		Label(label)
		CMPQ(at, stop)
		JE(LabelRef(label + "Stop"))
		XORQ(j, j)
		for i := range totals {
			totals[i] = number{YMM(), YMM()}
			VXORPD(totals[i].re, totals[i].re, totals[i].re)
			VXORPD(totals[i].im, totals[i].im, totals[i].im)
		}
		products(true)
		JE(LabelRef(label + "Done"))
		Label(label + "Product")
		products(false)
		JNE(LabelRef(label + "Product"))
		Label(label + "Done")
		for i, total := range totals {
			inverse.store(total, Mem{Base: dst, Index: at, Scale: uint8(scale), Disp: i * RowBytes})
		}
		Advance(count*tableBytes, at)
		JMP(LabelRef(label))
		Label(label + "Stop")
	}
	XORQ(at, at)
	MOVQ(stop, whole)
	ANDQ(I8(-together*tableBytes), whole)
	sums("together", together, whole)
	sums("single", 1, stop)
	Leave()
}

func addReal(_ bool, sum number, c, v Mem) {
	factor := Broadcast(c)
	VFMADD231PD(v, factor, sum.re)
	VFMADD231PD(v.Offset(VectorBytes), factor, sum.im)
}

// addTurned adds i c v, but c v first.
func addTurned(first bool, sum number, c, v Mem) {
	if first {
		addReal(first, sum, c, v)
		return
	}
	factor := Broadcast(c)
	VFNMADD231PD(v.Offset(VectorBytes), factor, sum.re)
	VFMADD231PD(v, factor, sum.im)
}

func addComplex(_ bool, sum number, a, v Mem) {
	w, x := broadcast(a), inverse.load(v)
	VFMADD231PD(x.re, w.re, sum.re)
	VFMADD231PD(x.im, w.re, sum.im)
	VFNMADD231PD(x.im, w.im, sum.re)
	VFMADD231PD(x.re, w.im, sum.im)
}

// product emits (c a + e) b for blocks a and b, which is added to dst or replaces it.
func product(name string, more bool) {
	Text(name, "func(dst []float64, c float64, a []float64, e float64, b []float64)",
		map[bool]string{false: "sets dst = (c a + e) b, number by number.",
			true: "adds (c a + e) b to dst, number by number."}[more])
	factor, summand := BroadcastParameter("c"), BroadcastParameter("e")
	dst, a, b, stop := Base("dst"), Base("a"), Base("b"), end("a")
	Until(a, stop, func() {
		for part := 0; part < RowBytes; part += VectorBytes {
			x := Mul(factor, Mem{Base: a, Disp: part})
			VADDPD(summand, x, x)
			VMULPD(Mem{Base: b, Disp: part}, x, x)
			if more {
				x = Add(x, Mem{Base: dst, Disp: part})
			}
			VMOVUPD(x, Mem{Base: dst, Disp: part})
		}
		Advance(RowBytes, dst, a, b)
	})
	Leave()
}

// estimate emits the sums of the error estimate of a time step, in three accumulators, or four with the bend.
func estimate(name string, bend bool) {
	Text(name, "func(sums *[4][4]float64, weights, last, next, u, first, middle []float64)",
		"adds the error, norm, rate and, after estimateBend, bend of a step to the sums, position by position.")
	sums := Load(Param("sums"), GP64())
	weights, stop := Base("weights"), end("weights")
	last, next, u, first, middle := Base("last"), Base("next"), Base("u"), Base("first"), Base("middle")
	all := make([]VecVirtual, map[bool]int{false: 3, true: 4}[bend])
	for k := range all {
		all[k] = Load4(Mem{Base: sums, Disp: k * VectorBytes})
	}
	square := func(x number) VecVirtual { // |x|^2
		s := Mul(x.re, x.re)
		VFMADD231PD(x.im, x.im, s)
		return s
	}
	put := func(k int, x VecVirtual) {
		VFMADD231PD(Broadcast(Mem{Base: weights, Disp: k * NumberBytes}), x, all[k])
	}
	Until(weights, stop, func() {
		z := inverse.load(Mem{Base: next})
		put(0, square(minus(z, inverse.load(Mem{Base: last}))))
		put(1, square(inverse.load(Mem{Base: u})))
		rate := square(z)
		put(2, rate)
		if bend {
			x, y := inverse.load(Mem{Base: first}), inverse.load(Mem{Base: middle})
			size := square(y)
			VADDPD(size, size, size)
			for _, more := range []VecVirtual{square(x), rate, Broadcast(NewDataAddr(NewStaticSymbol(tinySymbol), 0))} {
				VADDPD(more, size, size)
			}
			b := square(minus(minus(x, y), minus(y, z)))
			VMULPD(b, b, b)
			VDIVPD(size, b, b)
			put(3, b)
			Advance(RowBytes, first, middle)
		}
		Advance(RowBytes, last, next, u)
		Advance(4*NumberBytes, weights)
	})
	for k := range all {
		VMOVUPD(all[k], Mem{Base: sums, Disp: k * VectorBytes})
	}
	Leave()
}
