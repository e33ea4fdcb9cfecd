//go:build assembly

// Sums over the rows of panels.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	. "rfm/solver/num/simd/emit"
)

// dotPanel sums four rows at a time in four vectors, and the remaining rows in the first.
func dotPanel() {
	Text("dotPanelAVX2", "func(rows int, panel, y, acc *float64)",
		"adds to acc[l] the sum of y[r]*panel[4*r+l].")
	rows, panel, y, acc := Argument("rows"), Argument("panel"), Argument("y"), Argument("acc")
	sums := Zeros(4)
	w := YMM()
	row := func(i int) {
		VBROADCASTSD(Mem{Base: y, Disp: i * NumberBytes}, w)
		VFMADD231PD(Mem{Base: panel, Disp: i * VectorBytes}, w, sums[i])
	}
	SUBQ(Imm(4), rows)
	JLT(LabelRef("rest"))
	Label("loop")
	for i := range sums {
		row(i)
	}
	ADDQ(U32(4*VectorBytes), panel)
	ADDQ(Imm(4*NumberBytes), y)
	SUBQ(Imm(4), rows)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(4), rows)
	JZ(LabelRef("done"))
	Label("single")
	row(0)
	ADDQ(Imm(VectorBytes), panel)
	ADDQ(Imm(NumberBytes), y)
	DECQ(rows)
	JNZ(LabelRef("single"))
	Label("done")
	VADDPD(sums[1], sums[0], sums[0])
	VADDPD(sums[3], sums[2], sums[2])
	VADDPD(sums[2], sums[0], sums[0])
	VADDPD(Mem{Base: acc}, sums[0], sums[0])
	VMOVUPD(sums[0], Mem{Base: acc})
	Leave()
}

func accumulate() {
	Text("accumulateAVX2", "func(rows int, out, p0, p1, alpha *float64)",
		"adds alpha[l]*p0[4*r+l] + alpha[4+l]*p1[4*r+l] to out[4*r+l]; rows > 0.")
	rows, out, p0, p1, alpha := Argument("rows"), Argument("out"), Argument("p0"), Argument("p1"), Argument("alpha")
	a, b, u := YMM(), YMM(), YMM()
	VMOVUPD(Mem{Base: alpha}, a)
	VMOVUPD(Mem{Base: alpha, Disp: VectorBytes}, b)
	Label("loop")
	VMOVUPD(Mem{Base: out}, u)
	VFMADD231PD(Mem{Base: p0}, a, u)
	VFMADD231PD(Mem{Base: p1}, b, u)
	VMOVUPD(u, Mem{Base: out})
	Advance(VectorBytes, out, p0, p1)
	DECQ(rows)
	JNZ(LabelRef("loop"))
	Leave()
}
