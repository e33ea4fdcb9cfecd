//go:build assembly

// Inner products and linear combinations of rows, for the factorisations.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// part emits instructions for four entries of vectors, or for one.
type part struct {
	at   GPVirtual // index of the first entry
	step int       // number of parts of four before this one in an iteration; -1: one entry
}

func (p part) single() bool { return p.step < 0 }

func (p part) of(base GPVirtual) Mem {
	first := Indexed(base, p.at, NumberBytes)
	return first.Offset(max(p.step, 0) * VectorBytes)
}

type instruction = func(ops ...Op)

// emit emits an instruction for four numbers, or for one in the low lanes of the same registers.
func (p part) emit(four, one instruction, ops ...Op) {
	if !p.single() {
		four(ops...)
		return
	}
	for i, op := range ops {
		if v, ok := op.(VecVirtual); ok {
			ops[i] = v.AsX()
		}
	}
	one(ops...)
}

func (p part) load(base GPVirtual, v VecVirtual) {
	p.emit(VMOVUPD, VMOVSD, p.of(base), v)
}

func (p part) store(v VecVirtual, base GPVirtual) {
	p.emit(VMOVUPD, VMOVSD, v, p.of(base))
}

func (p part) fma(ops ...Op) {
	p.emit(VFMADD231PD, VFMADD231SD, ops...)
}

// overVector emits unroll parts of four entries as a loop over the n entries of vectors, then a part for each entry
// that remains.
func overVector(n GPVirtual, unroll int, emit func(p part)) {
	at := GP64()
	last := GP64()
	MOVQ(n, last)
	SUBQ(Imm(uint64(unroll*lanes)), last)
	XORQ(at, at)
	CMPQ(at, last)
	JGT(LabelRef("rest"))
	Label("loop")
	for step := range unroll {
		emit(part{at: at, step: step})
	}
	ADDQ(Imm(uint64(unroll*lanes)), at)
	CMPQ(at, last)
	JLE(LabelRef("loop"))
	Label("rest")
	CMPQ(at, n)
	JGE(LabelRef("done"))
	Label("single")
	emit(part{at: at, step: -1})
	INCQ(at)
	CMPQ(at, n)
	JLT(LabelRef("single"))
	Label("done")
}

const lanes = 4

func dot() {
	Text("dotAVX2", "func(n int, x, y *float64) float64",
		"returns the inner product of two vectors of length n.")
	n := Argument("n")
	x := Argument("x")
	y := Argument("y")
	const unroll = 4
	sums := Zeros(unroll + 1) // the last of single entries
	v := YMM()
	overVector(n, unroll, func(p part) {
		sum := sums[unroll]
		if !p.single() {
			sum = sums[p.step]
		}
		p.load(x, v)
		p.fma(p.of(y), v, sum)
	})
	VADDPD(sums[1], sums[0], sums[0])
	VADDPD(sums[3], sums[2], sums[2])
	VADDPD(sums[2], sums[0], sums[0])
	SumLanes(sums[0])
	total := sums[0].AsX()
	VADDSD(sums[unroll].AsX(), total, total)
	Store(total, ReturnIndex(0))
	Leave()
}

func axpy() {
	Text("axpyAVX2", "func(n int, a float64, x, y *float64)",
		"adds a*x to y, vectors of length n.")
	n := Argument("n")
	x := Argument("x")
	y := Argument("y")
	a := YMM()
	Load(Param("a"), a.AsX())
	VBROADCASTSD(a.AsX(), a)
	v := YMM()
	overVector(n, 4, func(p part) {
		p.load(y, v)
		p.fma(p.of(x), a, v)
		p.store(v, y)
	})
	Leave()
}
