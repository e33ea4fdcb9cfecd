// Package setup makes the generators of data and the random feature pairs that a configuration describes.
package setup

import (
	"fmt"

	"rfm/config"
	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/solver/darcy"
	"rfm/solver/dataset"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// periodic is the measure on periodic functions of a field of the configuration.
func periodic(tau, alpha float64) grf.Periodic { return grf.Periodic{Tau: tau, Alpha: alpha} }

// BurgersInput is the measure of the initial conditions.
func BurgersInput(c config.Config) grf.Periodic { return periodic(c.Input.Tau, c.Input.Alpha) }

// BurgersTheta is the measure of the parameters of Fourier space features.
func BurgersTheta(c config.Config) grf.Periodic { return periodic(c.Features.Tau, c.Features.Alpha) }

// Burgers generates pairs of Burgers' equation on the data grid, with outputs at the given times.
func Burgers(c config.Config, times ...float64) dataset.Burgers {
	return dataset.Burgers{Input: BurgersInput(c), Viscosity: c.Burgers.Viscosity, Tolerance: c.Burgers.Tolerance, Times: times, K: c.Data.Grid, Seed: c.Seed}
}

// Fourier is the Fourier space random feature pair with the given draws of theta. It panics on an activation that
// config.Validate refuses.
func Fourier(c config.Config, theta grid.Batch) feature.Fourier {
	f := c.Features
	sigma, ok := activation.ByName(f.Activation)
	if !ok {
		panic(fmt.Sprintf("setup: no activation %q", f.Activation))
	}
	return feature.Fourier{Filter: feature.Filter{Delta: f.Delta, Beta: f.Beta}, Activation: sigma, Gain: f.Gain, Count: f.Count, Theta: theta}
}

// DarcyInput is the measure of the level set functions.
func DarcyInput(c config.Config) grf.Neumann {
	return grf.Neumann{Tau: c.Input.Tau, Alpha: c.Input.Alpha, Axis: c.Input.Axis}
}

// DarcyTheta is the measure of the parameters of predictor-corrector features.
func DarcyTheta(c config.Config) grf.Neumann {
	return grf.Neumann{Tau: c.Features.Tau, Alpha: c.Features.Alpha, Axis: c.Features.Axis}
}

// Darcy generates pairs of Darcy flow on the data grid.
func Darcy(c config.Config) dataset.Darcy {
	equation := darcy.Paper()
	equation.Tolerance, equation.Iterations = c.Darcy.Tolerance, c.Darcy.Iterations
	if c.Darcy.Face == "harmonic" {
		equation.Mean = darcy.Harmonic
	}
	return dataset.Darcy{Input: DarcyInput(c), Level: darcy.LevelSet{Plus: c.Darcy.High, Minus: c.Darcy.Low}, Equation: equation, R: c.Data.Grid, Seed: c.Seed}
}

// Predictor is the predictor-corrector random feature pair with the given parameters.
func Predictor(c config.Config, theta feature.ThetaPairs) feature.Predictor {
	f := c.Features
	return feature.Predictor{
		Threshold: feature.Threshold{Plus: f.Plus, Minus: f.Minus, Delta: f.Delta},
		Mollifier: feature.Mollifier{Eta: f.Eta, Step: f.Step, Steps: f.Steps},
		Source:    darcy.Paper().Source,
		Theta:     theta,
	}
}
