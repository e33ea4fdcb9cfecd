// This file defines the predictor-corrector random features of Darcy flow, and evaluates them one by one.

package feature

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/draw"
	"rfm/solver/num/activation"
	"rfm/solver/pde/darcy"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
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
// On prepares training, Trained builds a trained model.
type PredictorCorrector struct {
	Threshold Threshold
	Mollifier Mollifier
	Source    darcy.Source // f
	Theta     Pairs
	Sweeps    int // corrector sweeps; 0 is 1, as in the paper
	// of the fields sigma(theta), and so of the features: all other steps commute with motions of the square
	Symmetry
}

// Pairs are the parameters (theta_1j, theta_2j), j = 0 ... Count-1, on the closed R x R grid.
type Pairs struct {
	Count, R int
	// Read writes the parameters of index j to batches of one field each. It is safe for concurrent use.
	Read func(first, second grid.Batch, j int)
}

// batches allocates for some pairs.
func (t Pairs) batches(count int) (first, second grid.Batch) {
	first = grid.NewBatch(grid.Square, t.R, count)
	second = grid.NewBatch(grid.Square, t.R, count)
	return first, second
}

// drawnPairs draws m parameters from the measure on the closed r x r grid, whenever they are read, from the streams
// (seed, theta-predictor, j) and (seed, theta-corrector, j): the first m are the same for every m, and nothing is
// stored.
func drawnPairs(measure grf.Measure, seed uint64, m, r int) Pairs {
	sampler := measure.On(r)
	read := func(first, second grid.Batch, j int) {
		sampler.Draw(first, seed, draw.ThetaPredictor, j)
		sampler.Draw(second, seed, draw.ThetaCorrector, j)
	}
	return Pairs{Count: m, R: r, Read: read}
}

// storedPairs are given parameters: the two batches have equally many fields on the same grid.
func storedPairs(predictor, corrector grid.Batch) Pairs {
	read := func(first, second grid.Batch, j int) {
		copy(first.Data, predictor.At(j))
		copy(second.Data, corrector.At(j))
	}
	return Pairs{
		Count: predictor.Count,
		R:     predictor.Points,
		Read:  read,
	}
}

// reader returns a function, for one goroutine, that returns sigma(theta_1) and sigma(theta_2) of a feature on the
// r x r grid, which theta's grid contains, until the next call.
func (p PredictorCorrector) reader(r int) func(j int) (first, second []float64) {
	theta1, theta2 := p.Theta.batches(1)
	first := make([]float64, r*r)
	second := make([]float64, r*r)
	return func(j int) ([]float64, []float64) {
		p.Theta.Read(theta1, theta2, j)
		grid.Square.Sample(first, theta1.Data)
		grid.Square.Sample(second, theta2.Data)
		p.sigma(first)
		p.sigma(second)
		return first, second
	}
}

// sigma replaces a parameter theta_1 or theta_2 by its field.
func (p PredictorCorrector) sigma(theta []float64) {
	p.Threshold.Apply(theta)
	p.average(theta, grid.Square, grid.Square.PointsOf(theta))
}

// Threshold is the function sigma(x) = (Plus - Minus)/(1 + exp(-x/Delta)) + Minus, applied to theta (sigma_gamma
// in section 3.2 of the paper).
type Threshold struct {
	Plus, Minus float64 // limits at +inf and -inf
	Delta       float64 // width of the step, > 0
}

// Apply replaces every x[i] by sigma(x[i]), which does not depend on its neighbours.
func (s Threshold) Apply(x []float64) {
	for i := range x {
		x[i] /= s.Delta
	}
	sigmoid, _ := activation.ByName("sigmoid")
	sigmoid.Apply(x)
	floats.Scale(s.Plus-s.Minus, x)
	floats.AddConst(s.Minus, x)
}

// PredictorCorrectorOf returns the map of a law with the given parameters.
func PredictorCorrectorOf(law Law, theta Pairs) PredictorCorrector {
	return PredictorCorrector{
		Threshold: Threshold{
			Plus:  law.Plus,
			Minus: law.Minus,
			Delta: law.Delta,
		},
		Mollifier: Mollifier{
			Eta:   law.Eta,
			Step:  law.Step,
			Steps: law.Steps,
		},
		Source:   darcy.Paper().Source,
		Sweeps:   law.Sweeps,
		Theta:    theta,
		Symmetry: symmetryOf(law, false),
	}
}

// Domain is the closed square; Finest and Count are those of theta.
func (p PredictorCorrector) Domain() grid.Domain { return grid.Square }
func (p PredictorCorrector) Finest() int         { return p.Theta.R }
func (p PredictorCorrector) Count() int          { return p.Theta.Count }

// Calibrate returns the map itself, which does not depend on the inputs.
func (p PredictorCorrector) Calibrate(context.Context, grid.Batch, int) (Map, error) { return p, nil }

func (p PredictorCorrector) Select(indices []int) Map {
	all := p.Theta
	p.Theta.Count = len(indices)
	p.Theta.Read = func(first, second grid.Batch, j int) {
		all.Read(first, second, indices[j])
	}
	return p
}

func (p PredictorCorrector) Look(ctx context.Context, j int, input grid.Batch) (Look, error) {
	first, second := p.Theta.batches(1)
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
	return &Collapsed{
		Mollifier: p.Mollifier,
		Source:    p.Source,
		Sweeps:    sweeps,
		Mean:      1,
		Sigma1:    zero,
		Sigma2:    zero,
	}
}
