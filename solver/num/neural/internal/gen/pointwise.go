//go:build assembly

// Functions of each number.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// gelu computes the normal distribution by formula 7.1.26 of Abramowitz and Stegun, whose error is below 1.5e-7, and
// exp(-x^2/2), which both results share, by a polynomial in the fraction of the exponent. The generic twin has the same
// steps.
func gelu() {
	Text("geluAVX2", "func(groups int, x, y, slope *float32)",
		"sets y to x P(x) and slope to its derivative P(x) + x p(x), P and p being the normal distribution and its "+
			"density, for 8*groups numbers, groups >= 1.")
	groups := Argument("groups")
	x := Argument("x")
	y := Argument("y")
	slope := Argument("slope")
	Label("loop")
	v := YMM()
	z := YMM()
	VMOVUPS(At(x, 0), v)
	sign := YMM()
	size := YMM()
	signs := YMM()
	VBROADCASTSS(number("signs", U32(0x80000000)), signs)
	VANDPS(signs, v, sign)
	VANDNPS(v, signs, size) // |x|
	VMINPS(constant(13), size, size)

	// e = exp(-x^2/2) = 2^(n+f)
	VMULPS(size, size, z)
	VMULPS(constant(-0.72134752), z, z) // -1/(2 log 2)
	n := YMM()
	f := YMM()
	VROUNDPS(Imm(0), z, n)
	VSUBPS(n, z, f)
	e := constant(exponential[0])
	for _, c := range exponential[1:] {
		VFMADD213PS(constant(c), f, e)
	}
	power := YMM()
	VCVTPS2DQ(n, power)
	VPSLLD(Imm(23), power, power)
	VPADDD(e, power, e)

	// tail = e * poly(t)/2, t = 1/(1 + 0.3275911 |x|/sqrt 2), the probability beyond |x|
	t := YMM()
	one := constant(1)
	VMOVAPS(one, t)
	VFMADD231PS(constant(0.23164190), size, t)
	VDIVPS(t, one, t)
	tail := constant(tails[0])
	for _, c := range tails[1:] {
		VFMADD213PS(constant(c), t, tail)
	}
	VMULPS(t, tail, tail)
	VMULPS(e, tail, tail)

	// P = 1/2 + sign (1/2 - tail)
	p := YMM()
	VSUBPS(tail, constant(0.5), p)
	VORPS(sign, p, p)
	VADDPS(constant(0.5), p, p)
	result := YMM()
	VMULPS(v, p, result)
	VMOVUPS(result, At(y, 0))
	density := YMM()
	VMULPS(constant(0.39894228), e, density)
	VFMADD231PS(density, v, p)
	VMOVUPS(p, At(slope, 0))
	advance(VectorBytes, x, y, slope)
	DECQ(groups)
	JNZ(LabelRef("loop"))
	Leave()
}

// exponential holds the coefficients of 2^f, |f| <= 1/2, the highest first.
var exponential = [...]float32{1.5403530e-4, 1.3333558e-3, 9.6181291e-3, 5.5504109e-2, 2.4022651e-1, 6.9314718e-1, 1}

// tails holds the coefficients of formula 7.1.26 over t, halved, the highest first.
var tails = [...]float32{0.5307027145, -0.7265760135, 0.7107068705, -0.142248368, 0.127414796}

// adam is one step of Adam with weight decay, see Adam.
func adam() {
	Text("adamAVX2", "func(groups int, w, gradient, mean, square *float32, rate, unbiased, decay, epsilon float32)",
		"is Adam.Step for 8*groups numbers, groups >= 1.")
	groups := Argument("groups")
	w := Argument("w")
	g := Argument("gradient")
	mean := Argument("mean")
	square := Argument("square")
	rate := broadcast("rate")
	unbiased := broadcast("unbiased")
	decay := broadcast("decay")
	epsilon := broadcast("epsilon")
	Label("loop")
	value := YMM()
	gradient := YMM()
	m := YMM()
	s := YMM()
	VMOVUPS(At(w, 0), value)
	VMOVUPS(At(g, 0), gradient)
	VFMADD231PS(decay, value, gradient)
	VMULPS(At(mean, 0), constant(0.9), m)
	VFMADD231PS(constant(0.1), gradient, m)
	VMOVUPS(m, At(mean, 0))
	VMULPS(gradient, gradient, gradient)
	VMULPS(At(square, 0), constant(0.999), s)
	VFMADD231PS(constant(0.001), gradient, s)
	VMOVUPS(s, At(square, 0))
	VMULPS(unbiased, s, s)
	VSQRTPS(s, s)
	VADDPS(epsilon, s, s)
	VDIVPS(s, m, m)
	VFNMADD231PS(rate, m, value)
	VMOVUPS(value, At(w, 0))
	advance(VectorBytes, w, g, mean, square)
	DECQ(groups)
	JNZ(LabelRef("loop"))
	Leave()
}

// broadcast loads a parameter into every lane.
func broadcast(name string) VecVirtual {
	address, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	v := YMM()
	VBROADCASTSS(address.Addr, v)
	return v
}

func multiply() {
	Text("multiplyAVX2", "func(groups int, y, x *float32)", "multiplies y by x, 8*groups numbers, groups >= 1.")
	pairwise(func(x Mem, y VecVirtual) { VMULPS(x, y, y) })
}

func accumulate() {
	Text("accumulateAVX2", "func(groups int, y, x *float32)", "adds x to y, 8*groups numbers, groups >= 1.")
	pairwise(func(x Mem, y VecVirtual) { VADDPS(x, y, y) })
}

func pairwise(operation func(x Mem, y VecVirtual)) {
	groups := Argument("groups")
	y := Argument("y")
	x := Argument("x")
	v := YMM()
	Label("loop")
	VMOVUPS(At(y, 0), v)
	operation(At(x, 0), v)
	VMOVUPS(v, At(y, 0))
	advance(VectorBytes, y, x)
	DECQ(groups)
	JNZ(LabelRef("loop"))
	Leave()
}
