// Package heat solves the heat equation
//
//	u_t = nu u_xx,  u(0, .) = a,
//
// on the unit torus, exactly on the trigonometric polynomial through the values of a.
package heat

import (
	"fmt"

	"rfm/solver/fft"
	"rfm/solver/spectral"
)

// New prepares the equation with diffusivity nu > 0 on the closed grid of K points, K at least 9.
func New(diffusivity float64, K int) *spectral.Solver {
	if !(diffusivity > 0) {
		panic(fmt.Sprintf("heat: diffusivity %g", diffusivity))
	}
	return spectral.New(spectral.Line(fft.NewPlan(K-1)), spectral.Equation{
		Name:       "Heat solver",
		Parameters: fmt.Sprintf("nu=%g", diffusivity),
		Remedy:     "raise data.grid",
		Tolerance:  1e-14, // rounding: in time the solution is exact
		Linear:     func(k spectral.Wave) float64 { return -diffusivity * k[0] * k[0] },
	})
}
