// Command gen writes the AVX2 kernels of package darcy.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Bytes taken by a number and by a vector.
const (
	numberBytes = 8
	vectorBytes = 32
)

func main() {
	ConstraintExpr("amd64")
	apply()
	combine()
	advance()
	dot()
	Generate()
}

// apply applies the scheme to four points at a time. East of a point is the face that its own number belongs to, and
// the row begins on the boundary, one point before the image.
func apply() {
	text("applyAVX2", "func(image, above, row, below, east, north, south []float64) float64",
		"applies the scheme to a row with a multiple of four points inside and returns its part of p.q.")
	image, row, east := base("image"), base("row"), base("east")
	above, below, north, south := base("above"), base("below"), base("north"), base("south")
	count := vectors("image", 4)
	sum, offset := zero(), GP64()
	XORQ(offset, offset)
	loop(count, func() {
		at := func(slice Register, points int) Mem {
			return Mem{Base: slice, Index: offset, Scale: 1, Disp: points * numberBytes}
		}
		v := load(at(row, 1))
		y := product(difference(v, at(row, 2)), at(east, 1))
		VFMADD231PD(at(east, 0), difference(v, at(row, 0)), y)
		VFMADD231PD(at(south, 0), difference(v, at(below, 0)), y)
		VFMADD231PD(at(north, 0), difference(v, at(above, 0)), y)
		VMOVUPD(y, at(image, 0))
		VFMADD231PD(v, y, sum)
		ADDQ(Imm(vectorBytes), offset)
	})
	returnSum(sum)
}

func combine() {
	text("combineAVX2", "func(p, z []float64, beta float64)", "sets p, whose length is a multiple of four, to z + beta p.")
	p, z, beta := base("p"), base("z"), broadcast("beta")
	count := vectors("p", 4)
	loop(count, func() {
		x := load(Mem{Base: p})
		VFMADD213PD(Mem{Base: z}, beta, x)
		VMOVUPD(x, Mem{Base: p})
		ADDQ(Imm(vectorBytes), p)
		ADDQ(Imm(vectorBytes), z)
	})
	VZEROUPPER()
	RET()
}

func advance() {
	text("advanceAVX2", "func(u, b, p, q []float64, alpha float64) float64",
		"adds alpha p to u, whose length is a multiple of eight, subtracts alpha q from b, and returns the new b.b.")
	u, b, p, q, alpha := base("u"), base("b"), base("p"), base("q"), broadcast("alpha")
	count := vectors("u", 8)
	sums, offset := [2]VecVirtual{zero(), zero()}, GP64()
	XORQ(offset, offset)
	loop(count, func() {
		for half, sum := range sums {
			at := func(slice Register) Mem { return Mem{Base: slice, Index: offset, Scale: 1, Disp: half * vectorBytes} }
			x := load(at(u))
			VFMADD231PD(at(p), alpha, x)
			VMOVUPD(x, at(u))
			y := load(at(b))
			VFNMADD231PD(at(q), alpha, y)
			VMOVUPD(y, at(b))
			VFMADD231PD(y, y, sum)
		}
		ADDQ(Imm(2*vectorBytes), offset)
	})
	VADDPD(sums[1], sums[0], sums[0])
	returnSum(sums[0])
}

func dot() {
	text("dotAVX2", "func(x, y []float64) float64", "returns the sum of products; the length is a multiple of eight.")
	x, y := base("x"), base("y")
	count := vectors("x", 8)
	sums := [2]VecVirtual{zero(), zero()}
	loop(count, func() {
		for half, sum := range sums {
			VFMADD231PD(Mem{Base: y, Disp: half * vectorBytes}, load(Mem{Base: x, Disp: half * vectorBytes}), sum)
		}
		ADDQ(Imm(2*vectorBytes), x)
		ADDQ(Imm(2*vectorBytes), y)
	})
	VADDPD(sums[1], sums[0], sums[0])
	returnSum(sums[0])
}

func text(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " " + doc)
}

func base(slice string) Register { return Load(Param(slice).Base(), GP64()) }

// vectors returns how often size numbers fill the slice, for size 4 or 8.
func vectors(slice string, size int) Register {
	count := Load(Param(slice).Len(), GP64())
	SHRQ(Imm(map[int]uint64{4: 2, 8: 3}[size]), count)
	return count
}

// loop repeats the body until count, which may be zero to begin with, is zero.
func loop(count Register, body func()) {
	TESTQ(count, count)
	JZ(LabelRef("done"))
	Label("loop")
	body()
	DECQ(count)
	JNZ(LabelRef("loop"))
	Label("done")
}

func load(m Mem) VecVirtual {
	x := YMM()
	VMOVUPD(m, x)
	return x
}

func broadcast(parameter string) VecVirtual {
	address, err := Param(parameter).Resolve()
	if err != nil {
		panic(err)
	}
	x := YMM()
	VBROADCASTSD(address.Addr, x)
	return x
}

func zero() VecVirtual {
	x := YMM()
	VXORPD(x, x, x)
	return x
}

func difference(x VecVirtual, y Op) VecVirtual {
	d := YMM()
	VSUBPD(y, x, d)
	return d
}

func product(x VecVirtual, y Op) VecVirtual {
	p := YMM()
	VMULPD(y, x, p)
	return p
}

// returnSum adds the four numbers of x and returns.
func returnSum(x VecVirtual) {
	high := XMM()
	VEXTRACTF128(Imm(1), x, high)
	low := x.AsX()
	VADDPD(high, low, low)
	VUNPCKHPD(low, low, high)
	VADDSD(high, low, low)
	Store(low, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
