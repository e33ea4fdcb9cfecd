// Command gen writes the AVX2 kernels of package poisson.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Bytes taken by a number, by a vector, and by one row of a block of eight columns.
const (
	numberBytes = 8
	vectorBytes = 32
	rowBytes    = 64
)

func main() {
	ConstraintExpr("amd64")
	fold()
	unfold()
	transpose()
	eliminate()
	substitute()
	multiply()
	Generate()
}

func text(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " " + doc)
}

func base(slice string) Register { return Load(Param(slice).Base(), GP64()) }

// quarterLength returns how many vectors fill the slice.
func quarterLength(slice string) Register {
	count := Load(Param(slice).Len(), GP64())
	SHRQ(Imm(2), count)
	return count
}

func strideBytes(parameter string) Register {
	stride := Load(Param(parameter), GP64())
	SHLQ(Imm(3), stride)
	return stride
}

// repeat loops until count, which may be zero to begin with, is zero.
func repeat(count Register, body func()) {
	TESTQ(count, count)
	JZ(LabelRef("done"))
	Label("loop")
	body()
	DECQ(count)
	JNZ(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}

func load(m Mem) VecVirtual {
	x := YMM()
	VMOVUPD(m, x)
	return x
}

func broadcast(m Mem) VecVirtual {
	x := YMM()
	VBROADCASTSD(m, x)
	return x
}

func add(x VecVirtual, y Op) VecVirtual {
	sum := YMM()
	VADDPD(y, x, sum)
	return sum
}

func sub(x VecVirtual, y Op) VecVirtual {
	difference := YMM()
	VSUBPD(y, x, difference)
	return difference
}

// fold writes factor (f + g) +- difference (f - g) for rows f from the first on and g
// from the last back.
func fold() {
	text("foldAVX2", "func(z []float64, positions []int, rows []float64, stride int, difference float64, sum []float64)",
		"prepares eight columns of an odd number of rows for the transform.")
	z, positions, first, sum := base("z"), base("positions"), base("rows"), base("sum")
	stride := strideBytes("stride")
	count := Load(Param("sum").Len(), GP64())
	last := GP64()
	LEAQ(Mem{Base: count, Index: count, Scale: 1, Disp: -2}, last)
	IMULQ(stride, last)
	ADDQ(first, last)
	difference := YMM()
	address, err := Param("difference").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(address.Addr, difference)
	zero := YMM()
	VXORPD(zero, zero, zero)
	VMOVUPD(zero, Mem{Base: z})
	VMOVUPD(zero, Mem{Base: z, Disp: vectorBytes})

	position, opposite := GP64(), GP64()
	repeat(count, func() {
		factor := broadcast(Mem{Base: sum})
		MOVQ(Mem{Base: positions}, position)
		MOVQ(Mem{Base: positions, Disp: numberBytes}, opposite)
		for half := 0; half < rowBytes; half += vectorBytes {
			f, g := load(Mem{Base: first, Disp: half}), Mem{Base: last, Disp: half}
			odd, even := sub(f, g), add(f, g)
			VMULPD(difference, odd, odd)
			y := YMM()
			VMOVAPD(odd, y)
			VFMADD231PD(even, factor, y)
			VFMSUB213PD(odd, factor, even)
			VMOVUPD(y, Mem{Base: z, Index: position, Scale: numberBytes, Disp: half})
			VMOVUPD(even, Mem{Base: z, Index: opposite, Scale: numberBytes, Disp: half})
		}
		ADDQ(stride, first)
		SUBQ(stride, last)
		ADDQ(Imm(2*numberBytes), positions)
		ADDQ(Imm(numberBytes), sum)
	})
}

// unfold writes the running sum of positions k and -k, which are the real parts, to the
// odd modes and their differences, the imaginary parts, to the even modes.
func unfold() {
	text("unfoldAVX2", "func(rows []float64, stride int, z []float64)",
		"recovers the sine transforms of eight columns of an odd number of rows.")
	rows, z := base("rows"), base("z")
	stride := strideBytes("stride")
	count := Load(Param("z").Len(), GP64())
	opposite := GP64()
	LEAQ(Mem{Base: z, Index: count, Scale: numberBytes, Disp: -rowBytes}, opposite)
	SHRQ(Imm(4), count)
	DECQ(count)
	runningRe, runningIm := load(Mem{Base: z}), load(Mem{Base: z, Disp: vectorBytes})
	store := func() {
		VMOVUPD(runningRe, Mem{Base: rows})
		VMOVUPD(runningIm, Mem{Base: rows, Disp: vectorBytes})
	}
	store()
	// Rows far apart are beyond the reach of the hardware prefetcher.
	nineRows := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 8}, nineRows)
	repeat(count, func() {
		for _, row := range []Mem{{Base: rows, Index: stride, Scale: 8}, {Base: rows, Index: nineRows, Scale: 1}} {
			PREFETCHT0(row)
			PREFETCHT0(row.Offset(rowBytes - numberBytes))
		}
		ADDQ(Imm(rowBytes), z)
		ADDQ(stride, rows)
		re, im := load(Mem{Base: z}), load(Mem{Base: z, Disp: vectorBytes})
		oppositeRe, oppositeIm := load(Mem{Base: opposite}), load(Mem{Base: opposite, Disp: vectorBytes})
		VMOVUPD(sub(im, oppositeIm), Mem{Base: rows})
		VMOVUPD(sub(oppositeRe, re), Mem{Base: rows, Disp: vectorBytes})
		ADDQ(stride, rows)
		VADDPD(add(re, oppositeRe), runningRe, runningRe)
		VADDPD(add(im, oppositeIm), runningIm, runningIm)
		store()
		SUBQ(Imm(rowBytes), opposite)
	})
}

func multiply() {
	text("multiplyAVX2", "func(x, factors []float64)", "multiplies element by element, four at a time.")
	x, factors := base("x"), base("factors")
	repeat(quarterLength("factors"), func() {
		product := load(Mem{Base: x})
		VMULPD(Mem{Base: factors}, product, product)
		VMOVUPD(product, Mem{Base: x})
		ADDQ(Imm(vectorBytes), x)
		ADDQ(Imm(vectorBytes), factors)
	})
}
