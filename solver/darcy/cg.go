// This file iterates: preconditioned conjugate gradients (Concus, Golub & O'Leary 1976), with the Poisson solver P as
// the preconditioner. The eigenvalues of P A lie between the least and the greatest permeability, so the number of
// steps does not depend on the grid.

package darcy

import (
	"context"
	"fmt"
	"math"
)

// slack is how many times the tolerance the relative error of grad u may be by the bound of verify.
const slack = 100

const adviceOnContrast = "lower the contrast of the permeability, raise the tolerance or allow more iterations"

// iterate solves A u = b for the faces that are set.
func (w *Worker) iterate(ctx context.Context, u []float64, label string) error {
	s := w.solver
	w.iterations = 0
	clear(u)
	if s.norm == 0 {
		return nil
	}
	copy(w.residual, s.rhs)
	clear(w.direction)
	goal, before := s.equation.Tolerance*s.norm, math.Inf(1)
	for size := s.norm; size > goal; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.iterations == s.equation.Iterations {
			return w.fault(label, fmt.Sprintf("the relative residual is %.2g after %d iterations, want %.2g", size/s.norm, w.iterations, s.equation.Tolerance), adviceOnContrast)
		}
		s.poisson.Solve(w.conditioned, w.residual)
		product := s.kernels.dot(w.residual, w.conditioned)
		curvature := w.step(w.image, w.direction, w.conditioned, product/before)
		alpha := product / curvature
		if !(product > 0 && curvature > 0 && alpha > 0 && alpha <= math.MaxFloat64) {
			return w.fault(label, fmt.Sprintf("conjugate gradients break down at relative residual %.2g: rounding errors hide that the equation is positive definite", size/s.norm), adviceOnContrast)
		}
		size = math.Sqrt(s.kernels.advance(u, w.residual, w.direction, w.image, alpha))
		before = product
		w.iterations++
		if math.IsNaN(size) {
			return w.fault(label, "conjugate gradients overflow", adviceOnContrast)
		}
	}
	return w.verify(u, label)
}

// verify bounds the error of the solution. Conjugate gradients update the residual r without looking at the solution,
// from which it drifts away by rounding errors if the contrast is high. The true one gives
//
//	|grad (u - A^-1 b)| <= (r.P r)^(1/2) / min a,
//
// because A - min(a) P^-1 is positive semidefinite.
func (w *Worker) verify(u []float64, label string) error {
	s := w.solver
	w.apply(w.image, u)
	for i, b := range s.rhs {
		w.residual[i] = b - w.image[i]
	}
	s.poisson.Solve(w.conditioned, w.residual)
	h := 1 / float64(s.r-1)
	bound := math.Sqrt(dot(w.residual, w.conditioned)) / h / w.least / math.Sqrt(slopes(u, s.r))
	if !(bound <= slack*s.equation.Tolerance) {
		return w.fault(label, fmt.Sprintf("rounding errors leave a relative error of up to %.2g in the gradient, want %.2g", bound, slack*s.equation.Tolerance), adviceOnContrast)
	}
	return nil
}
