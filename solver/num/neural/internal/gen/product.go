//go:build assembly

// Tiles of products of matrices, summed in registers.

package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// nameOf names a constant by its bits, so that equal constants are stored once.
func nameOf(x float32) string { return fmt.Sprintf("single_%08x", math.Float32bits(x)) }

// product keeps the sums of four rows and some vectors of columns: with three vectors, all 16 registers are in use.
func product(vectors int) {
	columns := 8 * vectors
	name := fmt.Sprintf("product4x%dAVX2", columns)
	doc := fmt.Sprintf("adds A B to the 4 x %d tile c: a has four rows of k >= 1 numbers, b has k rows.", columns)
	Text(name, "func(k int, a *float32, aStride int, b *float32, bStride int, c *float32, cStride int)", doc)
	k := Argument("k")
	a := Argument("a")
	b := Argument("b")
	c := Argument("c")
	aStride := strideBytes("aStride")
	bStride := strideBytes("bStride")
	cStride := strideBytes("cStride")
	rows := fourRows(a, aStride)
	sums := make([][]VecVirtual, 4)
	for i := range sums {
		sums[i] = zeros(vectors)
	}
	right := make([]VecVirtual, vectors)
	for j := range right {
		right[j] = YMM()
	}
	left := YMM()
	Label("loop")
	for j := range right {
		VMOVUPS(At(b, j*VectorBytes), right[j])
	}
	for i := range sums {
		VBROADCASTSS(rows[i], left)
		for j := range right {
			VFMADD231PS(right[j], left, sums[i][j])
		}
	}
	ADDQ(Imm(singleBytes), a)
	ADDQ(bStride, b)
	DECQ(k)
	JNZ(LabelRef("loop"))
	for i := range sums {
		for j, sum := range sums[i] {
			at := At(c, j*VectorBytes)
			VADDPS(at, sum, sum)
			VMOVUPS(sum, at)
		}
		if i < 3 {
			ADDQ(cStride, c)
		}
	}
	Leave()
}

// fourRows returns the addresses of four rows at a common stride.
func fourRows(first, stride GPVirtual) []Mem {
	threeStrides := Triple(stride)
	return []Mem{
		At(first, 0),
		Indexed(first, stride, 1),
		Indexed(first, stride, 2),
		Indexed(first, threeStrides, 1),
	}
}

// dots sums along rows in eight lanes, and adds the lanes at the end.
func dots() {
	Text("dots4x2AVX2", "func(groups int, a *float32, aStride int, b *float32, bStride int, c *float32, cStride int)",
		"adds A B' to the 4 x 2 tile c: a has four rows and b two of 8*groups numbers, groups >= 1.")
	groups := Argument("groups")
	a := Argument("a")
	b := Argument("b")
	c := Argument("c")
	aStride := strideBytes("aStride")
	bStride := strideBytes("bStride")
	cStride := strideBytes("cStride")
	rows := fourRows(a, aStride)
	sums := [][]VecVirtual{zeros(2), zeros(2), zeros(2), zeros(2)}
	right := []VecVirtual{YMM(), YMM()}
	left := YMM()
	Label("loop")
	VMOVUPS(At(b, 0), right[0])
	VMOVUPS(Indexed(b, bStride, 1), right[1])
	for i := range sums {
		VMOVUPS(rows[i], left)
		VFMADD231PS(right[0], left, sums[i][0])
		VFMADD231PS(right[1], left, sums[i][1])
	}
	advance(VectorBytes, a, b)
	DECQ(groups)
	JNZ(LabelRef("loop"))
	for i := range sums {
		for j, sum := range sums[i] {
			at := At(c, j*singleBytes)
			total := sumLanes(sum)
			VADDSS(at, total, total)
			VMOVSS(total, at)
		}
		if i < 3 {
			ADDQ(cStride, c)
		}
	}
	Leave()
}

// sumLanes sums the eight lanes of x in the first one, and returns its low half.
func sumLanes(x VecVirtual) VecVirtual {
	high := XMM()
	VEXTRACTF128(Imm(1), x, high)
	low := x.AsX().(VecVirtual)
	VADDPS(high, low, low)
	VPERMILPD(Imm(1), low, high)
	VADDPS(high, low, low)
	VMOVSHDUP(low, high)
	VADDSS(high, low, low)
	return low
}

// spectra multiplies complex numbers in groups of eight real parts and eight imaginary parts.
func spectra(name string, conjugate bool) {
	formula := "p[a][k] q[k][b]"
	if conjugate {
		formula = "conj(p[a][k]) q[k][b]"
	}
	Text(name, "func(k int, p *float32, pRow, pNext int, q *float32, qNext, qColumn int, c *float32, cRow, cColumn int)",
		"adds the sums over k of "+formula+" to c[a][b], a and b being 0 and 1, for one group of eight complex numbers.")
	k := Argument("k")
	p0 := Argument("p")
	q0 := Argument("q")
	c0 := Argument("c")
	pNext := strideBytes("pNext")
	qNext := strideBytes("qNext")
	p1 := strideBytes("pRow")
	q1 := strideBytes("qColumn")
	c1 := strideBytes("cRow")
	ADDQ(p0, p1)
	ADDQ(q0, q1)
	ADDQ(c0, c1)
	column := strideBytes("cColumn")
	p := []GPVirtual{p0, p1}
	q := []GPVirtual{q0, q1}
	c := []GPVirtual{c0, c1}
	real := [][]VecVirtual{zeros(2), zeros(2)}
	imaginary := [][]VecVirtual{zeros(2), zeros(2)}
	pr := []VecVirtual{YMM(), YMM()}
	pi := []VecVirtual{YMM(), YMM()}
	qr := YMM()
	qi := YMM()
	Label("loop")
	for a := range p {
		VMOVUPS(At(p[a], 0), pr[a])
		VMOVUPS(At(p[a], VectorBytes), pi[a])
	}
	for b := range q {
		VMOVUPS(At(q[b], 0), qr)
		VMOVUPS(At(q[b], VectorBytes), qi)
		for a := range p {
			VFMADD231PS(qr, pr[a], real[a][b])
			VFMADD231PS(qi, pr[a], imaginary[a][b])
			if conjugate {
				VFMADD231PS(qi, pi[a], real[a][b])
				VFNMADD231PS(qr, pi[a], imaginary[a][b])
			} else {
				VFNMADD231PS(qi, pi[a], real[a][b])
				VFMADD231PS(qr, pi[a], imaginary[a][b])
			}
		}
	}
	for a := range p {
		ADDQ(pNext, p[a])
	}
	for b := range q {
		ADDQ(qNext, q[b])
	}
	DECQ(k)
	JNZ(LabelRef("loop"))
	for b := range q {
		for a := range c {
			VADDPS(At(c[a], 0), real[a][b], real[a][b])
			VMOVUPS(real[a][b], At(c[a], 0))
			VADDPS(At(c[a], VectorBytes), imaginary[a][b], imaginary[a][b])
			VMOVUPS(imaginary[a][b], At(c[a], VectorBytes))
			if b == 0 {
				ADDQ(column, c[a])
			}
		}
	}
	Leave()
}
