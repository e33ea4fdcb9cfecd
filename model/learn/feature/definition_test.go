package feature

import (
	"rfm/solver/num/fft"
	"rfm/solver/space/grid"
)

// Values evaluates feature j for one input, a field on the closed r x r grid, by its definition, solve by solve.
func (p PredictorCorrector) Values(j int, a []float64) ([]float64, error) {
	flow := newFlow(p.Mollifier, p.Source, grid.Square.PointsOf(a))
	first, second := p.reader(flow.r)(j)
	values, s := make([]float64, len(a)), flow.newScratch()
	if err := flow.prepare(s, a); err != nil {
		return nil, err
	}
	flow.evaluate(values, first, second, max(1, p.Sweeps), s)
	return values, nil
}

// evaluate sets dst to p_sweeps for the prepared permeability, sweeps >= 1, with first and second for sigma(theta_1)
// and sigma(theta_2); all are fields on the closed grid.
func (fl *flow) evaluate(dst, first, second []float64, sweeps int, s *predictorScratch) {
	rhs, gradients := s.inside[0], s.inside[1]
	fl.add(rhs, s.quotient, first)
	fl.poisson.Solve(dst, rhs)
	for range sweeps {
		fl.transport(gradients, s.slopes[0], s.slopes[1], dst)
		fl.add(rhs, s.quotient, second)
		for i, v := range gradients {
			rhs[i] += v
		}
		fl.poisson.Solve(dst, rhs)
	}
}

// add sets dst to x + y inside, where y is on the closed grid.
func (fl *flow) add(dst, x, y []float64) {
	r, n := fl.r, fl.points
	for i := range n {
		out, u, v := dst[i*n:(i+1)*n], x[i*n:(i+1)*n], y[(i+1)*r+1:(i+1)*r+1+n]
		for j := range out {
			out[j] = u[j] + v[j]
		}
	}
}

// values evaluates feature j for one prepared input.
func (e *spectralEvaluator) values(j int, input []float64) []float64 {
	s := e.newScratch()
	e.evaluate(s.panels, j/GroupSize, input, s)
	panel := s.panels[j%GroupSize/fft.Lanes]
	values := make([]float64, e.size.values)
	for x := range e.Points() {
		values[x] = panel[fft.Lanes*x+j%fft.Lanes]
	}
	e.complete(values)
	return values
}
