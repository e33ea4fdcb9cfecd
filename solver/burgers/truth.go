package burgers

import (
	"rfm/solver/grf"
	"rfm/solver/spectral"
	"rfm/solver/truth"
)

// Problem is the operator a -> u(T, .) of Burgers' equation on the torus of length Period, with Gaussian inputs.
// Functions of x in [0, Period] are stored as functions of x/Period.
type Problem struct {
	Input     grf.Periodic
	Viscosity float64
	Time      float64 // T
	Period    float64
	Tolerance float64 // relative L2 error in time
	Points    int     // K of the grid on which a is drawn and u is computed
	Seed      uint64
}

// Operator prepares the problem. On a torus of length L the equation for functions of x/L and t/L is the one of the
// unit torus with viscosity nu/L. It panics as New does.
func (p Problem) Operator() truth.Operator {
	return spectral.Problem{
		Solver: func(K int) *spectral.Solver { return New(p.Viscosity/p.Period, p.Tolerance, K) },
		Inputs: func(K int) grf.Draws { return grf.NewSampler(p.Input, K) },
		Power:  p.Input.Eigenvalue,
		Time:   p.Time, Unit: p.Period, Points: p.Points, Seed: p.Seed,
	}.Operator()
}
