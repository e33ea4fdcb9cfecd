// Kernels that exchange rows and columns, four modes of eight columns at a time.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// eightRows addresses rows at a common stride.
type eightRows struct{ first, fifth, stride, threeStrides Register }

func rowsOf(slice, stride string) eightRows {
	r := eightRows{base(slice), GP64(), strideBytes(stride), GP64()}
	LEAQ(Mem{Base: r.first, Index: r.stride, Scale: 4}, r.fifth)
	LEAQ(Mem{Base: r.stride, Index: r.stride, Scale: 2}, r.threeStrides)
	return r
}

func (r eightRows) at(j int) Mem {
	m := Mem{Base: r.first}
	if j >= 4 {
		m.Base = r.fifth
	}
	switch j % 4 {
	case 1, 2:
		return m.Idx(r.stride, uint8(j%4))
	case 3:
		return m.Idx(r.threeStrides, 1)
	}
	return m
}

func (r eightRows) advance() {
	ADDQ(Imm(vectorBytes), r.first)
	ADDQ(Imm(vectorBytes), r.fifth)
}

// prefetch asks for what eight iterations later will need: eight rows at a time are more
// streams than the hardware prefetcher follows.
func (r eightRows) prefetch() {
	for j := range 8 {
		PREFETCHT0(r.at(j).Offset(8 * vectorBytes))
	}
}

// twoColumns returns columns j and j+1 of four rows of a block. The rows meet in a
// register on their way from memory, which spares half of the shuffles.
func twoColumns(block Register, j int) [2]VecVirtual {
	pair := func(row int) VecVirtual {
		x := YMM()
		VMOVUPD(Mem{Base: block, Disp: row*rowBytes + j*numberBytes}, x.AsX())
		VINSERTF128(Imm(1), Mem{Base: block, Disp: (row+2)*rowBytes + j*numberBytes}, x, x)
		return x
	}
	even, odd := pair(0), pair(1)
	low, high := YMM(), YMM()
	VUNPCKLPD(odd, even, low)
	VUNPCKHPD(odd, even, high)
	return [2]VecVirtual{low, high}
}

// storeTwoColumns writes columns j and j+1 of four rows of a block.
func storeTwoColumns(block Register, j int, x [2]VecVirtual) {
	even, odd := YMM(), YMM()
	VUNPCKLPD(x[1], x[0], even)
	VUNPCKHPD(x[1], x[0], odd)
	for row, pair := range []VecVirtual{even, odd} {
		VMOVUPD(pair.AsX(), Mem{Base: block, Disp: row*rowBytes + j*numberBytes})
		VEXTRACTF128(Imm(1), pair, Mem{Base: block, Disp: (row+2)*rowBytes + j*numberBytes})
	}
}

func transpose() {
	text("transposeAVX2", "func(rows []float64, stride int, block []float64)",
		"writes eight columns as rows.")
	rows, block := rowsOf("rows", "stride"), base("block")
	groups := Load(Param("block").Len(), GP64())
	SHRQ(Imm(5), groups)
	repeat(groups, func() {
		rows.prefetch()
		for j := 0; j < 8; j += 2 {
			for i, column := range twoColumns(block, j) {
				VMOVUPD(column, rows.at(j+i))
			}
		}
		rows.advance()
		ADDQ(U32(4*rowBytes), block)
	})
}

func eliminate() {
	text("eliminateAVX2", "func(rows []float64, stride int, block, previous, factors []float64, factorStride int)",
		"eliminates in eight columns and writes them as rows.")
	rows, factors := rowsOf("rows", "stride"), rowsOf("factors", "factorStride")
	block, previous := base("block"), base("previous")
	repeat(quarterLength("previous"), func() {
		rows.prefetch()
		y := load(Mem{Base: previous})
		for j := 0; j < 8; j += 2 {
			for i, f := range twoColumns(block, j) {
				y = add(f, y)
				VMULPD(factors.at(j+i), y, y)
				VMOVUPD(y, rows.at(j+i))
			}
		}
		rows.advance()
		factors.advance()
		ADDQ(U32(4*rowBytes), block)
		ADDQ(Imm(vectorBytes), previous)
	})
}

func substitute() {
	text("substituteAVX2", "func(block, rows []float64, stride int, next, factors []float64, factorStride int)",
		"substitutes back in eight rows and writes them as columns.")
	rows, factors := rowsOf("rows", "stride"), rowsOf("factors", "factorStride")
	block, next := base("block"), base("next")
	repeat(quarterLength("next"), func() {
		rows.prefetch()
		x := load(Mem{Base: next})
		for j := 6; j >= 0; j -= 2 {
			var pair [2]VecVirtual
			for i := 1; i >= 0; i-- {
				y := load(rows.at(j + i))
				VFMADD231PD(factors.at(j+i), x, y)
				x, pair[i] = y, y
			}
			storeTwoColumns(block, j, pair)
		}
		VMOVUPD(x, Mem{Base: next})
		rows.advance()
		factors.advance()
		ADDQ(U32(4*rowBytes), block)
		ADDQ(Imm(vectorBytes), next)
	})
}
