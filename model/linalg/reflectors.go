// Householder reflectors.

package linalg

import "math"

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

// setFactor sets column t of T, whose earlier columns are set: (-tau T V'v, tau). V'v is in products, step apart.
// I - V T V' is the product of reflectors in the compact form of Schreiber & Van Loan 1989.
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
