// Householder reflectors, and products of them that are applied to many vectors at once.

package linalg

import (
	"math"

	"rfm/solver/simd"
)

// tinySquare is a sum of squares below which some of the squares may have underflowed.
const tinySquare = 0x1p-900

// reflector computes tau and v, v[0] = 1, such that (I - tau v v') x = (beta, 0, ..., 0)', and overwrites x by v.
func (v kernels) reflector(x []float64) (tau, beta float64) {
	alpha := x[0]
	x[0] = 1
	rest := x[1:]
	norm := v.norm(rest)
	if norm == 0 {
		clear(rest)
		return 0, alpha
	}
	beta = -math.Copysign(math.Hypot(alpha, norm), alpha)
	scale := 1 / (alpha - beta)
	if math.IsInf(scale, 0) {
		clear(rest)
		return 0, alpha
	}
	for i := range rest {
		rest[i] *= scale
	}
	return (beta - alpha) / beta, beta
}

// norm returns the Euclidean norm of x.
func (v kernels) norm(x []float64) float64 {
	if square := v.dot(x, x); square > tinySquare {
		return math.Sqrt(square)
	}
	largest := 0.0
	for _, c := range x {
		largest = max(largest, math.Abs(c))
	}
	if largest == 0 {
		return 0
	}
	_, exponent := math.Frexp(largest)
	sum := 0.0
	for _, c := range x {
		c = math.Ldexp(c, -exponent)
		sum += c * c
	}
	return math.Ldexp(math.Sqrt(sum), exponent)
}

// reflectorBlock is the number of reflectors that are applied together: more of them would be applied faster, but take
// longer to find.
const reflectorBlock = strip

// reflectors is the product of up to reflectorBlock reflectors in the compact form of Schreiber & Van Loan 1989,
//
//	H = H(0) H(1) ... = I - V T V',  H(t) = I - tau(t) v(t) v(t)',
//
// v(t) being column t of V and T upper triangular. Columns that are not set are zero: such an H(t) is I.
type reflectors struct {
	level    simd.Level
	length   int     // of the vectors
	vectors  *Panels // V
	negative *Panels // -V'
	factor   *Panels // T
}

// reflectorsOf returns the product of count reflectors. The vector of reflector t is zero before entry t, and vector
// returns a part of the rest, beyond which it is zero, with tau.
func reflectorsOf(level simd.Level, length, count int, vector func(t int) (v []float64, tau float64)) *reflectors {
	h := &reflectors{level, length, NewPanels(length, reflectorBlock), NewPanels(reflectorBlock, length),
		NewPanels(reflectorBlock, reflectorBlock)}
	var products [reflectorBlock]float64 // of v with the vectors before it
	for t := range count {
		v, tau := vector(t)
		column := h.vectors.Panel(t / 4)
		for i, x := range v {
			i += t
			column[4*i+t%4] = x
			h.negative.data[h.negative.at(t, i)] = -x
		}
		for s := range t {
			earlier, _ := vector(s)
			earlier = earlier[min(t-s, len(earlier)):]
			products[s] = kernels{level}.dot(earlier, v[:len(earlier)])
		}
		setFactor(h.factor, t, tau, products[:], 1)
	}
	return h
}

// setFactor sets column t of T, whose earlier columns are set: (-tau T V'v, tau). V'v is in products, step apart.
func setFactor(factor *Panels, t int, tau float64, products []float64, step int) {
	column := factor.Panel(t / 4)
	for i := range t {
		sum := 0.0
		for s := i; s < t; s++ {
			sum += factor.data[factor.at(i, s)] * products[s*step]
		}
		column[4*i+t%4] = -tau * sum
	}
	column[4*t+t%4] = tau
}

// reflection is the working memory for columns of vectors that are reflected together.
type reflection struct{ sums, weights *Panels }

func newReflection(cols int) reflection {
	return reflection{NewPanels(reflectorBlock, cols), NewPanels(reflectorBlock, cols)}
}

// apply replaces the columns of x by H'x. x has whole strips of columns, at most as many as w, and the padded length of
// the vectors as rows.
func (h *reflectors) apply(x *Panels, w reflection) {
	clear(w.sums.data)
	h.project(x, w)
	h.subtract(x, w)
}

// project adds V'x to w.sums and sets w.weights to T' times the result.
func (h *reflectors) project(x *Panels, w reflection) {
	p := intoPanels(h.level, w.sums, h.vectors, x)
	p.run(h.length)
	clear(w.weights.data)
	p = intoPanels(h.level, w.weights, h.factor, w.sums.Columns(0, x.cols))
	p.run(reflectorBlock)
}

// subtract subtracts V w.weights from x.
func (h *reflectors) subtract(x *Panels, w reflection) {
	p := intoPanels(h.level, x, h.negative, w.weights.Columns(0, x.cols))
	p.run(reflectorBlock)
}
