//go:build assembly

// Linear combinations of the features of a panel.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/simd/emit"
)

// combine8 transposes eight rows of the panel, to two vectors of four rows per lane or to one of eight, which serve
// every coefficient vector.
func combine8(name, doc string, wide bool) {
	Text(name, "func(groups int, panel, alpha *float64, vectors int, out *float64)", doc)
	groups, panel, out := Argument("groups"), Argument("panel"), Argument("out")
	vectors, alpha, to := GP64(), GP64(), GP64()
	Label("group")
	low, high := transposed(panel, 0), transposed(panel, 4*panelRow)
	if wide {
		for l, half := range low {
			low[l] = ZMM()
			VINSERTF64X4(Imm(1), high[l], half.AsZ(), low[l])
		}
	}
	Load(Param("vectors"), vectors)
	Load(Param("alpha"), alpha)
	MOVQ(out, to)
	c, sums := YMM(), []VecVirtual{YMM(), YMM()}
	if wide {
		sums = []VecVirtual{ZMM()}
	}
	Label("vector")
	for half, sum := range sums {
		VMOVUPD(Mem{Base: to, Disp: half * panelRow}, sum)
	}
	for l := range low {
		at := Mem{Base: alpha, Disp: l * NumberBytes}
		if wide {
			VFMADD231PD_BCST(at, low[l], sums[0])
			continue
		}
		VBROADCASTSD(at, c)
		VFMADD231PD(low[l], c, sums[0])
		VFMADD231PD(high[l], c, sums[1])
	}
	for half, sum := range sums {
		VMOVUPD(sum, Mem{Base: to, Disp: half * panelRow})
	}
	ADDQ(Imm(4*NumberBytes), alpha)
	ADDQ(I32(2*panelRow), to)
	DECQ(vectors)
	JNZ(LabelRef("vector"))
	ADDQ(I32(8*panelRow), panel)
	MOVQ(to, out)
	DECQ(groups)
	JNZ(LabelRef("group"))
	Leave()
}

// transposed loads a 4 x 4 block of the panel and returns its columns.
func transposed(panel GPVirtual, disp int) (columns [4]VecVirtual) {
	var rows [4]VecVirtual
	for i := range rows {
		rows[i] = Load4(Mem{Base: panel, Disp: disp + i*panelRow})
	}
	low, high := [2]VecVirtual{YMM(), YMM()}, [2]VecVirtual{YMM(), YMM()}
	for i := range low {
		VUNPCKLPD(rows[2*i+1], rows[2*i], low[i])
		VUNPCKHPD(rows[2*i+1], rows[2*i], high[i])
	}
	for l := range columns {
		columns[l] = YMM()
		pair := [2][2]VecVirtual{low, high}[l%2]
		const lowHalves, highHalves = 0x20, 0x31
		VPERM2F128(Imm([]uint64{lowHalves, highHalves}[l/2]), pair[1], pair[0], columns[l])
	}
	return columns
}
