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

// reference is the Gaussian posterior for the operator's derivative J at the most probable input, approximated by the
// leading functions e_k of the prior: with B_jk = H_j J sqrt(lambda_k) e_k it has the mean m = sum_j c_j k_j, k_j =
// sum_k B_jk sqrt(lambda_k) e_k, and the covariance C - sum_ij k_i (B B' + s^2)^-1_ij k_j.
type reference struct {
	at           grid.Batch   // the most probable input
	mean         grid.Batch   // m
	rows         grid.Batch   // sum_k B_jk e_k / sqrt(lambda_k): its inner product with f is H_j J f
	columns      grid.Batch   // k_j
	coefficients []float64    // c
	centre       []float64    // H J m
	system       mat.Cholesky // of B B' + s^2
}

// measured returns H J g.
func (r *reference) measured(g []float64) []float64 {
	values := make([]float64, r.rows.Count)
	for j := range values {
		values[j] = r.rows.Domain.Inner(r.rows.At(j), g)
	}
	return values
}

const (
	mostIterations = 50
	converged      = 1e-6 // relative change of the input, in L2

	mostModes  = 256  // modes of the prior along which derivatives are taken
	leastMode  = 1e-6 // variance of a mode relative to the first
	difference = 1e-4 // in standard deviations of a mode
)

// modes are leading functions of the prior, and the square roots of their variances.
type modes struct {
	functions  grid.Batch
	deviations []float64
}

func leading(prior grf.Expanding) modes {
	var m modes
	functions, lambda := prior.Leading(mostModes)
	for _, v := range lambda {
		if v >= leastMode*lambda[0] {
			m.deviations = append(m.deviations, math.Sqrt(v))
		}
	}
	m.functions = functions.First(len(m.deviations))
	return m
}

// derivative returns B at an input a, by central differences, and H F(a): one batch of 2 M + 1 predictions for M modes.
func (s *solver) derivative(ctx context.Context, a grid.Batch, m modes) (b *mat.Dense, values []float64, err error) {
	M := m.functions.Count
	inputs := a.Like(2*M + 1)
	for i := range inputs.Count {
		copy(inputs.At(i), a.Data)
		if i < 2*M {
			floats.AddScaled(inputs.At(i), float64(1-2*(i%2))*difference*m.deviations[i/2], m.functions.At(i/2))
		}
	}
	outputs, err := s.Operator.Predict(ctx, inputs, s.Workers, nil)
	if err != nil {
		return nil, nil, err
	}
	b = mat.NewDense(len(s.Places), M, nil)
	for j := range s.Places {
		for k := range M {
			b.Set(j, k, (s.observe.at(j, outputs.At(2*k))-s.observe.at(j, outputs.At(2*k+1)))/(2*difference))
		}
		values = append(values, s.observe.at(j, outputs.At(2*M)))
	}
	return b, values, nil
}

// expanded returns the functions sum_k B_jk f(d_k) e_k, d_k the deviations.
func (m modes) expanded(b *mat.Dense, f func(deviation float64) float64) grid.Batch {
	p, M := b.Dims()
	weighed := mat.NewDense(p, M, nil)
	weighed.Apply(func(_, k int, v float64) float64 { return v * f(m.deviations[k]) }, b)
	sums := m.functions.Like(p)
	mat.NewDense(p, sums.Values(), sums.Data).Mul(weighed, mat.NewDense(M, sums.Values(), m.functions.Data))
	return sums
}

// newton minimises |y - H F(a)|^2/(2 s^2) + |a|^2/2, in the norm of the covariance, from the mean of the prior:
// Gauss-Newton steps, shortened until the sum falls. An iterate is a combination of the columns before it, so its norm
// is known without the inverse of the covariance.
func (s *solver) newton(ctx context.Context, prior grf.Expanding) (ref reference, iterations int, err error) {
	a, square := s.functions(1), 0.0 // of the norm
	domain, p, variance, modes := a.Domain, len(s.Places), s.Deviation*s.Deviation, leading(prior)
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
		b, predicted, err := s.derivative(ctx, a, modes)
		if err != nil {
			return ref, iterations, err
		}
		ref = reference{coefficients: make([]float64, p)}
		ref.rows = modes.expanded(b, func(d float64) float64 { return 1 / d })
		ref.columns = modes.expanded(b, func(d float64) float64 { return d })
		products, shifted := mat.NewSymDense(p, nil), mat.NewSymDense(p, nil)
		products.SymOuterK(1, b)
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
			right.SetVec(i, y-predicted[i]+along[i])
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
