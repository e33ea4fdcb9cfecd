// This file is what equations that evolve periodic functions have in common.

package config

import "math"

// evolving is what one begins with for an equation on the torus: the paper's sizes made smaller, and features that suit
// functions of any size.
func evolving(problem string, input Field) Config {
	return Config{
		Problem: problem,
		Seed:    1,
		Data: Data{Train: 256, Test: 512, Grid: 257, Input: "a", Output: "u", Layout: AutoLayout, Symmetry: AutoSymmetry,
			Skip: SkipNone, Endpoint: Included},
		Input: input,
		Features: Features{Kind: Spectral, Count: 512, Activation: "tanh", Gain: 1, RMS: 1, Bias: 0.8, Mean: KeepMean,
			Delta: 0.004, Beta: 5,
			Tau: 2.5, Alpha: 3.5},
		Train: Train{Grid: 129, Choice: LeaveOneOut, Method: RandomFeatures, Solver: NormalEquations,
			Rcond: MachineRcond},
		Evaluation: Evaluation{Baselines: true},
	}
}

// evolution counts so many time steps of the stepper on a grid of so many distinct values: four stages, there and back.
func evolution(values, steps float64, cost *Cost) {
	cost.TruthTransforms += steps * 8 * values * math.Log2(values)
}
