// This file lists the operators that can be learned, except for those of equations as text.

package config

import (
	"fmt"
	"math"
)

// Names of the problems. Pairs of the last two come from files: the paper's non-intrusive setting.
const (
	Burgers   = "burgers"
	Darcy     = "darcy"
	Functions = "functions"
	Fields    = "fields"
)

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

// Flow is -div(a grad u) = 1 on the unit square, u = 0 on its boundary, with a permeability of two values, section 3.2.
type Flow struct {
	High, Low  float64 // values of a
	Face       string
	Tolerance  float64 // residual of the conjugate gradients relative to the right-hand side
	Iterations int
}

var darcy = Problem{
	Name: Darcy, Operator: "permeability a -> pressure u of Darcy flow on the unit square",
	Dims: 2, Maps: []string{PredictorCorrector, Spectral}, Paper: true,
	Words: map[string]string{
		"input.tau": "inverse length scale of the level set function", "input.alpha": "regularity of the level set function",
		"features.theta_file": "theta from this .npy (r, r, m, 2), not drawn",
	},
	Input:    "permeability a",
	Jumps:    true,
	Equation: func(Config) string { return "-div(a grad u) = 1,  u = 0 on the boundary" },
	Truth: func(c Config, outputs float64, cost *Cost) {
		// iterations is the number of conjugate gradient iterations for the paper's permeabilities at residual 1e-10,
		// iterationSolves the cost of each in units of one Poisson solve.
		const iterations, iterationSolves = 25, 2.3
		N := float64(c.Data.Grid - 1)
		cost.TruthPoints += outputs * iterations * iterationSolves * N * N
	},
}

var functions = Problem{
	Name: Functions, Operator: "any operator between functions of one variable, known by pairs in files",
	Dims: 1, Periodic: true, Files: true, Maps: []string{Spectral},
	Words: ownWords("grid of the data, both ends counted, 0 = as in the file or near it",
		"grid for training, 0 = the finest up to 129"),
}

var fields = Problem{
	Name: Fields, Operator: "any operator between fields on a rectangle, known by pairs in files",
	Dims: 2, Files: true, Maps: []string{Spectral},
	Words: ownWords("r x r grid of the data, 0 = as in the file", "r x r grid for training, 0 = the finest up to 33"),
	Truth: readFields,
}

// ownWords returns the help texts of keys that mean something else if pairs come from files.
func ownWords(dataGrid, trainGrid string) map[string]string {
	return map[string]string{
		"data.grid": dataGrid, "train.grid": trainGrid, "data.train_file": "training pairs: a file",
		"data.test_file": "test pairs; empty: a random part of the training pairs",
	}
}

// Channels returns the numbers of values that inputs and outputs have at each point.
func (c Config) Channels() (in, out int) { return max(1, c.Data.In), max(1, c.Data.Out) }

// readFields adds the cost of reading fields, which exceeds all other work before training.
func readFields(c Config, _ float64, cost *Cost) {
	cost.TruthPoints += 2 * float64(c.Data.Train+c.Data.Test) * float64(c.Data.Grid*c.Data.Grid) * c.stretch() * readSolves
}
