// This file is the derivative of trained models of predictor-corrector features.

package feature

import (
	"context"

	"rfm/solver/grid"
)

// flowDerivative is that of a model at one permeability a, whose iteration is linear in what depends on a:
//
//	dp_0 = P[dq],  dp_(s+1) = P[dq + g . grad dp_s + dg . grad p_s],
//	dq = -abar f v/a^2,  dg = grad (v_eps/a_eps),
//
// v_eps the direction as it is mollified. P and mollifying are self-adjoint, so the adjoint goes through the same steps
// from the last to the first.
type flowDerivative struct {
	*CollapsedEvaluator
	slopes   [2][]float64 // g, see PredictorScratch
	states   [][]float64  // p_0 ... p_(Sweeps-1)
	quotient []float64    // -abar f/a^2 inside
	inverse  []float64    // 1/a_eps on the closed grid
}

// Derivative is one of Trained. The coefficients are in the fields already.
func (c Collapsed) Derivative(ctx context.Context, _ []float64, input grid.Batch, workers int) (Derivative, error) {
	e, err := c.anywhere(input)
	if err != nil {
		return Derivative{}, err
	}
	value, err := e.predict(ctx, input, workers, nil)
	if err != nil {
		return Derivative{}, err
	}
	d, a, fl, s := &flowDerivative{CollapsedEvaluator: e}, input.Data, e.flow, e.NewScratch()
	d.inverse = make([]float64, len(a))
	fl.mollify(d.inverse, a)
	for x, v := range d.inverse {
		d.inverse[x] = 1 / v
	}
	p := make([]float64, len(a))
	if err := e.begin(p, a, s); err != nil {
		return Derivative{}, err
	}
	d.slopes = s.slopes
	for range e.sweeps {
		d.states = append(d.states, append([]float64(nil), p...))
		e.next(p, s)
	}
	n := fl.points
	d.quotient = append([]float64(nil), s.quotient...)
	for x := range d.quotient {
		d.quotient[x] /= -a[(x/n+1)*fl.r+1+x%n]
	}
	return Derivative{Value: value, In: input, Forward: d.forward, Backward: d.backward}, nil
}

func (d *flowDerivative) forward() func(dst, v []float64) {
	fl := d.flow
	s, logs := fl.newScratch(), make([]float64, fl.r*fl.r)
	first, second, source, moved := s.slopes[0], s.slopes[1], s.quotient, s.inside[0]
	return func(dst, v []float64) {
		fl.mollify(logs, v)
		for x, w := range d.inverse {
			logs[x] *= w
		}
		fl.gradient(first, second, logs)
		n := fl.points
		for x, q := range d.quotient {
			source[x] = q * v[(x/n+1)*fl.r+1+x%n]
		}
		fl.poisson.Solve(dst, source)
		for _, p := range d.states {
			rhs := s.inside[1]
			fl.transport(rhs, d.slopes[0], d.slopes[1], dst)
			fl.transport(moved, first, second, p)
			for x := range rhs {
				rhs[x] += source[x] + moved[x]
			}
			fl.poisson.Solve(dst, rhs)
		}
	}
}

func (d *flowDerivative) backward() func(dst, w []float64) {
	fl := d.flow
	r, n := fl.r, fl.points
	solved, field := make([]float64, r*r), make([]float64, r*r)
	s := fl.newScratch()
	first, second, source, rhs := s.slopes[0], s.slopes[1], s.quotient, s.inside[0]
	return func(dst, w []float64) {
		clear(first)
		clear(second)
		clear(source)
		for i := range n {
			copy(rhs[i*n:(i+1)*n], w[(i+1)*r+1:])
		}
		for step := len(d.states); ; step-- {
			fl.poisson.Solve(solved, rhs)
			for x := range source {
				source[x] += solved[(x/n+1)*r+1+x%n]
			}
			if step == 0 {
				break
			}
			p := d.states[step-1]
			for x := range source { // grad p times what it is multiplied with
				at := (x/n+1)*r + 1 + x%n
				first[x] += solved[at] * (p[at+r] - p[at-r])
				second[x] += solved[at] * (p[at+1] - p[at-1])
			}
			clear(field)
			fl.scatter(field, d.slopes[0], d.slopes[1], solved, 1)
			for i := range n { // p is zero on the boundary
				copy(rhs[i*n:(i+1)*n], field[(i+1)*r+1:])
			}
		}
		clear(field)
		for x := range solved {
			solved[x] = 1
		}
		fl.scatter(field, first, second, solved, fl.unit())
		for x, v := range d.inverse {
			field[x] *= v
			if i := x / r; i == 0 || i == r-1 { // weights of quadrature are smaller there
				field[x] *= 2
			}
			if j := x % r; j == 0 || j == r-1 {
				field[x] *= 2
			}
		}
		fl.mollify(dst, field)
		for x, q := range d.quotient {
			dst[(x/n+1)*r+1+x%n] += q * source[x]
		}
	}
}

// scatter is the adjoint of taking differences across each point inside: it adds g and h, times values and unit, to the
// points on one side and takes them off those on the other.
func (fl *flow) scatter(field, g, h, values []float64, unit float64) {
	r, n := fl.r, fl.points
	for x := range g {
		at := (x/n+1)*r + 1 + x%n
		a, b := unit*g[x]*values[at], unit*h[x]*values[at]
		field[at+r] += a
		field[at-r] -= a
		field[at+1] += b
		field[at-1] -= b
	}
}
