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
	if p == 0 {
		return At(base, 0)
	}
	return Indexed(base, stride, p)
}

// sixPanels addresses panels that a stride separates; an address has at most twice the stride.
type sixPanels struct{ first, fourth, stride GPVirtual }

// at returns the address of panel p <= 5.
func (s sixPanels) at(p int) Mem {
	if p >= 3 {
		return panelOf(s.fourth, s.stride, p-3)
	}
	return panelOf(s.first, s.stride, p)
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
				PREFETCHT0(At(at, 0))
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

// tile is a tile of the update, the sums of outer products of rows of two panels or more.
type tile struct {
	k     GPVirtual      // count of rows
	a, b  []GPVirtual    // the panels, at the current rows
	sums  [][]VecVirtual // by entry of a row of a and by vector on the right
	left  []VecVirtual   // for entries of a, in turn
	right []VecVirtual   // of b
	// load emits the loading of vector j on the right, at a distance from the pointers b.
	load func(j, at int)
}

// outerProducts adds to row i of the sums entry i of the panels a times the vectors on the right, for each of k rows.
func (t tile) outerProducts() {
	body := func(step int) {
		at := step * panelRow
		for j := range t.right {
			t.load(j, at)
		}
		for _, p := range t.a {
			if step%2 == 0 {
				PREFETCHT0(At(p, 8*cacheLine+at))
			}
		}
		for i, sums := range t.sums {
			entry := t.left[i%len(t.left)]
			VBROADCASTSD(At(t.a[i/4], at+NumberBytes*(i%4)), entry)
			for j, right := range t.right {
				VFMADD231PD(right, entry, sums[j])
			}
		}
	}
	advance := func(steps int) {
		for _, p := range append(t.a, t.b...) {
			ADDQ(I32(steps*panelRow), p)
		}
	}
	unrolled(t.k, 4, body, advance)
}

// rankTile4x12 keeps 12 sums of 4 lanes, three vectors of b and one broadcast entry of a in the 16 registers.
func rankTile4x12() {
	Text("rankTile4x12AVX2", "func(k int, a, b *float64, bStride int, c *float64, cRow, cPanel int)",
		"adds A'B to the 4 x 12 tile c: a is one panel of k >= 1 rows, b three that start bStride "+
			"apart; entry (i, 4p+l) of the tile is c[i*cRow+p*cPanel+l].")
	k := Argument("k")
	a := Argument("a")
	b0 := Argument("b")
	c := Argument("c")
	bStride := StrideBytes("bStride")
	cRow := StrideBytes("cRow")
	cPanel := StrideBytes("cPanel")
	b := []GPVirtual{b0, GP64(), GP64()}
	LEAQ(Indexed(b0, bStride, 1), b[1])
	LEAQ(Indexed(b0, bStride, 2), b[2])

	prefetchTile(c, cRow, cPanel, 4, 3)
	sums := make([][]VecVirtual, 4)
	for i := range sums {
		sums[i] = Zeros(3)
	}
	right := []VecVirtual{YMM(), YMM(), YMM()}
	tile{
		k:     k,
		a:     []GPVirtual{a},
		b:     b,
		sums:  sums,
		left:  []VecVirtual{YMM()},
		right: right,
		load: func(j, at int) {
			VMOVUPD(At(b[j], at), right[j])
		},
	}.outerProducts()
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
	a0 := Argument("a")
	b0 := Argument("b")
	c := Argument("c")
	aStride := StrideBytes("aStride")
	bStride := StrideBytes("bStride")
	cRow := StrideBytes("cRow")
	cPanel := StrideBytes("cPanel")
	a1 := GP64()
	LEAQ(Indexed(a0, aStride, 1), a1)
	b3 := Triple(bStride) // the fourth panel of b
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
	b := sixPanels{first: b0, fourth: b3, stride: bStride}
	tile{
		k:     k,
		a:     []GPVirtual{a0, a1},
		b:     []GPVirtual{b0, b3},
		sums:  sums,
		left:  []VecVirtual{ZMM(), ZMM()},
		right: right,
		load: func(j, at int) {
			low := b.at(2 * j).Offset(at)
			high := b.at(2*j + 1).Offset(at)
			VMOVUPD(low, right[j].AsY())
			VINSERTF64X4(Imm(1), high, right[j], right[j])
		},
	}.outerProducts()
	c3 := Triple(cPanel)
	ADDQ(c, c3)
	ofTile := sixPanels{first: c, fourth: c3, stride: cPanel}
	old := right[0]
	for i := range sums {
		for j, sum := range sums[i] {
			low := ofTile.at(2 * j)
			high := ofTile.at(2*j + 1)
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
