// This file implements preconditioned conjugate gradients (Concus, Golub & O'Leary 1976), with the Poisson solver P as
// the preconditioner. The eigenvalues of P A lie between the least and the greatest permeability, so the number of
// steps does not depend on the grid.

package darcy

import (
	"context"
	"fmt"
	"math"
)

// slack is the largest relative error of grad u that verify accepts, in units of the tolerance.
const slack = 100

const (
	adviceOnContrast   = "lower the contrast of the permeability or raise the tolerance"
	adviceOnIterations = adviceOnContrast + ", or allow more iterations"
)

// iterate solves A u = b for the faces that are set. Conjugate gradients update the residual recursively, so that
// rounding errors separate it from b - A u if the contrast is high; they then restart from the true residual.
func (w *Worker) iterate(ctx context.Context, u []float64, label string) error {
	s := w.solver
	w.iterations = 0
	clear(u)
	if s.norm == 0 {
		return nil
	}
	copy(w.residual, s.rhs)
	size := s.norm
	goal := s.equation.Tolerance * s.norm
	limit := slack * s.equation.Tolerance
	for again := false; ; again = true {
		if err := w.descend(ctx, u, size, goal, label); err != nil {
			return err
		}
		var bound float64
		size, bound = w.verify(u)
		if bound <= limit {
			return nil
		}
		if again || math.IsNaN(bound) || math.IsInf(bound, 1) {
			what := fmt.Sprintf("rounding errors leave a relative error of up to %.2g in the gradient, want %.2g", bound, limit)
			return w.fault(label, what, adviceOnContrast)
		}
		goal = min(goal, size*limit/bound/2)
	}
}

// descend adds steps to u until the norm of the residual, initially size, is at most goal.
func (w *Worker) descend(ctx context.Context, u []float64, size, goal float64, label string) error {
	s := w.solver
	clear(w.direction)
	before := math.Inf(1) // r.P r of the last step; at first there is no direction
	for size > goal {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.iterations == s.equation.Iterations {
			what := fmt.Sprintf("the relative residual is %.2g after %d iterations, want %.2g",
				size/s.norm, w.iterations, goal/s.norm)
			return w.fault(label, what, adviceOnIterations)
		}
		s.poisson.Solve(w.conditioned, w.residual)
		product := s.kernels.dot(w.residual, w.conditioned)
		curvature := w.step(w.image, w.direction, w.conditioned, product/before)
		alpha := product / curvature
		isStep := alpha > 0 && alpha <= math.MaxFloat64
		if !(product > 0 && curvature > 0 && isStep) {
			what := fmt.Sprintf("conjugate gradients break down at relative residual %.2g: rounding errors hide that the "+
				"equation is positive definite", size/s.norm)
			return w.fault(label, what, adviceOnContrast)
		}
		squared := s.kernels.advance(u, w.residual, w.direction, w.image, alpha)
		size = math.Sqrt(squared)
		before = product
		w.iterations++
		if math.IsNaN(size) {
			return w.fault(label, "conjugate gradients overflow", adviceOnContrast)
		}
	}
	return nil
}

// verify computes the true residual and returns its norm and a bound of the relative error of grad u:
//
//	|grad (u - A^-1 b)| <= (r.P r)^(1/2) / min a,
//
// because A - min(a) P^-1 is positive semidefinite.
func (w *Worker) verify(u []float64) (size, bound float64) {
	s := w.solver
	for i := 1; i < s.r-1; i++ {
		w.applyRow(w.image, u, i)
	}
	for i, b := range s.rhs {
		w.residual[i] = b - w.image[i]
	}
	s.poisson.Solve(w.conditioned, w.residual)
	h := 1 / float64(s.r-1)
	energy := math.Sqrt(dot(w.residual, w.conditioned)) / h / w.least
	size = math.Sqrt(dot(w.residual, w.residual))
	return size, energy / math.Sqrt(slopes(u, s.r))
}
