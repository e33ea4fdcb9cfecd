//go:build assembly

// Sums over the rows of panels.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	. "rfm/solver/simd/emit"
)

// dotPanel sums four rows at a time in four vectors, and the remaining rows in the first.
func dotPanel() {
	Text("dotPanelAVX2", "func(rows int, panel, y, acc *float64)",
		"adds to acc[l] the sum of y[r]*panel[4*r+l].")
	rows, panel, y, acc := Load(Param("rows"), GP64()), Load(Param("panel"), GP64()), Load(Param("y"), GP64()),
		Load(Param("acc"), GP64())
	sums := Zeros(4)
	w := YMM()
	row := func(i int) {
		VBROADCASTSD(operand.Mem{Base: y, Disp: i * double}, w)
		VFMADD231PD(operand.Mem{Base: panel, Disp: i * vector}, w, sums[i])
	}
	SUBQ(operand.Imm(4), rows)
	JLT(operand.LabelRef("rest"))
	Label("loop")
	for i := range sums {
		row(i)
	}
	ADDQ(operand.U32(4*vector), panel)
	ADDQ(operand.Imm(4*double), y)
	SUBQ(operand.Imm(4), rows)
	JGE(operand.LabelRef("loop"))
	Label("rest")
	ADDQ(operand.Imm(4), rows)
	JZ(operand.LabelRef("done"))
	Label("single")
	row(0)
	ADDQ(operand.Imm(vector), panel)
	ADDQ(operand.Imm(double), y)
	DECQ(rows)
	JNZ(operand.LabelRef("single"))
	Label("done")
	VADDPD(sums[1], sums[0], sums[0])
	VADDPD(sums[3], sums[2], sums[2])
	VADDPD(sums[2], sums[0], sums[0])
	VADDPD(operand.Mem{Base: acc}, sums[0], sums[0])
	VMOVUPD(sums[0], operand.Mem{Base: acc})
	Leave()
}

func accumulate() {
	Text("accumulateAVX2", "func(rows int, out, p0, p1, alpha *float64)",
		"adds alpha[l]*p0[4*r+l] + alpha[4+l]*p1[4*r+l] to out[4*r+l]; rows > 0.")
	rows, out, p0, p1, alpha := Load(Param("rows"), GP64()), Load(Param("out"), GP64()), Load(Param("p0"), GP64()),
		Load(Param("p1"), GP64()), Load(Param("alpha"), GP64())
	a, b, u := YMM(), YMM(), YMM()
	VMOVUPD(operand.Mem{Base: alpha}, a)
	VMOVUPD(operand.Mem{Base: alpha, Disp: vector}, b)
	Label("loop")
	VMOVUPD(operand.Mem{Base: out}, u)
	VFMADD231PD(operand.Mem{Base: p0}, a, u)
	VFMADD231PD(operand.Mem{Base: p1}, b, u)
	VMOVUPD(u, operand.Mem{Base: out})
	Advance(vector, out, p0, p1)
	DECQ(rows)
	JNZ(operand.LabelRef("loop"))
	Leave()
}
