// Complex arithmetic and the butterflies.

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// number is one complex number in each lane.
type number struct{ re, im VecVirtual }

// A direction says which half of a position the butterflies take for the real part.
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
	x := number{YMM(), YMM()}
	first, second := d.halves(x)
	VMOVUPD(m, first)
	VMOVUPD(m.Offset(panelBytes), second)
	return x
}

func (d direction) store(x number, m Mem) {
	first, second := d.halves(x)
	VMOVUPD(first, m)
	VMOVUPD(second, m.Offset(panelBytes))
}

func broadcast(m Mem) number {
	w := number{YMM(), YMM()}
	VBROADCASTSD(m, w.re)
	VBROADCASTSD(m.Offset(8), w.im)
	return w
}

func add(x VecVirtual, y Op) VecVirtual {
	sum := YMM()
	VADDPD(y, x, sum)
	return sum
}

func sub(x VecVirtual, y Op) VecVirtual {
	difference := YMM()
	VSUBPD(y, x, difference)
	return difference
}

func times(x, w number) number {
	re, im := YMM(), YMM()
	VMULPD(x.im, w.im, re)
	VMULPD(x.re, w.im, im)
	VFMSUB231PD(x.re, w.re, re)
	VFMADD231PD(x.im, w.re, im)
	return number{re, im}
}

// butterfly4 returns y_k = sum_j x_j exp(2 pi i jk/4).
func butterfly4(x [4]number) [4]number {
	s := number{add(x[0].re, x[2].re), add(x[0].im, x[2].im)}
	d := number{sub(x[0].re, x[2].re), sub(x[0].im, x[2].im)}
	t := number{add(x[1].re, x[3].re), add(x[1].im, x[3].im)}
	e := number{sub(x[1].re, x[3].re), sub(x[1].im, x[3].im)}
	return [4]number{
		{add(s.re, t.re), add(s.im, t.im)},
		{sub(d.re, e.im), add(d.im, e.re)},
		{sub(s.re, t.re), sub(s.im, t.im)},
		{add(d.re, e.im), sub(d.im, e.re)},
	}
}

// butterflyOf computes y_k = sum_j x_j exp(2 pi i jk/radix) into adjacent positions.
// It may overwrite the points: each position is written after it has been read.
func butterflyOf(radix int, d direction, load func(j int) number, out Mem) {
	if radix == 8 {
		butterfly8(d, load, out)
		return
	}
	for k, y := range butterfly4([4]number{load(0), load(1), load(2), load(3)}) {
		d.store(y, out.Offset(k*blockBytes))
	}
}

const sqrtHalfSymbol = "sqrtHalf"

func declareConstants() { ConstData(sqrtHalfSymbol, F64(math.Sqrt2/2)) }

// butterfly8 joins the butterflies of the even and of the odd points by the eighth
// roots of unity. Sixteen registers cannot hold both, so the odd ones, but for the
// factor sqrt(1/2), wait in the odd positions. The order of joining respects that.
func butterfly8(d direction, load func(j int) number, out Mem) {
	position := func(k int) Mem { return out.Offset(k * blockBytes) }
	for k, o := range butterfly4([4]number{load(1), load(3), load(5), load(7)}) {
		switch k {
		case 1:
			o = number{sub(o.re, o.im), add(o.re, o.im)}
		case 2:
			o = number{o.im, o.re}
		case 3:
			o = number{add(o.re, o.im), sub(o.re, o.im)}
		}
		d.store(o, position(2*k+1))
	}
	even := butterfly4([4]number{load(0), load(2), load(4), load(6)})
	sqrtHalf := YMM()
	VBROADCASTSD(NewDataAddr(NewStaticSymbol(sqrtHalfSymbol), 0), sqrtHalf)
	for _, k := range []int{0, 2, 1, 3} {
		e, o := even[k], d.load(position(2*k+1))
		if k%2 == 1 {
			o = number{scaled(o.re, sqrtHalf), scaled(o.im, sqrtHalf)}
		}
		plus := number{add(e.re, o.re), add(e.im, o.im)}
		minus := number{sub(e.re, o.re), sub(e.im, o.im)}
		if k >= 2 {
			plus.re, minus.re = minus.re, plus.re
		}
		d.store(plus, position(k))
		d.store(minus, position(k+4))
	}
}

func scaled(x, factor VecVirtual) VecVirtual {
	product := YMM()
	VMULPD(x, factor, product)
	return product
}
