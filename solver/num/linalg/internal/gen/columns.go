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
	columnsText(rows, "AVX2")
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
		eachRow(c, cRow, rows, func(row int, at Register) {
			for half := range 2 {
				visit(row, half, At(at, half*VectorBytes))
			}
		})
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

// rowsOfEight adds up to sixteen rows of a product, whose sums stay in registers of eight columns, to the block c. Each sum is
// that of columns, in the same order.
func rowsOfEight(rows int) {
	columnsText(rows, "AVX512")
	k := Argument("k")
	a := Argument("a")
	b := Argument("b")
	c := Argument("c")
	bRow := StrideBytes("bRow")
	cRow := StrideBytes("cRow")
	aRow := StrideBytes("aRow")
	threeRows := Triple(aRow)
	fours := []Register{a} // of rows
	for 4*len(fours) < rows {
		next := GP64()
		LEAQ(Indexed(fours[len(fours)-1], aRow, 4), next)
		fours = append(fours, next)
	}
	into := block{of: c, row: cRow, rows: rows}
	from := block{of: b, row: bRow}
	addRows(into, k, from, func(row int) Mem {
		four := fours[row/4]
		return RowsAt(four, four, aRow, threeRows).At(row % 4)
	}, func() { Advance(NumberBytes, fours...) })
}

// block is a block of eight columns in memory.
type block struct {
	of   Register
	row  Register // bytes between rows
	rows int
}

// addRows adds rows of a product of k columns and a block to another block: factor is where the next number of each row is, and
// advance goes on by a column.
func addRows(into block, k Register, from block, factor func(row int) Mem, advance func()) {
	sums := make([]VecVirtual, into.rows)
	eachRow(into.of, into.row, into.rows, func(row int, at Register) {
		sums[row] = ZMM()
		VMOVUPD(At(at, 0), sums[row])
	})
	ofRow := ZMM()
	Label("next")
	VMOVUPD(At(from.of, 0), ofRow)
	ADDQ(from.row, from.of)
	for row, sum := range sums {
		VFMADD231PD_BCST(factor(row), ofRow, sum)
	}
	advance()
	DECQ(k)
	JNZ(LabelRef("next"))
	eachRow(into.of, into.row, into.rows, func(row int, at Register) { VMOVUPD(sums[row], At(at, 0)) })
	Leave()
}

// packedRows adds sixteen rows of a product, whose sums stay in registers of eight columns, to the block c. The rows of a stand
// together: sixteen numbers for each column. Each sum is that of columns, in the same order.
func packedRows() {
	const rows = 16
	Text("packedRowsAVX512", "func(k int, a *float64, b *float64, bRow int, c *float64, cRow int)",
		"adds the product of a, of k >= 1 columns of 16 numbers each, and the k x 8 block b to the block c; rows of the blocks "+
			"are bRow and cRow numbers apart.")
	k := Argument("k")
	a := Argument("a")
	b := Argument("b")
	c := Argument("c")
	bRow := StrideBytes("bRow")
	cRow := StrideBytes("cRow")
	into := block{of: c, row: cRow, rows: rows}
	from := block{of: b, row: bRow}
	addRows(into, k, from, func(row int) Mem { return At(a, row*NumberBytes) }, func() { Advance(rows*NumberBytes, a) })
}

// columnsText begins a kernel of columns for so many rows.
func columnsText(rows int, suffix string) {
	doc := fmt.Sprintf("adds the product of %d rows of a, of k >= 1 numbers each, and the k x 8 block b to the block c; "+
		"rows are aRow, bRow and cRow numbers apart.", rows)
	Text(fmt.Sprint("columns", rows, suffix), "func(k int, a *float64, aRow int, b *float64, bRow int, c *float64, cRow int)", doc)
}

// eachRow visits rows with the address of each, from c on.
func eachRow(c, cRow Register, rows int, visit func(row int, at Register)) {
	at := GP64()
	MOVQ(c, at)
	for row := range rows {
		visit(row, at)
		ADDQ(cRow, at)
	}
}
