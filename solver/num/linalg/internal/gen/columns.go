//go:build assembly

// Products of a matrix and a block of eight columns.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// columns adds rows of a product, whose sums stay in registers, to the block c.
func columns(rows int) {
	name := fmt.Sprintf("columns%dAVX2", rows)
	doc := fmt.Sprintf("adds the product of %d rows of a, of k >= 1 numbers each, and the k x 8 block b to the block c; "+
		"rows are aRow, bRow and cRow numbers apart.", rows)
	Text(name, "func(k int, a *float64, aRow int, b *float64, bRow int, c *float64, cRow int)", doc)
	k := Argument("k")
	b := Argument("b")
	c := Argument("c")
	bRow := StrideBytes("bRow")
	cRow := StrideBytes("cRow")
	aRow := StrideBytes("aRow")
	pointers := []GPVirtual{Argument("a")} // of the rows of a
	for range rows - 1 {
		next := GP64()
		MOVQ(pointers[len(pointers)-1], next)
		ADDQ(aRow, next)
		pointers = append(pointers, next)
	}
	sums := make([][2]VecVirtual, rows) // of a row, in two halves
	// overSums visits the sums with their places in c.
	overSums := func(visit func(row, half int, at Mem)) {
		at := GP64()
		MOVQ(c, at)
		for row := range rows {
			for half := range 2 {
				visit(row, half, At(at, half*VectorBytes))
			}
			ADDQ(cRow, at)
		}
	}
	overSums(func(row, half int, at Mem) { sums[row][half] = LoadVector(at) })
	Label("next")
	left := LoadVector(At(b, 0))
	right := LoadVector(At(b, VectorBytes))
	ADDQ(bRow, b)
	for row, pointer := range pointers {
		x := Broadcast(At(pointer, 0))
		Advance(NumberBytes, pointer)
		VFMADD231PD(left, x, sums[row][0])
		VFMADD231PD(right, x, sums[row][1])
	}
	DECQ(k)
	JNZ(LabelRef("next"))
	overSums(func(row, half int, at Mem) { VMOVUPD(sums[row][half], at) })
	Leave()
}

// rowsOfEight adds up to eight rows of a product, whose sums stay in registers of eight columns, to the block c. Each sum is that
// of columns, in the same order.
func rowsOfEight(rows int) {
	name := fmt.Sprintf("columns%dAVX512", rows)
	doc := fmt.Sprintf("adds the product of %d rows of a, of k >= 1 numbers each, and the k x 8 block b to the block c; "+
		"rows are aRow, bRow and cRow numbers apart.", rows)
	Text(name, "func(k int, a *float64, aRow int, b *float64, bRow int, c *float64, cRow int)", doc)
	k := Argument("k")
	a := Argument("a") // of the first four rows
	b := Argument("b")
	c := Argument("c")
	bRow := StrideBytes("bRow")
	cRow := StrideBytes("cRow")
	aRow := StrideBytes("aRow")
	threeRows := Triple(aRow)
	others := GP64() // of the last four rows
	LEAQ(Indexed(a, aRow, 4), others)
	entry := func(row int) Mem {
		pointer := a
		if row >= 4 {
			pointer = others
		}
		switch row % 4 {
		case 1:
			return Indexed(pointer, aRow, 1)
		case 2:
			return Indexed(pointer, aRow, 2)
		case 3:
			return Indexed(pointer, threeRows, 1)
		}
		return At(pointer, 0)
	}
	sums := make([]VecVirtual, rows)
	// overSums visits the sums with their places in c.
	overSums := func(visit func(row int, at Mem)) {
		at := GP64()
		MOVQ(c, at)
		for row := range sums {
			visit(row, At(at, 0))
			ADDQ(cRow, at)
		}
	}
	overSums(func(row int, at Mem) {
		sums[row] = ZMM()
		VMOVUPD(at, sums[row])
	})
	ofRow := ZMM()
	Label("next")
	VMOVUPD(At(b, 0), ofRow)
	ADDQ(bRow, b)
	for row, sum := range sums {
		VFMADD231PD_BCST(entry(row), ofRow, sum)
	}
	Advance(NumberBytes, a, others)
	DECQ(k)
	JNZ(LabelRef("next"))
	overSums(func(row int, at Mem) { VMOVUPD(sums[row], at) })
	Leave()
}
