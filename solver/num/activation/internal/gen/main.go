//go:build assembly

// Command gen writes the amd64 kernels of package activation; go generate runs it.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"

	"rfm/solver/num/activation/internal/approx"
)

func main() {
	pool := &constants{offset: map[uint64]int{}}
	levels := [...]isa{
		{suffix: "AVX2", lanes: 4, pool: pool},
		{suffix: "AVX512", lanes: 8, pool: pool},
	}
	elu(levels)
	inPlaceBy(levels, "relu", func(*isa) func(isa, vectors) vectors { return isa.relu }) // needs no constants of exp
	inPlace(levels, "tanh", isa.tanh)
	inPlace(levels, "sigmoid", isa.sigmoid)
	inPlace(levels, "softplus", isa.softplus)
	inPlaceWithin(levels, "sin", approx.SinMax, isa.sin)
	shifted(levels, "rational", isa.rational)
	shifted(levels, "gaussian", isa.gaussian)
	shifted(levels, "matern", isa.matern)
	dotPanel()
	accumulate()
	const sum = "to out[8*r+l], of rows of 16 values and 8 sums; rows > 0."
	accumulateWide(levels[1], "accumulateELUAVX512",
		"adds weights[l]*elu(block[16*r+l]) + weights[8+l]*elu(block[16*r+8+l]) "+sum, true)
	accumulateWide(levels[1], "accumulateAVX512",
		"adds weights[l]*block[16*r+l] + weights[8+l]*block[16*r+8+l] "+sum, false)
	const split = "writes rows of 16 values of the block, or what becomes of them, to panels of four, those of the lanes 0 to 3, 8 " +
		"to 11, 4 to 7 and 12 to 15, and adds their products with y[r] to 16 sums; rows > 0."
	splitWide(levels[1], "splitELUAVX512", "applies elu: it "+split, true)
	splitWide(levels[1], "splitAVX512", split, false)
	pool.emit()
	emitPowers()
	Generate()
}

// group is the number of values in one iteration of a loop.
const group = 16

// loop emits a loop over groups of the n values at x; body gets the memory of some vectors of a group together.
func (m isa) loop(x, n Register, together int, body func(m isa, at vectors)) {
	Label("loop" + m.suffix)
	m.count = min(together, group/m.lanes)
	for i := 0; i < group; i += m.count * m.lanes {
		var at vectors
		for j := range m.count {
			at = append(at, At(x, (i+j*m.lanes)*NumberBytes))
		}
		body(m, at)
	}
	ADDQ(U32(group*NumberBytes), x)
	SUBQ(Imm(group), n)
	JNZ(LabelRef("loop" + m.suffix))
}

// eitherWay emits a kernel with the instructions of both levels; the argument wide chooses the second one.
func eitherWay(levels [2]isa, name, signature, doc string, emit func(m isa)) {
	Text(name, signature, doc)
	wide := Load(Param("wide"), GP8())
	TESTB(wide, wide)
	JNZ(LabelRef("wide"))
	emit(levels[0])
	Leave()
	Label("wide")
	emit(levels[1])
	Leave()
}

// inPlace emits a kernel that replaces n values by f of them.
func inPlace(levels [2]isa, name string, f func(isa, vectors) vectors) {
	inPlaceBy(levels, name, func(m *isa) func(isa, vectors) vectors {
		if m.wide() {
			m.hold(approx.Exp[:])
		}
		return f
	})
}

// elu emits the kernel of elu, which has a table at AVX-512.
func elu(levels [2]isa) {
	inPlaceBy(levels, "elu", func(m *isa) func(isa, vectors) vectors {
		if m.wide() {
			m.holdELU()
			return isa.eluByTable
		}
		return isa.elu
	})
}

// inPlaceBy emits a kernel like inPlace, of the function that begin returns after it has filled registers.
func inPlaceBy(levels [2]isa, name string, begin func(m *isa) func(isa, vectors) vectors) {
	doc := "replaces n values by " + name + " of them; n > 0 is a multiple of 16."
	eitherWay(levels, name+"Kernel", "func(x *float64, n int, wide bool)", doc, func(m isa) {
		x := Argument("x")
		n := Argument("n")
		f := begin(&m)
		m.loop(x, n, 2, func(m isa, at vectors) {
			values := m.result(VMOVUPD, at)
			each(VMOVUPD, f(m, values), at)
		})
	})
}

// shifted emits a kernel that replaces n values by f of them plus numbers of period eight.
func shifted(levels [2]isa, name string, f func(isa, vectors) vectors) {
	doc := "replaces n values by " + name +
		" of them plus shift, over and over, or of 0 if that is negative; n > 0 is a multiple of 16."
	eitherWay(levels, name+"Kernel", "func(x *float64, n int, shift *[8]float64, wide bool)", doc, func(m isa) {
		x := Argument("x")
		n := Argument("n")
		shift := Argument("shift")
		var shifts vectors
		for i := 0; i < 8; i += m.lanes {
			s := m.register()
			VMOVUPD(At(shift, i*NumberBytes), s)
			shifts = append(shifts, s)
		}
		m.loop(x, n, 2, func(m isa, at vectors) {
			v := m.result(VMOVUPD, at)
			for i, x := range v {
				VADDPD(shifts[i%len(shifts)], x, x)
			}
			each(VMOVUPD, f(m, m.atLeast(v, 0)), at)
		})
	})
}

// inPlaceWithin emits a kernel like inPlace that stops before the first group with an argument that is NaN or beyond
// the bound, and returns the number of values left.
func inPlaceWithin(levels [2]isa, name string, bound float64, f func(isa, vectors) vectors) {
	doc := "replaces values by " + name +
		" of them until a group of 16 holds one that is not within the bound of the kernel, and returns how many of the n " +
		"values are left; n > 0 is a multiple of 16."
	eitherWay(levels, name+"Kernel", "func(x *float64, n int, wide bool) (left int)", doc, func(m isa) {
		x := Argument("x")
		n := Argument("n")
		m.loop(x, n, group, func(m isa, at vectors) {
			v := m.result(VMOVUPD, at)
			m.exceeds(v, bound, "stop"+m.suffix)
			each(VMOVUPD, f(m, v), at)
		})
		Label("stop" + m.suffix)
		Store(n, ReturnIndex(0))
	})
}
