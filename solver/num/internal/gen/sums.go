//go:build assembly

// This file emits the sums and products of package fft that act on each position alone.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// sum emits dst = c_0 v_0 + c_1 v_1 + ... for tables c, with tableBytes for a position, and blocks v. add adds one of
// the first products, which are plain, to the sum; addLater one of the others.
func sum(name string, tableBytes int, add, addLater func(sum number, table, block Mem)) {
	Text(name, "func(plain int, dst []float64, tables, blocks [][]float64)")
	const sliceBytes = 24
	dst, tables, blocks, stop, end := Base("dst"), Base("tables"), Base("blocks"), Count("dst"), Count("tables")
	plain := Load(Param("plain"), GP64())
	scale := RowBytes / tableBytes // of at, the bytes of a table before the position
	IMUL3Q(Imm(uint64(NumberBytes/scale)), stop, stop)
	IMUL3Q(Imm(sliceBytes), end, end)
	IMUL3Q(Imm(sliceBytes), plain, plain)
	at, j, table, block, whole := GP64(), GP64(), GP64(), GP64(), GP64()
	const together = 4 // positions for which the addresses of tables and blocks are loaded once
	sums := func(label string, count int, stop Register) {
		totals := make([]number, count)
		products := func(label string, end Register, add func(sum number, table, block Mem)) {
			Label(label)
			MOVQ(Mem{Base: tables, Index: j, Scale: 1}, table)
			MOVQ(Mem{Base: blocks, Index: j, Scale: 1}, block)
			for i, total := range totals {
				add(total, Mem{Base: table, Index: at, Scale: 1, Disp: i * tableBytes},
					Mem{Base: block, Index: at, Scale: uint8(scale), Disp: i * RowBytes})
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
			inverse.store(total, Mem{Base: dst, Index: at, Scale: uint8(scale), Disp: i * RowBytes})
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
	wr, wi, x := Broadcast(a), Broadcast(a.Offset(NumberBytes)), inverse.load(v)
	VFMADD231PD(x.re, wr, sum.re)
	VFMADD231PD(x.im, wr, sum.im)
	VFNMADD231PD(x.im, wi, sum.re)
	VFMADD231PD(x.re, wi, sum.im)
}

// product emits (c a + e) b for blocks a and b, which is added to dst or replaces it.
func product(more int) {
	factor, summand := BroadcastParameter("c"), BroadcastParameter("e")
	dst, a, b, stop := Base("dst"), Base("a"), Base("b"), end("a")
	Until(a, stop, func() {
		for part := 0; part < RowBytes; part += VectorBytes {
			x := Mul(factor, Mem{Base: a, Disp: part})
			VADDPD(summand, x, x)
			VMULPD(Mem{Base: b, Disp: part}, x, x)
			if more == 1 {
				x = Add(x, Mem{Base: dst, Disp: part})
			}
			VMOVUPD(x, Mem{Base: dst, Disp: part})
		}
		Advance(RowBytes, dst, a, b)
	})
	Leave()
}

// estimate emits the sums of the error estimate of a time step, in three accumulators, or four if bend is 1.
func estimate(bend int) {
	sums := Load(Param("sums"), GP64())
	weights, stop := Base("weights"), end("weights")
	last, next, u, first, middle := Base("last"), Base("next"), Base("u"), Base("first"), Base("middle")
	all := make([]VecVirtual, 3+bend)
	for k := range all {
		all[k] = Load4(Mem{Base: sums, Disp: k * VectorBytes})
	}
	square := func(x number) VecVirtual { // |x|^2
		s := Mul(x.re, x.re)
		VFMADD231PD(x.im, x.im, s)
		return s
	}
	put := func(k int, x VecVirtual) {
		VFMADD231PD(Broadcast(Mem{Base: weights, Disp: k * NumberBytes}), x, all[k])
	}
	Until(weights, stop, func() {
		z := inverse.load(Mem{Base: next})
		put(0, square(minus(z, inverse.load(Mem{Base: last}))))
		put(1, square(inverse.load(Mem{Base: u})))
		rate := square(z)
		put(2, rate)
		if bend == 1 {
			x, y := inverse.load(Mem{Base: first}), inverse.load(Mem{Base: middle})
			size := square(y)
			VADDPD(size, size, size)
			for _, more := range []VecVirtual{square(x), rate, Broadcast(NewDataAddr(NewStaticSymbol(tinySymbol), 0))} {
				VADDPD(more, size, size)
			}
			b := square(minus(minus(x, y), minus(y, z)))
			VMULPD(b, b, b)
			VDIVPD(size, b, b)
			put(3, b)
			Advance(RowBytes, first, middle)
		}
		Advance(RowBytes, last, next, u)
		Advance(4*NumberBytes, weights)
	})
	for k := range all {
		VMOVUPD(all[k], Mem{Base: sums, Disp: k * VectorBytes})
	}
	Leave()
}
