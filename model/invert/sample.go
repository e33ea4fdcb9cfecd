// This file samples the posterior.

package invert

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/draw"
	"rfm/solver/grid"
)

// sample makes chains by preconditioned Crank-Nicolson steps
//
//	g' = m + sqrt(1 - beta^2) (g - m) + beta (xi - m),
//
// xi a draw of a Gaussian reference with mean m (Cotter, Roberts, Stuart & White 2013; with the posterior of the
// derivative as reference Rudolf & Sprungk 2018). The default reference is the prior. A step is accepted with the
// probability min(1, exp(l(g') - l(g))), l the logarithm of the posterior's density with respect to the reference. So
// the chains have the posterior for any reference. All chains advance together. In steps that are not kept, beta
// follows the share of accepted steps, and in the first third of them, if the prior is the reference, the misfit has
// less weight.
func (s *solver) sample(ctx context.Context, ref reference, found *Found) error {
	const wanted = 0.3 // share of accepted steps
	chains, variance := s.Chains, s.Deviation*s.Deviation
	burn := s.Steps / 2
	states, err := s.proposals(ref, 0)
	if err != nil {
		return err
	}
	inputs, outputs, err := s.outputs(ctx, states)
	if err != nil {
		return err
	}
	now := s.densities(ref, states, outputs)
	hottest := 1.0
	for _, d := range now {
		if ref.rows.Count == 0 {
			hottest = max(hottest, d.misfit/(variance*float64(len(s.Values))))
		}
	}
	m := newMoments(states)
	beta, taken, least := 0.5, 0, math.Inf(1)
	for step := 1; step <= burn+s.Steps; step++ {
		proposed, err := s.proposals(ref, step)
		if err != nil {
			return err
		}
		keep := math.Sqrt(1 - beta*beta)
		for i := range chains {
			to, from := proposed.At(i), states.At(i)
			for x, v := range to {
				centre := ref.mean.Data[x]
				to[x] = centre + keep*(from[x]-centre) + beta*(v-centre)
			}
		}
		newInputs, newOutputs, err := s.outputs(ctx, proposed)
		if err != nil {
			return err
		}
		random, accepted := draw.Stream(s.Seed, purposeSteps, step), 0
		heat := 2 * variance
		if 3*step < burn {
			heat *= math.Pow(hottest, 1-3*float64(step)/float64(burn))
		}
		for i, next := range s.densities(ref, proposed, newOutputs) {
			if math.Log(random.Float64()) < (now[i].misfit-next.misfit)/heat+next.rest-now[i].rest {
				copy(states.At(i), proposed.At(i))
				copy(inputs.At(i), newInputs.At(i))
				now[i] = next
				accepted++
			}
		}
		s.Progress(step, burn+s.Steps)
		if step <= burn {
			beta = min(1, max(1e-4, beta*math.Exp(0.2*(float64(accepted)/float64(chains)-wanted))))
			continue
		}
		taken += accepted
		m.add(inputs)
		for i, g := range now {
			if !found.Probable && g.misfit < least {
				least, found.Best = g.misfit, inputs.Take([]int{i})
			}
		}
	}
	found.Accepted, found.Step = float64(taken)/float64(chains*s.Steps), beta
	found.Mean, found.Deviation, found.Mixing = m.summary()
	found.Samples = inputs
	return nil
}

// densities are the logarithms of the posterior's density with respect to the reference, in two parts: the misfit,
// which counts by -1/(2 s^2), and the rest.
type densities struct{ misfit, rest float64 }

func (s *solver) densities(ref reference, states, outputs grid.Batch) []densities {
	all := make([]densities, states.Count)
	for i := range all {
		all[i].misfit = s.misfit(outputs.At(i))
		for j, v := range ref.measured(states.At(i)) {
			d := v - ref.centre[j]
			all[i].rest += d*d/(2*s.Deviation*s.Deviation) - ref.coefficients[j]*v
		}
	}
	return all
}

// proposals returns draws of the reference, one for each chain: m + xi - sum_j k_j d_j, (A + s^2) d = H J xi + noise,
// xi draws of the prior (Matheron's rule).
func (s *solver) proposals(ref reference, step int) (grid.Batch, error) {
	draws := s.functions(s.Chains)
	s.Prior.Draw(draws, s.Seed, purposeStates, step*s.Chains)
	p := ref.rows.Count
	if p == 0 {
		return draws, nil
	}
	random, right, d := draw.Stream(s.Seed, purposeNoise, step), mat.NewVecDense(p, nil), mat.NewVecDense(p, nil)
	for i := range draws.Count {
		g := draws.At(i)
		for j, v := range ref.measured(g) {
			right.SetVec(j, v+s.Deviation*random.NormFloat64())
		}
		if err := ref.system.SolveVecTo(d, right); err != nil {
			return draws, singular()
		}
		floats.Add(g, ref.mean.Data)
		for j := range p {
			floats.AddScaled(g, -d.AtVec(j), ref.columns.At(j))
		}
	}
	return draws, nil
}

// moments holds sums of inputs and of their squares, chain by chain.
type moments struct {
	sums, squares grid.Batch
	count         float64
}

func newMoments(like grid.Batch) *moments {
	return &moments{sums: like.Like(like.Count), squares: like.Like(like.Count)}
}

func (m *moments) add(inputs grid.Batch) {
	m.count++
	for x, v := range inputs.Data {
		m.sums.Data[x] += v
		m.squares.Data[x] += v * v
	}
}

// summary returns mean and deviation over all chains, and the potential scale reduction (Gelman & Rubin 1992) of
// variances that are integrals over the domain.
func (m *moments) summary() (mean, deviation grid.Batch, reduction float64) {
	n, chains := m.count, float64(m.sums.Count)
	mean, deviation = m.sums.Like(1), m.sums.Like(1)
	within, between := make([]float64, mean.Values()), make([]float64, mean.Values())
	for x := range within {
		for c := range m.sums.Count {
			mean.Data[x] += m.sums.At(c)[x] / n / chains
		}
		for c := range m.sums.Count {
			own := m.sums.At(c)[x] / n
			within[x] += max(0, m.squares.At(c)[x]/n-own*own) / chains
			between[x] += (own - mean.Data[x]) * (own - mean.Data[x]) / (chains - 1)
		}
		deviation.Data[x] = math.Sqrt(within[x] + between[x]*(chains-1)/chains)
	}
	weights := mean.Domain.Weights(mean.Points)
	if w := floats.Dot(weights, within); w > 0 {
		reduction = math.Sqrt((n-1)/n + floats.Dot(weights, between)/w)
	}
	return mean, deviation, reduction
}
