//go:build assembly

// Inner products and linear combinations of rows, for the factorisations.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "rfm/solver/simd/emit"
)

const lanes = 4

// overVector emits wide(0), ..., wide(unroll-1), each for four entries, as a loop over
// the index at (in entries), then narrow for each entry that remains.
func overVector(n, at reg.GPVirtual, unroll int, wide func(step int), narrow func()) {
	last := GP64()
	MOVQ(n, last)
	SUBQ(operand.Imm(uint64(unroll*lanes)), last)
	XORQ(at, at)
	CMPQ(at, last)
	JGT(operand.LabelRef("rest"))
	Label("loop")
	for step := range unroll {
		wide(step)
	}
	ADDQ(operand.Imm(uint64(unroll*lanes)), at)
	CMPQ(at, last)
	JLE(operand.LabelRef("loop"))
	Label("rest")
	CMPQ(at, n)
	JGE(operand.LabelRef("done"))
	Label("single")
	narrow()
	INCQ(at)
	CMPQ(at, n)
	JLT(operand.LabelRef("single"))
	Label("done")
}

func entry(base, at reg.GPVirtual, step int) operand.Mem {
	return operand.Mem{Base: base, Index: at, Scale: double, Disp: step * lanes * double}
}

func dot() {
	Text("dotAVX2", "func(n int, x, y *float64) float64",
		"returns the inner product of two vectors of length n.")
	n, x, y := pointer("n"), pointer("x"), pointer("y")
	at := GP64()
	const unroll = 4
	sums := Zeros(unroll)
	tail := Zeros(1)[0]
	v := YMM()
	overVector(n, at, unroll, func(step int) {
		VMOVUPD(entry(x, at, step), v)
		VFMADD231PD(entry(y, at, step), v, sums[step])
	}, func() {
		VMOVSD(entry(x, at, 0), v.AsX())
		VFMADD231SD(entry(y, at, 0), v.AsX(), tail.AsX())
	})
	VADDPD(sums[1], sums[0], sums[0])
	VADDPD(sums[3], sums[2], sums[2])
	VADDPD(sums[2], sums[0], sums[0])
	SumLanes(sums[0])
	VADDSD(tail.AsX(), sums[0].AsX(), sums[0].AsX())
	Store(sums[0].AsX(), ReturnIndex(0))
	Leave()
}

func axpy() {
	Text("axpyAVX2", "func(n int, a float64, x, y *float64)",
		"adds a*x to y, vectors of length n.")
	n, x, y := pointer("n"), pointer("x"), pointer("y")
	at := GP64()
	a := YMM()
	Load(Param("a"), a.AsX())
	VBROADCASTSD(a.AsX(), a)
	v := YMM()
	overVector(n, at, 4, func(step int) {
		VMOVUPD(entry(y, at, step), v)
		VFMADD231PD(entry(x, at, step), a, v)
		VMOVUPD(v, entry(y, at, step))
	}, func() {
		VMOVSD(entry(y, at, 0), v.AsX())
		VFMADD231SD(entry(x, at, 0), a.AsX(), v.AsX())
		VMOVSD(v.AsX(), entry(y, at, 0))
	})
	Leave()
}

// rows4 loads the pointers of four rows that start stride apart.
func rows4() []reg.GPVirtual {
	rows := []reg.GPVirtual{pointer("a"), GP64(), GP64(), GP64()}
	stride := elements("stride")
	for i := range rows[1:] {
		LEAQ(operand.Mem{Base: rows[i], Index: stride, Scale: 1}, rows[i+1])
	}
	return rows
}

// coefficients4 broadcasts the four values at parameter c.
func coefficients4() []reg.VecVirtual {
	from := pointer("c")
	c := make([]reg.VecVirtual, 4)
	for i := range c {
		c[i] = YMM()
		VBROADCASTSD(operand.Mem{Base: from, Disp: i * double}, c[i])
	}
	return c
}

// storeSums stores the sums of the lanes of four vectors at parameter s.
func storeSums(sums []reg.VecVirtual) {
	to := pointer("s")
	for i, v := range sums {
		SumLanes(v)
		VMOVSD(v.AsX(), operand.Mem{Base: to, Disp: i * double})
	}
}

func dot4() {
	Text("dot4AVX2", "func(n int, a *float64, stride int, x, s *float64)",
		"stores in s the inner products of x with four rows of length n that start stride apart in a.")
	n, x := pointer("n"), pointer("x")
	a := rows4()
	at := GP64()
	sums := Zeros(8)
	v := YMM()
	overVector(n, at, 2, func(step int) {
		VMOVUPD(entry(x, at, step), v)
		for i := range a {
			VFMADD231PD(entry(a[i], at, step), v, sums[4*step+i])
		}
	}, func() {
		VMOVSD(entry(x, at, 0), v.AsX())
		w := YMM()
		for i := range a {
			VMOVSD(entry(a[i], at, 0), w.AsX())
			VFMADD231PD(v, w, sums[i])
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
	n, y := pointer("n"), pointer("y")
	c := coefficients4()
	a := rows4()
	at := GP64()
	v, w := YMM(), YMM()
	overVector(n, at, 2, func(step int) {
		VMOVUPD(entry(y, at, step), v)
		VMULPD(entry(a[0], at, step), c[0], w)
		VFMADD231PD(entry(a[1], at, step), c[1], v)
		VFMADD231PD(entry(a[2], at, step), c[2], w)
		VFMADD231PD(entry(a[3], at, step), c[3], v)
		VADDPD(w, v, v)
		VMOVUPD(v, entry(y, at, step))
	}, func() {
		VMOVSD(entry(y, at, 0), v.AsX())
		VMULSD(entry(a[0], at, 0), c[0].AsX(), w.AsX())
		VFMADD231SD(entry(a[1], at, 0), c[1].AsX(), v.AsX())
		VFMADD231SD(entry(a[2], at, 0), c[2].AsX(), w.AsX())
		VFMADD231SD(entry(a[3], at, 0), c[3].AsX(), v.AsX())
		VADDSD(w.AsX(), v.AsX(), v.AsX())
		VMOVSD(v.AsX(), entry(y, at, 0))
	})
	Leave()
}

func symv4() {
	Text("symv4AVX2", "func(n int, c, a *float64, stride int, x, y, s *float64)",
		"is dot4AVX2 with x and s, and axpy4AVX2 with c and y, in one pass over the rows.")
	n, x, y := pointer("n"), pointer("x"), pointer("y")
	c := coefficients4()
	a := rows4()
	at := GP64()
	sums := Zeros(4)
	v, p, q, r := YMM(), YMM(), YMM(), YMM()
	overVector(n, at, 2, func(step int) {
		VMOVUPD(entry(x, at, step), v)
		VMOVUPD(entry(y, at, step), p)
		VMOVUPD(entry(a[0], at, step), r)
		VFMADD231PD(v, r, sums[0])
		VMULPD(r, c[0], q)
		for i := 1; i < 4; i++ {
			VMOVUPD(entry(a[i], at, step), r)
			VFMADD231PD(v, r, sums[i])
			VFMADD231PD(r, c[i], []reg.VecVirtual{q, p}[i%2])
		}
		VADDPD(q, p, p)
		VMOVUPD(p, entry(y, at, step))
	}, func() {
		VMOVSD(entry(x, at, 0), v.AsX())
		VMOVSD(entry(y, at, 0), p.AsX())
		VMOVSD(entry(a[0], at, 0), r.AsX())
		VFMADD231PD(v, r, sums[0])
		VMULSD(r.AsX(), c[0].AsX(), q.AsX())
		for i := 1; i < 4; i++ {
			VMOVSD(entry(a[i], at, 0), r.AsX())
			VFMADD231PD(v, r, sums[i])
			VFMADD231SD(r.AsX(), c[i].AsX(), []reg.VecVirtual{q, p}[i%2].AsX())
		}
		VADDSD(q.AsX(), p.AsX(), p.AsX())
		VMOVSD(p.AsX(), entry(y, at, 0))
	})
	storeSums(sums)
	Leave()
}

func outer4() {
	Text("outer4AVX2", "func(n int, c, x, d, y, a *float64, stride int)",
		"adds to four rows of length n that start stride apart in a the vectors x and y, times c[i] and "+
			"d[i] for row i.")
	n, x, y := pointer("n"), pointer("x"), pointer("y")
	var factors [2][4]reg.VecVirtual
	for k, name := range []string{"c", "d"} {
		from := pointer(name)
		for i := range factors[k] {
			factors[k][i] = YMM()
			VBROADCASTSD(operand.Mem{Base: from, Disp: i * double}, factors[k][i])
		}
	}
	a := rows4()
	at := GP64()
	u, v, w := YMM(), YMM(), YMM()
	overVector(n, at, 1, func(step int) {
		VMOVUPD(entry(x, at, step), u)
		VMOVUPD(entry(y, at, step), v)
		for i := range a {
			VMOVUPD(entry(a[i], at, step), w)
			VFMADD231PD(u, factors[0][i], w)
			VFMADD231PD(v, factors[1][i], w)
			VMOVUPD(w, entry(a[i], at, step))
		}
	}, func() {
		VMOVSD(entry(x, at, 0), u.AsX())
		VMOVSD(entry(y, at, 0), v.AsX())
		for i := range a {
			VMOVSD(entry(a[i], at, 0), w.AsX())
			VFMADD231SD(u.AsX(), factors[0][i].AsX(), w.AsX())
			VFMADD231SD(v.AsX(), factors[1][i].AsX(), w.AsX())
			VMOVSD(w.AsX(), entry(a[i], at, 0))
		}
	})
	Leave()
}
