//go:build assembly

// The micro-kernels of the rank-k update: outer products summed in registers.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

const (
	panelRow  = VectorBytes // of one row of a panel
	cacheLine = 64
)

// unrolled emits body(0), ..., body(factor-1) followed by advance(factor) as a loop over
// count/factor, then body(0), advance(1) as a loop over the rest. It overwrites count.
func unrolled(count Register, factor int, body func(step int), advance func(steps int)) {
	SUBQ(Imm(uint64(factor)), count)
	JLT(LabelRef("rest"))
	Label("loop")
	for step := range factor {
		body(step)
	}
	advance(factor)
	SUBQ(Imm(uint64(factor)), count)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(uint64(factor)), count)
	JZ(LabelRef("done"))
	Label("single")
	body(0)
	advance(1)
	DECQ(count)
	JNZ(LabelRef("single"))
	Label("done")
}

// panelOf returns the address of panel p <= 2, counted from base.
func panelOf(base, stride GPVirtual, p int) Mem {
	m := Mem{Base: base}
	if p > 0 {
		m.Index, m.Scale = stride, uint8(p)
	}
	return m
}

// prefetchTile fetches the cache lines of a tile of c, whether two panels of a row share a line or two rows of a panel
// do.
func prefetchTile(c, cRow, cPanel GPVirtual, rows, panels int) {
	row := GP64()
	MOVQ(c, row)
	for i := range rows {
		at := GP64()
		MOVQ(row, at)
		for p := range panels {
			if p%2 == i%2 {
				PREFETCHT0(Mem{Base: at})
			}
			if p < panels-1 {
				ADDQ(cPanel, at)
			}
		}
		if i < rows-1 {
			ADDQ(cRow, row)
		}
	}
}

// outerProducts adds to row i of the sums entry i of the panels a times the vectors on the right, for each of k rows.
// load loads vector j on the right, at a distance from the pointers b.
func outerProducts(k GPVirtual, a, b []GPVirtual, sums [][]VecVirtual, left, right []VecVirtual, load func(j, at int)) {
	unrolled(k, 4, func(step int) {
		at := step * panelRow
		for j := range right {
			load(j, at)
		}
		for _, p := range a {
			if step%2 == 0 {
				PREFETCHT0(Mem{Base: p, Disp: 8*cacheLine + at})
			}
		}
		for i := range sums {
			VBROADCASTSD(Mem{Base: a[i/4], Disp: at + NumberBytes*(i%4)}, left[i%len(left)])
			for j := range right {
				VFMADD231PD(right[j], left[i%len(left)], sums[i][j])
			}
		}
	}, func(steps int) {
		for _, p := range append(a, b...) {
			ADDQ(I32(steps*panelRow), p)
		}
	})
}

// rankTile4x12 keeps 12 sums of 4 lanes, three vectors of b and one broadcast entry of a in the 16 registers.
func rankTile4x12() {
	Text("rankTile4x12AVX2", "func(k int, a, b *float64, bStride int, c *float64, cRow, cPanel int)",
		"adds A'B to the 4 x 12 tile c: a is one panel of k >= 1 rows, b three that start bStride "+
			"apart; entry (i, 4p+l) of the tile is c[i*cRow+p*cPanel+l].")
	k := Argument("k")
	a, b0, c := Argument("a"), Argument("b"), Argument("c")
	bStride, cRow, cPanel := StrideBytes("bStride"), StrideBytes("cRow"), StrideBytes("cPanel")
	b := []GPVirtual{b0, GP64(), GP64()}
	LEAQ(Mem{Base: b0, Index: bStride, Scale: 1}, b[1])
	LEAQ(Mem{Base: b0, Index: bStride, Scale: 2}, b[2])

	prefetchTile(c, cRow, cPanel, 4, 3)
	sums := make([][]VecVirtual, 4)
	for i := range sums {
		sums[i] = Zeros(3)
	}
	right := []VecVirtual{YMM(), YMM(), YMM()}
	outerProducts(k, []GPVirtual{a}, b, sums, []VecVirtual{YMM()}, right, func(j, at int) {
		VMOVUPD(Mem{Base: b[j], Disp: at}, right[j])
	})
	for i := range sums {
		for j, sum := range sums[i] {
			at := panelOf(c, cPanel, j)
			VADDPD(at, sum, sum)
			VMOVUPD(sum, at)
		}
		if i < 3 {
			ADDQ(cRow, c)
		}
	}
	Leave()
}

// rankTile8x24 joins two panels to a vector of eight columns: 24 sums, three vectors
// of b and broadcast entries of a in 32 registers.
func rankTile8x24() {
	Text("rankTile8x24AVX512",
		"func(k int, a *float64, aStride int, b *float64, bStride int, c *float64, cRow, cPanel int)",
		"adds A'B to the 8 x 24 tile c: a is two panels of k >= 1 rows that start aStride apart, b "+
			"six that start bStride apart; entry (i, 4p+l) of the tile is c[i*cRow+p*cPanel+l].")
	k := Argument("k")
	a0, b0, c := Argument("a"), Argument("b"), Argument("c")
	aStride, bStride := StrideBytes("aStride"), StrideBytes("bStride")
	cRow, cPanel := StrideBytes("cRow"), StrideBytes("cPanel")
	a1 := GP64()
	LEAQ(Mem{Base: a0, Index: aStride, Scale: 1}, a1)
	b3 := GP64()
	LEAQ(Mem{Base: bStride, Index: bStride, Scale: 2}, b3)
	ADDQ(b0, b3)

	prefetchTile(c, cRow, cPanel, 8, 6)
	sums := make([][]VecVirtual, 8)
	for i := range sums {
		for range 3 {
			sum := ZMM()
			VPXORQ(sum, sum, sum)
			sums[i] = append(sums[i], sum)
		}
	}
	right := []VecVirtual{ZMM(), ZMM(), ZMM()}
	panel := func(p, at int) Mem {
		m := panelOf([]GPVirtual{b0, b3}[p/3], bStride, p%3)
		m.Disp = at
		return m
	}
	outerProducts(k, []GPVirtual{a0, a1}, []GPVirtual{b0, b3}, sums, []VecVirtual{ZMM(), ZMM()}, right, func(j, at int) {
		VMOVUPD(panel(2*j, at), right[j].AsY())
		VINSERTF64X4(Imm(1), panel(2*j+1, at), right[j], right[j])
	})
	c3, old := GP64(), right[0]
	LEAQ(Mem{Base: cPanel, Index: cPanel, Scale: 2}, c3)
	ADDQ(c, c3)
	for i := range sums {
		for j, sum := range sums[i] {
			low, high := panelOf([]GPVirtual{c, c3}[2*j/3], cPanel, 2*j%3),
				panelOf([]GPVirtual{c, c3}[(2*j+1)/3], cPanel, (2*j+1)%3)
			VMOVUPD(low, old.AsY())
			VINSERTF64X4(Imm(1), high, old, old)
			VADDPD(old, sum, sum)
			VMOVUPD(sum.AsY(), low)
			VEXTRACTF64X4(Imm(1), sum, high)
		}
		if i < 7 {
			ADDQ(cRow, c)
			ADDQ(cRow, c3)
		}
	}
	Leave()
}
