package invert

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// chain is the law of the states of chains, and the functions of states. States are Gaussian functions with the law of
// the prior, or coefficients of the prior's leading functions e_k, in standard deviations.
type chain struct {
	mean []float64
	// draw writes draws of the reference, one for each chain; excess returns the logarithm of the prior's density with
	// respect to the reference at a state, and functions the functions of states.
	draw      func(states [][]float64, step int)
	excess    func(state []float64) float64
	functions func(states [][]float64) grid.Batch
}

// prior returns the chain of functions with the prior as reference.
func (s *solver) prior() chain {
	join := func(states [][]float64) grid.Batch {
		return grid.BatchOf(s.Operator.Domain(), s.Points, slices.Concat(states...))
	}
	return chain{mean: s.functions(1).Data, excess: func([]float64) float64 { return 0 }, functions: join,
		draw: func(states [][]float64, step int) {
			draws := s.functions(len(states))
			s.Prior.Draw(draws, s.Seed, purposeStates, step*len(states))
			for i := range states {
				copy(states[i], draws.At(i))
			}
		}}
}

const (
	mostIterations = 50
	converged      = 1e-6 // relative change of the coefficients

	mostModes  = 256  // leading functions of the prior
	leastMode  = 1e-6 // variance of the last one relative to the first
	difference = 1e-4 // of coefficients, for derivatives
)

// newton finds the most probable coefficients z of the prior's leading functions, the minimum of
//
//	|y - H F(sum_k z_k sqrt(lambda_k) e_k)|^2 / (2 s^2) + |z|^2 / 2,
//
// by Gauss-Newton steps from 0, shortened until the sum falls. It returns their function, and the chain with the
// Gaussian posterior of the derivative B there as reference: its covariance is the inverse of 1 + B'B/s^2.
func (s *solver) newton(ctx context.Context, prior grf.Expanding) (best grid.Batch, c chain, iterations int,
	err error) {
	modes, lambda := prior.Leading(mostModes)
	M := len(lambda)
	for M > 1 && lambda[M-1] < leastMode*lambda[0] {
		M--
	}
	expansion := mat.NewDense(M, modes.Values(), slices.Clone(modes.First(M).Data))
	for k := range M {
		floats.Scale(math.Sqrt(lambda[k]), expansion.RawRowView(k))
	}
	functions := func(states [][]float64) grid.Batch {
		all := s.functions(len(states))
		coefficients := mat.NewDense(len(states), M, slices.Concat(states...))
		mat.NewDense(len(states), all.Values(), all.Data).Mul(coefficients, expansion)
		return all
	}
	p, variance := len(s.Places), s.Deviation*s.Deviation
	objective := func(z []float64) (float64, error) {
		u, err := s.Operator.Predict(ctx, functions([][]float64{z}), s.Workers, nil)
		if err != nil {
			return 0, err
		}
		return s.misfit(u.At(0))/(2*variance) + floats.Dot(z, z)/2, nil
	}
	z := make([]float64, M)
	value, err := objective(z)
	for iterations = 1; err == nil; iterations++ {
		states := [][]float64{z}
		for k := range M {
			for _, h := range []float64{difference, -difference} {
				states = append(states, slices.Clone(z))
				states[len(states)-1][k] += h
			}
		}
		outputs, err := s.Operator.Predict(ctx, functions(states), s.Workers, nil)
		if err != nil {
			return best, c, iterations, err
		}
		b, right := mat.NewDense(p, M, nil), mat.NewVecDense(p, nil)
		for j, y := range s.Values {
			for k := range M {
				b.Set(j, k, (s.observe.at(j, outputs.At(1+2*k))-s.observe.at(j, outputs.At(2+2*k)))/(2*difference))
			}
			right.SetVec(j, y-s.observe.at(j, outputs.At(0))+floats.Dot(b.RawRowView(j), z))
		}
		precision, mean := mat.NewSymDense(M, nil), mat.NewVecDense(M, nil)
		precision.SymOuterK(1/variance, b.T())
		for k := range M {
			precision.SetSym(k, k, precision.At(k, k)+1)
		}
		var factor mat.Cholesky
		mean.MulVec(b.T(), right)
		mean.ScaleVec(1/variance, mean)
		if !factor.Factorize(precision) || factor.SolveVecTo(mean, mean) != nil {
			return best, c, iterations, &fault.Numerical{Where: "inversion", What: "the linearised problem is singular",
				Do: "raise the noise, or give fewer places"}
		}
		to, moved := mean.RawVector().Data, false
		for step := 1.0; step > 1e-4 && !moved; step /= 2 {
			trial := make([]float64, M)
			floats.AddScaledTo(trial, trial, 1-step, z)
			floats.AddScaled(trial, step, to)
			v, err := objective(trial)
			if err != nil {
				return best, c, iterations, err
			}
			if v < value {
				moved = floats.Distance(trial, z, 2) > converged*floats.Norm(z, 2)
				if z, value = trial, v; !moved {
					break
				}
			}
		}
		if !moved || iterations == mostIterations {
			return functions([][]float64{z}), s.gaussian(to, precision, &factor, functions), iterations, nil
		}
	}
	return best, c, iterations, err
}

// gaussian returns the chain of coefficients with the reference of a mean and a precision.
func (s *solver) gaussian(mean []float64, precision *mat.SymDense, factor *mat.Cholesky,
	functions func([][]float64) grid.Batch) chain {
	upper := new(mat.TriDense)
	factor.UTo(upper)
	return chain{mean: mean, functions: functions, excess: func(z []float64) float64 {
		d := mat.NewVecDense(len(z), floats.SubTo(make([]float64, len(z)), z, mean))
		return (mat.Inner(d, precision, d) - floats.Dot(z, z)) / 2
	}, draw: func(states [][]float64, step int) {
		random := draw.Stream(s.Seed, purposeStates, step)
		for _, state := range states {
			for k := range state {
				state[k] = random.NormFloat64()
			}
			z := mat.NewVecDense(len(state), state)
			if err := z.SolveVec(upper, z); err != nil {
				panic("invert: " + err.Error()) // factor.Factorize has found it positive definite
			}
			floats.Add(state, mean)
		}
	}}
}

// sample makes chains by preconditioned Crank-Nicolson steps
//
//	z' = m + sqrt(1 - beta^2) (z - m) + beta (xi - m),
//
// xi a draw of a Gaussian reference with mean m (Cotter, Roberts, Stuart & White 2013; with the posterior of the
// derivative as reference Rudolf & Sprungk 2018). A step is accepted with the probability min(1, exp(l(z') - l(z))), l
// the logarithm of the posterior's density with respect to the reference. So the chains have the posterior for any
// reference. All chains advance together. In steps that are not kept, beta follows the share of accepted steps, and in
// the first third of them, if the prior is the reference, the misfit has less weight.
func (s *solver) sample(ctx context.Context, c chain, found *Found) error {
	const wanted = 0.3 // share of accepted steps
	burn, variance := s.Steps/2, s.Deviation*s.Deviation
	type state struct {
		z              []float64
		input          []float64
		misfit, excess float64
	}
	// take sets states to draws of the reference, moved by change, with their inputs and densities.
	take := func(step int, change func(i int, z []float64)) ([]state, error) {
		z, all := make([][]float64, s.Chains), make([]state, s.Chains)
		for i := range z {
			z[i] = make([]float64, len(c.mean))
		}
		c.draw(z, step)
		for i := range z {
			change(i, z[i])
		}
		inputs := c.functions(z)
		if s.Input != nil {
			s.Input(inputs.Data)
		}
		outputs, err := s.Operator.Predict(ctx, inputs, s.Workers, nil)
		if err != nil {
			return nil, err
		}
		for i := range all {
			all[i] = state{z[i], inputs.At(i), s.misfit(outputs.At(i)), c.excess(z[i])}
		}
		return all, nil
	}
	now, err := take(0, func(int, []float64) {})
	if err != nil {
		return err
	}
	hottest := 1.0
	for _, d := range now {
		if !found.Probable {
			hottest = max(hottest, d.misfit/(variance*float64(len(s.Values))))
		}
	}
	kept := newMoments(s.functions(s.Chains))
	beta, taken, least := 0.5, 0, math.Inf(1)
	for step := 1; step <= burn+s.Steps; step++ {
		keep := math.Sqrt(1 - beta*beta)
		proposed, err := take(step, func(i int, z []float64) {
			for k, m := range c.mean {
				z[k] = m + keep*(now[i].z[k]-m) + beta*(z[k]-m)
			}
		})
		if err != nil {
			return err
		}
		random, accepted := draw.Stream(s.Seed, purposeSteps, step), 0
		heat := 2 * variance
		if 3*step < burn {
			heat *= math.Pow(hottest, 1-3*float64(step)/float64(burn))
		}
		for i, next := range proposed {
			if math.Log(random.Float64()) < (now[i].misfit-next.misfit)/heat+next.excess-now[i].excess {
				now[i] = next
				accepted++
			}
		}
		s.Progress(step, burn+s.Steps)
		if step <= burn {
			beta = min(1, max(1e-4, beta*math.Exp(0.2*(float64(accepted)/float64(s.Chains)-wanted))))
			continue
		}
		taken += accepted
		kept.count++
		for i, g := range now {
			kept.add(i, g.input)
			if !found.Probable && g.misfit < least {
				least, found.Best = g.misfit, s.functions(1)
				copy(found.Best.Data, g.input)
			}
		}
	}
	found.Accepted, found.Step = float64(taken)/float64(s.Chains*s.Steps), beta
	found.Mean, found.Deviation, found.Mixing = kept.summary()
	found.Samples = s.functions(s.Chains)
	for i, g := range now {
		copy(found.Samples.At(i), g.input)
	}
	return nil
}

// moments holds the means of the inputs of each chain so far, and the sums of squared distances from them. Sums of
// squares of the inputs themselves would lose the digits of a posterior that is narrow beside its mean.
type moments struct {
	count   int        // inputs of each chain
	means   grid.Batch // a function for each chain
	squares grid.Batch
}

func newMoments(zero grid.Batch) *moments {
	return &moments{means: zero, squares: zero.Like(zero.Count)}
}

// add takes the next input of a chain, of which there are count with it (Welford 1962).
func (m *moments) add(chain int, input []float64) {
	mean, square := m.means.At(chain), m.squares.At(chain)
	for x, v := range input {
		before := v - mean[x]
		mean[x] += before / float64(m.count)
		square[x] += before * (v - mean[x])
	}
}

// summary returns mean and deviation over all chains, and the potential scale reduction (Gelman & Rubin 1992) of
// variances that are integrals over the domain.
func (m *moments) summary() (mean, deviation grid.Batch, reduction float64) {
	chains, n := float64(m.means.Count), float64(m.count)
	mean, deviation = m.means.Like(1), m.means.Like(1)
	copy(mean.Data, m.means.Mean())
	within := make([]float64, mean.Values())  // mean variance of a chain
	between := make([]float64, mean.Values()) // variance of the chains' means
	for x := range within {
		for c := range m.means.Count {
			within[x] += m.squares.At(c)[x] / n / chains
			distance := m.means.At(c)[x] - mean.Data[x]
			between[x] += distance * distance / (chains - 1)
		}
		deviation.Data[x] = math.Sqrt(within[x] + between[x]*(chains-1)/chains)
	}
	weights := mean.Domain.Weights(mean.Points)
	if w := floats.Dot(weights, within); w > 0 {
		reduction = math.Sqrt((n-1)/n + floats.Dot(weights, between)/w)
	}
	return mean, deviation, reduction
}
