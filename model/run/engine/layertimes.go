// This file estimates the time of local layers, whose number depends on the pairs.

package engine

import (
	"math"

	"rfm/model/learn/local"
	"rfm/model/learn/operator"
)

// Layers look at four beginnings and at laws of the point, and then learn so many layers: none if they are far behind
// another method, or up to eight where several beginnings are tried, one of them by backfitting, and layers follow. Sets of
// docs/new_sets.py had 0 (jumps, knobs, membrane, few), 1 to 3 (laws of the point, uneven, twoin), and 6 to 7 (causal,
// smoothed, spoilt). At points of any geometry the sphere of docs/points.py had 8 and more searches for what is around them,
// two beginnings being backfitted. A round of backfitting is nearly a layer.
const (
	layersTried  = 4
	usualLayers  = 2.5
	mostLayers   = 8
	mostAtPoints = 12
	// foldsMore is the factor of mostLayers where pairs are so few that the chain learns again on five folds.
	foldsMore = 1.5
)

// layersWork is the usual work of layers that begin with a kernel which is known.
func layersWork(s size) float64 { return looksWork(s) + usualLayers*layerWork(s) }

// layersSpread returns the spread of layersWork.
func layersSpread(s size) spread {
	most := float64(mostLayers)
	if s.domain.Scattered() {
		most = mostAtPoints
	}
	if s.pairs < local.FewGroups {
		most *= foldsMore
	}
	usual := layersWork(s)
	return spread{
		least: looksWork(s) / usual,
		most:  (looksWork(s) + most*layerWork(s)) / usual,
	}
}

// looksWork is that of the looks at beginnings and at laws of the point.
func looksWork(s size) float64 {
	n := min(s.pairs, operator.LookPairs)
	solutions := 4e10 * math.Pow(n/operator.LookPairs, 1.5) // for the parameters of a law
	integrals := 2.3e5 * n * s.values
	return layersTried*(searchWork(s, n)+viewWork(s)) + solutions + integrals
}

// layerWork is that of a layer: searches for directions with and without means, the sums and solutions of its features, and
// often an operator of whole functions that learns what it leaves.
func layerWork(s size) float64 {
	rows := s.pairs * s.values / s.out
	features := float64(local.FeaturesOf(rows))
	sums := rows * features * (features + 2*seen(s) + sine)
	solutions := 1.8e10 * math.Pow(features/1024, 3)
	around := 2 * aroundWork(s, rows) // for sums and predictions
	rest := 0.5 * (kernelWork(s) + linearWork(s))
	return 2*(searchWork(s, s.pairs)+viewWork(s)) + s.out*(sums+solutions) + around + rest
}

// viewWork is that of finding out what is around all points. Along axes nothing is to be found.
func viewWork(s size) float64 {
	if !s.domain.Scattered() {
		return 0
	}
	return 1e6 * seen(s) * s.values / s.out
}

// aroundWork is that of the means of what is around so many points of functions. Along axes these are transforms, which are
// fast.
func aroundWork(s size, rows float64) float64 {
	if !s.domain.Scattered() {
		return 0
	}
	return 500 * seen(s) * rows
}

// sine is the work of a sine.
const sine = 100

// seen returns the numbers that layers see around a point, about: some see predictions, too.
func seen(s size) float64 {
	taps := 28.0
	if s.domain.Dims == 2 {
		taps = 34
	}
	return taps * (s.in + s.out/2)
}

// searchWork is that of a search for directions on some pairs: usual trials of features, each with sums and solutions.
func searchWork(s size, pairs float64) float64 {
	const trials = 22
	rows := min(local.SearchRows, pairs*s.values/s.out)
	features := min(local.SearchFeatures, rows/4)
	sums := rows * features * (features + 2*seen(s) + sine)
	solutions := 2.9e8 * math.Pow(features/local.SearchFeatures, 3)
	return s.out * trials * (sums + solutions)
}
