// This file defines the predictor-corrector random features of Darcy flow, and evaluates them one by one.

package feature

import (
	"fmt"

	"rfm/model/activation"
	"rfm/solver/darcy"
	"rfm/solver/grid"
)

// Predictor is the predictor-corrector random feature pair of section 3.2 of Nelsen & Stuart 2021. With
// P = (-Laplacian_h)^-1, zero on the boundary, and a_eps the mollified permeability,
//
//	p0 = P[f/a + sigma(theta_1)],
//	phi(a; theta) = P[f/a + sigma(theta_2) + grad log a_eps . grad p0].
//
// The feature is affine in the two fields sigma(theta_1) and sigma(theta_2). With S1 = P sigma(theta_1),
// S2 = P sigma(theta_2), which belong to the feature, and B(a) = P[f/a + grad log a_eps . grad P[f/a]], which belongs to
// the input,
//
//	phi(a; theta) = B(a) + S2 + P[grad log a_eps . grad S1].
//
// On prepares training, Collapse makes a trained model.
type Predictor struct {
	Threshold Threshold
	Mollifier Mollifier
	Source    darcy.Source // f
	Theta     ThetaPairs
}

// Threshold is the function sigma(x) = (Plus - Minus)/(1 + exp(-x/Delta)) + Minus, applied to theta (sigma_gamma
// in section 3.2 of the paper).
type Threshold struct {
	Plus, Minus float64 // limits at +inf and -inf
	Delta       float64 // width of the step, > 0
}

// PaperThreshold is sigma with the paper's limits 1/12 and -1/3 and width 0.15.
func PaperThreshold() Threshold { return Threshold{Plus: 1. / 12, Minus: -1. / 3, Delta: 0.15} }

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

// Values evaluates feature j for one input, a field on the closed r x r grid, by its definition with two solves. Errors
// are those of On and Prepare.
func (p Predictor) Values(j int, a []float64) ([]float64, error) {
	flow, err := newFlow(p.Mollifier, p.Source, grid.Side(len(a)))
	if err != nil {
		return nil, err
	}
	pair, err := newPairReader(p, flow.r)
	if err != nil {
		return nil, err
	}
	first, second := pair.read(j)
	values, s := make([]float64, len(a)), flow.newScratch()
	if err := flow.prepare(s, a); err != nil {
		return nil, err
	}
	flow.evaluate(values, first, second, s)
	return values, nil
}
