package ks

import (
	"rfm/solver/grf"
	"rfm/solver/spectral"
	"rfm/solver/truth"
)

// Problem is the operator a -> u(T, .) of the Kuramoto-Sivashinsky equation, with Gaussian inputs. Functions of x in
// [0, Length] are stored as functions of x/Length; the input's measure is one on the unit torus, too. Solutions have a
// root mean square between 1 and 1.5 once they are chaotic.
type Problem struct {
	Input     grf.Periodic
	Length    float64
	Time      float64 // T
	Steps     int     // see spectral.Problem
	Tolerance float64 // relative L2 error in time, before chaos magnifies it
	Points    int     // K of the grid on which a is drawn and u is computed
	Seed      uint64
}

// Operator prepares the problem. It panics as New does.
func (p Problem) Operator() truth.Operator {
	return spectral.Problem{
		Solver: func(K int) *spectral.Solver { return New(p.Length, p.Tolerance, K) },
		Inputs: func(K int) grf.Draws { return grf.NewSampler(p.Input, K) },
		Power:  p.Input.Eigenvalue,
		Time:   p.Time, Steps: p.Steps, Points: p.Points, Seed: p.Seed,
	}.Operator()
}
