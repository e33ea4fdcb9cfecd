//go:build assembly

// This file emits the sums and products of package fft that act on each position alone.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// addition emits the addition of the product of an entry of a table and one of a block to a sum.
type addition func(sum number, table, block Mem)

// sum emits dst = c_0 v_0 + c_1 v_1 + ... for tables c, with tableBytes for a position, and blocks v. add adds one of
// the first products, which are plain, to the sum; addLater one of the others.
func sum(name string, tableBytes int, add, addLater addition) {
	Text(name, "func(plain int, dst []float64, tables, blocks [][]float64)")
	const sliceBytes = 24 // of the header of one of the tables or blocks
	dst := Base("dst")
	tables := Base("tables")
	blocks := Base("blocks")
	stop := Count("dst")
	end := Count("tables")
	plain := Load(Param("plain"), GP64())
	scale := RowBytes / tableBytes // of at, the bytes of a table before the position
	IMUL3Q(Imm(uint64(NumberBytes/scale)), stop, stop)
	IMUL3Q(Imm(sliceBytes), end, end)
	IMUL3Q(Imm(sliceBytes), plain, plain)
	at := GP64()
	j := GP64()
	table := GP64()
	block := GP64()
	whole := GP64()
	const together = 4 // positions for which the addresses of tables and blocks are loaded once
	// sums emits a loop over count positions at a time, until at is stop.
	sums := func(label string, count int, stop Register) {
		totals := make([]number, count)
		// products emits a loop over tables and blocks from j, the bytes of headers before the current one, to end.
		products := func(label string, end Register, add addition) {
			Label(label)
			MOVQ(Indexed(tables, j, 1), table)
			MOVQ(Indexed(blocks, j, 1), block)
			for i, total := range totals {
				inTable := Indexed(table, at, 1).Offset(i * tableBytes)
				inBlock := Indexed(block, at, scale).Offset(i * RowBytes)
				add(total, inTable, inBlock)
			}
			Advance(sliceBytes, j)
			CMPQ(j, end)
			JNE(LabelRef(label))
		}
		Label(label)
		CMPQ(at, stop)
		JE(LabelRef(label + "Stop"))
		XORQ(j, j)
		for i := range totals {
			zeros := Zeros(2)
			totals[i] = number{zeros[0], zeros[1]}
		}
		products(label+"Plain", plain, add)
		CMPQ(j, end)
		JE(LabelRef(label + "Done"))
		products(label+"Later", end, addLater)
		Label(label + "Done")
		for i, total := range totals {
			result := Indexed(dst, at, scale).Offset(i * RowBytes)
			inverse.store(total, result)
		}
		Advance(count*tableBytes, at)
		JMP(LabelRef(label))
		Label(label + "Stop")
	}
	XORQ(at, at)
	MOVQ(stop, whole)
	ANDQ(I8(-together*tableBytes), whole)
	sums("together", together, whole)
	sums("single", 1, stop)
	Leave()
}

func addReal(sum number, c, v Mem) {
	factor := Broadcast(c)
	VFMADD231PD(v, factor, sum.re)
	VFMADD231PD(v.Offset(VectorBytes), factor, sum.im)
}

// addTurned adds i c v.
func addTurned(sum number, c, v Mem) {
	factor := Broadcast(c)
	VFNMADD231PD(v.Offset(VectorBytes), factor, sum.re)
	VFMADD231PD(v, factor, sum.im)
}

func addComplex(sum number, a, v Mem) {
	wr := Broadcast(a)
	wi := Broadcast(a.Offset(NumberBytes))
	x := inverse.load(v)
	VFMADD231PD(x.re, wr, sum.re)
	VFMADD231PD(x.im, wr, sum.im)
	VFNMADD231PD(x.im, wi, sum.re)
	VFMADD231PD(x.re, wi, sum.im)
}

// product emits (c a + e) b for blocks a and b, which is added to dst or replaces it.
func product(more int) {
	factor := BroadcastParameter("c")
	summand := BroadcastParameter("e")
	dst := Base("dst")
	a := Base("a")
	b := Base("b")
	stop := end("a")
	Until(a, stop, func() {
		for part := 0; part < RowBytes; part += VectorBytes {
			x := Mul(factor, At(a, part))
			VADDPD(summand, x, x)
			VMULPD(At(b, part), x, x)
			if more == 1 {
				x = Add(x, At(dst, part))
			}
			VMOVUPD(x, At(dst, part))
		}
		Advance(RowBytes, dst, a, b)
	})
	Leave()
}

// estimate emits the sums of the error estimate of a time step, in three accumulators, or four if bend is 1.
func estimate(bend int) {
	sums := Load(Param("sums"), GP64())
	weights := Base("weights")
	stop := end("weights")
	last := Base("last")
	next := Base("next")
	u := Base("u")
	first := Base("first")
	middle := Base("middle")
	all := make([]VecVirtual, 3+bend)
	for k := range all {
		all[k] = LoadVector(At(sums, k*VectorBytes))
	}
	square := func(x number) VecVirtual { // |x|^2
		s := Mul(x.re, x.re)
		VFMADD231PD(x.im, x.im, s)
		return s
	}
	put := func(k int, x VecVirtual) { // adds x, times its weight, to a sum
		weight := Broadcast(At(weights, k*NumberBytes))
		VFMADD231PD(weight, x, all[k])
	}
	Until(weights, stop, func() {
		z := inverse.load(At(next, 0))
		change := minus(z, inverse.load(At(last, 0)))
		put(0, square(change))
		state := inverse.load(At(u, 0))
		put(1, square(state))
		rate := square(z)
		put(2, rate)
		if bend == 1 {
			x := inverse.load(At(first, 0))
			y := inverse.load(At(middle, 0))
			size := square(y)
			VADDPD(size, size, size)
			summands := []VecVirtual{square(x), rate, constant(tinySymbol)}
			for _, more := range summands {
				VADDPD(more, size, size)
			}
			second := minus(minus(x, y), minus(y, z)) // difference
			b := square(second)
			VMULPD(b, b, b)
			VDIVPD(size, b, b)
			put(3, b)
			Advance(RowBytes, first, middle)
		}
		Advance(RowBytes, last, next, u)
		Advance(4*NumberBytes, weights)
	})
	for k := range all {
		VMOVUPD(all[k], At(sums, k*VectorBytes))
	}
	Leave()
}
