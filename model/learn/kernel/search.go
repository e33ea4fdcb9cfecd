// This file searches the parameters of a kernel: descents along ladders of values on few pairs, from several descriptions
// of the inputs.

package kernel

import (
	"cmp"
	"context"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/learn/expansion"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// candidate is a result of a search on few pairs.
type candidate struct {
	problem *kernelProblem
	Parameters
	leaveOneOut float64
}

// score returns the error by which candidates are compared.
func (c candidate) score() float64 { return c.leaveOneOut }

// The search is repeated on more pairs for the best mostRefined candidates of a first search, if their errors are within a
// factor refinedWithin of the least.
const (
	mostRefined   = 3
	refinedWithin = 1.5
)

// kernelRidge fits kernel ridge regression to the pairs, of which at most a number are exact: the others lie between
// landmarks. Its parameters minimise the leave-one-out error, exact in closed form, by descents along each in turn on
// operator.FirstPairs pairs: with each profile, from principal components with and without whitening, and from frequencies.
// The best descend again on operator.SearchPairs pairs; the fit uses all. Errors: those of Method.Train.
func kernelRidge(ctx context.Context, pairs dataset.Pairs, o operator.Options, exact int) (operator.Result, error) {
	order := draw.Permutation(o.Seed, operator.PurposeSearch, 0, pairs.Count())
	marks := order[:min(exact, len(order))]
	if like, known := operator.Core(o.Like).(*KernelRidge); known {
		return refitted(ctx, pairs, o, like.Parameters, marks)
	}
	candidates, err := firstSearch(ctx, pairs, o, order, marks)
	if err != nil {
		return operator.Result{}, err
	}
	candidates = operator.Near(candidates, candidate.score, refinedWithin)
	ended, behind := o.Race.Behind(candidates[0].leaveOneOut, operator.FarBehind)
	if behind {
		return ended, nil
	}
	candidates = candidates[:min(mostRefined, len(candidates))]
	for i := range candidates {
		err := candidates[i].refine(ctx, order, o.Workers)
		if err != nil {
			return operator.Result{}, err
		}
	}
	best := slices.MinFunc(candidates, func(a, b candidate) int {
		return cmp.Compare(a.leaveOneOut, b.leaveOneOut)
	})
	if math.IsInf(best.leaveOneOut, 1) {
		err := operator.Unsolved("kernel ridge regression", "no length and ridge give")
		return operator.Result{}, err
	}
	return operator.From(best.problem.fit(ctx, best.Parameters, o.Workers))
}

// refitted returns the fit with parameters that an earlier search has found, without a search.
func refitted(ctx context.Context, pairs dataset.Pairs, o operator.Options, q Parameters, marks []int) (
	operator.Result, error) {
	p, err := newKernelProblem(ctx, pairs, q.description(), o.Symmetry, o.Workers)
	if err != nil {
		return operator.Result{}, err
	}
	p.marks = marks
	q.Modes = min(q.Modes, len(p.inputs.Variances))
	return operator.From(p.fit(ctx, q, o.Workers))
}

// firstSearch searches with each description of the inputs, from the length and the ridge that the one before has found.
func firstSearch(ctx context.Context, pairs dataset.Pairs, o operator.Options, order, marks []int) (
	candidates []candidate, err error) {
	q := Parameters{Length: 1, Ridge: 1e-8}
	for _, describe := range descriptions(pairs.Inputs) {
		p, err := newKernelProblem(ctx, pairs, describe, o.Symmetry, o.Workers)
		if err != nil {
			return nil, err
		}
		p.marks = marks
		found, err := p.search(ctx, order, q, o.Workers)
		if err != nil {
			return nil, err
		}
		q = found[0].Parameters
		// Principal components and numbers do not belong to a group, so that operators of them do not commute.
		if p.waves() || !config.Commutes(o.Symmetry) {
			candidates = append(candidates, found...)
		}
	}
	return candidates, nil
}

// descriptions returns the bases in which a search describes the inputs.
func descriptions(inputs grid.Batch) []expansion.Description {
	all := []expansion.Description{expansion.NewPrincipal}
	if !inputs.Domain.Scattered() {
		all = append(all, expansion.NewFrequencies)
	}
	if expansion.NumbersIn(inputs) > 0 {
		all = append(all, expansion.NewNumbers)
	}
	return all
}

// description returns the basis that has these parameters.
func (q Parameters) description() expansion.Description {
	switch {
	case len(q.Lengths.used()) > 0:
		return expansion.NewNumbers
	case q.Cutoff > 0:
		return expansion.NewFrequencies
	}
	return expansion.NewPrincipal
}

// search searches on operator.FirstPairs pairs, from a length and a ridge, with one profile after the other from the
// result of the last. The first result is of Matern's. It returns ctx.Err() if ctx is done.
func (p *kernelProblem) search(ctx context.Context, order []int, from Parameters, workers int) (
	all []candidate, err error) {
	few := p.some(order, operator.FirstPairs)
	for _, q := range p.startsFrom(from) {
		for _, profile := range profiles {
			q.Profile = profile
			found, score, err := few.choose(ctx, q, few.ladders(), workers)
			if err != nil {
				return nil, err
			}
			all = append(all, candidate{
				problem:     p,
				Parameters:  found,
				leaveOneOut: score,
			})
			if !math.IsInf(score, 1) {
				q = found
			}
		}
	}
	return all, nil
}

// startsFrom returns the parameters from which searches begin: of numbers and of waves one, of principal components one
// without weights and one with whitening.
func (p *kernelProblem) startsFrom(from Parameters) []Parameters {
	start := Parameters{
		Modes:    len(p.inputs.Variances),
		Length:   from.Length,
		Ridge:    from.Ridge,
		Symmetry: p.least,
	}
	if p.inputs.Numbers {
		start.Length = 1
		start.Ridge = 1e-8
		middle := numberLadder[len(numberLadder)/2]
		for k := range start.Modes {
			start.Lengths[k] = middle
		}
		return []Parameters{start}
	}
	if p.waves() {
		start.Cutoff = 2
		start.Decay = 0.75
		return []Parameters{start}
	}
	white := start
	white.Weight = weightLadder[0]
	return []Parameters{start, white}
}

// refine searches from a candidate on more pairs, up to operator.SearchPairs. It returns ctx.Err() if ctx is done.
func (c *candidate) refine(ctx context.Context, order []int, workers int) error {
	all := c.problem.some(order, operator.SearchPairs)
	if all.Count() <= operator.FirstPairs {
		return nil
	}
	few := all
	if c.Symmetry != noMotion { // systems are larger
		few = c.problem.some(order, operator.SearchPairs/2)
	}
	err := c.descend(ctx, few, few.ladders(), workers)
	if err != nil {
		return err
	}
	if few.Count() < all.Count() { // the error of the same parameters on all
		return c.descend(ctx, all, nil, workers)
	}
	return nil
}

// descend replaces the parameters and the error of a candidate by those found along ladders.
func (c *candidate) descend(ctx context.Context, p *kernelProblem, ladders []ladder, workers int) (err error) {
	c.Parameters, c.leaveOneOut, err = p.choose(ctx, c.Parameters, ladders, workers)
	return err
}

// modeLadder, weightLadder and lengthLadder are the parameters' possible values.
var (
	modeLadder   = [...]int{2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, expansion.MostComponents}
	weightLadder = [...]float64{-0.5, -0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5}
	lengthLadder = [...]float64{0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30}
)

// numberLadder holds the possible lengths of a number, in standard deviations.
var numberLadder = [...]float64{0.3, 0.5, 0.7, 1, 1.4, 2, 3, 4, 6, 8, 12, 16, 24, 40, 80}

// ladders returns the possible values of the parameters of pairs, in the order in which a search descends along them.
func (p *kernelProblem) ladders() []ladder {
	ridges := ridge.Over(operator.Ridges[:], func(q *Parameters) *float64 { return &q.Ridge })
	if p.inputs.Numbers {
		ladders := []ladder{ridges}
		for k := range p.inputs.Variances {
			length := ridge.Over(numberLadder[:], func(q *Parameters) *float64 { return &q.Lengths[k] })
			ladders = append(ladders, length)
		}
		return ladders
	}
	lengthScales := ridge.Over(lengthLadder[:], func(q *Parameters) *float64 { return &q.Length })
	symmetries := ridge.Over(p.permitted(), func(q *Parameters) *int { return &q.Symmetry })
	if p.waves() {
		cutoffs := ridge.Over(operator.Cutoffs[:], func(q *Parameters) *float64 { return &q.Cutoff })
		decays := ridge.Over(operator.Decays[:], func(q *Parameters) *float64 { return &q.Decay })
		return []ladder{cutoffs, decays, lengthScales, ridges, symmetries}
	}
	modes := ridge.Over(p.modeCounts(), func(q *Parameters) *int { return &q.Modes })
	weights := ridge.Over(weightLadder[:], func(q *Parameters) *float64 { return &q.Weight })
	return []ladder{modes, weights, lengthScales, ridges, symmetries}
}

// ladder holds the possible values of one of the parameters.
type ladder = ridge.Ladder[Parameters]

// permitted returns the groups to choose from.
func (p *kernelProblem) permitted() []int {
	all := []int{noMotion, reflections, wholeSquare}
	return all[p.least : p.most+1]
}

// modeCounts returns the possible numbers of principal components, at most as many as there are.
func (p *kernelProblem) modeCounts() []int {
	counts := slices.Clone(modeLadder[:])
	for i := range counts {
		counts[i] = min(counts[i], len(p.inputs.Variances))
	}
	return slices.Compact(counts)
}

// choose descends from a start along ladders, and also returns the leave-one-out error, +Inf if none is finite. It
// returns ctx.Err() if ctx is done.
func (p *kernelProblem) choose(ctx context.Context, from Parameters, ladders []ladder, workers int) (
	Parameters, float64, error) {
	found, err := ridge.Search(from, ladders, func(q Parameters) (float64, error) {
		k, err := p.solve(ctx, q, workers)
		if err != nil {
			return 0, err
		}
		return k.Error, nil
	})
	return found.Best, found.Score, err
}
