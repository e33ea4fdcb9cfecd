//go:build assembly

// This file emits complex arithmetic and the butterflies.

package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// number is one complex number in each lane.
type number struct{ re, im VecVirtual }

// A direction selects the half of a position that the butterflies use as the real part.
type direction int

const (
	inverse direction = iota
	forward
)

// halves returns the parts of x in the order in which a position holds them.
func (d direction) halves(x number) (first, second VecVirtual) {
	if d == forward {
		return x.im, x.re
	}
	return x.re, x.im
}

func (d direction) load(m Mem) number {
	x := number{re: NewVector(), im: NewVector()}
	first, second := d.halves(x)
	VMOVUPD(m, first)
	VMOVUPD(m.Offset(vectorBytes()), second)
	return x
}

func (d direction) store(x number, m Mem) {
	first, second := d.halves(x)
	VMOVUPD(first, m)
	VMOVUPD(second, m.Offset(vectorBytes()))
}

// vectorBytes are the bytes of a vector register.
func vectorBytes() int {
	if Wide {
		return 2 * VectorBytes
	}
	return VectorBytes
}

// positionBytes are those of a position in the blocks that the transforms work on.
func positionBytes() int { return 2 * vectorBytes() }

// storing emits the storing of one part of point k.
type storing func(k int, imaginary bool, y VecVirtual)

// number stores both parts of point k.
func (store storing) number(k int, y number) {
	store(k, false, y.re)
	store(k, true, y.im)
}

// storeHalf returns a function that stores one part of the point at one of the addresses.
func (d direction) storeHalf(z []Mem) storing {
	return func(k int, imaginary bool, y VecVirtual) {
		VMOVUPD(y, d.part(z[k], imaginary))
	}
}

// part returns the address of the real or the imaginary part of the position at m.
func (d direction) part(m Mem, imaginary bool) Mem {
	if imaginary == (d == inverse) {
		return m.Offset(vectorBytes())
	}
	return m
}

// times multiplies x by the number at m.
func times(x number, m Mem) number {
	w := number{
		re: Broadcast(m),
		im: Broadcast(m.Offset(NumberBytes)),
	}
	re := Mul(w.im, x.im)
	im := Mul(w.im, x.re)
	VFMSUB231PD(x.re, w.re, re)
	VFMADD231PD(x.im, w.re, im)
	return number{re, im}
}

func plus(x, y number) number { return number{Add(x.re, y.re), Add(x.im, y.im)} }

func minus(x, y number) number { return number{Sub(x.re, y.re), Sub(x.im, y.im)} }

// plusTurned returns x + i y.
func plusTurned(x, y number) number { return number{Sub(x.re, y.im), Add(x.im, y.re)} }

// minusTurned returns x - i y.
func minusTurned(x, y number) number { return number{Add(x.re, y.im), Sub(x.im, y.re)} }

// butterfly4 returns y_k = sum_j x_j exp(2 pi i jk/4).
func butterfly4(x [4]number) [4]number {
	s := plus(x[0], x[2])
	d := minus(x[0], x[2])
	t := plus(x[1], x[3])
	e := minus(x[1], x[3])
	return [4]number{
		plus(s, t),
		plusTurned(d, e),
		minus(s, t),
		minusTurned(d, e),
	}
}

// points describes the points of one butterfly.
type points struct {
	d    direction
	at   []Mem              // their addresses
	load func(j int) number // point j, loaded once
}

// pointsAt returns points that are loaded from their addresses.
func pointsAt(d direction, at []Mem) points {
	load := func(j int) number { return d.load(at[j]) }
	return points{d: d, at: at, load: load}
}

// every returns four points at a distance from the first one.
func (p points) every(distance, first int) (x [4]number) {
	for j := range x {
		x[j] = p.load(first + j*distance)
	}
	return x
}

// butterfly computes y_k = sum_j x_j exp(2 pi i jk/radix), radix 2, 3, 4, 5, 7 or 8. The parts of y may overwrite the
// parts of x in memory, also the real part of y_0 before the imaginary part of x_0 is read.
func (p points) butterfly(store storing) {
	switch len(p.at) {
	case 2:
		x0 := p.load(0)
		x1 := p.load(1)
		store.number(0, plus(x0, x1))
		store.number(1, minus(x0, x1))
	case 4:
		for k, y := range butterfly4(p.every(1, 0)) {
			store.number(k, y)
		}
	case 8:
		p.butterfly8(store)
	default:
		p.oddButterfly(store)
	}
}

// oddButterfly uses s_j = x_j + x_radix-j and d_j = x_j - x_radix-j, j = 1 ... h, h = (radix-1)/2:
//
//	y_k, y_radix-k = x_0 + sum_j cos(2 pi jk/radix) s_j +- i sum_j sin(2 pi jk/radix) d_j.
//
// The real parts of all y precede the imaginary parts, and only the current part of x_0 is in a register, so sixteen
// registers suffice for radix 7.
func (p points) oddButterfly(store storing) {
	radix := len(p.at)
	h := radix / 2
	s := make([]number, h+1)
	d := make([]number, h+1)
	for j := 1; j <= h; j++ {
		x := p.load(j)
		y := p.load(radix - j)
		s[j] = plus(x, y)
		d[j] = minus(x, y)
	}
	for _, imaginary := range []bool{false, true} {
		even := make([]VecVirtual, h+1)
		odd := make([]VecVirtual, h+1)
		for j := 1; j <= h; j++ {
			even[j] = s[j].re
			odd[j] = d[j].im
			if imaginary {
				even[j] = s[j].im
				odd[j] = d[j].re
			}
		}
		first := LoadVector(p.d.part(p.at[0], imaginary))
		sum := first
		for j := 1; j <= h; j++ {
			sum = Add(sum, even[j])
		}
		store(0, imaginary, sum)
		for k := 1; k <= h; k++ {
			cosines, sines := trigonometricSums(radix, k, first, even, odd)
			one := Sub(cosines, sines)
			other := Add(cosines, sines)
			if imaginary {
				one, other = other, one
			}
			store(k, imaginary, one)
			store(radix-k, imaginary, other)
		}
	}
}

// trigonometricSums returns first + sum_j cos(2 pi jk/radix) even_j and sum_j sin(2 pi jk/radix) odd_j, j = 1 ...
// radix/2.
func trigonometricSums(radix, k int, first VecVirtual, even, odd []VecVirtual) (cosines, sines VecVirtual) {
	cosines = NewVector()
	sines = NewVector()
	multiply := VMULPD
	add := VFMADD231PD
	subtract := VFNMADD231PD
	if Wide { // which reads one of the equal numbers of a constant
		multiply = VMULPD_BCST
		add = VFMADD231PD_BCST
		subtract = VFNMADD231PD_BCST
	}
	VMOVAPD(first, cosines)
	for j := 1; j <= radix/2; j++ {
		cosine, sine, negative := root(radix, j*k)
		add(cosine, even[j], cosines)
		switch {
		case j == 1:
			multiply(sine, odd[j], sines)
		case negative:
			subtract(sine, odd[j], sines)
		default:
			add(sine, odd[j], sines)
		}
	}
	return cosines, sines
}

// Names of constants in memory.
const (
	sqrtHalfSymbol = "sqrtHalf"
	tinySymbol     = "tiny"
)

// declareConstants emits sqrt(1/2) and, as vectors, the cosines and sines of the roots of unity.
func declareConstants() {
	ConstData(sqrtHalfSymbol, F64(math.Sqrt2/2))
	ConstData(tinySymbol, F64(1e-300))
	for _, radix := range []int{3, 5, 7} {
		GLOBL(rootsSymbol(radix), RODATA|NOPTR)
		offset := 0
		for k := 1; k <= radix/2; k++ {
			angle := 2 * math.Pi * float64(k) / float64(radix)
			sine, cosine := math.Sincos(angle)
			for _, value := range []float64{cosine, sine} {
				for range VectorBytes / 8 {
					DATA(offset, F64(value))
					offset += 8
				}
			}
		}
	}
}

func rootsSymbol(radix int) string { return fmt.Sprintf("roots%d", radix) }

// root returns the addresses of cos(2 pi k/radix) and |sin(2 pi k/radix)|, and whether the sine is negative.
func root(radix, k int) (cosine, sine Mem, negative bool) {
	k %= radix
	if 2*k > radix {
		k = radix - k
		negative = true
	}
	symbol := NewStaticSymbol(rootsSymbol(radix))
	cosine = NewDataAddr(symbol, (2*k-2)*VectorBytes)
	sine = NewDataAddr(symbol, (2*k-1)*VectorBytes)
	return cosine, sine, negative
}

// butterfly8 joins the butterflies of the even and of the odd points by the eighth roots of unity. Sixteen registers
// cannot hold both, so the odd ones, without the factor sqrt(1/2), are stored in the odd positions. The order of
// joining depends on it. The registers of AVX-512 hold all.
func (p points) butterfly8(store storing) {
	odd := butterfly4(p.every(2, 1))
	for k, o := range odd {
		switch k {
		case 1:
			o = number{Sub(o.re, o.im), Add(o.re, o.im)}
		case 2:
			o = number{o.im, o.re}
		case 3:
			o = number{Add(o.re, o.im), Sub(o.re, o.im)}
		}
		odd[k] = o
		if !Wide {
			p.d.store(o, p.at[2*k+1])
		}
	}
	even := butterfly4(p.every(2, 0))
	sqrtHalf := constant(sqrtHalfSymbol)
	for _, k := range []int{0, 2, 1, 3} {
		e := even[k]
		o := odd[k]
		if !Wide {
			o = p.d.load(p.at[2*k+1])
		}
		if k%2 == 1 {
			o = number{Mul(o.re, sqrtHalf), Mul(o.im, sqrtHalf)}
		}
		sum := plus(e, o)
		difference := minus(e, o)
		if k >= 2 {
			sum.re, difference.re = difference.re, sum.re
		}
		store.number(k, sum)
		store.number(k+4, difference)
	}
}
