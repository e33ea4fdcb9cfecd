// This file evaluates the predictor-corrector iteration without random fields: what the features know before training.

package feature

import "rfm/solver/darcy"

// Sweeps is the iteration that predictor-corrector features begin,
//
//	p_0 = P[f/a],  p_(k+1) = P[f/a + grad log a_eps . grad p_k],
//
// on one grid: p_s is B(a), the part that belongs to the input, of features with s sweeps. It is immutable and safe for
// concurrent use.
type Sweeps struct{ flow *flow }

// NewSweeps prepares the iteration on the closed r x r grid. The error is the Poisson solver's.
func NewSweeps(m Mollifier, f darcy.Source, r int) (*Sweeps, error) {
	flow, err := newFlow(m, f, r)
	if err != nil {
		return nil, err
	}
	return &Sweeps{flow}, nil
}

// NewScratch allocates working memory.
func (e *Sweeps) NewScratch() *PredictorScratch { return e.flow.newScratch() }

// Evaluate writes p_sweeps to dst; dst and a are fields on the closed grid. The error is a *fault.Data if a is not
// positive and finite, or a *fault.Numerical if mollifying spoils it.
func (e *Sweeps) Evaluate(dst, a []float64, sweeps int, s *PredictorScratch) error {
	if err := e.flow.prepare(s, a); err != nil {
		return err
	}
	e.flow.poisson.Solve(dst, s.quotient)
	for range sweeps {
		e.flow.sweep(dst, dst, s)
	}
	return nil
}
