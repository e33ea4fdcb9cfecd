package local

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// Task is to learn functions of one channel from others.
type Task struct {
	*View
	Inputs  grid.Batch
	Targets grid.Batch
	Groups  ridge.Groups // functions that are left out together
	Seed    uint64
	Layer   int // position in a chain of layers, whose random choices are independent
	Workers int
}

const (
	// mostParts bounds the parts of the functions that are left out in turn, searchParts those of a search.
	mostParts   = 16
	searchParts = 5
	// The search for directions uses some functions, points of them, features and rounds.
	searchFunctions = 300
	SearchRows      = 9600 // points of all functions together
	SearchFeatures  = 300
	rounds          = 3
	// work bounds rows times squared features of a layer, mostFeatures and leastFeatures the features themselves.
	work          = 5e10
	leastFeatures = 32
	mostFeatures  = 1024
	layerBytes    = 8 * mostFeatures * mostFeatures * mostParts
	// floor bounds eigenvalues from below, relative to the largest.
	floor = 1e-6
)

// The random streams.
const (
	purposeParts      draw.Purpose = "layer-parts"      // index: layer; the parts of functions
	purposePoints     draw.Purpose = "layer-points"     // index: layer and function; its points in a search
	purposeDirections draw.Purpose = "layer-directions" // index: layer, round of the search and feature
)

// order returns an order of the functions for this layer.
func (t *Task) order() []int {
	return draw.Permutation(t.Seed, purposeParts, t.Layer, t.Targets.Count)
}

// pointsOf returns an order of the distinct points of a function for this layer.
func (t *Task) pointsOf(function int) []int {
	const functions = 1 << 32 // more than there are
	return draw.Permutation(t.Seed, purposePoints, t.Layer*functions+function, t.Points())
}

// directions returns the random numbers of a feature in a round of this layer's search.
func (t *Task) directions(round, feature int) *rand.Rand {
	const (
		ofRound = 1 << 20 // more features than there are in a round
		ofLayer = 1 << 40 // more than there are in all rounds of a layer
	)
	index := t.Layer*ofLayer + round*ofRound + feature
	return draw.Stream(t.Seed, purposeDirections, index)
}

// Directions are the distribution of the weights of a layer.
type Directions struct {
	base   *mat.Dense // size of z without its last coordinate x modes
	length float64
	lambda float64 // ridge, relative to the mean square of a feature
	// Error is the root mean square that features of these directions miss of left-out functions, relative to them.
	Error float64
}

// weights returns those of count features: base times normal vectors of random lengths, over a length, and random
// phases.
func (t *Task) weights(d Directions, count, round int) *mat.Dense {
	size, modes := d.base.Dims()
	w := mat.NewDense(size+1, count, nil) // the last row holds the phases
	normals := mat.NewDense(modes, count, nil)
	for j := range count {
		random := t.directions(round, j)
		length := d.length * lengthOf(random)
		for k := range modes {
			normals.Set(k, j, random.NormFloat64()/length)
		}
		w.Set(size, j, 2*math.Pi*random.Float64())
	}
	withoutPhases := w.Slice(0, size, 0, count).(*mat.Dense)
	withoutPhases.Mul(d.base, normals)
	return w
}

// lengthOf draws the root mean square of three normal numbers. It gives weights a t distribution, so that the kernel is
// Matern's.
func lengthOf(random *rand.Rand) float64 {
	x := random.NormFloat64()
	y := random.NormFloat64()
	z := random.NormFloat64()
	return math.Sqrt((x*x + y*y + z*z) / 3)
}

var errUnsolved = &fault.Numerical{
	Where: "local layer",
	What:  "the features are linearly dependent up to rounding, with every ridge",
	Do:    "choose another train.method",
}

// ladder holds the ridges among which a layer chooses: the one that a search found, larger and smaller ones.
var ladder = [...]float64{10, 1, 1e-1, 1e-2, 1e-3}

// Learn fits a layer with given directions to all functions. It also returns predictions of the targets, each by a layer
// of the same features that has learned from other parts. Errors: ctx.Err(), or those of linalg.
func (t *Task) Learn(ctx context.Context, d Directions) (*Layer, grid.Batch, error) {
	count := t.features()
	l := &Layer{Weights: t.weights(d, count, rounds+1)}
	order := t.order()
	parts := t.Groups.Parts(order, min(mostParts, len(order)))
	left, err := t.sums(ctx, linalg.PanelsOf(l.Weights.RawMatrix()), parts)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	lambda, without, err := left.bestRidge(ctx, d.lambda, t.Workers)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	if without == nil {
		return nil, grid.Batch{}, errUnsolved
	}
	l.Coefficients, err = solved(ctx, left.all, lambda, t.Workers)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	predicted := t.Targets.Like(t.Targets.Count)
	for p, part := range parts {
		others := Layer{
			Weights:      l.Weights,
			Coefficients: without[p],
		}
		err := others.Add(ctx, t.View, predicted, t.Inputs, part, t.Workers, nil)
		if err != nil {
			return nil, grid.Batch{}, err
		}
	}
	return l, predicted, nil
}

// features returns how many features a layer has.
func (t *Task) features() int { return FeaturesOf(float64(t.Targets.Count * t.Points())) }

// FeaturesOf returns how many features a layer has that learns from so many points of all functions together: as many as
// work allows, and no more than an eighth of the rows, but between leastFeatures and mostFeatures.
func FeaturesOf(rows float64) int {
	affordable := max(leastFeatures, math.Sqrt(work/rows))
	determined := max(leastFeatures, rows/8)
	return int(min(affordable, mostFeatures, determined))
}

// sums returns the sums of features with given weights over parts of the functions.
func (t *Task) sums(ctx context.Context, w *linalg.Panels, parts [][]int) (leftOut, error) {
	return sum(ctx, len(parts), w.Cols(), t.Workers, func(p int, sums *linalg.Symmetric) error {
		return t.each(ctx, t.Inputs, parts[p], func(i int, z *linalg.Panels) error {
			targets := t.domain.Distinct(t.Targets.At(i))
			return add(ctx, sums, z, w, targets)
		})
	})
}
