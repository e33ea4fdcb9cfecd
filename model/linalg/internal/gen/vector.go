//go:build assembly

// Inner products and linear combinations of rows, for the factorisations.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/simd/emit"
)

// part emits instructions for four entries of vectors, or for one.
type part struct {
	at   GPVirtual // index of the first entry
	step int       // number of parts of four before this one in an iteration; -1: one entry
}

func (p part) single() bool { return p.step < 0 }

func (p part) of(base GPVirtual) Mem {
	return Mem{Base: base, Index: p.at, Scale: NumberBytes, Disp: max(p.step, 0) * VectorBytes}
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

func (p part) load(base GPVirtual, v VecVirtual)  { p.emit(VMOVUPD, VMOVSD, p.of(base), v) }
func (p part) store(v VecVirtual, base GPVirtual) { p.emit(VMOVUPD, VMOVSD, v, p.of(base)) }
func (p part) fma(ops ...Op)                      { p.emit(VFMADD231PD, VFMADD231SD, ops...) }
func (p part) mul(ops ...Op)                      { p.emit(VMULPD, VMULSD, ops...) }
func (p part) add(ops ...Op)                      { p.emit(VADDPD, VADDSD, ops...) }

// overVector emits unroll parts of four entries as a loop over the n entries of vectors, then a part for each entry
// that remains.
func overVector(n GPVirtual, unroll int, emit func(p part)) {
	at, last := GP64(), GP64()
	MOVQ(n, last)
	SUBQ(Imm(uint64(unroll*lanes)), last)
	XORQ(at, at)
	CMPQ(at, last)
	JGT(LabelRef("rest"))
	Label("loop")
	for step := range unroll {
		emit(part{at, step})
	}
	ADDQ(Imm(uint64(unroll*lanes)), at)
	CMPQ(at, last)
	JLE(LabelRef("loop"))
	Label("rest")
	CMPQ(at, n)
	JGE(LabelRef("done"))
	Label("single")
	emit(part{at, -1})
	INCQ(at)
	CMPQ(at, n)
	JLT(LabelRef("single"))
	Label("done")
}

const lanes = 4

func dot() {
	Text("dotAVX2", "func(n int, x, y *float64) float64",
		"returns the inner product of two vectors of length n.")
	n, x, y := Argument("n"), Argument("x"), Argument("y")
	const unroll = 4
	sums := Zeros(unroll + 1) // the last of single entries
	v := YMM()
	overVector(n, unroll, func(p part) {
		p.load(x, v)
		p.fma(p.of(y), v, sums[(p.step+unroll+1)%(unroll+1)])
	})
	VADDPD(sums[1], sums[0], sums[0])
	VADDPD(sums[3], sums[2], sums[2])
	VADDPD(sums[2], sums[0], sums[0])
	SumLanes(sums[0])
	VADDSD(sums[unroll].AsX(), sums[0].AsX(), sums[0].AsX())
	Store(sums[0].AsX(), ReturnIndex(0))
	Leave()
}

func axpy() {
	Text("axpyAVX2", "func(n int, a float64, x, y *float64)",
		"adds a*x to y, vectors of length n.")
	n, x, y := Argument("n"), Argument("x"), Argument("y")
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

// rows4 loads the pointers of four rows that start stride apart.
func rows4() []GPVirtual {
	rows := []GPVirtual{Argument("a"), GP64(), GP64(), GP64()}
	stride := StrideBytes("stride")
	for i := range rows[1:] {
		LEAQ(Mem{Base: rows[i], Index: stride, Scale: 1}, rows[i+1])
	}
	return rows
}

// coefficients4 broadcasts the four values at a parameter.
func coefficients4(name string) []VecVirtual {
	from := Argument(name)
	c := make([]VecVirtual, 4)
	for i := range c {
		c[i] = Broadcast(Mem{Base: from, Disp: i * NumberBytes})
	}
	return c
}

// storeSums stores the sums of the lanes of four vectors at parameter s.
func storeSums(sums []VecVirtual) {
	to := Argument("s")
	for i, v := range sums {
		SumLanes(v)
		VMOVSD(v.AsX(), Mem{Base: to, Disp: i * NumberBytes})
	}
}

func dot4() {
	Text("dot4AVX2", "func(n int, a *float64, stride int, x, s *float64)",
		"stores in s the inner products of x with four rows of length n that start stride apart in a.")
	n, x := Argument("n"), Argument("x")
	a := rows4()
	sums := Zeros(8)
	v := YMM()
	overVector(n, 2, func(p part) {
		p.load(x, v)
		w := YMM()
		for i := range a {
			if p.single() { // the rest of the vector, with other sums, stays
				p.load(a[i], w)
				VFMADD231PD(v, w, sums[i])
			} else {
				p.fma(p.of(a[i]), v, sums[4*p.step+i])
			}
		}
	})
	for i := range a {
		VADDPD(sums[4+i], sums[i], sums[i])
	}
	storeSums(sums[:4])
	Leave()
}

func axpy4() {
	Text("axpy4AVX2", "func(n int, c, a *float64, stride int, y *float64)",
		"adds to y the combination, with the four coefficients c, of four rows of length n that start stride "+
			"apart in a.")
	n, y := Argument("n"), Argument("y")
	c, a := coefficients4("c"), rows4()
	v, w := YMM(), YMM()
	overVector(n, 2, func(p part) {
		p.load(y, v)
		p.mul(p.of(a[0]), c[0], w)
		for i := 1; i < 4; i++ {
			p.fma(p.of(a[i]), c[i], []VecVirtual{w, v}[i%2])
		}
		p.add(w, v, v)
		p.store(v, y)
	})
	Leave()
}

func symv4() {
	Text("symv4AVX2", "func(n int, c, a *float64, stride int, x, y, s *float64)",
		"is dot4AVX2 with x and s, and axpy4AVX2 with c and y, in one pass over the rows.")
	n, x, y := Argument("n"), Argument("x"), Argument("y")
	c, a := coefficients4("c"), rows4()
	sums := Zeros(4)
	v, p0, q, r := YMM(), YMM(), YMM(), YMM()
	overVector(n, 2, func(p part) {
		p.load(x, v)
		p.load(y, p0)
		for i := range a {
			p.load(a[i], r)
			VFMADD231PD(v, r, sums[i]) // all lanes: the rest of a single entry is zero
			if i == 0 {
				p.mul(r, c[0], q)
			} else {
				p.fma(r, c[i], []VecVirtual{q, p0}[i%2])
			}
		}
		p.add(q, p0, p0)
		p.store(p0, y)
	})
	storeSums(sums)
	Leave()
}

func outer4() {
	Text("outer4AVX2", "func(n int, c, x, d, y, a *float64, stride int)",
		"adds to four rows of length n that start stride apart in a the vectors x and y, times c[i] and "+
			"d[i] for row i.")
	n, x, y := Argument("n"), Argument("x"), Argument("y")
	c, d, a := coefficients4("c"), coefficients4("d"), rows4()
	u, v, w := YMM(), YMM(), YMM()
	overVector(n, 1, func(p part) {
		p.load(x, u)
		p.load(y, v)
		for i := range a {
			p.load(a[i], w)
			p.fma(u, c[i], w)
			p.fma(v, d[i], w)
			p.store(w, a[i])
		}
	})
	Leave()
}
