// Package bands bounds the errors of predictions: split-conformal prediction bands, calibrated on training pairs that
// were held out in turn (Vovk, Gammerman & Shafer 2005; Barber, Candes, Ramdas & Tibshirani 2021). It also finds inputs
// unlike those of the training, for which no bound holds. It uses no test pair.
package bands

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/ridge"
	"rfm/model/learn/score"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// Bands are calibrated for one model. With g(a) the difficulty of an input and s(x) the difficulty of a place,
//
//	|u - F(a)| <= q g(a) in L2,  |u(x) - F(a)(x)| <= q g(a) s(x) at a point, or at all points together,
//
// q a quantile of the left side over the right side without q, for pairs that were held out.
type Bands struct {
	Pairs int `json:"pairs"` // held out in turn
	// Groups is the number of groups of pairs that depend on each other, 0 if all are independent.
	Groups    int       `json:"groups,omitempty"`
	Points    int       `json:"points"`    // along an axis of the grid of Place
	Place     []float64 `json:"place"`     // s
	Exponents []float64 `json:"exponents"` // of log g: of one, of log |F(a)|, of the logarithm of the distance
	Function  []float64 `json:"function"`  // |r|/g, ascending
	Whole     []float64 `json:"whole"`     // largest |r(x)|/(g s(x)), ascending
	Point     []float64 `json:"point"`     // quantiles of |r(x)|/(g s(x)) over pairs and points, at (i+1)/(len+1)
	Inputs    Inputs    `json:"inputs"`
	// largest distances of a training input from the others, see Inputs.Distances
	Farthest [2]float64 `json:"farthest"`
}

// quantiles is the number of quantiles of the points' scores that are kept.
const quantiles = 1999

// Calibrate holds parts of the pairs out in turn; train learns from the others, whose ascending indices it gets. Every
// pair is in one part. Such models have fewer pairs and larger errors than the model itself. Training on halves of the
// pairs, too, shows by how much, as errors are about a power of the number of pairs: residuals are scaled to the
// model's, if there are Fewest groups. Errors: a *fault.Data if there are too few pairs or residuals vanish, train's,
// ctx.Err().
func Calibrate(ctx context.Context, pairs dataset.Pairs, parts [][]int,
	train func(ctx context.Context, kept []int) (score.Predictor, error), workers int) (*Bands, error) {
	if err := Check(pairs, parts); err != nil {
		return nil, err
	}
	h := &heldOut{
		pairs:   pairs,
		groups:  ridge.Labelled(pairs.Groups, pairs.Count()),
		inputs:  coarse(pairs.Inputs),
		train:   train,
		workers: workers,
	}
	half := len(parts) / 2
	halves := [][]int{
		slices.Concat(parts[:half]...),
		slices.Concat(parts[half:]...),
	}
	if err := h.predict(ctx, halves); err != nil {
		return nil, err
	}
	rough := h.residuals
	if err := h.predict(ctx, parts); err != nil {
		return nil, err
	}
	if len(h.groups) >= Fewest {
		shrink(h.residuals, rough, 1-1/float64(len(parts)))
	}
	b := &Bands{
		Pairs:  pairs.Count(),
		Points: pairs.Outputs.Points,
	}
	if pairs.Groups != nil {
		b.Groups = len(h.groups)
	}
	var err error
	b.Inputs, err = newInputs(ctx, h.inputs, workers)
	if err != nil {
		return nil, err
	}
	for _, d := range h.distances {
		b.Farthest[0] = max(b.Farthest[0], d[0])
		b.Farthest[1] = max(b.Farthest[1], d[1])
	}
	return b, b.score(h)
}

// Parts returns the number of parts into which groups of pairs are divided for Calibrate: up to most, with two groups each
// at least, because half of the parts alone have to be enough to learn from.
func Parts(groups, most int) int { return max(1, min(most, groups/2)) }

// Check returns the *fault.Data of Calibrate for pairs that bands cannot be made of. It takes no training to know.
func Check(pairs dataset.Pairs, parts [][]int) error {
	const least = 8 // so that half of them are enough to train with
	groups := len(ridge.Labelled(pairs.Groups, pairs.Count()))
	if len(parts) < 2 || groups < least {
		const few = "%d pairs in %d groups are too few for prediction bands, want at least %d groups, " +
			"and 99 for bands with 99%% of the errors"
		return &fault.Data{
			Where: "training pairs",
			What:  fmt.Sprintf(few, pairs.Count(), groups, least),
			Do:    "raise data.train, or set evaluation.bands = no",
		}
	}
	if pairs.Inputs.Unit() != 1 || pairs.Outputs.Unit() != 1 {
		return &fault.Data{
			Where: "training pairs",
			What:  "have values whose squares overflow or vanish, so that prediction bands cannot be made",
			Do:    "use other units, or set evaluation.bands = no",
		}
	}
	return nil
}

// heldOut holds pairs with predictions of each by a model that has learned without its part.
type heldOut struct {
	pairs     dataset.Pairs
	groups    ridge.Groups // of pairs that depend on each other
	inputs    grid.Batch   // on the grid on which they are compared
	train     func(ctx context.Context, kept []int) (score.Predictor, error)
	workers   int
	residuals grid.Batch
	sizes     []float64    // L2 norms of the predictions
	distances [][2]float64 // of the inputs from the training inputs
}

// predict trains without each part. Errors are those of Calibrate.
func (h *heldOut) predict(ctx context.Context, parts [][]int) error {
	n := h.pairs.Count()
	h.residuals = h.pairs.Outputs.Clone()
	h.sizes = make([]float64, n)
	h.distances = make([][2]float64, n)
	for _, held := range parts {
		kept := ridge.Others(held, n)
		model, err := h.train(ctx, kept)
		if err != nil {
			return err
		}
		known, err := newInputs(ctx, h.inputs.Take(kept), h.workers)
		if err != nil {
			return err
		}
		predictions, err := model.Predict(ctx, h.pairs.Inputs.Take(held), h.workers, nil)
		if err != nil {
			return err
		}
		far := known.distances(h.inputs.Take(held))
		for k, i := range held {
			p := predictions.At(k)
			h.sizes[i] = predictions.Domain.Norm(p)
			h.distances[i] = far[k]
			floats.Sub(h.residuals.At(i), p)
		}
	}
	return nil
}

// shrink scales residuals of training on a share of the pairs to those of all pairs, by the residuals rough of half as
// many. It never makes them larger.
func shrink(residuals, rough grid.Batch, share float64) {
	mean := 0.0 // of the logarithm of the ratio, as single pairs do not dominate it
	for i := range residuals.Count {
		few := rough.Domain.Norm(rough.At(i))
		many := residuals.Domain.Norm(residuals.At(i))
		positive := few > 0 && many > 0
		if !positive { // or not a number: score refuses it
			return
		}
		logarithm := math.Log(few / many)
		mean += logarithm / float64(residuals.Count)
	}
	rate := max(0, mean/math.Log(2*share))
	floats.Scale(math.Pow(share, rate), residuals.Data)
}

// score computes g, s and the quantiles.
func (b *Bands) score(h *heldOut) error {
	residuals := h.residuals
	n := float64(residuals.Count)
	norms, err := normsOf(residuals)
	if err != nil {
		return err
	}
	b.Exponents = difficulty(norms, h.sizes, h.distances, len(h.groups))
	var g []float64 // of each pair
	for i, r := range norms {
		own := b.of(h.sizes[i], h.distances[i])
		g = append(g, own)
		b.Function = append(b.Function, r/own)
	}
	addSquares := func(sums []float64, i int) { // of r(x)/g of pair i
		square := g[i] * g[i]
		for x, v := range residuals.At(i) {
			sums[x] += v * v / square
		}
	}
	squares := make([]float64, residuals.Values()) // sums over the pairs
	for i := range norms {
		addSquares(squares, i)
	}
	const negligible = 1e-3 // of s, so that it does not vanish where all outputs agree, as on a boundary
	least := negligible * math.Sqrt(slices.Max(squares)/n)
	root := func(sum, count float64) float64 {
		mean := max(0, sum/count) // differences of sums may be below 0
		return max(math.Sqrt(mean), least)
	}
	for _, v := range squares {
		b.Place = append(b.Place, root(v, n))
	}
	var ratios []float64 // |r(x)| / (g s(x)) of all points of all pairs
	for _, group := range h.groups {
		own := make([]float64, residuals.Values()) // of the group, which has no part in s for new inputs either
		for _, i := range group {
			addSquares(own, i)
		}
		others := n - float64(len(group))
		for _, i := range group {
			most := 0.0
			for x, v := range residuals.At(i) {
				s := root(squares[x]-own[x], others)
				ratio := math.Abs(v) / (g[i] * s)
				most = max(most, ratio)
				ratios = append(ratios, ratio)
			}
			b.Whole = append(b.Whole, most)
		}
	}
	slices.Sort(b.Function)
	slices.Sort(b.Whole)
	slices.Sort(ratios)
	b.Point = keptQuantiles(ratios)
	return nil
}

// keptQuantiles returns the quantiles of ascending numbers that a file keeps in their place.
func keptQuantiles(ascending []float64) (kept []float64) {
	last := len(ascending) - 1
	for q := range quantiles {
		share := float64(q+1) / (quantiles + 1)
		at := int(math.Ceil(share * float64(len(ascending))))
		kept = append(kept, ascending[min(at, last)])
	}
	return kept
}

// normsOf returns the norms of residuals. The error is a *fault.Data about a pair that no band can be scaled by.
func normsOf(residuals grid.Batch) ([]float64, error) {
	var norms []float64
	for i := range residuals.Count {
		norm := residuals.Domain.Norm(residuals.At(i))
		positive := norm > 0
		if !positive || math.IsInf(norm, 0) {
			return nil, &fault.Data{
				Where: fmt.Sprintf("training pair %d", i),
				What:  fmt.Sprintf("has the error %g when it is held out, by which no band can be scaled", norm),
				Do:    "look for pairs that occur twice, or set evaluation.bands = no",
			}
		}
		norms = append(norms, norm)
	}
	return norms, nil
}

// quantile returns the smallest score that at least the share level of the scores and those of one more, unknown pair do
// not exceed; +Inf if there are too few. With groups of pairs it counts the scores of one more group (Dunn, Wasserman &
// Ramdas 2023, pooling): pairs of one group carry little more information than one of them. The scores may be those of
// all pairs, or of all points of all pairs: points of one pair carry little more information than the pair either.
func (b *Bands) quantile(ascending []float64, level float64) float64 {
	n := float64(len(ascending))
	known := float64(b.Pairs)
	if b.Groups > 0 {
		known = float64(b.Groups)
	}
	withOneMore := n + n/known
	at := int(math.Ceil(level*withOneMore)) - 1
	if at >= len(ascending) {
		return math.Inf(1)
	}
	return ascending[max(0, at)]
}

// Checked holds predictions with the bounds of their errors.
type Checked struct {
	bands       *Bands
	predictions grid.Batch
	g           []float64
	place       []float64
	Outside     []int // inputs that are farther from the training inputs than any of these is from the others
}

// Check measures inputs and their predictions. The error is a *fault.Data if they do not fit the grid of the bands.
func (b *Bands) Check(inputs, predictions grid.Batch) (*Checked, error) {
	if predictions.Domain.Values(b.Points) != len(b.Place) {
		return nil, &fault.Data{
			Where: "bands",
			What:  "are those of a model of " + predictions.Domain.Name() + " on another grid",
			Do:    "run the experiment again",
		}
	}
	distances, err := b.Inputs.Distances(inputs)
	if err != nil {
		return nil, err
	}
	own := grid.BatchOf(predictions.Domain, b.Points, b.Place)
	place, err := resample.To(own, predictions.Points)
	if err != nil {
		return nil, err
	}
	c := &Checked{
		bands:       b,
		predictions: predictions,
		place:       slices.Clone(place.Data),
	}
	least := slices.Min(b.Place) // because interpolants overshoot
	for x, v := range c.place {
		c.place[x] = max(v, least)
	}
	for i, distance := range distances {
		size := predictions.Domain.Norm(predictions.At(i))
		c.g = append(c.g, b.of(size, distance))
		farther := distance[0] > b.Farthest[0] || distance[1] > b.Farthest[1]
		if farther {
			c.Outside = append(c.Outside, i)
		}
	}
	return c, nil
}

// Radius returns the bound of |u - F(a)| in L2 for prediction i, with probability level; +Inf if there were too few
// pairs for that level.
func (c *Checked) Radius(i int, level float64) float64 {
	return c.bands.quantile(c.bands.Function, level) * c.g[i]
}

// Widths returns half the widths of the bands with probability level at each single point of the predictions, or, if
// whole, at all points of one together. Values are +Inf if there were too few pairs for that level.
func (c *Checked) Widths(level float64, whole bool) grid.Batch {
	scores := c.bands.Point
	if whole {
		scores = c.bands.Whole
	}
	q := c.bands.quantile(scores, level)
	widths := c.predictions.Like(c.predictions.Count)
	for i, g := range c.g {
		floats.ScaleTo(widths.At(i), q*g, c.place)
	}
	return widths
}

// Band returns the half-width for prediction i at all points together; nil if there were too few pairs for it.
func (c *Checked) Band(i int, level float64) []float64 {
	q := c.bands.quantile(c.bands.Whole, level)
	if math.IsInf(q, 1) {
		return nil
	}
	half := make([]float64, len(c.place))
	return floats.ScaleTo(half, q*c.g[i], c.place)
}

// Coverage is the share of test pairs, or of their points, within the bounds of one level.
type Coverage struct {
	Promised float64 `json:"promised"`
	Function float64 `json:"function"` // |u - F(a)| within its radius
	Whole    float64 `json:"whole"`    // u in the band everywhere
	Point    float64 `json:"point"`    // u(x) in the band
	// Radius is the mean radius relative to |F(a)|; 0, which JSON does not have, if there were too few pairs for the level:
	// such a band has no bound, and contains everything.
	Radius float64 `json:"radius,omitempty"`
}

// Covered compares with true outputs on the grid of the predictions.
func (c *Checked) Covered(truth grid.Batch) []Coverage {
	var list []Coverage
	for _, level := range []float64{0.5, 0.9, 0.99} {
		list = append(list, c.coverage(truth, level))
	}
	return list
}

func (c *Checked) coverage(truth grid.Batch, level float64) Coverage {
	d := truth.Domain
	n := float64(truth.Count)
	v := Coverage{Promised: level}
	points := c.Widths(level, false)
	whole := c.Widths(level, true)
	for i := range truth.Count {
		p := c.predictions.At(i)
		u := truth.At(i)
		radius := c.Radius(i, level)
		v.Radius += radius / d.Norm(p) / n
		distance := math.Sqrt(d.Distance2(p, u))
		if distance <= radius {
			v.Function += 1 / n
		}
		within := pointsWithin(p, u, points.At(i))
		v.Point += float64(within) / float64(len(u)) / n
		if pointsWithin(p, u, whole.At(i)) == len(u) {
			v.Whole += 1 / n
		}
	}
	if !grid.Finite(v.Radius) {
		v.Radius = 0
	}
	return v
}

// pointsWithin returns the number of points at which two functions differ by no more than half the width of a band.
func pointsWithin(p, u, half []float64) (count int) {
	for x, v := range u {
		distance := math.Abs(v - p[x])
		if !(distance > half[x]) {
			count++
		}
	}
	return count
}

// File is the name of the file with the bands of a model, in the model's directory.
const File = "bands.json"

// Write writes bands. The error is the writer's.
func Write(w io.Writer, b *Bands) error { return json.NewEncoder(w).Encode(b) }

// ReadFile reads a file of Write. The error is a *fault.Data, which wraps fs.ErrNotExist if the file does not exist.
func ReadFile(name string) (*Bands, error) {
	const limit = 1 << 28 // bytes
	text, err := files.ReadFile(name, limit)
	if err != nil {
		return nil, &fault.Data{
			Where: name,
			What:  "cannot be read",
			Err:   err,
			Do:    "train with --set evaluation.bands=yes, which makes prediction bands",
		}
	}
	b := new(Bands)
	const again = "run the experiment again"
	err = json.Unmarshal(text, b)
	if err != nil {
		return nil, &fault.Data{
			Where: name,
			What:  "has no bands",
			Err:   err,
			Do:    again,
		}
	}
	what := b.wrong()
	if what != "" {
		return nil, &fault.Data{
			Where: name,
			What:  what,
			Do:    again,
		}
	}
	return b, nil
}

// wrong describes why bands cannot be used; it is empty if they can.
func (b *Bands) wrong() string {
	for _, list := range [][]float64{b.Function, b.Whole, b.Point, b.Place} {
		for i, v := range list {
			if math.IsNaN(v) || v < 0 {
				return fmt.Sprintf("has the score %g at %d", v, i)
			}
		}
	}
	functions := len(b.Function)
	whole := len(b.Whole)
	ofPairs := functions == b.Pairs && whole == b.Pairs
	if b.Pairs < 1 || !ofPairs || len(b.Point) == 0 {
		return fmt.Sprintf("has %d and %d scores of %d pairs", functions, whole, b.Pairs)
	}
	if len(b.Exponents) != 3 {
		return fmt.Sprintf("has %d exponents, want 3", len(b.Exponents))
	}
	onGrid := len(b.Place) > 0 && b.Points >= 3
	inputsOnGrid := b.Inputs.Points >= 3 && b.Inputs.Rest > 0 // false of NaN
	if !onGrid || !inputsOnGrid {
		return "has no grid"
	}
	modes := len(b.Inputs.Modes)
	sizes := len(b.Inputs.Sizes)
	if modes == 0 || sizes != modes {
		return fmt.Sprintf("has %d modes and %d sizes", modes, sizes)
	}
	for _, mode := range b.Inputs.Modes {
		if len(mode) != len(b.Inputs.Mean) {
			return fmt.Sprintf("has a mode of %d values, want %d", len(mode), len(b.Inputs.Mean))
		}
	}
	return ""
}
