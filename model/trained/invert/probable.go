// This file finds the most probable input.

package invert

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Status tells how the search for the most probable input ended.
type Status string

// The statuses.
const (
	converged Status = "converged"       // the last step was far smaller than the coefficients
	stalled   Status = "stalled"         // no step lowers the potential, although the linearised problem proposes one
	limited   Status = "iteration limit" // the potential was still falling
	sampled   Status = "sampled"         // nothing was minimised: the result is the sample that fits best
)

const (
	mostIterations = 50
	smallChange    = 1e-6 // relative change of the coefficients

	mostModes  = 256  // leading functions of the prior
	leastMode  = 1e-6 // variance of the last one relative to the first
	difference = 1e-4 // of coefficients, for derivatives

	startDraws = 64 // draws of the prior among which searches begin
	descents   = 3  // searches
	// purposeStarts names the stream of these draws.
	purposeStarts draw.Purpose = "invert-starts" // index: 0
)

// potential is minus the logarithm of the posterior's density of the coefficients z of the prior's leading functions, in
// standard deviations:
//
//	|y - H F(sum_k z_k sqrt(lambda_k) e_k)|^2 / (2 s^2) + |z|^2 / 2.
type potential struct {
	*solver
	expansion *mat.Dense     // M x values: row k is sqrt(lambda_k) e_k
	panels    *linalg.Panels // the same
	variance  float64        // s^2
}

func (s *solver) newPotential(prior grf.Expanding) *potential {
	modes, lambda := prior.Leading(mostModes)
	count := len(lambda)
	for count > 1 && lambda[count-1] < leastMode*lambda[0] {
		count--
	}
	leading := slices.Clone(modes.First(count).Data)
	p := &potential{
		solver:    s,
		expansion: mat.NewDense(count, modes.Values(), leading),
		variance:  s.Deviation * s.Deviation,
	}
	for k := range count {
		floats.Scale(math.Sqrt(lambda[k]), p.expansion.RawRowView(k))
	}
	p.panels = linalg.PanelsOf(p.expansion.RawMatrix())
	return p
}

// modes returns the number of coefficients.
func (p *potential) modes() int { return p.expansion.RawMatrix().Rows }

// functions returns the functions with given coefficients.
func (p *potential) functions(states [][]float64) grid.Batch {
	all := p.solver.functions(len(states))
	rows := blas64.General{
		Rows:   len(states),
		Cols:   p.modes(),
		Stride: p.modes(),
		Data:   slices.Concat(states...),
	}
	uncancelled := context.Background() // because the product is short
	product, _ := linalg.Product(uncancelled, linalg.TransposeOf(rows), p.panels, p.Workers)
	for i := range states {
		copy(all.At(i), product.Row(i))
	}
	return all
}

// at returns the potential of a state with a misfit.
func (p *potential) at(z []float64, misfit float64) float64 {
	ofData := misfit / (2 * p.variance)
	ofPrior := floats.Dot(z, z) / 2
	return ofData + ofPrior
}

// values returns the potentials of states. The error is the operator's.
func (p *potential) values(ctx context.Context, states [][]float64) ([]float64, error) {
	outputs, err := p.Operator.Predict(ctx, p.functions(states), p.Workers, nil)
	if err != nil {
		return nil, err
	}
	all := make([]float64, len(states))
	for i, z := range states {
		misfit := p.misfit(outputs.At(i))
		all[i] = p.at(z, misfit)
	}
	return all, nil
}

// minimum is a result of a search.
type minimum struct {
	z          []float64
	value      float64 // the potential there
	status     Status
	iterations int
	linear     linearised // there
}

// starts returns the coefficients from which searches begin: 0, the most probable ones without data, and the best of
// some draws of the prior. At 0 the derivative may vanish, as that of a square does. The error is the operator's.
func (p *potential) starts(ctx context.Context) ([][]float64, error) {
	random := draw.Stream(p.Seed, purposeStarts, 0)
	drawn := make([][]float64, startDraws)
	for i := range drawn {
		drawn[i] = make([]float64, p.modes())
		for k := range drawn[i] {
			drawn[i][k] = random.NormFloat64()
		}
	}
	values, err := p.values(ctx, drawn)
	if err != nil {
		return nil, err
	}
	order := make([]int, startDraws)
	floats.Argsort(slices.Clone(values), order)
	all := [][]float64{make([]float64, p.modes())}
	for _, i := range order[:descents-1] {
		all = append(all, drawn[i])
	}
	return all, nil
}

// search returns the least of the minima found from some starts. The error is the operator's, or a *fault.Numerical.
func (p *potential) search(ctx context.Context, starts [][]float64) (best minimum, err error) {
	for i, z := range starts {
		found, err := p.descend(ctx, z)
		if err != nil {
			return best, err
		}
		if i == 0 || found.value < best.value {
			best = found
		}
	}
	return best, nil
}

// descend minimises the potential by Gauss-Newton steps, shortened until it falls. The error is as for search.
func (p *potential) descend(ctx context.Context, z []float64) (minimum, error) {
	values, err := p.values(ctx, [][]float64{z})
	if err != nil {
		return minimum{}, err
	}
	m := minimum{z: z, value: values[0]}
	for {
		m.iterations++
		m.linear, err = p.linearise(ctx, m.z)
		if err != nil {
			return m, err
		}
		moved, err := p.step(ctx, &m)
		if err != nil {
			return m, err
		}
		small := smallChange * floats.Norm(m.z, 2)
		proposed := floats.Distance(m.linear.mean, m.z, 2)
		switch {
		case moved == 0 && proposed > 1e3*small && proposed > 1e-9: // differences have an error of their own
			m.status = stalled
			return m, nil
		case moved <= small:
			m.status = converged
			return m, nil
		case m.iterations == mostIterations:
			m.status = limited
			return m, nil
		}
	}
}

// step moves a minimum towards the mean of its linearised problem, as far as the potential falls, and returns the norm of
// the step; 0 if no step lowers it. The error is the operator's.
func (p *potential) step(ctx context.Context, m *minimum) (moved float64, err error) {
	const shortest = 1e-4
	for step := 1.0; step > shortest; step /= 2 {
		trial := make([]float64, len(m.z))
		floats.AddScaledTo(trial, trial, 1-step, m.z)
		floats.AddScaled(trial, step, m.linear.mean)
		values, err := p.values(ctx, [][]float64{trial})
		if err != nil {
			return 0, err
		}
		if !(values[0] < m.value) {
			continue
		}
		moved = floats.Distance(trial, m.z, 2)
		m.z = trial
		m.value = values[0]
		if moved > 0 {
			return moved, nil
		}
	}
	return 0, nil
}

// linearised is the Gaussian posterior of the operator's derivative B at a state: its covariance is the inverse of
// 1 + B'B/s^2.
type linearised struct {
	mean      []float64
	precision *mat.SymDense
	factor    mat.Cholesky
}

// linearise computes the derivative by central differences. The error is as for search.
func (p *potential) linearise(ctx context.Context, z []float64) (l linearised, err error) {
	count := len(z)
	states := [][]float64{z}
	for k := range count {
		for _, h := range []float64{difference, -difference} {
			moved := slices.Clone(z)
			moved[k] += h
			states = append(states, moved)
		}
	}
	outputs, err := p.Operator.Predict(ctx, p.functions(states), p.Workers, nil)
	if err != nil {
		return l, err
	}
	b := mat.NewDense(len(p.Values), count, nil) // the derivative
	right := mat.NewVecDense(len(p.Values), nil) // what the linearised problem observes
	for j, y := range p.Values {
		for k := range count {
			above := p.observe.at(j, outputs.At(1+2*k))
			below := p.observe.at(j, outputs.At(2+2*k))
			b.Set(j, k, (above-below)/(2*difference))
		}
		here := p.observe.at(j, outputs.At(0))
		linear := floats.Dot(b.RawRowView(j), z)
		right.SetVec(j, y-here+linear)
	}
	l.precision = mat.NewSymDense(count, nil)
	l.precision.SymOuterK(1/p.variance, b.T())
	for k := range count {
		diagonal := l.precision.At(k, k)
		l.precision.SetSym(k, k, diagonal+1)
	}
	mean := mat.NewVecDense(count, nil)
	mean.MulVec(b.T(), right)
	mean.ScaleVec(1/p.variance, mean)
	if !l.factor.Factorize(l.precision) {
		return l, errSingular
	}
	if l.factor.SolveVecTo(mean, mean) != nil {
		return l, errSingular
	}
	l.mean = mean.RawVector().Data
	return l, nil
}

var errSingular = &fault.Numerical{
	Where: "inversion",
	What:  "the linearised problem is singular",
	Do:    "raise the noise, or give fewer places",
}

// chain returns the chain of coefficients with the linearised posterior as reference.
func (p *potential) chain(l linearised) chain {
	upper := new(mat.TriDense)
	l.factor.UTo(upper)
	excess := func(z []float64) float64 {
		fromMean := floats.SubTo(make([]float64, len(z)), z, l.mean)
		d := mat.NewVecDense(len(z), fromMean)
		ofReference := mat.Inner(d, l.precision, d)
		ofPrior := floats.Dot(z, z)
		return (ofReference - ofPrior) / 2
	}
	draws := func(states [][]float64, step int) {
		random := draw.Stream(p.Seed, purposeStates, step)
		for _, state := range states {
			for k := range state {
				state[k] = random.NormFloat64()
			}
			z := mat.NewVecDense(len(state), state)
			err := z.SolveVec(upper, z)
			if err != nil {
				panic("invert: " + err.Error()) // Factorize has found it positive definite
			}
			floats.Add(state, l.mean)
		}
	}
	return chain{
		mean:      l.mean,
		draw:      draws,
		excess:    excess,
		functions: p.functions,
		potential: p.at,
	}
}
