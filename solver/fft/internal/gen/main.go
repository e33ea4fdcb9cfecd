// Command gen writes the AVX2 kernels of package fft.
//
// A vector register holds the real or the imaginary parts of one position of a block,
// one lane for each sequence, so no kernel ever shuffles. Forward kernels are inverse
// ones with real and imaginary parts exchanged.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Bytes taken by a position of a block, of a panel, of a spectrum, and by the three
// twiddle factors of a butterfly.
const (
	blockBytes    = 64
	panelBytes    = 32
	spectrumBytes = 16
	twiddleBytes  = 48
)

// How far ahead the last pass asks for the panels that it writes, and the first pass for
// the block that it reads: neither is likely to be in the nearest cache.
const (
	prefetchPanelBytes = 512
	prefetchBlockBytes = 2048
)

func main() {
	ConstraintExpr("amd64")
	declareConstants()
	inversePass()
	inverseSplit()
	forwardPass("forwardPassAVX2", "splits every sub-transform into four of length q.", identity)
	forwardPass("squaresPassAVX2", "squares all parts, then splits every sub-transform into four of length q.", squares)
	combine()
	for _, radix := range []int{4, 8} {
		contiguous(fmt.Sprintf("inverseFirst%dAVX2", radix), radix, inverse)
		contiguous(fmt.Sprintf("forwardLast%dAVX2", radix), radix, forward)
		productFirst(fmt.Sprintf("productFirst%dAVX2", radix), radix)
	}
	Generate()
}

func text(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc)
}

func base(slice string) Register { return Load(Param(slice).Base(), GP64()) }

func inversePass() {
	text("inversePassAVX2", "func(z, twiddles []float64, q int)",
		"inversePassAVX2 joins sub-transforms of length q, four at a time.")
	eachBlock(func(z [4]Mem, w Mem) {
		for k, y := range butterfly4(twisted(z, w)) {
			inverse.store(y, z[k])
		}
	})
}

func forwardPass(name, doc string, prepare func(number) number) {
	text(name, "func(z, twiddles []float64, q int)", name+" "+doc)
	eachBlock(func(z [4]Mem, w Mem) {
		var x [4]number
		for j := range x {
			x[j] = prepare(forward.load(z[j]))
		}
		for k, y := range butterfly4(x) {
			if k > 0 {
				y = times(y, broadcast(w.Offset((k-1)*spectrumBytes)))
			}
			forward.store(y, z[k])
		}
	})
}

func identity(x number) number { return x }

func squares(x number) number { return number{scaled(x.re, x.re), scaled(x.im, x.im)} }

// eachBlock loops over all butterflies of all sub-transforms of the argument z.
func eachBlock(butterfly func(z [4]Mem, w Mem)) {
	z, twiddles := base("z"), base("twiddles")
	end := Load(Param("z").Len(), GP64())
	LEAQ(Mem{Base: z, Index: end, Scale: 8}, end)
	q := Load(Param("q"), GP64())
	leg, threeLegs := multiples(q, blockBytes)

	w, left := GP64(), GP64()
	Label("block")
	MOVQ(twiddles, w)
	MOVQ(q, left)
	Label("butterfly")
	butterfly(legs(z, leg, threeLegs), Mem{Base: w})
	ADDQ(Imm(blockBytes), z)
	ADDQ(Imm(twiddleBytes), w)
	DECQ(left)
	JNZ(LabelRef("butterfly"))
	ADDQ(threeLegs, z)
	CMPQ(z, end)
	JNE(LabelRef("block"))
	VZEROUPPER()
	RET()
}

func inverseSplit() {
	text("inverseSplitAVX2", "func(re, im, z, twiddles []float64, q int)",
		"inverseSplitAVX2 joins the last four sub-transforms, of length q, into two panels.")
	re, im, z, w := base("re"), base("im"), base("z"), base("twiddles")
	q := Load(Param("q"), GP64())
	leg, threeLegs := multiples(q, blockBytes)
	panelLeg, threePanelLegs := multiples(q, panelBytes)

	SHRQ(Imm(1), q)
	Label("pair")
	reals, imaginaries := legs(re, panelLeg, threePanelLegs), legs(im, panelLeg, threePanelLegs)
	for k := range reals {
		PREFETCHT0(reals[k].Offset(prefetchPanelBytes))
		PREFETCHT0(imaginaries[k].Offset(prefetchPanelBytes))
	}
	for j := range 2 {
		points := legs(z, leg, threeLegs)
		for k := range points {
			points[k] = points[k].Offset(j * blockBytes)
		}
		for k, y := range butterfly4(twisted(points, Mem{Base: w, Disp: j * twiddleBytes})) {
			VMOVUPD(y.re, reals[k].Offset(j*panelBytes))
			VMOVUPD(y.im, imaginaries[k].Offset(j*panelBytes))
		}
	}
	ADDQ(Imm(2*panelBytes), re)
	ADDQ(Imm(2*panelBytes), im)
	ADDQ(U32(2*blockBytes), z)
	ADDQ(Imm(2*twiddleBytes), w)
	DECQ(q)
	JNZ(LabelRef("pair"))
	VZEROUPPER()
	RET()
}

func multiples(q Register, bytes uint64) (leg, threeLegs Register) {
	leg, threeLegs = GP64(), GP64()
	IMUL3Q(Imm(bytes), q, leg)
	LEAQ(Mem{Base: leg, Index: leg, Scale: 2}, threeLegs)
	return leg, threeLegs
}

// legs addresses one position in each of four sub-transforms.
func legs(z, leg, threeLegs Register) [4]Mem {
	m := Mem{Base: z}
	return [4]Mem{m, m.Idx(leg, 1), m.Idx(leg, 2), m.Idx(threeLegs, 1)}
}

// twisted loads four points and multiplies all but the first by their twiddle factors.
func twisted(z [4]Mem, w Mem) (x [4]number) {
	x[0] = inverse.load(z[0])
	for j := 1; j < 4; j++ {
		x[j] = times(inverse.load(z[j]), broadcast(w.Offset((j-1)*spectrumBytes)))
	}
	return x
}

func contiguous(name string, radix int, d direction) {
	text(name, "func(z []float64)",
		fmt.Sprintf("%s transforms groups of %d adjacent positions.", name, radix))
	z := base("z")
	groups := Load(Param("z").Len(), GP64())
	SHRQ(Imm(log2(radix*blockBytes/8)), groups)
	Label("group")
	at := Mem{Base: z}
	butterflyOf(radix, d, func(j int) number { return d.load(at.Offset(j * blockBytes)) }, at)
	ADDQ(U32(radix*blockBytes), z)
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

func productFirst(name string, radix int) {
	text(name, "func(z, v, a []float64)",
		fmt.Sprintf("%s multiplies v by a and transforms groups of %d adjacent positions.", name, radix))
	z, v, a := base("z"), base("v"), base("a")
	groups := Load(Param("a").Len(), GP64())
	SHRQ(Imm(log2(radix*spectrumBytes/8)), groups)
	Label("group")
	product := func(j int) number {
		return times(inverse.load(Mem{Base: v}.Offset(j*blockBytes)), broadcast(Mem{Base: a}.Offset(j*spectrumBytes)))
	}
	for j := range radix {
		PREFETCHT0(Mem{Base: v, Disp: prefetchBlockBytes + j*blockBytes})
	}
	butterflyOf(radix, inverse, product, Mem{Base: z})
	ADDQ(U32(radix*blockBytes), z)
	ADDQ(U32(radix*blockBytes), v)
	ADDQ(U32(radix*spectrumBytes), a)
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

func combine() {
	text("combineAVX2", "func(dst, c, v, d, w []float64)",
		"combineAVX2 sets dst = c v + i d w, position by position.")
	dst, c, v, d, w := base("dst"), base("c"), base("v"), base("d"), base("w")
	positions := Load(Param("c").Len(), GP64())
	index := GP64()
	XORQ(index, index)
	Label("position")
	vFactor, wFactor := YMM(), YMM()
	VBROADCASTSD(Mem{Base: c, Index: index, Scale: 8}, vFactor)
	VBROADCASTSD(Mem{Base: d, Index: index, Scale: 8}, wFactor)
	re, im := YMM(), YMM()
	VMULPD(Mem{Base: w, Disp: panelBytes}, wFactor, re)
	VMULPD(Mem{Base: w}, wFactor, im)
	VFMSUB231PD(Mem{Base: v}, vFactor, re)
	VFMADD231PD(Mem{Base: v, Disp: panelBytes}, vFactor, im)
	inverse.store(number{re, im}, Mem{Base: dst})
	for _, pointer := range []Register{dst, v, w} {
		ADDQ(Imm(blockBytes), pointer)
	}
	INCQ(index)
	CMPQ(index, positions)
	JNE(LabelRef("position"))
	VZEROUPPER()
	RET()
}

func log2(n int) uint64 {
	var log uint64
	for ; n > 1; n /= 2 {
		log++
	}
	return log
}
