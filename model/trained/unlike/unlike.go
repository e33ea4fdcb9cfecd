// Package unlike tells inputs that resemble the training inputs of a model from others, where nobody knows its error. One
// measure serves all methods: the posterior deviation of a Gaussian process that has seen the training inputs a_i,
//
//	s(a)^2 = 1 - k(a)' (K + c I)^-1 k(a),  k(a)_i = k(d(a, a_i)),  K_ij = k(d(a_i, a_j)),
//	d(a, b)^2 = sum_p w_p |D^p (a - b)|^2 / l_p^2 + w |M (a - b)|^2 / l^2,
//
// k Matern's kernel of order 5/2, D^p differences of order p = 0, 1, 2, M the means of the channels, l_p the root mean
// square of |D^p (a_i - a_j)|, l a fiftieth of l_0. It is 0 at a training input and 1 far from all. The last term exists only
// if the means of all training inputs agree to within l, as those of many laws do, which conserve mass: another mean is
// then unlike them, however small it is beside the values. It needs no prediction. With values alone its rank correlation with the
// true errors is a little higher, and with principal components of equal weight far lower; differences tell larger inputs
// apart, of which a few smooth modes have nearly all of the norm (docs/methods.md has the table).
//
// The limit is a quantile of the deviations of training inputs, each from the others outside of its group.
package unlike

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

const (
	// mostReferences bounds the training inputs that are kept: the measure of one input takes so many distances.
	mostReferences = 256
	// mostOthers bounds the training inputs that are not kept, and whose deviations determine the limit with those of the
	// references.
	mostOthers = 1024
	// flagged is the share of inputs of the same law beyond the limit.
	flagged = 0.011
	// rounding is the size of differences, relative to values, below which they are those of rounding errors.
	rounding = 1e-9
	// nugget is the constant c, which bounds the condition of the matrix.
	nugget = 1e-6
)

// Inputs are training inputs, from which others are told apart. It is a part of model files.
type Inputs struct {
	codec.Grid
	Units      []float64  `json:"units"`                                     // root mean square around the mean, one for each channel
	Lengths    []float64  `json:"lengths"`                                   // l_p and l, in these units; 0: without this term. Older files have no l
	Limit      float64    `json:"limit"`                                     // deviation beyond which an input is unlike the training inputs
	Every      int        `json:"every,omitempty"`                           // of points of any geometry one is compared; 0: on grids
	References *mat.Dense `json:"training_inputs" shape:"references inputs"` // values
	// Of the references, computed by Restored:
	rows    *mat.Dense     // references x coordinates, see coordinates
	columns *linalg.Panels // the same, coordinates x references
	norms   []float64      // |row|^2
	inverse *linalg.Panels // of the factor L of the matrix, with row i in column i
}

// weights are w_p and w.
var weights = [...]float64{0.5, 0.25, 0.25, means: 0.25}

const (
	// means stands for M in place of an order of differences.
	means = 3
	// leastMeans is l as a part of l_0.
	leastMeans = 0.02
)

// New returns the measure for training inputs with labels of groups, nil if each is a group. It is nil if they are fewer
// than three groups, or all the same: then nothing can be told. It returns ctx.Err() if ctx is done.
func New(ctx context.Context, inputs grid.Batch, labels []int) (*Inputs, error) {
	every := 0
	few := coarse(inputs)
	if inputs.Domain.Scattered() {
		every = (inputs.Points + mostScattered - 1) / mostScattered
		few = thinned(inputs, every)
	}
	one := few.Domain.One()
	n := few.Count
	kept := spread(n, mostReferences)
	channels := few.Domain.Width()
	in := &Inputs{
		Grid:  codec.GridOf(one, few.Points, channels, channels),
		Every: every,
	}
	for c := range channels {
		in.Units = append(in.Units, unitOf(few.Channel(c)))
	}
	references := few.Take(kept)
	m := references.Count
	groups := ridge.Labelled(taken(labels, kept), m)
	const least = 3
	if len(groups) < least {
		return nil, nil
	}
	in.References = mat.NewDense(m, few.Values(), references.Data)
	for p := range weights {
		if p > 0 && every > 0 { // points of any geometry have no neighbours along axes
			in.Lengths = append(in.Lengths, 0)
			continue
		}
		rows := in.differences(references, p)
		length := rootMeanSquare(rows)
		switch {
		case p == means && length < leastMeans*in.Lengths[0]:
			length = leastMeans * in.Lengths[0]
		case p == means:
			length = 0
		case p > 0 && length < rounding*in.Lengths[0]:
			length = 0
		}
		in.Lengths = append(in.Lengths, length)
	}
	differ := grid.Finite(in.Lengths...) && slices.Max(in.Lengths) > 0
	if !differ {
		return nil, nil
	}
	factors, err := in.prepare()
	if err != nil {
		return nil, nil
	}
	scores := leftOut(factors, groups)
	if labels == nil { // other inputs may be in the groups of references
		others := rest(n, kept, mostOthers)
		deviations, err := in.deviations(ctx, few.Take(others))
		if err != nil {
			return nil, err
		}
		scores = append(scores, deviations...)
	}
	in.Limit = limit(scores)
	return in, nil
}

// limit returns the deviation that a share flagged of deviations of the same law exceeds: between the order statistics
// around it in proportion, and the largest if they are few.
func limit(scores []float64) float64 {
	slices.Sort(scores)
	slices.Reverse(scores)
	rank := max(1, flagged*float64(len(scores)+1))
	low := int(rank)
	part := rank - float64(low)
	above := scores[low-1]
	below := scores[min(low, len(scores)-1)]
	return above + part*(below-above)
}

// mostScattered bounds the points of any geometry, which have no order, that are compared.
const mostScattered = 1024

// thinned returns functions at points of any geometry as lists of every so many of their values; functions on grids, where
// every is 0, are unchanged.
func thinned(b grid.Batch, every int) grid.Batch {
	if every == 0 {
		return b
	}
	list := grid.Interval.With(b.Domain.Width())
	few := grid.NewBatch(list, (b.Points+every-1)/every, b.Count)
	for i := range b.Count {
		for c := range b.Domain.Width() {
			values := few.Of(i, c)
			for x, v := range b.Of(i, c) {
				if x%every == 0 {
					values[x/every] = v
				}
			}
		}
	}
	return few
}

// coarse restricts inputs to a grid on which they can be compared: up to 65 points, for fields 17 along an axis.
func coarse(inputs grid.Batch) grid.Batch {
	bound := [...]int{1: 65, 2: 17}[inputs.Domain.Dims]
	const least = 9
	for points := min(bound, inputs.Points); points >= least; points-- {
		if few, err := inputs.Restrict(points); err == nil {
			return few
		}
	}
	return inputs
}

// spread returns n numbers, or most of them at equal distances.
func spread(n, most int) (kept []int) {
	count := min(n, most)
	for i := range count {
		kept = append(kept, i*n/count)
	}
	return kept
}

// rest returns at most so many of the numbers below n that are not kept, which ascend.
func rest(n int, kept []int, most int) (others []int) {
	for i := range n {
		if _, ok := slices.BinarySearch(kept, i); !ok {
			others = append(others, i)
		}
	}
	chosen := spread(len(others), most)
	for k, i := range chosen {
		chosen[k] = others[i]
	}
	return chosen
}

// taken returns the labels of some inputs; nil of nil.
func taken(labels []int, kept []int) (some []int) {
	if labels == nil {
		return nil
	}
	for _, i := range kept {
		some = append(some, labels[i])
	}
	return some
}

// unitOf returns the root mean square of the values around their mean, or 1 if they are all the same.
func unitOf(b grid.Batch) float64 {
	mean := 0.0
	for _, v := range b.Data {
		mean += v / float64(len(b.Data))
	}
	square := 0.0
	for _, v := range b.Data {
		square += (v - mean) * (v - mean) / float64(len(b.Data))
	}
	if root := math.Sqrt(square); root > 0 && grid.Finite(root) {
		return root
	}
	return 1
}

// differences returns D^p of functions as rows; or M, in the scale of D^0 of constant functions.
func (in *Inputs) differences(b grid.Batch, p int) *mat.Dense {
	var all []float64
	for i := range b.Count {
		all = in.appendTerm(all, b, i, p)
	}
	return mat.NewDense(b.Count, len(all)/b.Count, all)
}

// appendTerm appends D^p or M of function i with channels in their units: differences of neighbours along each axis, p
// times.
func (in *Inputs) appendTerm(all []float64, b grid.Batch, i, p int) []float64 {
	rows, columns := b.Domain.One().Axes(b.Points)
	scaled := make([]float64, rows*columns)
	for c, unit := range in.Units {
		for x, v := range b.Of(i, c) {
			scaled[x] = v / unit
		}
		switch p {
		case 0:
			all = append(all, scaled...)
			continue
		case means:
			all = append(all, mean(b.Domain.One(), scaled)*math.Sqrt(float64(len(scaled))))
			continue
		}
		for y := range rows {
			all = appendDifferences(all, scaled[y*columns:(y+1)*columns], 1, p)
		}
		for x := 0; rows > 1 && x < columns; x++ {
			all = appendDifferences(all, scaled[x:], columns, p)
		}
	}
	return all
}

// mean returns the mean of a function.
func mean(domain grid.Domain, f []float64) float64 {
	ones := make([]float64, len(f))
	for x := range ones {
		ones[x] = 1
	}
	return domain.Inner(f, ones)
}

// appendDifferences appends the differences of order p, 1 or 2, of every stride-th value.
func appendDifferences(all, values []float64, stride, p int) []float64 {
	for x := 0; x+p*stride < len(values); x += stride {
		d := values[x+stride] - values[x]
		if p == 2 {
			d = values[x+2*stride] - 2*values[x+stride] + values[x]
		}
		all = append(all, d)
	}
	return all
}

// coordinates returns functions as rows whose Euclidean distances are d.
func (in *Inputs) coordinates(b grid.Batch) *mat.Dense {
	var all []float64 // functions x coordinates, row-major
	for i := range b.Count {
		for p, length := range in.Lengths {
			if length == 0 {
				continue
			}
			first := len(all)
			all = in.appendTerm(all, b, i, p)
			floats.Scale(math.Sqrt(weights[p])/length, all[first:])
		}
		if i == 0 {
			all = slices.Grow(all, (b.Count-1)*len(all))
		}
	}
	return mat.NewDense(b.Count, len(all)/b.Count, all)
}

// Deviations returns s of inputs on any grid, on up to workers goroutines. The error is a *fault.Data if their grid does
// not fit, or ctx.Err().
func (in *Inputs) Deviations(ctx context.Context, inputs grid.Batch, workers int) ([]float64, error) {
	if inputs.Domain.Width() != len(in.Units) {
		return nil, &fault.Data{
			Where: "input",
			What:  "has another number of channels than the training inputs",
		}
	}
	there, err := resample.To(thinned(inputs, in.Every), in.Points)
	if err != nil {
		return nil, err
	}
	const block = 256 // bounds the memory
	all := make([]float64, there.Count)
	blocks := (there.Count + block - 1) / block
	err = parallel.For(ctx, workers, blocks, func(_, i int) error {
		first := i * block
		count := min(block, there.Count-first)
		some, err := in.deviations(ctx, there.Range(first, count))
		copy(all[first:], some)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Sizes implements codec.Part.
func (in *Inputs) Sizes() (map[string][]int, error) {
	sizes, err := in.Grid.Sizes()
	if err != nil {
		return nil, err
	}
	channels, _ := in.Channels()
	ofChannels := len(in.Units) == channels && grid.Finite(in.Units...)
	if !ofChannels || slices.Min(in.Units) <= 0 {
		return nil, codec.Bad("has training inputs in the units %g", in.Units)
	}
	known := len(in.Lengths) == len(weights) || len(in.Lengths) == means
	possible := known && grid.Finite(in.Lengths...)
	if possible {
		possible = slices.Min(in.Lengths) >= 0 && slices.Max(in.Lengths) > 0
	}
	limited := grid.Finite(in.Limit) && in.Limit >= 0
	if !possible || !limited {
		return nil, codec.Bad("has training inputs with the lengths %g and the limit %g", in.Lengths, in.Limit)
	}
	return sizes, nil
}

// Restored computes the fields that are not stored.
func (in *Inputs) Restored() error {
	n, _ := in.References.Dims()
	if n > mostReferences {
		return codec.Bad("has %d training inputs to compare with, want at most %d", n, mostReferences)
	}
	_, err := in.prepare()
	return err
}

// prepare computes the fields that are not stored, and returns the factors of K + c I.
func (in *Inputs) prepare() (*mat.Cholesky, error) {
	n, _ := in.References.Dims()
	domain, err := in.Domain()
	if err != nil {
		return nil, err
	}
	channels, _ := in.Channels()
	references := grid.BatchOf(domain.With(channels), in.Points, in.References.RawMatrix().Data)
	in.rows = in.coordinates(references)
	var factors mat.Cholesky
	if !factors.Factorize(in.matrix()) {
		return nil, codec.Bad("has training inputs whose kernel matrix is singular")
	}
	var factor, inverse mat.TriDense
	factors.LTo(&factor)
	err = inverse.InverseTri(&factor)
	if err != nil {
		if _, rough := err.(mat.Condition); !rough {
			return nil, codec.Bad("has training inputs whose kernel matrix is singular")
		}
	}
	in.inverse = linalg.NewPanels(n, n)
	for i := range n {
		row := make([]float64, n)
		for j := range i + 1 {
			row[j] = inverse.At(i, j)
		}
		in.inverse.SetColumn(i, row)
	}
	in.columns = columnsOf(in.rows)
	in.norms = squaredNorms(in.rows)
	return &factors, nil
}
