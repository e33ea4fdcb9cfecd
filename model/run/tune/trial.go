package tune

import (
	"cmp"
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/operator"
	"rfm/model/learn/rfm"
	"rfm/model/learn/ridge"
	"rfm/model/run/setup"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
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
		return problem{}, &fault.Data{
			Where: "training pairs",
			What:  fmt.Sprintf("%d are too few to tune with, want at least %d", pairs.Count(), leastPairs),
			Do:    "raise data.train",
		}
	}
	p := problem{
		theta:    cmp.Or(c.Data.Grid, pairs.Inputs.Points),
		features: min(searchFeatures, c.Features.Count),
		final:    min(c.Features.Count, rescoreFeatures),
		seed:     seed,
		points:   !c.Map().Solves,
	}
	if cloud := pairs.Inputs.Domain.Cloud; cloud.There() && cloud.Why() != "" {
		return problem{}, &fault.Data{
			Where: "training pairs",
			What:  fmt.Sprintf("have no random features to tune: %s", cloud.Why()),
			Do:    "train another method, as rfm run does",
		}
	}
	limit := searchK
	switch {
	case c.Map().Solves:
		limit = searchR
		p.features = min(searchPredictors, c.Features.Count)
	case c.Dims() == 2:
		limit = searchFields
	}
	if c.Train.Grid > 0 {
		limit = min(limit, c.Train.Grid)
	}
	p.coarse = c.GridUpTo(pairs.Inputs.Points, limit)
	for i := range pairs.Count() {
		u := pairs.Outputs.At(i)
		if pairs.Outputs.Domain.Inner(u, u) == 0 {
			return p, &fault.Data{
				Where: "training outputs",
				What:  "one is zero, so a relative error does not exist",
				Do:    "leave this pair out",
			}
		}
	}
	coarse, err := pairs.Restrict(p.coarse)
	if err != nil {
		return p, err
	}
	p.pairs = operator.ScalingOf(coarse).Apply(coarse)
	return p, nil
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
// on part d-1 of up to rescorePairs, with other features. Parts hold whole groups.
func (p problem) trial(r request) trial {
	most := searchPairs
	part := parts - 1
	theta := p.coarse
	if r.Draw > 0 {
		most = rescorePairs
		part = (r.Draw - 1) % parts
		theta = p.theta
	}
	pairs := p.pairs.Range(0, min(most, p.pairs.Count()))
	n := pairs.Count()
	all := ridge.Labelled(pairs.Groups, n).Parts(dataset.First(n), parts)
	held := all[min(part, len(all)-1)]
	rest := ridge.Others(held, n)
	t := trial{
		fit:      pairs.Take(rest),
		validate: pairs.Take(held),
		features: r.Features,
		theta:    theta,
		seed:     draw.Stream(p.seed, purposeDraw, r.Draw).Uint64(),
	}
	if r.Draw == 0 && p.points { // scores on fresh draws are displayed and use all points
		t.rows = rfm.Rows{Seed: t.seed, Count: rfm.EnoughRows(len(rest), r.Features)}
	}
	return t
}

// scores are mean relative L2 errors on the validation pairs, one for each of rfm.Relatives.
type scores [len(rfm.Relatives)]float64

// least returns the smallest score and its lambda, relative to the largest eigenvalue.
func (s scores) least() (score, relative float64) {
	at := floats.MinIdx(s[:])
	return s[at], rfm.Relatives[at]
}

// draw draws the features of the trial. It returns ctx.Err() if ctx is done.
func (t trial) draw(ctx context.Context, c config.Config, workers int) (feature.Map, error) {
	law := setup.Features(c)
	law.Seed = t.seed
	cloud := t.fit.Inputs.Domain.Cloud
	if cloud.There() {
		return feature.Scattered(ctx, law, cloud, t.features, workers)
	}
	return feature.New(ctx, law, t.features, t.theta, workers)
}

// sums returns the sums of the relative errors on the validation pairs. The error is one of features or of training.
func (t trial) sums(ctx context.Context, c config.Config, workers int) (s scores, err error) {
	drawn, err := t.draw(ctx, c, workers)
	if err != nil {
		return s, err
	}
	calibrated, err := drawn.Calibrate(ctx, t.fit.Inputs, workers)
	if err != nil {
		return s, err
	}
	evaluator, err := calibrated.On(ctx, t.fit.Inputs.Points, workers)
	if err != nil {
		return s, err
	}
	_, err = rfm.Trial(ctx, s[:], evaluator, t.fit, t.validate, t.rows, c.Train.Offset, t.features, workers)
	return s, err
}

// score trains on one part of the pairs, with one decomposition for all values of lambda, and predicts the other part
// in one pass. A model that does not exist, or is worse than the zero model, has its error, 1. It returns ctx.Err()
// if ctx is done.
func (t trial) score(ctx context.Context, c config.Config, workers int) (s scores, err error) {
	sums, err := t.sums(ctx, c, workers)
	if err != nil && !fault.BlamesInput(err) {
		return s, err
	}
	for l, sum := range sums {
		s[l] = sum / float64(t.validate.Count())
		if err != nil || !(s[l] < 1) { // or NaN
			s[l] = 1
		}
	}
	return s, nil
}
