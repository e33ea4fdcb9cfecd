//go:build assembly

// This file emits the steps around the transforms of package trig.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

func trigonometric() {
	ConstData("half", F64(0.5))
	ConstData("quarter", F64(0.25))
	foldSine()
	unfoldSine()
	foldCosine()
	unfoldCosine()
	transpose()
	scale()
}

func constant(name string) VecVirtual { return Broadcast(NewDataAddr(NewStaticSymbol(name), 0)) }

// offsets loads the offsets of two opposite frequencies.
func offsets(positions Register) (position, opposite Register) {
	position, opposite = GP64(), GP64()
	MOVQ(Mem{Base: positions}, position)
	MOVQ(Mem{Base: positions, Disp: NumberBytes}, opposite)
	ADDQ(Imm(2*NumberBytes), positions)
	return position, opposite
}

// foldSine emits factor (f + g) +- difference (f - g) for rows f from the first forwards and g from the last backwards.
func foldSine() {
	Text("foldSineAVX2", "func(z []float64, positions []int, rows []float64, stride int, difference float64, sum "+
		"[]float64)")
	z, positions, first, sum := Base("z"), Base("positions"), Base("rows"), Base("sum")
	stride := StrideBytes("stride")
	last := Count("z")
	SHRQ(Imm(3), last)
	SUBQ(Imm(2), last)
	IMULQ(stride, last)
	ADDQ(first, last)
	difference := BroadcastParameter("difference")
	zero := Zeros(1)[0]
	VMOVUPD(zero, Mem{Base: z})
	VMOVUPD(zero, Mem{Base: z, Disp: VectorBytes})

	Loop(Count("sum"), func() {
		factor := Broadcast(Mem{Base: sum})
		position, opposite := offsets(positions)
		for half := 0; half < RowBytes; half += VectorBytes {
			f, g := Load4(Mem{Base: first, Disp: half}), Mem{Base: last, Disp: half}
			odd, even := Sub(f, g), Add(f, g)
			VMULPD(difference, odd, odd)
			y := YMM()
			VMOVAPD(odd, y)
			VFMADD231PD(even, factor, y)
			VFMSUB213PD(odd, factor, even)
			VMOVUPD(y, Mem{Base: z, Index: position, Scale: NumberBytes, Disp: half})
			VMOVUPD(even, Mem{Base: z, Index: opposite, Scale: NumberBytes, Disp: half})
		}
		ADDQ(stride, first)
		SUBQ(stride, last)
		ADDQ(Imm(NumberBytes), sum)
	})
	Leave()
}

// pairs holds the positions k and -k of a block, and the addresses of their results.
type pairs struct{ z, opposite, rows, stride, nineRows Register }

// pairsOf returns the first and the last position.
func pairsOf() pairs {
	p := pairs{Base("z"), GP64(), Base("rows"), StrideBytes("stride"), GP64()}
	count := Count("z")
	LEAQ(Mem{Base: p.z, Index: count, Scale: NumberBytes, Disp: -RowBytes}, p.opposite)
	LEAQ(Mem{Base: p.stride, Index: p.stride, Scale: 8}, p.nineRows)
	return p
}

// prefetch prefetches two rows: their distance exceeds the reach of the hardware prefetcher.
func (p pairs) prefetch() {
	for _, row := range []Mem{{Base: p.rows, Index: p.stride, Scale: 8}, {Base: p.rows, Index: p.nineRows, Scale: 1}} {
		PREFETCHT0(row)
		PREFETCHT0(row.Offset(RowBytes - NumberBytes))
	}
}

func (p pairs) load() (re, im, oppositeRe, oppositeIm VecVirtual) {
	return Load4(Mem{Base: p.z}), Load4(Mem{Base: p.z, Disp: VectorBytes}),
		Load4(Mem{Base: p.opposite}), Load4(Mem{Base: p.opposite, Disp: VectorBytes})
}

// store emits the storing of the next row.
func (p pairs) store(first, second VecVirtual) {
	VMOVUPD(first, Mem{Base: p.rows})
	VMOVUPD(second, Mem{Base: p.rows, Disp: VectorBytes})
	ADDQ(p.stride, p.rows)
}

// unfoldSine emits the running sum of positions k and -k, which are the real parts, to the odd modes and their
// differences, the imaginary parts, to the even modes. If the length is odd, the last mode is even.
func unfoldSine() {
	Text("unfoldSineAVX2", "func(rows []float64, stride int, z []float64)")
	p := pairsOf()
	runningRe, runningIm := Load4(Mem{Base: p.z}), Load4(Mem{Base: p.z, Disp: VectorBytes})
	p.store(runningRe, runningIm)
	count := Count("z")
	SHRQ(Imm(4), count)
	DECQ(count)
	even := func() (sumRe, sumIm VecVirtual) {
		ADDQ(Imm(RowBytes), p.z)
		re, im, oppositeRe, oppositeIm := p.load()
		p.store(Sub(im, oppositeIm), Sub(oppositeRe, re))
		return Add(re, oppositeRe), Add(im, oppositeIm)
	}
	Loop(count, func() {
		p.prefetch()
		re, im := even()
		VADDPD(re, runningRe, runningRe)
		VADDPD(im, runningIm, runningIm)
		p.store(runningRe, runningIm)
		SUBQ(Imm(RowBytes), p.opposite)
	})
	TESTQ(U32(RowBytes/NumberBytes), Count("z"))
	JZ(LabelRef("even"))
	even()
	Label("even")
	Leave()
}

// foldCosine emits (f + g)/4 -+ half (f - g) for rows f from the first forwards and g from the last backwards, and sums
// (f - g) cosine.
func foldCosine() {
	Text("foldCosineAVX2", "func(z []float64, positions []int, rows []float64, stride int, sines, cosines, odd []float64)")
	z, positions, first := Base("z"), Base("positions"), Base("rows")
	sines, cosines := Base("sines"), Base("cosines")
	stride := StrideBytes("stride")
	last := Count("z")
	SHRQ(Imm(3), last)
	IMULQ(stride, last)
	ADDQ(first, last)
	quarter, half := constant("quarter"), constant("half")
	var odd [2]VecVirtual
	position, _ := offsets(positions)
	for i := range odd {
		disp := i * VectorBytes
		f, g := Load4(Mem{Base: first, Disp: disp}), Mem{Base: last, Disp: disp}
		difference, sum := Sub(f, g), Add(f, g)
		odd[i] = YMM()
		VMULPD(half, difference, odd[i])
		VMULPD(quarter, sum, sum)
		VMOVUPD(sum, Mem{Base: z, Index: position, Scale: NumberBytes, Disp: disp})
	}
	count := Count("sines")
	DECQ(count)
	Loop(count, func() {
		ADDQ(stride, first)
		SUBQ(stride, last)
		Advance(NumberBytes, sines, cosines)
		sine, cosine := Broadcast(Mem{Base: sines}), Broadcast(Mem{Base: cosines})
		position, opposite := offsets(positions)
		for i := range odd {
			disp := i * VectorBytes
			f, g := Load4(Mem{Base: first, Disp: disp}), Mem{Base: last, Disp: disp}
			difference, sum := Sub(f, g), Add(f, g)
			VFMADD231PD(cosine, difference, odd[i])
			VMULPD(quarter, sum, sum)
			y := YMM()
			VMOVAPD(sum, y)
			VFNMADD231PD(sine, difference, y)
			VFMADD231PD(sine, difference, sum)
			VMOVUPD(y, Mem{Base: z, Index: position, Scale: NumberBytes, Disp: disp})
			VMOVUPD(sum, Mem{Base: z, Index: opposite, Scale: NumberBytes, Disp: disp})
		}
	})
	result := Base("odd")
	for i := range odd {
		VMOVUPD(odd[i], Mem{Base: result, Disp: i * VectorBytes})
	}
	Leave()
}

// unfoldCosine emits the sums of positions k and -k, which are the real parts, to the even modes and the running sum of
// their differences, the imaginary parts, to the odd modes. If the length is even, the last mode is even.
func unfoldCosine() {
	Text("unfoldCosineAVX2", "func(rows []float64, stride int, z, odd []float64)")
	p := pairsOf()
	odd := Base("odd")
	runningRe, runningIm := Load4(Mem{Base: odd}), Load4(Mem{Base: odd, Disp: VectorBytes})
	re, im := Load4(Mem{Base: p.z}), Load4(Mem{Base: p.z, Disp: VectorBytes})
	p.store(Add(re, re), Add(im, im))
	p.store(runningRe, runningIm)
	count := Count("z")
	SUBQ(Imm(RowBytes/NumberBytes), count)
	SHRQ(Imm(4), count)
	Loop(count, func() {
		p.prefetch()
		ADDQ(Imm(RowBytes), p.z)
		re, im, oppositeRe, oppositeIm := p.load()
		p.store(Add(re, oppositeRe), Add(im, oppositeIm))
		VADDPD(Sub(im, oppositeIm), runningRe, runningRe)
		VADDPD(Sub(oppositeRe, re), runningIm, runningIm)
		p.store(runningRe, runningIm)
		SUBQ(Imm(RowBytes), p.opposite)
	})
	TESTQ(U32(RowBytes/NumberBytes), Count("z"))
	JNZ(LabelRef("odd"))
	re, im = Load4(Mem{Base: p.z, Disp: RowBytes}), Load4(Mem{Base: p.z, Disp: RowBytes + VectorBytes})
	p.store(Add(re, re), Add(im, im))
	Label("odd")
	Leave()
}

func transpose() {
	Text("transposeAVX2", "func(rows []float64, stride int, block []float64)")
	rows, block := RowsOf("rows", "stride"), Base("block")
	groups := Count("block")
	SHRQ(Imm(5), groups)
	Loop(groups, func() {
		rows.Prefetch()
		for j := 0; j < 8; j += 2 {
			for i, column := range TwoColumns(block, j) {
				VMOVUPD(column, rows.At(j+i))
			}
		}
		rows.Advance()
		ADDQ(U32(4*RowBytes), block)
	})
	Leave()
}

func scale() {
	Text("productAVX2", "func(dst, x, factors []float64)")
	dst, x, factors := Base("dst"), Base("x"), Base("factors")
	Loop(Groups("dst", 4), func() {
		VMOVUPD(Mul(Load4(Mem{Base: x}), Mem{Base: factors}), Mem{Base: dst})
		Advance(VectorBytes, dst, x, factors)
	})
	left := Count("dst")
	ANDQ(Imm(3), left)
	JZ(LabelRef("end"))
	Label("one")
	number := XMM()
	VMOVSD(Mem{Base: x}, number)
	VMULSD(Mem{Base: factors}, number, number)
	VMOVSD(number, Mem{Base: dst})
	Advance(NumberBytes, dst, x, factors)
	DECQ(left)
	JNZ(LabelRef("one"))
	Label("end")
	Leave()
}
