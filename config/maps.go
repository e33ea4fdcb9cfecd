package config

import (
	"fmt"
	"strings"
)

// A Map describes a value of features.kind, a feature map, to other packages. Package feature computes the map of the
// same name. A new map needs a row in featureMaps here.
type Map struct {
	Name string
	// Points reports that rows of the feature matrix are points of the grid, some of which can stand for all.
	Points bool
	// Solves reports that features start an iteration that solves the equation, at the cost of several solutions.
	Solves bool
	// Formula returns the feature for display: symbols, each with the text after it.
	Formula func(c Config) [][2]string
	start   func() Config // initial features if the problem's preset has others
	paper   func() Config // the features of the paper
}

var featureMaps = []Map{
	{Name: Spectral, Points: true, Formula: spectralFormula, start: fields.Start, paper: burgers.Start},
	{Name: PredictorCorrector, Solves: true, Formula: predictorFormula, start: darcy.Start, paper: darcy.Start},
}

// Map returns the feature map of the configuration. Validate refuses unknown ones.
func (c Config) Map() Map {
	for _, m := range featureMaps {
		if m.Name == c.Features.Kind {
			return m
		}
	}
	return Map{}
}

func predictorFormula(c Config) [][2]string {
	corrector := "phi"
	if c.Features.Sweeps > 1 {
		corrector = fmt.Sprintf("phi, %d times,", c.Features.Sweeps)
	}
	return [][2]string{{"p0", "= P[f/a + sigma(theta_1)],  P = (-Laplacian)^-1,  theta_i ~ N(0, C')"},
		{corrector, "= P[f/a + sigma(theta_2) + grad log a_eps . grad p0]"}}
}

func spectralFormula(c Config) [][2]string {
	f := c.Features
	inside, rest := fmt.Sprintf("%g F^-1[ chi  F a  F theta ]", f.Gain), "theta ~ N(0, C')"
	if f.RMS > 0 {
		inside = "gain F^-1[ chi  F a  F theta ]"
	}
	if f.Bias > 0 {
		inside += " + b"
		rest += fmt.Sprintf(",  b ~ N(0, %g^2)", f.Bias)
	}
	if f.RMS > 0 {
		rest += fmt.Sprintf(",  rms %g", f.RMS)
	}
	if f.Mean == RemoveMean {
		rest += ",  no mean"
	}
	return [][2]string{{"phi(a; theta)", fmt.Sprintf("= %s( %s ),  %s", strings.ToUpper(f.Activation), inside, rest)}}
}
