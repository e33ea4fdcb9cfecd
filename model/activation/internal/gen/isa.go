//go:build assembly

// The instruction sets, and the operations that differ between them.

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/simd/emit"
)

// isa emits the instructions of AVX2+FMA or of AVX-512.
type isa struct {
	suffix string
	lanes  int
	pool   *constants
}

func (m isa) wide() bool { return m.lanes == 8 }

func (m isa) register() VecVirtual {
	if m.wide() {
		return ZMM()
	}
	return YMM()
}

func (m isa) copied(x VecVirtual) VecVirtual {
	y := m.register()
	VMOVAPD(x, y)
	return y
}

// constants is a table that holds every value four times, a whole AVX2 VectorBytes.
type constants struct {
	order  []uint64
	offset map[uint64]int
}

const tableName = "table"

func (p *constants) at(v float64) Mem {
	bits := math.Float64bits(v)
	if _, known := p.offset[bits]; !known {
		p.offset[bits] = len(p.order) * VectorBytes
		p.order = append(p.order, bits)
	}
	return NewDataAddr(NewStaticSymbol(tableName), p.offset[bits])
}

func (p *constants) emit() {
	GLOBL(tableName, 8|16) // RODATA|NOPTR
	for i, bits := range p.order {
		for lane := range 4 {
			DATA(i*VectorBytes+lane*NumberBytes, U64(bits))
		}
	}
}

type instruction func(ops ...Op)

// with emits an instruction whose first operand is the constant v in every lane.
func (m isa) with(plain, broadcast instruction, v float64, ops ...Op) {
	op := plain
	if m.wide() {
		op = broadcast
	}
	op(append([]Op{m.pool.at(v)}, ops...)...)
}

// constant returns v in every lane.
func (m isa) constant(v float64) VecVirtual {
	x := m.register()
	VBROADCASTSD(m.pool.at(v), x)
	return x
}

// combined returns an operation of x with the constant v.
func (m isa) combined(plain, broadcast instruction, x VecVirtual, v float64) VecVirtual {
	y := m.register()
	m.with(plain, broadcast, v, x, y)
	return y
}

func (m isa) plus(x VecVirtual, v float64) VecVirtual  { return m.combined(VADDPD, VADDPD_BCST, x, v) }
func (m isa) minus(x VecVirtual, v float64) VecVirtual { return m.combined(VSUBPD, VSUBPD_BCST, x, v) }
func (m isa) times(x VecVirtual, v float64) VecVirtual { return m.combined(VMULPD, VMULPD_BCST, x, v) }

func (m isa) absolute(x VecVirtual) VecVirtual {
	return m.combined(VANDPD, VANDPD_BCST, x, math.Float64frombits(1<<63-1))
}

func (m isa) signBit(x VecVirtual) VecVirtual {
	return m.combined(VANDPD, VANDPD_BCST, x, math.Copysign(0, -1))
}

// scaledPlus returns a*x + b.
func (m isa) scaledPlus(x VecVirtual, a, b float64) VecVirtual {
	y := m.constant(a)
	m.with(VFMADD213PD, VFMADD213PD_BCST, b, x, y)
	return y
}

// subtractScaled subtracts v*n from x.
func (m isa) subtractScaled(x, n VecVirtual, v float64) {
	m.with(VFNMADD231PD, VFNMADD231PD_BCST, v, n, x)
}

// atLeast returns max(x, v), and NaN for NaN.
func (m isa) atLeast(x Op, v float64) VecVirtual {
	y := m.constant(v)
	VMAXPD(x, y, y)
	return y
}

// atMost returns min(x, v), and NaN for NaN.
func (m isa) atMost(x Op, v float64) VecVirtual {
	y := m.constant(v)
	VMINPD(x, y, y)
	return y
}

// horner returns the polynomial with the given coefficients, lowest degree first, at x.
func (m isa) horner(x VecVirtual, coefficients []float64) VecVirtual {
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
func (m isa) where(x VecVirtual, predicate int, v float64, yes, no VecVirtual) VecVirtual {
	y := m.register()
	if m.wide() {
		mask := K()
		VCMPPD_BCST(Imm(uint64(predicate)), m.pool.at(v), x, mask)
		VBLENDMPD(yes, no, mask, y)
		return y
	}
	mask := YMM()
	VCMPPD(Imm(uint64(predicate)), m.pool.at(v), x, mask)
	VBLENDVPD(mask, yes, no, y)
	return y
}

// exceeds jumps to label unless |x| <= v in every lane of all vectors.
func (m isa) exceeds(vectors []VecVirtual, v float64, label string) {
	all := GP32()
	var mask Op
	for i, x := range vectors {
		bound, size := m.pool.at(v), m.absolute(x)
		if m.wide() {
			k := K()
			VCMPPD_BCST(Imm(lessOrEqual), bound, size, k)
			if i > 0 {
				KANDB(mask, k, k)
			}
			mask = k
			continue
		}
		k := YMM()
		VCMPPD(Imm(lessOrEqual), bound, size, k)
		if i > 0 {
			VANDPD(mask, k, k)
		}
		mask = k
	}
	if m.wide() {
		KMOVB(mask, all)
	} else {
		VMOVMSKPD(mask, all)
	}
	CMPL(all, U32(1<<m.lanes-1))
	JNE(LabelRef(label))
}
