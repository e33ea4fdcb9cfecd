package config

import (
	"fmt"
	"math"
)

// Burgers is the name of the problem of viscous Burgers' equation.
const Burgers = "burgers"

// Viscous is viscous Burgers' equation u_t + (u^2/2)_x = nu u_xx, section 3.1, on the torus of length Period; functions
// of x in [0, Period] are stored as functions of x/Period.
type Viscous struct{ Viscosity, Time, Period, Tolerance float64 }

var burgers = Problem{
	Name: Burgers, Operator: "initial condition a -> solution u(T, .) of viscous Burgers' equation on the torus",
	Dims: 1, Periodic: true, Maps: []string{Spectral}, Paper: true,
	Equation: func(c Config) string {
		return fmt.Sprintf("u_t + (u^2/2)_x = %g u_xx,  a = u(0),  u = u(%g)", c.Burgers.Viscosity, c.Burgers.Time)
	},
	Truth: func(c Config, outputs float64, cost *Cost) {
		// stepsAtTolerance is the number of time steps over T = 1 at tolerance 1e-8, which grows as tolerance^(-1/4).
		const stepsAtTolerance = 217
		N := float64(c.Data.Grid - 1)
		steps := stepsAtTolerance * c.Burgers.Time / c.Burgers.Period * math.Pow(1e-8/c.Burgers.Tolerance, 0.25)
		cost.TruthTransforms = outputs * steps * 8 * N * math.Log2(N) // four stages, transforms in both directions
	},
}
