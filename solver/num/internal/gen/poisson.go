//go:build assembly

// This file emits the elimination of package poisson.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

func elimination() {
	eliminate()
	substitute()
}

func eliminate() {
	Text("eliminateAVX2", "func(rows []float64, stride int, block, previous, factors []float64, factorStride int)")
	eachFour("previous", func(rows, factors Rows, block, previous Register) {
		y := LoadVector(At(previous, 0))
		for j := 0; j < 8; j += 2 {
			for i, f := range TwoColumns(block, j) {
				y = Add(f, y)
				VMULPD(factors.At(j+i), y, y)
				VMOVUPD(y, rows.At(j+i))
			}
		}
	})
}

// eachFour emits a loop over four modes at a time, of which the argument edge has the values beyond the block.
func eachFour(edge string, modes func(rows, factors Rows, block, edge Register)) {
	rows := RowsOf("rows", "stride")
	factors := RowsOf("factors", "factorStride")
	block := Base("block")
	beyond := Base(edge)
	Loop(Groups(edge, 4), func() {
		rows.Prefetch()
		modes(rows, factors, block, beyond)
		rows.Advance()
		factors.Advance()
		ADDQ(U32(4*RowBytes), block)
		ADDQ(Imm(VectorBytes), beyond)
	})
	Leave()
}

func substitute() {
	Text("substituteAVX2", "func(block, rows []float64, stride int, next, factors []float64, factorStride int)")
	eachFour("next", func(rows, factors Rows, block, next Register) {
		x := LoadVector(At(next, 0))
		for j := 6; j >= 0; j -= 2 {
			var pair [2]VecVirtual
			for i := 1; i >= 0; i-- {
				y := LoadVector(rows.At(j + i))
				VFMADD231PD(factors.At(j+i), x, y)
				x = y
				pair[i] = y
			}
			StoreTwoColumns(block, j, pair)
		}
		VMOVUPD(x, At(next, 0))
	})
}
