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

	. "rfm/solver/num/simd/emit"
)

const (
	// spectrumBytes are the bytes of a position in a spectrum or a table of twiddle factors, one complex number. A
	// position in a block has positionBytes, one in a panel VectorBytes.
	spectrumBytes = 16
	// Prefetch distances of the panels that the last pass writes and of the block that the first pass reads: both are
	// unlikely to be in the nearest cache.
	prefetchPanelBytes = 512
	prefetchBlockBytes = 2048
)

func transforms() {
	declareConstants()
	later := []int{4, 3, 5, 7}
	first := []int{4, 8, 2, 3, 5, 7}
	each("inversePassAVX2", "func(radix int, z, twiddles []float64, q int)", later, inversePass)
	each("inverseSplitAVX2", "func(radix int, re, im, z, twiddles []float64, q int)", later, inverseSplit)
	each("forwardPassAVX2", "func(radix int, z, twiddles []float64, q int)", later, forwardPass)
	each("inverseFirstAVX2", "func(radix int, z []float64)", first, inverseFirst)
	each("forwardLastAVX2", "func(radix int, z []float64)", first, forwardLast)
	each("productFirstAVX2", "func(radix int, z, v, a []float64)", append(first, 1), productFirst)
	sum("combineAVX2", NumberBytes, addReal, addTurned)
	sum("blendAVX2", spectrumBytes, addComplex, addComplex)
	Wide = true
	each("inversePassAVX512", "func(radix int, z, twiddles []float64, q int)", later, inversePass)
	each("productFirstAVX512", "func(radix int, z, v, a []float64)", first, productFirst)
	Wide = false
	noOrYes := []int{0, 1}
	each("productAVX2",
		"func(more bool, dst []float64, c float64, a []float64, e float64, b []float64)",
		noOrYes, product)
	each("estimateAVX2",
		"func(bend bool, sums *[4][4]float64, weights, last, next, u, first, middle []float64)",
		noOrYes, estimate)
}

// each emits a kernel whose first argument, a number or a bool, selects one of several bodies.
func each(name, signature string, values []int, body func(value int)) {
	Text(name, signature)
	selected := Load(ParamIndex(0), GP64())
	for _, value := range values {
		CMPQ(selected, Imm(uint64(value)))
		JE(LabelRef(fmt.Sprint("case", value)))
	}
	RET()
	for _, value := range values {
		Label(fmt.Sprint("case", value))
		body(value)
	}
}

// end returns the address after the last number of the slice.
func end(slice string) Register {
	address := Base(slice)
	count := Count(slice)
	LEAQ(Indexed(address, count, NumberBytes), address)
	return address
}

func inversePass(radix int) {
	eachBlock(radix, func(z []Mem, w Mem) {
		x := inversePoints(z, w)
		x.butterfly(inverse.storeHalf(z))
	})
}

func forwardPass(radix int) {
	eachBlock(radix, func(z []Mem, w Mem) {
		x := pointsAt(forward, z)
		if radix == 7 { // whose results do not fit into the registers
			x.butterfly(forward.storeHalf(z))
			for k := 1; k < radix; k++ {
				y := times(forward.load(z[k]), twiddle(w, k))
				forward.store(y, z[k])
			}
			return
		}
		store := forward.storeHalf(z)
		reals := make([]VecVirtual, radix)
		x.butterfly(func(k int, imaginary bool, y VecVirtual) {
			switch {
			case k == 0:
				store(k, imaginary, y)
			case imaginary:
				whole := number{re: reals[k], im: y}
				forward.store(times(whole, twiddle(w, k)), z[k])
			default:
				reals[k] = y
			}
		})
	})
}

// twiddle returns the address of the twiddle factor of point k >= 1 of a butterfly whose factors begin at w.
func twiddle(w Mem, k int) Mem { return w.Offset((k - 1) * spectrumBytes) }

// eachBlock emits a loop over all butterflies of all sub-transforms of the argument z.
func eachBlock(radix int, butterfly func(z []Mem, w Mem)) {
	z := Base("z")
	twiddles := Base("twiddles")
	stop := end("z")
	q := Load(Param("q"), GP64())
	leg := multiplesOf(q, positionBytes(), radix)

	w := GP64()
	left := GP64()
	nextBlock := fmt.Sprint("block", radix)
	nextButterfly := fmt.Sprint("butterfly", radix)
	Label(nextBlock)
	MOVQ(twiddles, w)
	MOVQ(q, left)
	Label(nextButterfly)
	butterfly(leg.addresses(z), At(w, 0))
	Advance(positionBytes(), z)
	Advance((radix-1)*spectrumBytes, w)
	DECQ(left)
	JNZ(LabelRef(nextButterfly))
	LEAQ(leg.times(z, radix-1), z)
	CMPQ(z, stop)
	JNE(LabelRef(nextBlock))
	Leave()
}

func inverseSplit(radix int) {
	re := Base("re")
	im := Base("im")
	z := Base("z")
	w := Base("twiddles")
	q := Load(Param("q"), GP64())
	leg := multiplesOf(q, RowBytes, radix)
	panelLeg := multiplesOf(q, VectorBytes, radix)
	// Two positions of a panel fill a cache line; q is even with radix 4, which comes after 4 or 8.
	steps := 1
	if radix == 4 {
		steps = 2
		SHRQ(Imm(1), q)
	}
	step := fmt.Sprint("step", radix)
	Label(step)
	reals := panelLeg.addresses(re)
	imaginaries := panelLeg.addresses(im)
	for k := range reals {
		PREFETCHT0(reals[k].Offset(prefetchPanelBytes))
		PREFETCHT0(imaginaries[k].Offset(prefetchPanelBytes))
	}
	for j := range steps {
		from := leg.addresses(z)
		for k := range from {
			from[k] = from[k].Offset(j * RowBytes)
		}
		x := inversePoints(from, At(w, j*(radix-1)*spectrumBytes))
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
	JNZ(LabelRef(step))
	Leave()
}

// multiples holds the distances in bytes between the sub-transforms of a butterfly, times 1, 3 and 5.
type multiples struct {
	radix            int
	one, three, five Register
}

func multiplesOf(q Register, bytes int, radix int) multiples {
	m := multiples{radix: radix, one: GP64()}
	IMUL3Q(Imm(uint64(bytes)), q, m.one)
	if radix > 3 {
		m.three = GP64()
		LEAQ(Indexed(m.one, m.one, 2), m.three)
	}
	if radix > 5 {
		m.five = GP64()
		LEAQ(Indexed(m.one, m.one, 4), m.five)
	}
	return m
}

// times returns the address k sub-transforms after z.
func (m multiples) times(z Register, k int) Mem {
	at := At(z, 0)
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
	load := func(j int) number {
		x := inverse.load(z[j])
		if j == 0 {
			return x
		}
		return times(x, twiddle(w, j))
	}
	return points{d: inverse, at: z, load: load}
}

// adjacent returns the addresses of adjacent positions.
func adjacent(z Register, radix int) []Mem {
	all := make([]Mem, radix)
	for k := range all {
		all[k] = At(z, k*positionBytes())
	}
	return all
}

func inverseFirst(radix int) { contiguous(radix, inverse) }

func forwardLast(radix int) { contiguous(radix, forward) }

// contiguous emits the butterflies, without twiddle factors, of groups of adjacent positions.
func contiguous(radix int, d direction) {
	z := Base("z")
	stop := end("z")
	Until(z, stop, func() {
		at := adjacent(z, radix)
		pointsAt(d, at).butterfly(d.storeHalf(at))
		Advance(radix*positionBytes(), z)
	})
	Leave()
}

func productFirst(radix int) {
	eachProduct(radix, func(z Register, product func(j int) number) {
		at := adjacent(z, radix)
		x := points{d: inverse, at: at, load: product}
		if radix%2 == 1 { // to reduce the registers in use later
			inverse.store(product(0), at[0])
		}
		if radix > 1 {
			x.butterfly(inverse.storeHalf(at))
		}
	})
}

// eachProduct emits a loop over groups of adjacent positions of z, v and a. product multiplies v by a.
func eachProduct(radix int, group func(z Register, product func(j int) number)) {
	z := Base("z")
	v := Base("v")
	a := Base("a")
	stop := end("a")
	product := func(j int) number {
		x := inverse.load(At(v, j*positionBytes()))
		return times(x, At(a, j*spectrumBytes))
	}
	Until(a, stop, func() {
		if !Wide { // whose callers use a block several times
			for j := range radix {
				PREFETCHT0(At(v, prefetchBlockBytes+j*RowBytes))
			}
		}
		group(z, product)
		Advance(radix*positionBytes(), z, v)
		Advance(radix*spectrumBytes, a)
	})
	Leave()
}
