//go:build assembly

// Sums over the rows of panels.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// dotPanel sums four rows at a time in four vectors, and the remaining rows in the first.
func dotPanel() {
	Text("dotPanelAVX2", "func(rows int, panel, y, acc *float64)",
		"adds to acc[l] the sum of y[r]*panel[4*r+l].")
	rows := Argument("rows")
	panel := Argument("panel")
	y := Argument("y")
	acc := Argument("acc")
	sums := Zeros(4)
	w := YMM()
	row := func(i int) {
		VBROADCASTSD(At(y, i*NumberBytes), w)
		VFMADD231PD(At(panel, i*VectorBytes), w, sums[i])
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
	VADDPD(At(acc, 0), sums[0], sums[0])
	VMOVUPD(sums[0], At(acc, 0))
	Leave()
}

func accumulate() {
	Text("accumulateAVX2", "func(rows int, out, p0, p1, alpha *float64)",
		"adds alpha[l]*p0[4*r+l] + alpha[4+l]*p1[4*r+l] to out[4*r+l]; rows > 0.")
	rows := Argument("rows")
	out := Argument("out")
	p0 := Argument("p0")
	p1 := Argument("p1")
	alpha := Argument("alpha")
	a := YMM()
	b := YMM()
	u := YMM()
	VMOVUPD(At(alpha, 0), a)
	VMOVUPD(At(alpha, VectorBytes), b)
	Label("loop")
	VMOVUPD(At(out, 0), u)
	VFMADD231PD(At(p0, 0), a, u)
	VFMADD231PD(At(p1, 0), b, u)
	VMOVUPD(u, At(out, 0))
	Advance(VectorBytes, out, p0, p1)
	DECQ(rows)
	JNZ(LabelRef("loop"))
	Leave()
}

// halves returns the two vectors of AVX-512 at a pointer.
func halves(at Register) vectors { return vectors{At(at, 0), At(at, RowBytes)} }

// overRows prepares for rows of sixteen values, and returns what loads one, or elu of it.
func (m *isa) overRows(ofELU bool) (load func(row vectors) vectors) {
	m.count = 2
	if !ofELU {
		return func(row vectors) vectors { return m.result(VMOVUPD, row) }
	}
	m.holdELU()
	return func(row vectors) vectors { return m.eluByTable(m.result(VMOVUPD, row)) }
}

// accumulateWide emits a kernel that adds weighted values, or elu of them, to the rows of sums. Elu stays in registers.
func accumulateWide(m isa, name, doc string, ofELU bool) {
	Text(name, "func(rows int, out, block, weights *float64)", doc)
	rows := Argument("rows")
	out := Argument("out")
	block := Argument("block")
	weights := Argument("weights")
	f := m.overRows(ofELU)
	w := m.result(VMOVUPD, halves(weights))
	Label("loop")
	y := f(halves(block))
	u := ZMM()
	VMOVUPD(At(out, 0), u)
	for i := range y {
		VFMADD231PD(y[i], w[i], u)
	}
	VMOVUPD(u, At(out, 0))
	Advance(RowBytes, out)
	Advance(2*RowBytes, block)
	DECQ(rows)
	JNZ(LabelRef("loop"))
	Leave()
}

// splitWide emits a kernel that writes the values of a block, or elu of them, to four panels, and adds their products with
// y to sums.
func splitWide(m isa, name, doc string, ofELU bool) {
	Text(name, "func(rows int, first, second, third, fourth, block, y, sums *float64)", doc)
	rows := Argument("rows")
	var panels []Register
	for _, panel := range []string{"first", "second", "third", "fourth"} {
		panels = append(panels, Argument(panel))
	}
	block := Argument("block")
	y := Argument("y")
	sums := Argument("sums")
	f := m.overRows(ofELU)
	totals := m.result(VMOVUPD, halves(sums))
	Label("loop")
	values := f(halves(block))
	for i, v := range values {
		VFMADD231PD_BCST(At(y, 0), v, totals[i])
		VMOVUPD(v.(VecVirtual).AsY(), At(panels[i], 0))
		VEXTRACTF64X4(Imm(1), v, At(panels[i+2], 0))
	}
	Advance(VectorBytes, panels...)
	Advance(2*RowBytes, block)
	Advance(NumberBytes, y)
	DECQ(rows)
	JNZ(LabelRef("loop"))
	each(VMOVUPD, totals, halves(sums))
	Leave()
}
