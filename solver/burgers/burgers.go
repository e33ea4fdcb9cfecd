// Package burgers solves viscous Burgers' equation
//
//	u_t + (u^2/2)_x = nu u_xx,  u(0, .) = a,
//
// on the unit torus (eq. 3.1 of Nelsen & Stuart 2021).
package burgers

import (
	"fmt"

	"rfm/solver/fft"
	"rfm/solver/spectral"
)

// BlockSize is the number of trajectories that advance side by side, with one common step.
const BlockSize = spectral.BlockSize

// Solver and Worker are those of package spectral.
type (
	Solver = spectral.Solver
	Worker = spectral.Worker
)

// New prepares the equation with viscosity nu > 0 on the closed grid of K points, K at least 9. tolerance is the
// relative L2 error in time that a solution may have.
func New(viscosity, tolerance float64, K int) *Solver {
	if !(viscosity > 0) {
		panic(fmt.Sprintf("burgers: viscosity %g", viscosity))
	}
	plan := fft.NewPlan(K - 1)
	return spectral.New(spectral.Line(plan), spectral.Equation{
		Name:       "Burgers solver",
		Parameters: fmt.Sprintf("nu=%g", viscosity),
		Remedy:     "raise data.grid or the viscosity",
		Tolerance:  tolerance,
		Linear:     func(k spectral.Wave) float64 { return -viscosity * k[0] * k[0] },
		Factor:     func(k spectral.Wave) float64 { return -k[0] / 2 },
		Term:       spectral.Squares(plan),
	})
}
