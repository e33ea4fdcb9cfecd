// This file is the Kuramoto-Sivashinsky equation, a benchmark of chaotic operators.

package config

import (
	"fmt"
	"math"
)

// KS is the name of the problem.
const KS = "ks"

// Chaos is the Kuramoto-Sivashinsky equation u_t + u u_x + u_xx + u_xxxx = 0 on a torus of the given length.
type Chaos struct {
	Length    float64 // l: functions of x in [0, l] are stored as functions of x/l
	Time      float64 // T, time at which the solution is the output
	Steps     int     // inputs are states after 0 ... Steps-1 times T; 1: Gaussian functions
	Tolerance float64 // relative L2 error allowed in u(T, .), before chaos magnifies it
}

var ks = Problem{
	Name: KS, Operator: "initial state a -> state u(T, .) of the Kuramoto-Sivashinsky equation on a torus",
	Dims: 1, Periodic: true, Maps: []string{Spectral},
	Keys: []Key{
		{Name: "ks.length", Symbol: "l", Help: "length of the torus; from 22 on solutions are chaotic", Min: 0, Max: 1e4,
			Above: true, ours: true},
		{Name: "ks.time", Symbol: "T", Help: "time of the output", Min: 0, Max: 1000, Above: true, ours: true},
		alongTrajectories("ks.steps"),
		{Name: "ks.tolerance", Help: "relative L2 error allowed in the truth, before chaos magnifies it", Min: 1e-12,
			Max: 1e-2, ours: true},
	},
	Presets: ksPresets(),
	Equation: func(c Config) string {
		return fmt.Sprintf("u_t + u u_x + u_xx + u_xxxx = 0 on [0, %g],  a = u(0),  u = u(%g)", c.KS.Length, c.KS.Time)
	},
	Truth: func(c Config, outputs float64, cost *Cost) {
		const stepsAtTolerance = 210 // in a unit of time on a torus of length 22 at tolerance 1e-6
		evolution(float64(c.Data.Grid-1), alongSteps(outputs, c.KS.Steps)*stepsAtTolerance*c.KS.Time*
			math.Pow(1e-6/c.KS.Tolerance, 0.25), cost)
	},
}

func ksPresets() []Preset {
	c := evolving(KS, Field{Tau: 10, Alpha: 4, Scale: 5})
	c.KS = Chaos{Length: 22, Time: 5, Steps: 1, Tolerance: 1e-6}
	return []Preset{{"ks", "Kuramoto-Sivashinsky, a chaotic equation, on a torus of length 22: n=256, m=512, K=129", c, About{}}}
}
