//go:build assembly

// Linear combinations of the features of a panel.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// combine8 transposes eight rows of the panel at a time, to two vectors of four rows for each lane.
func combine8() {
	Text("combine8AVX2", "func(groups int, panel, alpha, out *float64)", "is Combine for 8*groups rows, groups >= 1.")
	groups := Argument("groups")
	panel := Argument("panel")
	alpha := Argument("alpha")
	out := Argument("out")
	var coefficients [lanes]VecVirtual
	for l := range coefficients {
		coefficients[l] = YMM()
		VBROADCASTSD(At(alpha, l*NumberBytes), coefficients[l])
	}
	Label("group")
	for half := range 2 {
		sum := YMM()
		at := At(out, half*panelRow)
		VMOVUPD(at, sum)
		for l, column := range transposed(panel, half*4*panelRow) {
			VFMADD231PD(column, coefficients[l], sum)
		}
		VMOVUPD(sum, at)
	}
	ADDQ(I32(8*panelRow), panel)
	ADDQ(I32(2*panelRow), out)
	DECQ(groups)
	JNZ(LabelRef("group"))
	Leave()
}

// transposed loads a 4 x 4 block of the panel and returns its columns.
func transposed(panel GPVirtual, disp int) (columns [lanes]VecVirtual) {
	var rows [lanes]VecVirtual
	for i := range rows {
		rows[i] = LoadVector(At(panel, disp+i*panelRow))
	}
	low := [2]VecVirtual{YMM(), YMM()}  // columns 0 and 2 of two rows each
	high := [2]VecVirtual{YMM(), YMM()} // columns 1 and 3
	for i := range low {
		VUNPCKLPD(rows[2*i+1], rows[2*i], low[i])
		VUNPCKHPD(rows[2*i+1], rows[2*i], high[i])
	}
	const (
		lowHalves  = 0x20
		highHalves = 0x31
	)
	for l := range columns {
		columns[l] = YMM()
		pair := low
		if l%2 == 1 {
			pair = high
		}
		halves := uint64(lowHalves)
		if l >= 2 {
			halves = highHalves
		}
		VPERM2F128(Imm(halves), pair[1], pair[0], columns[l])
	}
	return columns
}
