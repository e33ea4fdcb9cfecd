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
		Train: Train{Grid: 129, Choice: LeaveOneOut, Method: RandomFeatures,
			Rcond: MachineRcond},
		Evaluation: Evaluation{Baselines: true},
	}
}

// alongTrajectories is the key for inputs that are states as a model meets them that is applied again and again.
func alongTrajectories(name string) Key {
	return Key{Name: name, Help: "inputs are states after 0 ... this less 1 times T, in turn; 1 = as drawn", Min: 1,
		Max: 10000, ours: true, Step: Ones}
}

// alongSteps is how many solutions over T pairs take whose inputs are states along trajectories.
func alongSteps(outputs float64, steps int) float64 { return outputs * float64(steps+1) / 2 }

// evolution counts so many time steps of the stepper on a grid of so many distinct values: four stages, there and back.
func evolution(values, steps float64, cost *Cost) {
	cost.TruthTransforms += steps * 8 * values * math.Log2(values)
}
