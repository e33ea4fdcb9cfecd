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
	position = GP64()
	opposite = GP64()
	MOVQ(At(positions, 0), position)
	MOVQ(At(positions, NumberBytes), opposite)
	ADDQ(Imm(2*NumberBytes), positions)
	return position, opposite
}

// foldSine emits factor (f + g) +- difference (f - g) for rows f from the first forwards and g from the last backwards.
func foldSine() {
	Text("foldSineAVX2",
		"func(z []float64, positions []int, rows []float64, stride int, difference float64, sum []float64)")
	z := Base("z")
	positions := Base("positions")
	first := Base("rows")
	sum := Base("sum")
	stride := StrideBytes("stride")
	last := Count("z") // the address of row Count/8 - 2
	SHRQ(Imm(3), last)
	SUBQ(Imm(2), last)
	IMULQ(stride, last)
	ADDQ(first, last)
	difference := BroadcastParameter("difference")
	zero := Zeros(1)[0]
	VMOVUPD(zero, At(z, 0))
	VMOVUPD(zero, At(z, VectorBytes))

	Loop(Count("sum"), func() {
		factor := Broadcast(At(sum, 0))
		position, opposite := offsets(positions)
		for half := 0; half < RowBytes; half += VectorBytes {
			f := LoadVector(At(first, half))
			g := At(last, half)
			odd := Sub(f, g)
			even := Add(f, g)
			VMULPD(difference, odd, odd)
			y := YMM()
			VMOVAPD(odd, y)
			VFMADD231PD(even, factor, y)
			VFMSUB213PD(odd, factor, even)
			VMOVUPD(y, Indexed(z, position, NumberBytes).Offset(half))
			VMOVUPD(even, Indexed(z, opposite, NumberBytes).Offset(half))
		}
		ADDQ(stride, first)
		SUBQ(stride, last)
		ADDQ(Imm(NumberBytes), sum)
	})
	Leave()
}

// pairs holds the positions k and -k of a block, and the addresses of their results.
type pairs struct {
	z, opposite      Register // addresses of the two positions
	rows             Register // address of the next row
	stride, nineRows Register // distances, in bytes
}

// pairsOf returns the first and the last position.
func pairsOf() pairs {
	p := pairs{
		z:        Base("z"),
		opposite: GP64(),
		rows:     Base("rows"),
		stride:   StrideBytes("stride"),
		nineRows: GP64(),
	}
	count := Count("z")
	end := Indexed(p.z, count, NumberBytes)
	LEAQ(end.Offset(-RowBytes), p.opposite)
	LEAQ(Indexed(p.stride, p.stride, 8), p.nineRows)
	return p
}

// prefetch prefetches two rows: their distance exceeds the reach of the hardware prefetcher.
func (p pairs) prefetch() {
	eighth := Indexed(p.rows, p.stride, 8)
	ninth := Indexed(p.rows, p.nineRows, 1)
	for _, row := range []Mem{eighth, ninth} {
		PREFETCHT0(row)
		PREFETCHT0(row.Offset(RowBytes - NumberBytes))
	}
}

func (p pairs) load() (re, im, oppositeRe, oppositeIm VecVirtual) {
	re = LoadVector(At(p.z, 0))
	im = LoadVector(At(p.z, VectorBytes))
	oppositeRe = LoadVector(At(p.opposite, 0))
	oppositeIm = LoadVector(At(p.opposite, VectorBytes))
	return re, im, oppositeRe, oppositeIm
}

// store emits the storing of the next row.
func (p pairs) store(first, second VecVirtual) {
	VMOVUPD(first, At(p.rows, 0))
	VMOVUPD(second, At(p.rows, VectorBytes))
	ADDQ(p.stride, p.rows)
}

// unfoldSine emits the running sum of positions k and -k, which are the real parts, to the odd modes and their
// differences, the imaginary parts, to the even modes. If the length is odd, the last mode is even.
func unfoldSine() {
	Text("unfoldSineAVX2", "func(rows []float64, stride int, z []float64)")
	p := pairsOf()
	runningRe := LoadVector(At(p.z, 0))
	runningIm := LoadVector(At(p.z, VectorBytes))
	p.store(runningRe, runningIm)
	count := Count("z")
	SHRQ(Imm(4), count)
	DECQ(count)
	// even emits the row of an even mode and returns the sum of the positions.
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
	Text("foldCosineAVX2",
		"func(z []float64, positions []int, rows []float64, stride int, sines, cosines, odd []float64)")
	z := Base("z")
	positions := Base("positions")
	first := Base("rows")
	sines := Base("sines")
	cosines := Base("cosines")
	stride := StrideBytes("stride")
	last := Count("z")
	SHRQ(Imm(3), last)
	IMULQ(stride, last)
	ADDQ(first, last)
	quarter := constant("quarter")
	half := constant("half")
	var odd [2]VecVirtual
	position, _ := offsets(positions)
	for i := range odd {
		disp := i * VectorBytes
		f := LoadVector(At(first, disp))
		g := At(last, disp)
		difference := Sub(f, g)
		sum := Add(f, g)
		odd[i] = YMM()
		VMULPD(half, difference, odd[i])
		VMULPD(quarter, sum, sum)
		VMOVUPD(sum, Indexed(z, position, NumberBytes).Offset(disp))
	}
	count := Count("sines")
	DECQ(count)
	Loop(count, func() {
		ADDQ(stride, first)
		SUBQ(stride, last)
		Advance(NumberBytes, sines, cosines)
		sine := Broadcast(At(sines, 0))
		cosine := Broadcast(At(cosines, 0))
		position, opposite := offsets(positions)
		for i := range odd {
			disp := i * VectorBytes
			f := LoadVector(At(first, disp))
			g := At(last, disp)
			difference := Sub(f, g)
			sum := Add(f, g)
			VFMADD231PD(cosine, difference, odd[i])
			VMULPD(quarter, sum, sum)
			y := YMM()
			VMOVAPD(sum, y)
			VFNMADD231PD(sine, difference, y)
			VFMADD231PD(sine, difference, sum)
			VMOVUPD(y, Indexed(z, position, NumberBytes).Offset(disp))
			VMOVUPD(sum, Indexed(z, opposite, NumberBytes).Offset(disp))
		}
	})
	result := Base("odd")
	for i := range odd {
		VMOVUPD(odd[i], At(result, i*VectorBytes))
	}
	Leave()
}

// unfoldCosine emits the sums of positions k and -k, which are the real parts, to the even modes and the running sum of
// their differences, the imaginary parts, to the odd modes. If the length is even, the last mode is even.
func unfoldCosine() {
	Text("unfoldCosineAVX2", "func(rows []float64, stride int, z, odd []float64)")
	p := pairsOf()
	odd := Base("odd")
	runningRe := LoadVector(At(odd, 0))
	runningIm := LoadVector(At(odd, VectorBytes))
	re := LoadVector(At(p.z, 0))
	im := LoadVector(At(p.z, VectorBytes))
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
	re = LoadVector(At(p.z, RowBytes))
	im = LoadVector(At(p.z, RowBytes+VectorBytes))
	p.store(Add(re, re), Add(im, im))
	Label("odd")
	Leave()
}

func transpose() {
	Text("transposeAVX2", "func(rows []float64, stride int, block []float64)")
	rows := RowsOf("rows", "stride")
	block := Base("block")
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
	dst := Base("dst")
	x := Base("x")
	factors := Base("factors")
	Loop(Groups("dst", 4), func() {
		product := Mul(LoadVector(At(x, 0)), At(factors, 0))
		VMOVUPD(product, At(dst, 0))
		Advance(VectorBytes, dst, x, factors)
	})
	left := Count("dst") // after the groups of four
	ANDQ(Imm(3), left)
	JZ(LabelRef("end"))
	Label("one")
	number := XMM()
	VMOVSD(At(x, 0), number)
	VMULSD(At(factors, 0), number, number)
	VMOVSD(number, At(dst, 0))
	Advance(NumberBytes, dst, x, factors)
	DECQ(left)
	JNZ(LabelRef("one"))
	Label("end")
	Leave()
}
