package rfm

import (
	"context"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Posterior is the Gaussian posterior of the coefficients for outputs with independent normal noise of variance s^2 at
// each point, and a Gaussian prior in the place of lambda: its mean is the trained model. The variance of a prediction
// is
//
//	Var F(a)(x) = s^2 h(a, x),  h(a, x) = weight/m phi(a)(x)' (G + lambda I)^-1 phi(a)(x),
//
// weight that of a point in sums over points. Summed over points and training pairs, the leverages h are the number of
// coefficients that the pairs decide, the trace of (G + lambda I)^-1 G.
type Posterior struct {
	evaluator feature.Evaluator
	factor    *linalg.Cholesky
}

// Posterior factors the matrix of the sums for all features of the evaluator, lambda > 0. Errors are a
// *fault.Numerical, and ctx's.
func (n *Normal) Posterior(ctx context.Context, e feature.Evaluator, lambda float64, workers int) (*Posterior, error) {
	factor, err := linalg.Factor(ctx, n.Gram(e.Count()), lambda, workers)
	if err != nil {
		return nil, solveFault(err, e.Count(), Regularisation{Lambda: lambda})
	}
	return &Posterior{e, factor}, nil
}

// Leverages are h(a, x) for inputs on the evaluator's grid: Points numbers for each, one for each row of the feature
// matrix, which has the root of its weight on closed domains. Errors are the evaluator's, and ctx's. The result does
// not depend on workers.
func (p *Posterior) Leverages(ctx context.Context, inputs grid.Batch, workers int) ([][]float64, error) {
	e := p.evaluator
	prepared, err := e.Prepare(inputs)
	if err != nil {
		return nil, err
	}
	rows, m := e.Points(), e.Count()
	target, all := make([]float64, rows), make([][]float64, inputs.Count)
	err = parallel.For(ctx, workers, inputs.Count, func(_, i int) error {
		features, ignored, train := linalg.NewPanels(rows, m), make([]float64, m), e.NewTrainer()
		for g := range e.Groups() {
			train(features, 0, g, prepared[i*e.InputSize():(i+1)*e.InputSize()], target, ignored)
		}
		at := func(j, x int) float64 { return features.Panel(j / fft.Lanes)[fft.Lanes*x+j%fft.Lanes] }
		solved := make([]float64, m*rows)
		for j := range m {
			for x := range rows {
				solved[j*rows+x] = at(j, x)
			}
		}
		if err := p.factor.SolveMany(ctx, solved, rows, 1); err != nil {
			return err
		}
		all[i] = make([]float64, rows)
		for j := range m {
			for x := range rows {
				all[i][x] += e.Weight() / float64(m) * at(j, x) * solved[j*rows+x]
			}
		}
		return nil
	})
	return all, err
}
