package config

import (
	"fmt"
	"math"
)

// Burgers is the name of the problem.
const Burgers = "burgers"

// Viscous is viscous Burgers' equation u_t + (u^2/2)_x = nu u_xx, section 3.1.
type Viscous struct {
	Viscosity float64 // nu (epsilon in the paper)
	Time      float64 // T, time at which the solution is the output
	// L: the equation holds on the torus of this length; functions of x in [0, L] are stored as functions of x/L
	Period    float64
	Tolerance float64 // relative L2 error allowed in u(T, .)
}

var burgers = Problem{
	Name: Burgers, Operator: "initial condition a -> solution u(T, .) of viscous Burgers' equation on the torus",
	Dims: 1, Periodic: true, Maps: []string{Spectral}, Paper: true,
	Keys: []Key{
		{Name: "burgers.viscosity", Symbol: "nu", Help: "viscosity", Min: 0, Max: 100, Above: true},
		{Name: "burgers.time", Symbol: "T", Help: "time of the output", Min: 0, Max: 1000, Above: true},
		{Name: "burgers.period", Symbol: "L", Help: "length of the torus: 1, or 6.283185307179586", Min: 0, Max: 1e6,
			Above: true},
		{Name: "burgers.tolerance", Help: "relative L2 error allowed in the truth", Min: 1e-12, Max: 1e-2, ours: true},
	},
	Presets: burgersPresets(),
	Equation: func(c Config) string {
		return fmt.Sprintf("u_t + (u^2/2)_x = %g u_xx,  a = u(0),  u = u(%g)", c.Burgers.Viscosity, c.Burgers.Time)
	},
	Truth: func(c Config, outputs float64, cost *Cost) {
		// The number of time steps over T = 1 at tolerance 1e-8 for the paper's inputs; it goes as tolerance^(-1/4).
		const stepsAtTolerance = 217
		N := float64(c.Data.Grid - 1)
		steps := stepsAtTolerance * c.Burgers.Time / c.Burgers.Period * math.Pow(1e-8/c.Burgers.Tolerance, 0.25)
		cost.TruthTransforms = outputs * steps * 8 * N * math.Log2(N) // four stages, there and back
	},
}

func burgersPresets() []Preset {
	paper := Config{
		Problem: Burgers,
		Seed:    1,
		Data: Data{Train: 512, Test: 4000, Grid: 1025, Input: "a", Output: "u", Layout: AutoLayout, Symmetry: AutoSymmetry,
			Skip: SkipNone, Endpoint: Included},
		Input:   Field{Tau: 7, Alpha: 2.5, Scale: 1},
		Burgers: Viscous{Viscosity: 1e-2, Time: 1, Period: 1, Tolerance: 1e-8},
		Features: Features{Kind: Spectral, Count: 1024, Activation: "elu", Gain: 1024, Mean: KeepMean, Delta: 0.0025,
			Beta: 4, Tau: 5, Alpha: 2},
		Train:      Train{Grid: 129, Choice: Given, Method: RandomFeatures, Rcond: MachineRcond},
		Evaluation: Evaluation{Baselines: true},
	}
	quick := paper
	quick.Data.Train, quick.Data.Test = 256, 512
	quick.Features.Count = 512
	fine := paper
	fine.Train.Grid = 1025
	fno := paper
	fno.Data.Train, fno.Data.Test = 1000, 200
	fno.Input = Field{Tau: 5, Alpha: 2, Scale: math.Sqrt(5)}
	fno.Burgers.Viscosity, fno.Burgers.Period = 0.1, 2*math.Pi
	tuned := adapted(paper, Features{Activation: "softplus", RMS: 2.5, Bias: 0.78, Delta: 0.023, Beta: 11.6, Tau: 0.74,
		Alpha: 3.2}, 1e-13)
	tuned.Train.Searched = 288 // two cores for 2 min 24 s
	fnoTuned := adapted(fno, Features{Activation: "softplus", RMS: 2.072, Bias: 1.226, Delta: 0.09675, Beta: 1.321,
		Tau: 16.05, Alpha: 5.547, Window: 0.1362, Spread: 0.0243}, 1e-15)
	return []Preset{
		{"quick", "the paper's experiment made smaller, a few seconds: n=256, m=512, K=129", quick, About{}},
		{"burgers", "the paper's Burgers experiment: n=512, m=1024, K=129", paper, About{}},
		{"burgers-fine", "the same, trained and tested on K=1025", fine, About{}},
		{"burgers-tuned", "the same data, features adapted to them by rfm tune", tuned, About{}},
		{"burgers-fno", "the paper's features on a second benchmark: nu=0.1, period 2 pi, n=1000", fno, About{}},
		{"burgers-fno-tuned", "the second benchmark, features adapted by rfm tune", fnoTuned, About{}},
	}
}
