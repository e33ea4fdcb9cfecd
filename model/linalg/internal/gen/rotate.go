// Chains of plane rotations of the rows of six panels.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rotateStrip keeps the row that two successive rotations share in registers: six chains of dependent operations, which
// hide each other's latency.
func rotateStrip() {
	const panels = 6
	TEXT("rotateStripAVX2", NOSPLIT, "func(count int, rotations, x *float64, stride, step int)")
	Pragma("noescape")
	Doc("rotateStripAVX2 applies count >= 1 rotations (c, s) to the rows of six panels that start stride apart: " +
		"rotation k takes (u, y), rows -k*step and step-k*step counted from x, to (c u - s y, s u + c y).")
	count, r, x0 := pointer("count"), pointer("rotations"), pointer("x")
	stride := elements("stride")
	step := Load(Param("step"), GP64()).(reg.GPVirtual)
	SHLQ(operand.Imm(5), step) // rows to bytes
	// The rows u of panels 0 to 2 and 3 to 5, and the rows y.
	u0, u3, y0, y3 := x0, GP64(), GP64(), GP64()
	LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, u3)
	ADDQ(u0, u3)
	LEAQ(operand.Mem{Base: u0, Index: step, Scale: 1}, y0)
	LEAQ(operand.Mem{Base: u3, Index: step, Scale: 1}, y3)
	u := func(p int) operand.Mem { return panelOf([]reg.GPVirtual{u0, u3}[p/3], stride, p%3) }
	y := func(p int) operand.Mem { return panelOf([]reg.GPVirtual{y0, y3}[p/3], stride, p%3) }
	carried := make([]reg.VecVirtual, panels)
	for p := range carried {
		carried[p] = YMM()
		VMOVUPD(y(p), carried[p])
	}
	c, s := YMM(), YMM()
	Label("loop")
	VBROADCASTSD(operand.Mem{Base: r}, c)
	VBROADCASTSD(operand.Mem{Base: r, Disp: double}, s)
	for p, carry := range carried {
		v, to := YMM(), YMM()
		VMOVUPD(u(p), v)
		VMULPD(v, s, to)
		VFMADD231PD(carry, c, to)
		VMOVUPD(to, y(p))
		VMULPD(carry, s, carry)
		VFMSUB231PD(v, c, carry)
	}
	ADDQ(operand.Imm(2*double), r)
	for _, row := range []reg.GPVirtual{u0, u3, y0, y3} {
		SUBQ(step, row)
	}
	DECQ(count)
	JNZ(operand.LabelRef("loop"))
	for p, carry := range carried {
		VMOVUPD(carry, y(p))
	}
	VZEROUPPER()
	RET()
}
