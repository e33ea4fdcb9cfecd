// This file defines the predictor-corrector random features of Darcy flow, and evaluates them one by one.

package feature

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/activation"
	"rfm/solver/darcy"
	"rfm/solver/grid"
)

// PredictorCorrector is the predictor-corrector random feature pair of section 3.2 of Nelsen & Stuart 2021, which has
// one corrector sweep, or the same iteration with more sweeps. With P = (-Laplacian_h)^-1, zero on the boundary, and
// a_eps the mollified permeability,
//
//	p_0 = P[f/a + sigma(theta_1)],
//	p_(s+1) = P[f/a + sigma(theta_2) + grad log a_eps . grad p_s],  phi(a; theta) = p_Sweeps.
//
// The feature is affine in the two fields sigma(theta_1) and sigma(theta_2). With S1 = P sigma(theta_1) and
// S2 = P sigma(theta_2), which belong to the feature, L_a v = P[grad log a_eps . grad v] and B(a), the feature for
// sigma = 0, which belong to the input (see Untrained),
//
//	phi(a; theta) = B(a) + S2 + L_a S1,  with more sweeps B(a) + S2 + L_a(S2 + L_a(S2 + ... L_a S1)).
//
// On prepares training, Collapse builds a trained model.
type PredictorCorrector struct {
	Threshold Threshold
	Mollifier Mollifier
	Source    darcy.Source // f
	Theta     thetaPairs
	Sweeps    int // corrector sweeps; 0 is 1, as in the paper
	// of the fields sigma(theta), and so of the features: all other steps commute with motions of the square
	Symmetry
}

// sweepsOf returns the number of corrector sweeps, 1 for 0.
func sweepsOf(sweeps int) int {
	if sweeps < 0 {
		panic(fmt.Sprintf("feature: %d corrector sweeps", sweeps))
	}
	return max(1, sweeps)
}

// Threshold is the function sigma(x) = (Plus - Minus)/(1 + exp(-x/Delta)) + Minus, applied to theta (sigma_gamma
// in section 3.2 of the paper).
type Threshold struct {
	Plus, Minus float64 // limits at +inf and -inf
	Delta       float64 // width of the step, > 0
}

// Apply replaces every x[i] by sigma(x[i]), which does not depend on its neighbours.
func (s Threshold) Apply(x []float64) {
	if !(s.Delta > 0) {
		panic(fmt.Sprintf("feature: threshold of width %g", s.Delta))
	}
	for i := range x {
		x[i] /= s.Delta
	}
	sigmoid, _ := activation.ByName("sigmoid")
	sigmoid.Apply(x)
	height := s.Plus - s.Minus
	for i, v := range x {
		x[i] = height*v + s.Minus
	}
}

// PredictorCorrectorOf returns the configured map with the given parameters.
func PredictorCorrectorOf(c config.Config, theta thetaPairs) PredictorCorrector {
	f := c.Features
	return PredictorCorrector{
		Threshold: Threshold{Plus: f.Plus, Minus: f.Minus, Delta: f.Delta},
		Mollifier: Mollifier{Eta: f.Eta, Step: f.Step, Steps: f.Steps},
		Source:    darcy.Paper().Source,
		Sweeps:    f.Sweeps,
		Theta:     theta,
		Symmetry:  symmetryOf(c, false),
	}
}

// Domain is the closed square; Finest and Count are those of theta.
func (p PredictorCorrector) Domain() grid.Domain { return grid.Square }
func (p PredictorCorrector) Finest() int         { return p.Theta.R() }
func (p PredictorCorrector) Count() int          { return p.Theta.Count() }

// Calibrate returns the map itself, which does not depend on the inputs.
func (p PredictorCorrector) Calibrate(context.Context, grid.Batch, int) (Map, error) { return p, nil }

// Select implements Map.
func (p PredictorCorrector) Select(indices []int) Map {
	p.Theta = chosenPairs{Of: p.Theta, Indices: indices}
	return p
}

// Trained collapses the map.
func (p PredictorCorrector) Trained(ctx context.Context, coefficients []float64, workers int) (Trained, error) {
	return p.Collapse(ctx, coefficients, workers)
}

// Look implements Map.
func (p PredictorCorrector) Look(ctx context.Context, j int, input grid.Batch) (Look, error) {
	R := p.Theta.R()
	first, second := grid.NewBatch(grid.Square, R, 1), grid.NewBatch(grid.Square, R, 1)
	p.Theta.Read(first, second, j)
	theta, err := first.Restrict(input.Points)
	if err != nil {
		return Look{}, err
	}
	phi, err := alone(ctx, p, j, input)
	return Look{Theta: theta.Data, Values: phi}, err
}

// Untrained returns the part B(a) of all features with the given corrector sweeps, which depends on the input alone, as
// a model on the grid with the given points: the prediction before training.
func (p PredictorCorrector) Untrained(sweeps, points int) Trained {
	zero := make([]float64, points*points)
	return Collapsed{Mollifier: p.Mollifier, Source: p.Source, Sweeps: sweeps, Mean: 1, Sigma1: zero, Sigma2: zero}
}
