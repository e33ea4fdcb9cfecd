package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// A problem is the training pairs on the grid of the search, and the sizes of its evaluations.
type problem struct {
	pairs    dataset.Pairs
	theta    int // K (fields: r) of the given pairs
	coarse   int // K (fields: r) of the grid of the search
	features int // m of evaluations in the search
	final    int // m of scores on fresh draws
	seed     uint64
	points   bool // rows of the features are points, of which a part suffices
}

const (
	// searchK, searchR and searchFields bound the grid of the search, on which errors agree with those on fine grids to a
	// few percent.
	searchK      = 65
	searchR      = 33 // Darcy
	searchFields = 17
	// searchFeatures and searchPredictors (Darcy) are the numbers of features in the search.
	searchFeatures   = 256
	searchPredictors = 64
	// rescoreFeatures bounds the number of features in scores on fresh draws, whose cost grows with its cube.
	rescoreFeatures = 1024
	// searchPairs and rescorePairs bound the pairs that evaluations use.
	searchPairs  = 512
	rescorePairs = 1024
	// parts is the number of parts of the pairs, one of which validates.
	parts = 4
	// leastPairs is the least number of pairs, which leaves a few for validation.
	leastPairs = 16
)

func newProblem(c config.Config, pairs dataset.Pairs, seed uint64) (problem, error) {
	if pairs.Count() < leastPairs {
		return problem{}, &fault.Data{Where: "training pairs",
			What: fmt.Sprintf("%d are too few to tune with: at least %d are needed", pairs.Count(), leastPairs),
			Do:   "raise data.train"}
	}
	p := problem{theta: cmp.Or(c.Data.Grid, pairs.Inputs.Points), features: min(searchFeatures, c.Features.Count),
		final: min(c.Features.Count, rescoreFeatures), seed: seed, points: c.Map().Points}
	limit := searchK
	switch {
	case c.Map().Solves:
		limit, p.features = searchR, min(searchPredictors, c.Features.Count)
	case c.Dims() == 2:
		limit = searchFields
	}
	if c.Train.Grid > 0 {
		limit = min(limit, c.Train.Grid)
	}
	p.coarse = pairs.Inputs.Points
	for _, K := range c.Grids(p.coarse) {
		if K <= limit || p.coarse == pairs.Inputs.Points {
			p.coarse = K
		}
	}
	var err error
	if p.pairs, err = byGroups(pairs).Restrict(p.coarse); err == nil {
		p.pairs = method.ScalingOf(p.pairs).Apply(p.pairs)
	}
	return p, err
}

// A trial is the setting of an evaluation: pairs, sizes and seed.
type trial struct {
	fit, validate dataset.Pairs // on the same grid
	features      int           // m
	theta         int           // K (fields: r) on which theta is drawn
	seed          uint64        // of theta and the bias
	rows          rfm.Rows      // the points that enter the sums
}

// trial returns the setting of a request: draw 0 validates on the last part of the first searchPairs pairs, draw d > 0
// on part d-1 of up to rescorePairs, with other features.
func (p problem) trial(r request) trial {
	pairs, part, theta := p.pairs.Range(0, min(searchPairs, p.pairs.Count())), parts-1, p.coarse
	if r.Draw > 0 {
		pairs, part, theta = p.pairs.Range(0, min(rescorePairs, p.pairs.Count())), (r.Draw-1)%parts, p.theta
	}
	n := pairs.Count()
	first, end := part*n/parts, (part+1)*n/parts
	for first > 0 && sameGroup(pairs, first) {
		first--
	}
	for end < n && sameGroup(pairs, end) {
		end++
	}
	var rest []int
	for i := range n {
		if i < first || i >= end {
			rest = append(rest, i)
		}
	}
	t := trial{fit: pairs.Take(rest), validate: pairs.Range(first, end-first), features: r.Features, theta: theta,
		seed: draw.Stream(p.seed, purposeDraw, r.Draw).Uint64()}
	if r.Draw == 0 && p.points { // scores on fresh draws are displayed and use all points
		t.rows = rfm.Rows{Seed: t.seed, Count: rfm.EnoughRows(len(rest), r.Features)}
	}
	return t
}

// byGroups puts pairs of one group next to each other, in the order in which groups first occur, so that parts can be
// whole groups.
func byGroups(pairs dataset.Pairs) dataset.Pairs {
	if pairs.Groups == nil {
		return pairs
	}
	first, order := map[int]int{}, make([]int, pairs.Count())
	for i, label := range pairs.Groups {
		order[i] = i
		if _, seen := first[label]; !seen {
			first[label] = i
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return first[pairs.Groups[i]] - first[pairs.Groups[j]] })
	return pairs.Take(order)
}

// sameGroup reports whether pair i depends on the one before it.
func sameGroup(pairs dataset.Pairs, i int) bool {
	return pairs.Groups != nil && pairs.Groups[i] == pairs.Groups[i-1]
}

// relatives are the values of lambda, relative to the largest eigenvalue, that every evaluation tries.
var relatives = [...]float64{1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4}

// scores are mean relative L2 errors on the validation pairs, one for each of relatives.
type scores [len(relatives)]float64

// least returns the smallest score and its lambda, relative to the largest eigenvalue.
func (s scores) least() (score, relative float64) {
	score = math.Inf(1)
	for l, v := range s {
		if v < score {
			score, relative = v, relatives[l]
		}
	}
	return score, relative
}

// score trains on one part of the pairs, with one decomposition for all of relatives, and predicts the other part in
// one pass. A model that does not exist, or is worse than the zero model, has the error 1 of the zero model. The error
// is ctx's, or a *fault.Data if a validation output is zero.
func (t trial) score(ctx context.Context, c config.Config, workers int) (s scores, err error) {
	for l := range s {
		s[l] = 1
	}
	predictions, err := t.predict(ctx, c, workers)
	switch {
	case fault.BlamesInput(err):
		return s, nil
	case err != nil:
		return s, err
	}
	for l, p := range predictions {
		if p.Count == 0 {
			continue
		}
		e, err := relativeError(p, t.validate.Outputs)
		if err != nil {
			return s, err
		}
		if e < 1 { // not NaN
			s[l] = e
		}
	}
	return s, nil
}

// predict returns the predictions of the models for all of relatives; the batch is empty where no model exists.
func (t trial) predict(ctx context.Context, c config.Config, workers int) (all [len(relatives)]grid.Batch, err error) {
	features, err := feature.New(ctx, c, t.seed, t.features, t.theta, workers)
	if err != nil {
		return all, err
	}
	if features, err = features.Calibrate(ctx, t.fit.Inputs, workers); err != nil {
		return all, err
	}
	evaluator, err := features.On(ctx, t.fit.Inputs.Points, workers)
	if err != nil {
		return all, err
	}
	normal := rfm.NewNormal(evaluator.Count())
	normal.Rows = t.rows
	normal.Offset = c.Train.Offset // a function of x alone is fitted with the features, as training does
	if err := normal.Accumulate(ctx, evaluator, t.fit, workers, nil, nil); err != nil {
		return all, err
	}
	spectral, err := linalg.Decompose(ctx, normal.Gram(t.features), workers)
	if ctx.Err() != nil {
		return all, ctx.Err()
	}
	if err != nil {
		return all, &fault.Numerical{Where: "trial of parameters", What: err.Error()}
	}
	var alphas [][]float64
	var solved []int
	for l, relative := range relatives {
		alpha := make([]float64, t.features)
		if _, err := spectral.SolveRelative(alpha, normal.RHS, relative); err == nil {
			alphas, solved = append(alphas, alpha), append(solved, l)
		}
	}
	if len(solved) == 0 {
		return all, nil
	}
	some, err := evaluator.Predict(ctx, alphas, t.validate.Inputs, workers, nil)
	if err != nil {
		return all, err
	}
	if c.Train.Offset {
		fitted, err := evaluator.Predict(ctx, alphas, t.fit.Inputs, workers, nil)
		if err != nil {
			return all, err
		}
		for i := range some {
			some[i] = some[i].Plus(1, t.fit.Outputs.Plus(-1, fitted[i].Mean()).Mean())
		}
	}
	for i, l := range solved {
		all[l] = some[i]
	}
	return all, nil
}

// relativeError returns the mean relative L2 error, possibly NaN. The error is a *fault.Data if an output is zero.
func relativeError(predictions, truth grid.Batch) (float64, error) {
	sum := 0.0
	for i := range truth.Count {
		norm := truth.Domain.Inner(truth.At(i), truth.At(i))
		if norm == 0 {
			return 0, &fault.Data{Where: "training outputs", What: "one is zero, so a relative error does not exist",
				Do: "leave this pair out"}
		}
		sum += math.Sqrt(truth.Domain.Distance2(predictions.At(i), truth.At(i)) / norm)
	}
	return sum / float64(truth.Count), nil
}
