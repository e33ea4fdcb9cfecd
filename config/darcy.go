package config

// Darcy is the name of the problem of Darcy flow.
const Darcy = "darcy"

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
