//go:build assembly

// The instruction sets, and the operations that differ between them.

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const double = 8 // bytes

// isa emits the instructions of AVX2+FMA or of AVX-512.
type isa struct {
	suffix string
	lanes  int
	pool   *constants
}

func (m isa) wide() bool { return m.lanes == 8 }

func (m isa) register() reg.VecVirtual {
	if m.wide() {
		return ZMM()
	}
	return YMM()
}

func (m isa) copied(x reg.VecVirtual) reg.VecVirtual {
	y := m.register()
	VMOVAPD(x, y)
	return y
}

// constants is a table that holds every value four times, a whole AVX2 vector.
type constants struct {
	order  []uint64
	offset map[uint64]int
}

const (
	tableName = "table"
	vector    = 4 * double
)

func (p *constants) at(v float64) operand.Mem {
	bits := math.Float64bits(v)
	if _, known := p.offset[bits]; !known {
		p.offset[bits] = len(p.order) * vector
		p.order = append(p.order, bits)
	}
	return operand.NewDataAddr(operand.NewStaticSymbol(tableName), p.offset[bits])
}

func (p *constants) emit() {
	GLOBL(tableName, 8|16) // RODATA|NOPTR
	for i, bits := range p.order {
		for lane := range 4 {
			DATA(i*vector+lane*double, operand.U64(bits))
		}
	}
}

type instruction func(ops ...operand.Op)

// with emits an instruction whose first operand is the constant v in every lane.
func (m isa) with(plain, broadcast instruction, v float64, ops ...operand.Op) {
	op := plain
	if m.wide() {
		op = broadcast
	}
	op(append([]operand.Op{m.pool.at(v)}, ops...)...)
}

// constant returns v in every lane.
func (m isa) constant(v float64) reg.VecVirtual {
	x := m.register()
	VBROADCASTSD(m.pool.at(v), x)
	return x
}

func (m isa) plus(x reg.VecVirtual, v float64) reg.VecVirtual {
	y := m.register()
	m.with(VADDPD, VADDPD_BCST, v, x, y)
	return y
}

func (m isa) minus(x reg.VecVirtual, v float64) reg.VecVirtual {
	y := m.register()
	m.with(VSUBPD, VSUBPD_BCST, v, x, y)
	return y
}

func (m isa) times(x reg.VecVirtual, v float64) reg.VecVirtual {
	y := m.register()
	m.with(VMULPD, VMULPD_BCST, v, x, y)
	return y
}

// scaledPlus returns a*x + b.
func (m isa) scaledPlus(x reg.VecVirtual, a, b float64) reg.VecVirtual {
	y := m.constant(a)
	m.with(VFMADD213PD, VFMADD213PD_BCST, b, x, y)
	return y
}

// subtractScaled subtracts v*n from x.
func (m isa) subtractScaled(x, n reg.VecVirtual, v float64) {
	m.with(VFNMADD231PD, VFNMADD231PD_BCST, v, n, x)
}

// atLeast returns max(x, v), and NaN for NaN.
func (m isa) atLeast(x operand.Op, v float64) reg.VecVirtual {
	y := m.constant(v)
	VMAXPD(x, y, y)
	return y
}

// atMost returns min(x, v), and NaN for NaN.
func (m isa) atMost(x operand.Op, v float64) reg.VecVirtual {
	y := m.constant(v)
	VMINPD(x, y, y)
	return y
}

func (m isa) absolute(x reg.VecVirtual) reg.VecVirtual {
	y := m.register()
	m.with(VANDPD, VANDPD_BCST, math.Float64frombits(1<<63-1), x, y)
	return y
}

func (m isa) signBit(x reg.VecVirtual) reg.VecVirtual {
	y := m.register()
	m.with(VANDPD, VANDPD_BCST, math.Copysign(0, -1), x, y)
	return y
}

// horner returns the polynomial with the given coefficients, lowest degree first, at x.
func (m isa) horner(x reg.VecVirtual, coefficients []float64) reg.VecVirtual {
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
func (m isa) where(x reg.VecVirtual, predicate int, v float64, yes, no reg.VecVirtual) reg.VecVirtual {
	y := m.register()
	if m.wide() {
		mask := K()
		VCMPPD_BCST(operand.Imm(uint64(predicate)), m.pool.at(v), x, mask)
		VBLENDMPD(yes, no, mask, y)
		return y
	}
	mask := YMM()
	VCMPPD(operand.Imm(uint64(predicate)), m.pool.at(v), x, mask)
	VBLENDVPD(mask, yes, no, y)
	return y
}

// exceeds jumps to label unless |x| <= v in every lane of all vectors.
func (m isa) exceeds(vectors []reg.VecVirtual, v float64, label string) {
	all := GP32()
	if m.wide() {
		var mask reg.OpmaskVirtual
		for i, x := range vectors {
			k := K()
			VCMPPD_BCST(operand.Imm(lessOrEqual), m.pool.at(v), m.absolute(x), k)
			if i > 0 {
				KANDB(mask, k, k)
			}
			mask = k
		}
		KMOVB(mask, all)
	} else {
		var mask reg.VecVirtual
		for i, x := range vectors {
			k := YMM()
			VCMPPD(operand.Imm(lessOrEqual), m.pool.at(v), m.absolute(x), k)
			if i > 0 {
				VANDPD(mask, k, k)
			}
			mask = k
		}
		VMOVMSKPD(mask, all)
	}
	CMPL(all, operand.U32(1<<m.lanes-1))
	JNE(operand.LabelRef(label))
}
