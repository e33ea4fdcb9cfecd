package navierstokes

import (
	"math"

	"rfm/solver/grf"
	"rfm/solver/spectral"
	"rfm/solver/truth"
)

// Problem is the operator from vorticities a to w(T, .), with Gaussian inputs.
type Problem struct {
	Input     grf.Field
	Viscosity float64
	Amplitude float64 // of the force, see Diagonal; 0 is none
	Time      float64 // T
	Steps     int     // see spectral.Problem
	Tolerance float64 // relative L2 error in time
	Points    int     // r along an axis of the grid on which a is drawn and w is computed
	Seed      uint64
}

// The factors to draws of grf.Field{Tau: 7, Alpha: 2.5} that make the measure of the published inputs.
var (
	ScalePrinted = math.Pow(7, -0.75) // N(0, 7^(3/2) (-Laplacian + 49)^-2.5), as the article says
	// N(0, 2 7^3 (-Laplacian + 49)^-2.5), which its authors' program draws: 6.1 times as large
	ScaleComputed = math.Sqrt2
)

// Operator prepares the problem. It panics as New does.
func (p Problem) Operator() truth.Operator {
	var force Force
	if p.Amplitude != 0 {
		force = Diagonal(p.Amplitude)
	}
	return spectral.Problem{
		Solver: func(r int) *spectral.Solver { return New(p.Viscosity, force, p.Tolerance, r) },
		Inputs: func(r int) grf.Draws { return grf.NewFieldSampler(p.Input, r) },
		Time:   p.Time, Steps: p.Steps, Points: p.Points, Seed: p.Seed,
	}.Operator()
}
