// Package ks solves the Kuramoto-Sivashinsky equation
//
//	u_t + u u_x + u_xx + u_xxxx = 0,  u(0, .) = a,
//
// on a torus of length l, whose functions are given on the unit torus: u(x, t) = v(x/l, t). Long waves grow, short ones
// decay, and for l from 22 or so on solutions are chaotic: the distance of two grows by some e^0.04t for l = 22 and
// e^0.09t for long tori (R. A. Edson et al., ANZIAM Journal 61, 2019), and so do errors.
package ks

import (
	"fmt"

	"rfm/solver/fft"
	"rfm/solver/spectral"
)

// New prepares the equation on a torus of the given length, on the closed grid of K points, K at least 9. tolerance is
// the relative L2 error in time that a solution may have before chaos magnifies it. Functions of x in [0, length] are
// stored as functions of x/length. Solutions have a root mean square between 1 and 1.5 once they are chaotic.
func New(length, tolerance float64, K int) *spectral.Solver {
	if !(length > 0) {
		panic(fmt.Sprintf("ks: length %g", length))
	}
	plan := fft.NewPlan(K - 1)
	return spectral.New(spectral.Line(plan), spectral.Equation{
		Name:       "Kuramoto-Sivashinsky solver",
		Parameters: fmt.Sprintf("l=%g", length),
		Remedy:     "raise data.grid",
		Tolerance:  tolerance,
		Linear: func(k spectral.Wave) float64 {
			q := k[0] / length
			return q*q - q*q*q*q
		},
		Factor: func(k spectral.Wave) float64 { return -k[0] / (2 * length) },
		Growth: 0.25, // q^2 - q^4 at most; the nonlinear term conserves the norm
		Term:   spectral.Squares(plan),
	})
}
