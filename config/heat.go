package config

import "fmt"

// Heat is the name of the problem.
const Heat = "heat"

// Diffusion is u_t = nu u_xx.
type Diffusion struct {
	Diffusivity float64 // nu
	Time        float64 // T, time at which the solution is the output
}

var heat = Problem{
	Name: Heat, Operator: "initial temperature a -> temperature u(T, .) by the heat equation on the torus",
	Dims: 1, Periodic: true, Maps: []string{Spectral},
	Keys: []Key{
		{Name: "heat.diffusivity", Symbol: "nu", Help: "diffusivity", Min: 0, Max: 100, Above: true, ours: true},
		{Name: "heat.time", Symbol: "T", Help: "time of the output", Min: 0, Max: 1000, Above: true, ours: true},
	},
	Presets: heatPresets(),
	Equation: func(c Config) string {
		return fmt.Sprintf("u_t = %g u_xx,  a = u(0),  u = u(%g)", c.Heat.Diffusivity, c.Heat.Time)
	},
	Truth: func(c Config, outputs float64, cost *Cost) { evolution(float64(c.Data.Grid-1), outputs, cost) },
}

func heatPresets() []Preset {
	c := evolving(Heat, Field{Tau: 7, Alpha: 2.5, Scale: 1})
	c.Heat = Diffusion{Diffusivity: 0.01, Time: 0.1}
	return []Preset{{"heat", "the heat equation on the torus: n=256, m=512, K=129", c, About{}}}
}
