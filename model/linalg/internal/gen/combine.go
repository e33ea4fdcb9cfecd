//go:build assembly

// Linear combinations of the features of a panel.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "rfm/solver/simd/emit"
)

// combine8 transposes eight rows of the panel to two vectors of four rows per lane,
// which serve every coefficient vector.
func combine8() {
	Text("combine8AVX2", "func(groups int, panel, alpha *float64, vectors int, out *float64)",
		"is Combine for 8*groups rows, groups >= 1, and vectors >= 1.")
	groups, panel, out := pointer("groups"), pointer("panel"), pointer("out")
	vectors, alpha, to := GP64(), GP64(), GP64()
	Label("group")
	var feature [2][4]reg.VecVirtual
	for half := range feature {
		feature[half] = transposed(panel, half*4*panelRow)
	}
	Load(Param("vectors"), vectors)
	Load(Param("alpha"), alpha)
	MOVQ(out, to)
	c, u, v := YMM(), YMM(), YMM()
	Label("vector")
	VMOVUPD(operand.Mem{Base: to}, u)
	VMOVUPD(operand.Mem{Base: to, Disp: panelRow}, v)
	for l := range 4 {
		VBROADCASTSD(operand.Mem{Base: alpha, Disp: l * double}, c)
		VFMADD231PD(feature[0][l], c, u)
		VFMADD231PD(feature[1][l], c, v)
	}
	VMOVUPD(u, operand.Mem{Base: to})
	VMOVUPD(v, operand.Mem{Base: to, Disp: panelRow})
	ADDQ(operand.Imm(4*double), alpha)
	ADDQ(operand.I32(2*panelRow), to)
	DECQ(vectors)
	JNZ(operand.LabelRef("vector"))
	ADDQ(operand.I32(8*panelRow), panel)
	MOVQ(to, out)
	DECQ(groups)
	JNZ(operand.LabelRef("group"))
	Leave()
}

// combine8Wide does the same as combine8 with eight rows in a vector.
func combine8Wide() {
	Text("combine8AVX512", "func(groups int, panel, alpha *float64, vectors int, out *float64)",
		"is combine8AVX2 with eight rows in a vector: the same bits.")
	groups, panel, out := pointer("groups"), pointer("panel"), pointer("out")
	vectors, alpha, to := GP64(), GP64(), GP64()
	Label("group")
	low, high := transposed(panel, 0), transposed(panel, 4*panelRow)
	var feature [4]reg.VecVirtual
	for l := range feature {
		feature[l] = ZMM()
		VINSERTF64X4(operand.Imm(1), high[l], low[l].AsZ(), feature[l])
	}
	Load(Param("vectors"), vectors)
	Load(Param("alpha"), alpha)
	MOVQ(out, to)
	u := ZMM()
	Label("vector")
	VMOVUPD(operand.Mem{Base: to}, u)
	for l := range feature {
		VFMADD231PD_BCST(operand.Mem{Base: alpha, Disp: l * double}, feature[l], u)
	}
	VMOVUPD(u, operand.Mem{Base: to})
	ADDQ(operand.Imm(4*double), alpha)
	ADDQ(operand.I32(2*panelRow), to)
	DECQ(vectors)
	JNZ(operand.LabelRef("vector"))
	ADDQ(operand.I32(8*panelRow), panel)
	MOVQ(to, out)
	DECQ(groups)
	JNZ(operand.LabelRef("group"))
	Leave()
}

// transposed loads a 4 x 4 block of the panel and returns its columns.
func transposed(panel reg.GPVirtual, disp int) (columns [4]reg.VecVirtual) {
	var rows [4]reg.VecVirtual
	for i := range rows {
		rows[i] = YMM()
		VMOVUPD(operand.Mem{Base: panel, Disp: disp + i*panelRow}, rows[i])
	}
	low, high := [2]reg.VecVirtual{YMM(), YMM()}, [2]reg.VecVirtual{YMM(), YMM()}
	for i := range low {
		VUNPCKLPD(rows[2*i+1], rows[2*i], low[i])
		VUNPCKHPD(rows[2*i+1], rows[2*i], high[i])
	}
	for l := range columns {
		columns[l] = YMM()
		pair := low
		if l%2 == 1 {
			pair = high
		}
		const lowHalves, highHalves = 0x20, 0x31
		VPERM2F128(operand.Imm([]uint64{lowHalves, highHalves}[l/2]), pair[1], pair[0], columns[l])
	}
	return columns
}
