// This file is transport along the torus, the simplest operator there is: its solution is known exactly.

package config

import (
	"fmt"
	"math"
)

// Advection is the name of the problem.
const Advection = "advection"

// Transport is u_t + c(x) u_x = 0 with the speed c(x) = Speed + Variation sin 2 pi x.
type Transport struct {
	Speed, Variation float64
	Time             float64 // T, time at which the solution is the output
	Tolerance        float64 // relative L2 error allowed in u(T, .)
}

var advection = Problem{
	Name: Advection, Operator: "initial condition a -> solution u(T, .) of the transport equation on the torus",
	Dims: 1, Periodic: true, Maps: []string{Spectral},
	Keys: []Key{
		{Name: "advection.speed", Symbol: "c0", Help: "mean speed", Min: -100, Max: 100, ours: true},
		{Name: "advection.variation", Symbol: "c1",
			Help: "variation of the speed with x; features cannot follow it, see the warning", Min: -100, Max: 100, ours: true},
		{Name: "advection.time", Symbol: "T", Help: "time of the output", Min: 0, Max: 1000, Above: true, ours: true},
		{Name: "advection.tolerance", Help: "relative L2 error allowed in the truth", Min: 1e-12, Max: 1e-2, ours: true},
	},
	Presets: advectionPresets(),
	Equation: func(c Config) string {
		speed := fmt.Sprintf("%g", c.Advection.Speed)
		if c.Advection.Variation != 0 {
			speed = fmt.Sprintf("(%g%+g sin 2 pi x)", c.Advection.Speed, c.Advection.Variation)
		}
		return fmt.Sprintf("u_t + %s u_x = 0,  a = u(0),  u = u(%g)", speed, c.Advection.Time)
	},
	Truth: func(c Config, outputs float64, cost *Cost) {
		const stepsAtTolerance = 12 // for each interval in a unit of time at speed 1 and tolerance 1e-6
		speed := math.Abs(c.Advection.Speed) + math.Abs(c.Advection.Variation)
		steps := stepsAtTolerance * float64(c.Data.Grid-1) * speed * c.Advection.Time *
			math.Pow(1e-6/c.Advection.Tolerance, 0.25)
		evolution(float64(c.Data.Grid-1), outputs*max(1, steps), cost)
	},
}

func advectionPresets() []Preset {
	constant := evolving(Advection, Field{Tau: 7, Alpha: 4, Scale: 1})
	constant.Advection = Transport{Speed: 1, Time: 0.25, Tolerance: 1e-6}
	variable := constant
	variable.Advection.Variation = 0.5
	return []Preset{
		{"advection", "transport along the torus at constant speed: n=256, m=512, K=129", constant, About{}},
		{"advection-variable", "the same at a speed that varies with x, which needs features that know where they are",
			variable, About{}},
	}
}
