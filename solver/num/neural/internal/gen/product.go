//go:build assembly

// Tiles of products of matrices, summed in registers.

package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// nameOf names a constant by its bits, so that equal constants are stored once.
func nameOf(x float32) string { return fmt.Sprintf("single_%08x", math.Float32bits(x)) }

// product keeps the sums of four rows and some vectors of columns: with three vectors, all 16 registers are in use.
func product(vectors int) {
	text(fmt.Sprintf("product4x%dAVX2", 8*vectors),
		"func(k int, a *float32, aStride int, b *float32, bStride int, c *float32, cStride int)",
		fmt.Sprintf("adds A B to the 4 x %d tile c: a has four rows of k >= 1 numbers, b has k rows.", 8*vectors))
	k, a, b, c := argument("k"), argument("a"), argument("b"), argument("c")
	aStride, bStride, cStride := strideBytes("aStride"), strideBytes("bStride"), strideBytes("cStride")
	third := GP64()
	LEAQ(Mem{Base: aStride, Index: aStride, Scale: 2}, third)
	rows := []Mem{{Base: a}, {Base: a, Index: aStride, Scale: 1}, {Base: a, Index: aStride, Scale: 2},
		{Base: a, Index: third, Scale: 1}}
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
		VMOVUPS(Mem{Base: b, Disp: j * vectorBytes}, right[j])
	}
	for i := range sums {
		VBROADCASTSS(rows[i], left)
		for j := range right {
			VFMADD231PS(right[j], left, sums[i][j])
		}
	}
	ADDQ(Imm(numberBytes), a)
	ADDQ(bStride, b)
	DECQ(k)
	JNZ(LabelRef("loop"))
	for i := range sums {
		for j, sum := range sums[i] {
			at := Mem{Base: c, Disp: j * vectorBytes}
			VADDPS(at, sum, sum)
			VMOVUPS(sum, at)
		}
		if i < 3 {
			ADDQ(cStride, c)
		}
	}
	leave()
}

// dots sums along rows in eight lanes, and adds the lanes at the end.
func dots() {
	text("dots4x2AVX2", "func(groups int, a *float32, aStride int, b *float32, bStride int, c *float32, cStride int)",
		"adds A B' to the 4 x 2 tile c: a has four rows and b two of 8*groups numbers, groups >= 1.")
	groups, a, b, c := argument("groups"), argument("a"), argument("b"), argument("c")
	aStride, bStride, cStride := strideBytes("aStride"), strideBytes("bStride"), strideBytes("cStride")
	third := GP64()
	LEAQ(Mem{Base: aStride, Index: aStride, Scale: 2}, third)
	rows := []Mem{{Base: a}, {Base: a, Index: aStride, Scale: 1}, {Base: a, Index: aStride, Scale: 2},
		{Base: a, Index: third, Scale: 1}}
	sums := [][]VecVirtual{zeros(2), zeros(2), zeros(2), zeros(2)}
	right := []VecVirtual{YMM(), YMM()}
	left := YMM()
	Label("loop")
	VMOVUPS(Mem{Base: b}, right[0])
	VMOVUPS(Mem{Base: b, Index: bStride, Scale: 1}, right[1])
	for i := range sums {
		VMOVUPS(rows[i], left)
		VFMADD231PS(right[0], left, sums[i][0])
		VFMADD231PS(right[1], left, sums[i][1])
	}
	ADDQ(Imm(vectorBytes), a)
	ADDQ(Imm(vectorBytes), b)
	DECQ(groups)
	JNZ(LabelRef("loop"))
	for i := range sums {
		for j, sum := range sums[i] {
			at := Mem{Base: c, Disp: j * numberBytes}
			high := XMM()
			VEXTRACTF128(Imm(1), sum, high)
			low := sum.AsX()
			VADDPS(high, low, low)
			VPERMILPD(Imm(1), low, high)
			VADDPS(high, low, low)
			VMOVSHDUP(low, high)
			VADDSS(high, low, low)
			VADDSS(at, low, low)
			VMOVSS(low, at)
		}
		if i < 3 {
			ADDQ(cStride, c)
		}
	}
	leave()
}

// spectra multiplies complex numbers in groups of eight real parts and eight imaginary parts.
func spectra(name string, conjugate bool) {
	formula := "p[a][k] q[k][b]"
	if conjugate {
		formula = "conj(p[a][k]) q[k][b]"
	}
	text(name, "func(k int, p *float32, pRow, pNext int, q *float32, qNext, qColumn int, c *float32, cRow, cColumn int)",
		"adds the sums over k of "+formula+" to c[a][b], a and b being 0 and 1, for one group of eight complex numbers.")
	k, p0, q0, c0 := argument("k"), argument("p"), argument("q"), argument("c")
	pNext, qNext := strideBytes("pNext"), strideBytes("qNext")
	p1, q1, c1 := strideBytes("pRow"), strideBytes("qColumn"), strideBytes("cRow")
	ADDQ(p0, p1)
	ADDQ(q0, q1)
	ADDQ(c0, c1)
	column := strideBytes("cColumn")
	p, q, c := []GPVirtual{p0, p1}, []GPVirtual{q0, q1}, []GPVirtual{c0, c1}
	real := [][]VecVirtual{zeros(2), zeros(2)}
	imaginary := [][]VecVirtual{zeros(2), zeros(2)}
	pr, pi := []VecVirtual{YMM(), YMM()}, []VecVirtual{YMM(), YMM()}
	qr, qi := YMM(), YMM()
	Label("loop")
	for a := range p {
		VMOVUPS(Mem{Base: p[a]}, pr[a])
		VMOVUPS(Mem{Base: p[a], Disp: vectorBytes}, pi[a])
	}
	for b := range q {
		VMOVUPS(Mem{Base: q[b]}, qr)
		VMOVUPS(Mem{Base: q[b], Disp: vectorBytes}, qi)
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
			VADDPS(Mem{Base: c[a]}, real[a][b], real[a][b])
			VMOVUPS(real[a][b], Mem{Base: c[a]})
			VADDPS(Mem{Base: c[a], Disp: vectorBytes}, imaginary[a][b], imaginary[a][b])
			VMOVUPS(imaginary[a][b], Mem{Base: c[a], Disp: vectorBytes})
			if b == 0 {
				ADDQ(column, c[a])
			}
		}
	}
	leave()
}
