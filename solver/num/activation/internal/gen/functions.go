//go:build assembly

// The activation functions of one vector register.

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"rfm/solver/num/activation/internal/approx"
)

// reduced is z = n log 2 + r with |r| <= log(2)/2, except that r still contains n*approx.Ln2Low. The low bits of
// shifted hold n+bias.
type reduced struct{ n, r, shifted vectors }

func (m isa) reduce(z vectors, bias float64) reduced {
	const shift = approx.RoundingShift
	s := m.scaledPlus(z, math.Log2E, shift+bias)
	n := m.minus(s, shift+bias)
	m.subtractScaled(z, n, approx.Ln2High)
	return reduced{n: n, r: z, shifted: s}
}

// expm1Reduced returns exp(r) - 1.
func (m isa) expm1Reduced(r vectors) vectors {
	square := m.result(VMULPD, r, r)
	q := m.pairs(r, square, approx.Exp[:])
	each(VFMADD213PD, r, square, q)
	return q
}

// expm1 returns exp(z) - 1 for approx.Expm1Min <= z <= 0: 2^n (exp(r) - 1) + (2^n - 1). The excess in r, 2^n |n| Ln2Low
// in the result, is below 0.2 ulp.
func (m isa) expm1(z vectors) vectors {
	e := m.reduce(z, approx.ExponentBias)
	q := m.expm1Reduced(e.r)
	power := m.result(VPSLLQ, Imm(52), e.shifted)
	each(VFMADD213PD, m.minus(power, 1), power, q)
	return q
}

// scale multiplies x by 2^n in two steps, so that a subnormal result is rounded once.
func (m isa) scale(x, n vectors) {
	const shift = approx.RoundingShift + approx.ExponentBias
	half := m.scaledPlus(n, 0.5, shift)
	rest := m.result(VSUBPD, m.minus(half, shift), n)
	rest = m.plus(rest, shift)
	for _, s := range []vectors{half, rest} {
		each(VPSLLQ, Imm(52), s, s)
		each(VMULPD, s, x, x)
	}
}

// exp returns exp(z) for approx.ExpMin <= z <= 0.
func (m isa) exp(z vectors) vectors {
	e := m.reduce(z, 0)
	m.subtractScaled(e.r, e.n, approx.Ln2Low)
	q := m.plus(m.expm1Reduced(e.r), 1)
	m.scale(q, e.n)
	return q
}

// expOfMinusAbs returns exp(-|x|).
func (m isa) expOfMinusAbs(x vectors) vectors {
	signBit := math.Copysign(0, -1)
	negative := m.combined(VORPD, VORPD_BCST, x, signBit)
	return m.exp(m.atLeast(negative, approx.ExpMin))
}

// withSign returns y with the sign bit of x set where x has it.
func (m isa) withSign(y, x vectors) vectors {
	return m.result(VORPD, m.signBit(x), y)
}

func (m isa) elu(x vectors) vectors {
	below := m.expm1(m.atLeast(x, approx.Expm1Min))
	return m.where(x, lessThan, 0, below, x)
}

func (m isa) relu(x vectors) vectors { return m.atLeast(x, 0) }

// The operands of VRANGEPD that return the smaller modulus, with a minus sign.
const smallerNegative = 0b1110

// holdELU keeps in registers what eluByTable takes from there.
func (m *isa) holdELU() {
	m.hold(append(approx.ExpShort[:], approx.Expm1Min, partsOfLog2, partsShift, partOfLog2, 1))
	m.loadPowers()
}

// The reduction modulo log(2)/16 and the exponent, which stands above the four bits of j.
const (
	partsOfLog2 = approx.PowersCount / math.Ln2
	partOfLog2  = math.Ln2 / approx.PowersCount
	partsShift  = approx.RoundingShift + approx.PowersCount*approx.ExponentBias
	partsBits   = 4
)

// eluByTable is elu with fewer steps, see approx.Powers: the larger one of x and exp(-|x|) - 1, which is the same. Only
// AVX-512 looks up sixteen numbers in registers. Its error is below 2 ulp.
func (m isa) eluByTable(x vectors) vectors {
	z := m.constant(approx.Expm1Min)
	for i := range z {
		VRANGEPD(Imm(smallerNegative), z[i], x[i], z[i])
	}
	s := m.scaledPlus(z, partsOfLog2, partsShift)
	n := m.minus(s, partsShift)
	m.subtractScaled(z, n, partOfLog2)
	r := z
	power := m.result(VPSLLQ, Imm(52-partsBits), s)
	for i := range s {
		VPERMI2PD(m.powers[1], m.powers[0], s[i])
	}
	table := s
	rest := m.minus(power, 1)
	square := m.result(VMULPD, r, r)
	h := m.pairs(r, square, approx.ExpShort[:])
	each(VFMADD213PD, r, square, h)
	sum := m.result(VADDPD, h, table)
	each(VFMADD231PD, h, table, sum)
	each(VFMADD213PD, rest, power, sum)
	each(VMAXPD, x, sum, sum) // x if it is NaN or a zero
	return sum
}

// pairs returns the polynomial with the given coefficients, lowest degree first, at r: pairs of terms do not wait for each
// other, so that it is ready sooner than by Horner's rule.
func (m isa) pairs(r, square vectors, coefficients []float64) vectors {
	last := len(coefficients) - 1
	var y vectors
	if last%2 == 0 {
		y = m.constant(coefficients[last])
	} else {
		last--
		y = m.scaledPlus(r, coefficients[last+1], coefficients[last])
	}
	for i := last - 2; i >= 0; i -= 2 {
		next := m.scaledPlus(r, coefficients[i+1], coefficients[i])
		each(VFMADD231PD, square, y, next)
		y = next
	}
	return y
}

// tanh returns -t/(t+2) with t = exp(-2|x|) - 1, and the sign of x.
func (m isa) tanh(x vectors) vectors {
	a := m.absolute(x)
	t := m.expm1(m.atLeast(m.times(a, -2), approx.Expm1Min))
	quotient := m.result(VDIVPD, m.plus(t, 2), t)
	return m.withSign(m.absolute(quotient), x)
}

// sigmoid returns e/(1+e) for x < 0 and 1/(1+e) otherwise, with e = exp(-|x|).
func (m isa) sigmoid(x vectors) vectors {
	e := m.expOfMinusAbs(x)
	q := m.where(x, lessThan, 0, e, m.constant(1))
	each(VDIVPD, m.plus(e, 1), q, q)
	return q
}

// softplus returns max(x, 0) + log(1 + e) with e = exp(-|x|); log(1+e) is k log 2 + log(1+f) with f = e, k = 0 or f =
// (e-1)/2, k = 1.
func (m isa) softplus(x vectors) vectors {
	e := m.expOfMinusAbs(x)
	const bound = math.Sqrt2 - 1 // of e with k = 0
	halved := m.times(m.minus(e, 1), 0.5)
	f := m.where(e, lessOrEqual, bound, e, halved)
	s := m.result(VDIVPD, m.plus(f, 2), f)
	z := m.result(VMULPD, s, s)
	tail := m.horner(z, approx.Log[:])
	each(VMULPD, z, tail, tail)
	square := m.times(f, 0.5)
	each(VMULPD, f, square, square)
	each(VADDPD, square, tail, tail)
	each(VMULPD, s, tail, tail)
	each(VSUBPD, tail, square, tail)
	log := m.result(VSUBPD, tail, f)
	withLog2 := m.plus(log, math.Ln2)
	log = m.where(e, lessOrEqual, bound, log, withLog2)
	each(VADDPD, m.atLeast(x, 0), log, log)
	return log
}

// sin returns (-1)^n sin(r) with x = n pi + r, for |x| <= approx.SinMax.
func (m isa) sin(x vectors) vectors {
	s := m.scaledPlus(x, 1/math.Pi, approx.RoundingShift)
	n := m.minus(s, approx.RoundingShift)
	r := x
	m.subtractScaled(r, n, approx.PiHigh)
	m.subtractScaled(r, n, approx.PiMid)
	sign := m.signBit(r) // the last step would lose the sign of x = -0
	m.subtractScaled(r, n, approx.PiLow)
	square := m.result(VMULPD, r, r)
	q := m.horner(square, approx.Sin[:])
	each(VMULPD, r, square, square)
	each(VFMADD213PD, r, square, q)
	q = m.atMost(m.absolute(q), 1)
	each(VORPD, sign, q, q)
	each(VPSLLQ, Imm(63), s, s)
	each(VXORPD, s, q, q)
	return q
}

// rational returns 1 / (1 + d/2).
func (m isa) rational(d vectors) vectors {
	y := m.constant(1)
	each(VDIVPD, m.scaledPlus(d, 0.5, 1), y, y)
	return y
}

// decay returns exp(-z) for z >= 0, and less than 1e-300 for z > approx.RadialMax.
func (m isa) decay(z vectors) vectors {
	negative := m.times(m.atMost(z, approx.RadialMax), -1)
	e := m.reduce(negative, approx.ExponentBias)
	m.subtractScaled(e.r, e.n, approx.Ln2Low)
	q := m.plus(m.expm1Reduced(e.r), 1)
	each(VPSLLQ, Imm(52), e.shifted, e.shifted)
	each(VMULPD, e.shifted, q, q)
	return q
}

// gaussian returns exp(-d/2).
func (m isa) gaussian(d vectors) vectors { return m.decay(m.times(d, 0.5)) }

// matern returns (1 + s + s^2/3) exp(-s) with s = sqrt(5 d).
func (m isa) matern(d vectors) vectors {
	s := m.times(d, 5)
	each(VSQRTPD, s, s)
	s = m.atMost(s, approx.RadialMax)
	p := m.scaledPlus(s, 1./3, 1)
	m.with(VFMADD213PD, VFMADD213PD_BCST, 1, s, p)
	e := m.decay(s)
	each(VMULPD, p, e, e)
	return e
}
