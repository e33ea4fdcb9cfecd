//go:build assembly

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// foldRows separates sums and differences of mirrored rows.
func foldRows() {
	Text("foldRowsAVX2", "func(rows int, near, far, even, odd *float64)",
		"sets the rows of even to near + far and those of odd to near - far, for rows of eight numbers that follow each other, but "+
			"in far precede each other.")
	rows := Argument("rows")
	near := Argument("near")
	far := Argument("far")
	even := Argument("even")
	odd := Argument("odd")
	Loop(rows, func() {
		sumsAndDifferences(near, far, even, odd)
		Advance(RowBytes, near, even, odd)
		SUBQ(U32(RowBytes), far)
	})
	Leave()
}

// unfoldRows reverses foldRows but for a factor.
func unfoldRows() {
	Text("unfoldRowsAVX2", "func(rows int, even, odd, near, far *float64)",
		"sets the rows of near to even + odd and those of far to even - odd, for rows of eight numbers that follow each other, but "+
			"in far precede each other.")
	rows := Argument("rows")
	even := Argument("even")
	odd := Argument("odd")
	near := Argument("near")
	far := Argument("far")
	Loop(rows, func() {
		sumsAndDifferences(even, odd, near, far)
		Advance(RowBytes, even, odd, near)
		SUBQ(U32(RowBytes), far)
	})
	Leave()
}

// sumsAndDifferences stores the sum and the difference of two rows.
func sumsAndDifferences(x, y, sum, difference Register) {
	for half := 0; half < RowBytes; half += VectorBytes {
		a := LoadVector(At(x, half))
		b := LoadVector(At(y, half))
		VMOVUPD(Add(a, b), At(sum, half))
		VMOVUPD(Sub(a, b), At(difference, half))
	}
}

// weightedSquares adds squares of rows.
func weightedSquares() {
	Text("weightedSquaresAVX2", "func(rows int, weights, x, sums *float64)",
		"adds the squares of the rows of x, of eight numbers each, times the weight of the row to the eight sums.")
	rows := Argument("rows")
	weights := Argument("weights")
	x := Argument("x")
	sums := Argument("sums")
	var totals [2]VecVirtual
	for half := range totals {
		totals[half] = LoadVector(At(sums, half*VectorBytes))
	}
	Loop(rows, func() {
		weight := Broadcast(At(weights, 0))
		for half, total := range totals {
			value := LoadVector(At(x, half*VectorBytes))
			VFMADD231PD(value, Mul(value, weight), total)
		}
		Advance(NumberBytes, weights)
		Advance(RowBytes, x)
	})
	for half, total := range totals {
		VMOVUPD(total, At(sums, half*VectorBytes))
	}
	Leave()
}
