package invert

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// chain is the law of the states of chains, and the functions of states. States are Gaussian functions with the law of
// the prior, or coefficients of the prior's leading functions e_k, in standard deviations.
type chain struct {
	mean []float64 // of the reference
	// draw writes draws of the reference, one for each chain.
	draw func(states [][]float64, step int)
	// excess returns the logarithm of the prior's density with respect to the reference at a state.
	excess func(state []float64) float64
	// functions returns the functions of states.
	functions func(states [][]float64) grid.Batch
	// potential returns minus the logarithm of the posterior's density, up to a constant, at a state with a misfit. It is
	// nil for functions, whose density does not exist.
	potential func(state []float64, misfit float64) float64
}

// prior returns the chain of functions with the prior as reference.
func (s *solver) prior() chain {
	join := func(states [][]float64) grid.Batch {
		return grid.BatchOf(s.Operator.Domain(), s.Points, slices.Concat(states...))
	}
	draw := func(states [][]float64, step int) {
		draws := s.functions(len(states))
		s.Prior.Draw(draws, s.Seed, purposeStates, step*len(states))
		for i := range states {
			copy(states[i], draws.At(i))
		}
	}
	return chain{
		mean:      s.functions(1).Data,
		draw:      draw,
		excess:    func([]float64) float64 { return 0 },
		functions: join,
	}
}

// states draws states of the reference, one for each chain, moves each by change, and evaluates them.
func (s *solver) states(ctx context.Context, c chain, step int, change func(i int, z []float64)) ([]state, error) {
	z := make([][]float64, s.Chains)
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
	all := make([]state, s.Chains)
	for i := range all {
		all[i] = state{
			z:      z[i],
			input:  inputs.At(i),
			misfit: s.misfit(outputs.At(i)),
			excess: c.excess(z[i]),
		}
	}
	return all, nil
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
//
// It returns the state that is the best of all that are kept: with the least potential, or else the least misfit.
func (s *solver) sample(ctx context.Context, c chain, found *Found) (best state, err error) {
	burn := s.Steps / 2
	unchanged := func(int, []float64) {}
	now, err := s.states(ctx, c, 0, unchanged)
	if err != nil {
		return best, err
	}
	hottest := 1.0
	if c.potential == nil { // the prior is the reference
		hottest = s.hottest(now)
	}
	kept := newMoments(s.functions(s.Chains))
	beta := 0.5
	taken := 0 // accepted steps that are kept
	least := math.Inf(1)
	for step := 1; step <= burn+s.Steps; step++ {
		keep := math.Sqrt(1 - beta*beta)
		propose := func(i int, z []float64) { // z is xi
			before := now[i].z
			for k, m := range c.mean {
				z[k] = m + keep*(before[k]-m) + beta*(z[k]-m)
			}
		}
		proposed, err := s.states(ctx, c, step, propose)
		if err != nil {
			return best, err
		}
		heat := 2 * s.Deviation * s.Deviation // by which misfits are divided
		if 3*step < burn {
			part := 3 * float64(step) / float64(burn) // of the steps with heat
			heat *= math.Pow(hottest, 1-part)
		}
		accepted := s.accept(now, proposed, heat, step)
		s.Progress(step, burn+s.Steps)
		if step <= burn {
			share := float64(accepted) / float64(s.Chains)
			beta = nextBeta(beta, share)
			continue
		}
		taken += accepted
		kept.count++
		for i, g := range now {
			kept.add(i, g.input)
			score := c.score(g)
			if score < least {
				least = score
				best = g
			}
		}
	}
	found.Accepted = float64(taken) / float64(s.Chains*s.Steps)
	found.Step = beta
	found.Mean, found.Deviation, found.Mixing = kept.summary()
	found.Samples = s.functions(s.Chains)
	for i, g := range now {
		copy(found.Samples.At(i), g.input)
	}
	return best, nil
}

// score returns the number by which states are compared: the potential, or else the misfit.
func (c chain) score(s state) float64 {
	if c.potential == nil {
		return s.misfit
	}
	return c.potential(s.z, s.misfit)
}

// hottest returns the largest mean square of what draws of the prior miss of the values, in units of the noise, and at
// least 1.
func (s *solver) hottest(drawn []state) float64 {
	hottest := 1.0
	unit := s.Deviation * s.Deviation * float64(len(s.Values))
	for _, d := range drawn {
		hottest = max(hottest, d.misfit/unit)
	}
	return hottest
}

// accept replaces states by proposed ones, each with its probability, and returns how many.
func (s *solver) accept(now, proposed []state, heat float64, step int) (accepted int) {
	random := draw.Stream(s.Seed, purposeSteps, step)
	for i, next := range proposed {
		before := now[i]
		gain := (before.misfit-next.misfit)/heat + next.excess - before.excess // of the logarithm of the density
		if math.Log(random.Float64()) < gain {
			now[i] = next
			accepted++
		}
	}
	return accepted
}

// nextBeta returns a larger beta if the share of accepted steps is above what is wanted, else a smaller one.
func nextBeta(beta, share float64) float64 {
	const wanted = 0.3
	beta *= math.Exp(0.2 * (share - wanted))
	return min(1, max(1e-4, beta))
}

// state is a state of a chain.
type state struct {
	z      []float64
	input  []float64
	misfit float64
	excess float64 // of the chain
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
	mean := m.means.At(chain)
	square := m.squares.At(chain)
	for x, v := range input {
		before := v - mean[x]
		mean[x] += before / float64(m.count)
		square[x] += before * (v - mean[x])
	}
}

// summary returns mean and deviation over all chains, and the potential scale reduction (Gelman & Rubin 1992) of
// variances that are integrals over the domain.
func (m *moments) summary() (mean, deviation grid.Batch, reduction float64) {
	chains := float64(m.means.Count)
	n := float64(m.count)
	mean = m.means.Like(1)
	deviation = m.means.Like(1)
	copy(mean.Data, m.means.Mean())
	within := make([]float64, mean.Values())  // mean variance of a chain
	between := make([]float64, mean.Values()) // variance of the chains' means
	for x := range within {
		for c := range m.means.Count {
			within[x] += m.squares.At(c)[x] / n / chains
			distance := m.means.At(c)[x] - mean.Data[x]
			between[x] += distance * distance / (chains - 1)
		}
		variance := within[x] + between[x]*(chains-1)/chains
		deviation.Data[x] = math.Sqrt(variance)
	}
	weights := mean.Domain.Weights(mean.Points)
	allWithin := floats.Dot(weights, within)
	allBetween := floats.Dot(weights, between)
	if allWithin > 0 {
		reduction = math.Sqrt((n-1)/n + allBetween/allWithin)
	}
	return mean, deviation, reduction
}
