package heat

import (
	"rfm/solver/grf"
	"rfm/solver/spectral"
	"rfm/solver/truth"
)

// Problem is the operator a -> u(T, .) of the heat equation, with Gaussian inputs.
type Problem struct {
	Input       grf.Periodic
	Diffusivity float64
	Time        float64 // T
	Points      int     // K of the grid on which a is drawn and u is computed
	Seed        uint64
}

// Operator prepares the problem. It panics as New does.
func (p Problem) Operator() truth.Operator {
	return spectral.Problem{
		Solver: func(K int) *spectral.Solver { return New(p.Diffusivity, K) },
		Inputs: func(K int) grf.Draws { return grf.NewSampler(p.Input, K) },
		Power:  p.Input.Eigenvalue,
		Time:   p.Time, Points: p.Points, Seed: p.Seed,
	}.Operator()
}
