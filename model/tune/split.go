// This file puts the training pairs on the grid of the search and splits them.

package tune

import (
	"cmp"
	"fmt"
	"slices"

	"rfm/config"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// A problem is the training pairs on the grids of the search, and their splits.
type problem struct {
	pairs    dataset.Pairs // on the grid of the search
	theta    int           // K (fields: r) of the given pairs
	coarse   int           // K (fields: r) of the grid of the search
	features int           // m of cheap evaluations
	final    int           // m of scores on fresh draws
	seed     uint64
	points   bool // rows of the features are points, of which a part suffices
}

const (
	// searchK, searchR and searchFields bound the grid of the search, on which errors agree with those on fine grids to a
	// few percent.
	searchK      = 65
	searchR      = 33 // Darcy
	searchFields = 17
	// searchFeatures and searchPredictors (Darcy) are the numbers of features in cheap evaluations.
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

// trial returns the setting of a request: draw 0 validates on the last part of the first searchPairs pairs, draw d > 0
// on part d-1 of up to rescorePairs, with other features.
func (p problem) trial(r request) (trial, error) {
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
	rest := dataset.Pairs{Inputs: without(pairs.Inputs, first, end), Outputs: without(pairs.Outputs, first, end)}
	t := trial{fit: rest, validate: pairs.Range(first, end-first), features: r.Features, theta: theta,
		seed: streamSeed(p.seed, r.Draw)}
	if r.Draw == 0 && p.points { // scores on fresh draws are displayed and use all points
		t.rows = rfm.Rows{Seed: t.seed, Count: rfm.EnoughRows(rest.Count(), r.Features)}
	}
	return t, nil
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

// cost returns the cost of evaluations, in units of the cheapest kind: it grows as the pairs and as the square of the
// features.
func (p problem) cost(requests []request) float64 {
	sum, cheapest := 0.0, float64(min(searchPairs, p.pairs.Count()))
	for _, r := range requests {
		pairs := cheapest
		if r.Draw > 0 {
			pairs = float64(min(rescorePairs, p.pairs.Count()))
		}
		ratio := float64(r.Features) / float64(p.features)
		sum += ratio * ratio * pairs / cheapest
	}
	return sum
}

// without returns a batch without the functions first to end-1.
func without(b grid.Batch, first, end int) grid.Batch {
	rest := b.Like(b.Count - (end - first))
	copy(rest.Data[copy(rest.Data, b.First(first).Data):], b.Range(end, b.Count-end).Data)
	return rest
}

// streamSeed returns the seed of the features of a draw.
func streamSeed(seed uint64, index int) uint64 { return draw.Stream(seed, purposeDraw, index).Uint64() }
