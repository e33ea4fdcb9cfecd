// This file finds the most probable input.

package invert

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/fault"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// reference is the Gaussian posterior of the operator's derivative at the most probable input: of mean
// m = sum_j c_j k_j, k_j = C J* H*_j, and covariance C - sum_ij k_i (A + s^2)^-1_ij k_j, A_ij = <J* H*_i, k_j>.
type reference struct {
	at           grid.Batch   // the most probable input
	mean         grid.Batch   // m
	rows         grid.Batch   // J* H*_j, whose inner product with a function is H_j J of it
	columns      grid.Batch   // k_j
	coefficients []float64    // c
	centre       []float64    // H J m
	system       mat.Cholesky // of A + s^2
}

// measured are the H J of a function.
func (r *reference) measured(g []float64) []float64 {
	values := make([]float64, r.rows.Count)
	for j := range values {
		values[j] = r.rows.Domain.Inner(r.rows.At(j), g)
	}
	return values
}

const (
	mostIterations = 50
	converged      = 1e-6 // change of the input relative to it, in L2
)

// newton minimises |y - H F(a)|^2/(2 s^2) + |a|^2/2, the norm that of the covariance, from the mean of the prior on:
// Gauss-Newton steps, as long as they have to be for the sum to fall. An iterate is a combination of the columns before
// it, so its norm is known without the inverse of the covariance.
func (s *solver) newton(ctx context.Context, covariance grf.Covarying) (ref reference, iterations int, err error) {
	a, square := s.functions(1), 0.0 // of the norm
	domain, p, variance := a.Domain, len(s.Places), s.Deviation*s.Deviation
	functionals := s.observe.functionals()
	objective := func(a grid.Batch, square float64) (float64, error) {
		_, u, err := s.outputs(ctx, a)
		if err != nil {
			return 0, err
		}
		return s.misfit(u.At(0))/(2*variance) + square/2, nil
	}
	value, err := objective(a, 0)
	if err != nil {
		return ref, 0, err
	}
	for iterations = 1; ; iterations++ {
		d, err := s.Operator.Derivative(ctx, a, s.Workers)
		if err != nil {
			return ref, iterations, err
		}
		ref = reference{coefficients: make([]float64, p)}
		if ref.rows, err = d.Adjoint(ctx, functionals, s.Workers); err != nil {
			return ref, iterations, err
		}
		ref.columns = ref.rows.Like(p)
		for j := range p {
			covariance.Covary(ref.columns.At(j), ref.rows.At(j))
		}
		products := mat.NewSymDense(p, nil)
		for i := range p {
			for j := i; j < p; j++ {
				products.SetSym(i, j, domain.Inner(ref.rows.At(i), ref.columns.At(j)))
			}
		}
		shifted := mat.NewSymDense(p, nil)
		shifted.CopySym(products)
		for i := range p {
			shifted.SetSym(i, i, shifted.At(i, i)+variance)
		}
		if !ref.system.Factorize(shifted) {
			return ref, iterations, singular()
		}
		along := ref.measured(a.At(0))
		right := mat.NewVecDense(p, nil)
		for i, y := range s.Values {
			right.SetVec(i, y-s.observe.at(i, d.Value.At(0))+along[i])
		}
		c := mat.NewVecDense(p, ref.coefficients)
		if err := ref.system.SolveVecTo(c, right); err != nil {
			return ref, iterations, singular()
		}
		ref.mean = a.Like(1)
		for j, v := range ref.coefficients {
			floats.AddScaled(ref.mean.Data, v, ref.columns.At(j))
		}
		next, between := mat.Inner(c, products, c), floats.Dot(ref.coefficients, along) // squared norm, inner product
		moved := false
		for step := 1.0; step > 1e-4 && !moved; step /= 2 {
			trial := a.Like(1)
			floats.AddScaledTo(trial.Data, trial.Data, 1-step, a.Data)
			floats.AddScaled(trial.Data, step, ref.mean.Data)
			norm := (1-step)*(1-step)*square + 2*step*(1-step)*between + step*step*next
			v, err := objective(trial, norm)
			if err != nil {
				return ref, iterations, err
			}
			if moved = v < value; moved {
				change := math.Sqrt(domain.Distance2(trial.At(0), a.At(0)))
				a, square, value = trial, norm, v
				moved = change > converged*math.Sqrt(domain.Inner(a.At(0), a.At(0)))
				if !moved {
					break
				}
			}
		}
		if !moved || iterations == mostIterations {
			ref.at, ref.centre = a, ref.measured(ref.mean.At(0))
			return ref, iterations, nil
		}
	}
}

func singular() error {
	return &fault.Numerical{Where: "inversion", What: "the linearised problem is singular",
		Do: "raise the noise, or give fewer places"}
}
