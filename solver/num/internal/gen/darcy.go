//go:build assembly

// This file emits the steps of conjugate gradients of package darcy.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

func gradients() {
	apply()
	combine()
	advance()
	dot()
}

// apply applies the scheme to a multiple of four points, four at a time. The face east of a point has the index of the
// point; the row begins on the boundary, one point before the image.
func apply() {
	Text("applyAVX2", "func(image, above, row, below, east, north, south []float64) float64")
	image := Base("image")
	row := Base("row")
	east := Base("east")
	above := Base("above")
	below := Base("below")
	north := Base("north")
	south := Base("south")
	count := Groups("image", 4)
	sum := Zeros(1)[0]
	offset := GP64()
	XORQ(offset, offset)
	at := func(slice Register, points int) Mem {
		return Indexed(slice, offset, 1).Offset(points * NumberBytes)
	}
	Loop(count, func() {
		v := LoadVector(at(row, 1)) // the points themselves
		y := Mul(Sub(v, at(row, 2)), at(east, 1))
		VFMADD231PD(at(east, 0), Sub(v, at(row, 0)), y)
		VFMADD231PD(at(south, 0), Sub(v, at(below, 0)), y)
		VFMADD231PD(at(north, 0), Sub(v, at(above, 0)), y)
		VMOVUPD(y, at(image, 0))
		VFMADD231PD(v, y, sum)
		Advance(VectorBytes, offset)
	})
	ReturnSum(sum)
}

// combine takes a multiple of four numbers, advance and dot take one of eight.
func combine() {
	Text("combineAVX2", "func(p, z []float64, beta float64)")
	p := Base("p")
	z := Base("z")
	beta := BroadcastParameter("beta")
	count := Groups("p", 4)
	Loop(count, func() {
		x := LoadVector(At(p, 0))
		VFMADD213PD(At(z, 0), beta, x)
		VMOVUPD(x, At(p, 0))
		Advance(VectorBytes, p, z)
	})
	Leave()
}

func advance() {
	Text("advanceAVX2", "func(u, b, p, q []float64, alpha float64) float64")
	u := Base("u")
	b := Base("b")
	p := Base("p")
	q := Base("q")
	alpha := BroadcastParameter("alpha")
	count := Groups("u", 8)
	sums := Zeros(2)
	offset := GP64()
	XORQ(offset, offset)
	Loop(count, func() {
		for half, sum := range sums {
			at := func(slice Register) Mem {
				return Indexed(slice, offset, 1).Offset(half * VectorBytes)
			}
			x := LoadVector(at(u))
			VFMADD231PD(at(p), alpha, x)
			VMOVUPD(x, at(u))
			y := LoadVector(at(b))
			VFNMADD231PD(at(q), alpha, y)
			VMOVUPD(y, at(b))
			VFMADD231PD(y, y, sum)
		}
		Advance(2*VectorBytes, offset)
	})
	VADDPD(sums[1], sums[0], sums[0])
	ReturnSum(sums[0])
}

func dot() {
	Text("dotAVX2", "func(x, y []float64) float64")
	x := Base("x")
	y := Base("y")
	count := Groups("x", 8)
	sums := Zeros(2)
	Loop(count, func() {
		for half, sum := range sums {
			v := LoadVector(At(x, half*VectorBytes))
			VFMADD231PD(At(y, half*VectorBytes), v, sum)
		}
		Advance(2*VectorBytes, x, y)
	})
	VADDPD(sums[1], sums[0], sums[0])
	ReturnSum(sums[0])
}
