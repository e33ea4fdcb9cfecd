// This file is the Navier-Stokes equations on the periodic square: an operator that is far dearer to solve for than to
// evaluate a model of.

package config

import (
	"fmt"
	"math"
)

// NavierStokes is the name of the problem.
const NavierStokes = "navier-stokes"

// Vorticity is w_t + v . grad w = nu Laplacian w + f, f = Force (sin 2 pi (x1+x2) + cos 2 pi (x1+x2)).
type Vorticity struct {
	Viscosity float64 // nu
	Force     float64
	Time      float64 // T, time at which the vorticity is the output
	Steps     int     // inputs are states after 0 ... Steps-1 times T; 1: Gaussian fields
	Tolerance float64 // relative L2 error allowed in w(T, .)
}

var navierStokes = Problem{
	Name: NavierStokes, Operator: "initial vorticity a -> vorticity u(T, .) of a fluid on the periodic square",
	Dims: 2, Periodic: true, Maps: []string{Spectral}, Input: "vorticity a",
	Keys: []Key{
		{Name: "navier-stokes.viscosity", Symbol: "nu", Help: "viscosity", Min: 0, Max: 100, Above: true, ours: true},
		{Name: "navier-stokes.force", Help: "amplitude of the force", Min: 0, Max: 100, ours: true},
		{Name: "navier-stokes.time", Symbol: "T", Help: "time of the output", Min: 0, Max: 1000, Above: true, ours: true},
		alongTrajectories("navier-stokes.steps"),
		{Name: "navier-stokes.tolerance", Help: "relative L2 error allowed in the truth", Min: 1e-12, Max: 1e-2, ours: true},
	},
	Presets: navierStokesPresets(),
	Equation: func(c Config) string {
		return fmt.Sprintf("w_t + v.grad w = %g Laplacian w + f,  a = w(0),  u = w(%g)", c.NavierStokes.Viscosity,
			c.NavierStokes.Time)
	},
	Truth: func(c Config, outputs float64, cost *Cost) {
		const stepsAtTolerance = 10 // in a unit of time at tolerance 1e-4, with twice the transforms of one dimension
		evolution(float64((c.Data.Grid-1)*(c.Data.Grid-1)),
			alongSteps(outputs, c.NavierStokes.Steps)*stepsAtTolerance*c.NavierStokes.Time, cost)
	},
}

func navierStokesPresets() []Preset {
	// N(0, 2 7^3 (-Laplacian + 49)^-2.5), as the published data are
	c := evolving(NavierStokes, Field{Tau: 7, Alpha: 2.5, Scale: math.Sqrt2})
	c.Data.Train, c.Data.Test, c.Data.Grid, c.Data.Endpoint, c.Train.Grid = 256, 64, 65, "", 33
	c.Train.Offset = true // the force moves with nothing
	c.NavierStokes = Vorticity{Viscosity: 1e-3, Force: 0.1, Time: 5, Steps: 1, Tolerance: 1e-4}
	return []Preset{{"navier-stokes", "vorticity of a fluid on the periodic square, the published setting: n=256, r=33",
		c, About{}}}
}
