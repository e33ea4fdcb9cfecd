//go:build assembly

// The instruction sets, and the operations that differ between them.

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"rfm/solver/num/activation/internal/approx"
	. "rfm/solver/num/simd/emit"
)

// isa emits the instructions of AVX2+FMA or of AVX-512 for some vectors at a time.
type isa struct {
	suffix string
	lanes  int
	count  int // vectors
	pool   *constants
	held   map[float64]Op // constants in registers, of which AVX2 has too few
	powers [2]Op          // approx.Powers, if loadPowers has been called
}

func (m isa) wide() bool { return m.lanes == 8 }

func (m isa) register() Op {
	if m.wide() {
		return ZMM()
	}
	return YMM()
}

// vectors are registers, or places in memory, on which operations are done in turn: the chain of operations of one
// would leave units waiting.
type vectors []Op

type instruction func(ops ...Op)

// each emits an instruction for each of the vectors among its operands, such as the last one; others are common to all.
func each(op instruction, operands ...any) {
	for i := range operands[len(operands)-1].(vectors) {
		var own []Op
		for _, o := range operands {
			if all, ok := o.(vectors); ok {
				o = all[i]
			}
			own = append(own, o.(Op))
		}
		op(own...)
	}
}

// result emits an instruction for each of the vectors among its operands, and returns the registers of its results.
func (m isa) result(op instruction, operands ...any) (y vectors) {
	for range m.count {
		y = append(y, m.register())
	}
	each(op, append(operands, y)...)
	return y
}

// constants is a table that holds every value four times, a whole AVX2 VectorBytes.
type constants struct {
	order  []uint64
	offset map[uint64]int
}

const tableName = "table"

func (p *constants) at(v float64) Mem {
	bits := math.Float64bits(v) // -0 is not 0
	if _, known := p.offset[bits]; !known {
		p.offset[bits] = len(p.order) * VectorBytes
		p.order = append(p.order, bits)
	}
	return NewDataAddr(NewStaticSymbol(tableName), p.offset[bits])
}

func (p *constants) emit() {
	GLOBL(tableName, RODATA|NOPTR)
	for i, bits := range p.order {
		for lane := range 4 {
			DATA(i*VectorBytes+lane*NumberBytes, U64(bits))
		}
	}
}

// hold keeps constants in registers.
func (m *isa) hold(values []float64) {
	m.held = map[float64]Op{}
	for _, v := range values {
		x := m.register()
		VBROADCASTSD(m.pool.at(v), x)
		m.held[v] = x
	}
}

// The symbol of approx.Powers, and its numbers in a register.
const (
	powersName     = "powers"
	powersInVector = 8
)

// emitPowers emits the table.
func emitPowers() {
	GLOBL(powersName, RODATA|NOPTR)
	for j, c := range approx.Powers {
		DATA(j*NumberBytes, F64(c))
	}
}

// loadPowers loads the table into two registers.
func (m *isa) loadPowers() {
	for half := range m.powers {
		m.powers[half] = ZMM()
		VMOVUPD(NewDataAddr(NewStaticSymbol(powersName), half*powersInVector*NumberBytes), m.powers[half])
	}
}

// operand returns the one of two instructions that takes the constant v in every lane, and this operand.
func (m isa) operand(plain, broadcast instruction, v float64) (instruction, Op) {
	if c := m.held[v]; c != nil {
		return plain, c
	} else if m.wide() {
		return broadcast, m.pool.at(v)
	}
	return plain, m.pool.at(v)
}

// with emits an instruction whose first operand is the constant v.
func (m isa) with(plain, broadcast instruction, v float64, operands ...any) {
	op, c := m.operand(plain, broadcast, v)
	each(op, append([]any{c}, operands...)...)
}

// constant returns v in every lane.
func (m isa) constant(v float64) vectors {
	if c := m.held[v]; c != nil {
		return m.result(VMOVAPD, c)
	}
	return m.result(VBROADCASTSD, m.pool.at(v))
}

// combined returns an operation of x with the constant v.
func (m isa) combined(plain, broadcast instruction, x vectors, v float64) vectors {
	op, c := m.operand(plain, broadcast, v)
	return m.result(op, c, x)
}

func (m isa) plus(x vectors, v float64) vectors  { return m.combined(VADDPD, VADDPD_BCST, x, v) }
func (m isa) minus(x vectors, v float64) vectors { return m.combined(VSUBPD, VSUBPD_BCST, x, v) }
func (m isa) times(x vectors, v float64) vectors { return m.combined(VMULPD, VMULPD_BCST, x, v) }

func (m isa) absolute(x vectors) vectors {
	return m.combined(VANDPD, VANDPD_BCST, x, math.Float64frombits(1<<63-1))
}

func (m isa) signBit(x vectors) vectors {
	return m.combined(VANDPD, VANDPD_BCST, x, math.Copysign(0, -1))
}

// scaledPlus returns a*x + b.
func (m isa) scaledPlus(x vectors, a, b float64) vectors {
	y := m.constant(a)
	m.with(VFMADD213PD, VFMADD213PD_BCST, b, x, y)
	return y
}

// subtractScaled subtracts v*n from x.
func (m isa) subtractScaled(x, n vectors, v float64) {
	m.with(VFNMADD231PD, VFNMADD231PD_BCST, v, n, x)
}

// atLeast returns max(x, v), and NaN for NaN.
func (m isa) atLeast(x vectors, v float64) vectors {
	y := m.constant(v)
	each(VMAXPD, x, y, y)
	return y
}

// atMost returns min(x, v), and NaN for NaN.
func (m isa) atMost(x vectors, v float64) vectors {
	y := m.constant(v)
	each(VMINPD, x, y, y)
	return y
}

// horner returns the polynomial with the given coefficients, lowest degree first, at x.
func (m isa) horner(x vectors, coefficients []float64) vectors {
	last := len(coefficients) - 1
	y := m.constant(coefficients[last])
	for i := last - 1; i >= 0; i-- {
		m.with(VFMADD213PD, VFMADD213PD_BCST, coefficients[i], x, y)
	}
	return y
}

// The predicates of VCMPPD: ordered, quiet.
const (
	lessThan    = 17
	lessOrEqual = 18
)

// where returns, in every lane, yes if x compares with v by the predicate and no otherwise.
func (m isa) where(x vectors, predicate uint64, v float64, yes, no vectors) (y vectors) {
	for i := range x {
		y = append(y, m.register())
		if m.wide() {
			mask := K()
			VCMPPD_BCST(Imm(predicate), m.pool.at(v), x[i], mask)
			VBLENDMPD(yes[i], no[i], mask, y[i])
			continue
		}
		mask := YMM()
		VCMPPD(Imm(predicate), m.pool.at(v), x[i], mask)
		VBLENDVPD(mask, yes[i], no[i], y[i])
	}
	return y
}

// exceeds jumps to label unless |x| <= v in every lane of all vectors.
func (m isa) exceeds(x vectors, v float64, label string) {
	all := GP32()
	MOVL(U32(1<<m.lanes-1), all)
	for _, size := range m.absolute(x) {
		within := GP32()
		if m.wide() {
			k := K()
			VCMPPD_BCST(Imm(lessOrEqual), m.pool.at(v), size, k)
			KMOVB(k, within)
		} else {
			VCMPPD(Imm(lessOrEqual), m.pool.at(v), size, size)
			VMOVMSKPD(size, within)
		}
		ANDL(within, all)
	}
	CMPL(all, U32(1<<m.lanes-1))
	JNE(LabelRef(label))
}
