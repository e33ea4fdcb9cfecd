// Householder reflectors.

package linalg

import "math"

// reflector computes tau and v, v[0] = 1, such that (I - tau v v') x = (beta, 0, ..., 0)', and overwrites x by v. Entries
// of the matrix are at most about 1: rests whose squares could underflow count as zero.
func (v kernels) reflector(x []float64) (tau, beta float64) {
	alpha := x[0]
	x[0] = 1
	rest := x[1:]
	norm := math.Sqrt(v.dot(rest, rest))
	if norm < 0x1p-450 {
		clear(rest)
		return 0, alpha
	}
	beta = -math.Copysign(math.Hypot(alpha, norm), alpha)
	scale(rest, 1/(alpha-beta))
	return (beta - alpha) / beta, beta
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
