package method

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/layers"
	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// layersMethod is the entry of Layered in methods.
var layersMethod = Method{Name: config.Layers, Title: "local layers", Most: 4096,
	Bytes: func(pairs dataset.Pairs, o Options) float64 {
		in, out := pairs.Inputs.Domain, pairs.Outputs.Domain
		functions := 8 * 7 * float64(pairs.Count()*pairs.Outputs.Values())
		view := layers.ViewBytes(in, pairs.Inputs.Points, in.Width()+out.Width(), o.Workers)
		return max(firstBytes(pairs, o), layers.Bytes*float64(1+o.Workers)+functions+view)
	},
	suits: func(in, out grid.Domain, symmetry string) bool {
		return in.One() == out.One() &&
			slices.ContainsFunc(kernels, func(m Method) bool { return m.Suits(in, out, symmetry) })
	},
	train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
		l, err := layered(ctx, pairs, o)
		if err != nil {
			return nil, err
		}
		return averaged(l, o.Symmetry), nil
	}}

// Layered adds a local law of the input a and of the prediction v of another operator, or of the input alone:
//
//	F(a) = v + r(a, v),  v = First(a),  or  F(a) = Means + r(a),
//
// r being a layer of package layers for each channel of outputs, which sees all channels of inputs and predictions.
// First may be a Layered.
type Layered struct {
	place
	Means  []float64 `json:"means,omitempty"`                 // of outputs, one a channel; without First
	Placed bool      `json:"placed,omitempty"`                // whether r sees the place, too
	First  Operator  `json:"first,omitempty" prefix:"first_"` // nil: none
	layers.Layer
	view *layers.View
}

const (
	mostLayers = 4
	// Directions that miss more than this part of residuals have found no law; the few features of a search miss a little
	// more than all.
	lawless = 1.02
)

// layered learns a chain of layers, Layered or Stacked. All beginnings that come within a factor of lookFactor of the
// least error in a look at some pairs are tried on all of them, and within loneFactor those without a kernel, which stack
// completes. More layers follow as long as the leave-one-out error falls.
//
// The leave-one-out error is of predictions from other parts of the pairs. It neglects that without a pair the operator
// beneath would predict the others differently, and that the directions of the features have seen the pair. With few
// pairs that is not small, see byFolds. Errors: those of Method.Train, and a *fault.Data if no layer lowers the error.
func layered(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
	t := &chainTraining{pairs: pairs, options: o}
	if like := core(o.Like); isChain(like) {
		learned, err := t.like(ctx, like)
		if err != nil {
			return nil, err
		}
		return learned, nil
	}
	starts, kernel, err := t.begin(ctx)
	if err != nil {
		return nil, err
	}
	best, err := bestOf(o, starts, func(l *layering) (Operator, error) {
		learned, gained, err := t.first(ctx, l)
		if err == nil && !gained {
			err = unimproved(kernel, "no local layer lowers the leave-one-out error, %.3g, by 2%%")
		}
		return learned, err
	})
	if err == nil && best != nil {
		best, err = t.grow(ctx, best)
	}
	if err == nil && best != nil && len(t.groups()) < fewGroups {
		err = t.byFolds(ctx, best)
	}
	if err != nil {
		return nil, err
	}
	if best == nil || !(best.LeaveOneOut() < gain*kernel.LeaveOneOut()) {
		return nil, unimproved(kernel, "no local layer lowers the leave-one-out error, %.3g, by 2%%")
	}
	return best, nil
}

// chainTraining holds what the training of a chain of layers needs.
type chainTraining struct {
	pairs   dataset.Pairs
	options Options
}

// isChain reports whether an operator is a chain of layers.
func isChain(o Operator) bool {
	switch o.(type) {
	case *Layered, *Stacked:
		return true
	}
	return false
}

// groups returns the groups of pairs that are left out together.
func (t *chainTraining) groups() ridge.Groups { return ridge.Labelled(t.pairs.Groups, t.pairs.Count()) }

// begin returns the first layers that a look at some of the pairs selects, and the kernel of firstOf: layers without a
// kernel, or with it, each with or without the place. Errors are those of layered.
func (t *chainTraining) begin(ctx context.Context) (starts []*layering, kernel Operator, err error) {
	kernel, _, err = firstOf(ctx, t.pairs, t.options)
	if err != nil {
		return nil, nil, err
	}
	placed := []bool{false}
	if still(t.pairs.Inputs.Domain, t.pairs.Outputs.Domain, t.options.Symmetry) {
		placed = append(placed, true)
	}
	for _, p := range placed {
		for _, first := range []Operator{nil, kernel} {
			l := newLayering(t.pairs, first, p, t.options)
			_, missed, err := l.search(ctx, lookPairs)
			if err != nil {
				return nil, nil, err
			}
			l.look = missed * l.before
			starts = append(starts, l)
		}
	}
	least := slices.MinFunc(starts, func(a, b *layering) int { return cmp.Compare(a.look, b.look) }).look
	if err := t.options.look(least, behind); err != nil {
		return nil, nil, err
	}
	starts = slices.DeleteFunc(starts, func(l *layering) bool {
		if l.First == nil {
			return l.look > loneFactor*least
		}
		lawless := l.look >= l.before
		return lawless || l.look > lookFactor*least
	})
	return starts, kernel, nil
}

// loneFactor is the factor of the least error in a first look within which layers without a kernel are learned. Their
// error falls several times where an operator of whole functions learns what they leave.
const loneFactor = 2.5

// first learns a first layer, and stacks one without a kernel. gained reports whether it lowers the leave-one-out error.
// The error is one of training.
func (t *chainTraining) first(ctx context.Context, start *layering) (learned Operator, gained bool, err error) {
	layer, gained, err := start.learn(ctx)
	if err != nil || !gained || layer.First != nil {
		return layer, gained, err
	}
	s, stacked, err := t.stack(ctx, layer)
	if err != nil || !stacked {
		return layer, true, err
	}
	return s, true, nil
}

// grow adds layers as long as they lower the leave-one-out error, and after each what stack learns, as long as that has
// gained before. The error is one of training.
func (t *chainTraining) grow(ctx context.Context, best Operator) (Operator, error) {
	s, stacking := best.(*Stacked)
	first := best
	if stacking {
		first = s.First
	}
	placed := first.(*Layered).Placed
	for count := 1; count < mostLayers; count++ {
		next, gained, err := newLayering(t.pairs, best, placed, t.options).learn(ctx)
		if err != nil {
			return nil, err
		}
		if !gained {
			return best, nil
		}
		best = next
		if !stacking {
			continue
		}
		s, stacking, err = t.stack(ctx, best)
		if err != nil {
			return nil, err
		}
		if stacking {
			best = s
		}
	}
	return best, nil
}

// like learns a chain of the same form as another one from other pairs, with the same kernels. The error is one of
// training.
func (t *chainTraining) like(ctx context.Context, other Operator) (Operator, error) {
	switch other := other.(type) {
	case *Layered:
		var first Operator
		if other.First != nil {
			var err error
			first, err = t.like(ctx, other.First)
			if err != nil {
				return nil, err
			}
		}
		l, gained, err := newLayering(t.pairs, first, other.Placed, t.options).learn(ctx)
		if err == nil && !gained {
			if isChain(first) {
				return first, nil // the last of several layers does not pay with these pairs
			}
			err = unimproved(first, "no local layer lowers the leave-one-out error, %.3g, by 2%%")
		}
		if err != nil {
			return nil, err
		}
		return l, nil
	case *Stacked:
		first, err := t.like(ctx, other.First)
		if err != nil {
			return nil, err
		}
		return t.stackLike(ctx, first, other)
	default:
		o := t.options
		o.Like = other // a kernel with the same parameters
		kernel, _, err := firstOf(ctx, t.pairs, o)
		return kernel, err
	}
}

// purposeFolds names the stream that divides few pairs into folds.
const purposeFolds draw.Purpose = "layer-folds"

// With fewer than fewGroups groups of pairs the error of a chain of layers is that of retraining it on foldsOfFew folds.
const fewGroups, foldsOfFew = 40, 5

// byFolds sets the leave-one-out residuals of a chain to those of chains of the same form that have learned from four
// fifths of the pairs. The error is one of training.
func (t *chainTraining) byFolds(ctx context.Context, chain Operator) error {
	o := t.options
	o.Known, o.Looked, o.Watch = nil, nil, nil
	residuals := t.pairs.Outputs.Clone()
	order := draw.Permutation(o.Seed, purposeFolds, 0, t.pairs.Count())
	for _, part := range t.groups().Parts(order, foldsOfFew) {
		rest := &chainTraining{t.pairs.Take(ridge.Others(part, t.pairs.Count())), o}
		learned, err := rest.like(ctx, chain)
		if err != nil {
			return err
		}
		predicted, err := learned.Predict(ctx, t.pairs.Inputs.Take(part), o.Workers, nil)
		if err != nil {
			return err
		}
		for k, i := range part {
			floats.Sub(residuals.At(i), predicted.At(k))
		}
	}
	at := placeIn(chain)
	at.left = residuals
	at.Error = meanRelative(residuals, norms(t.pairs.Outputs))
	return nil
}

// placeIn returns the place of a chain of layers.
func placeIn(chain Operator) *place {
	switch chain := chain.(type) {
	case *Layered:
		return &chain.place
	case *Stacked:
		return &chain.place
	}
	panic(fmt.Sprintf("method: %T is no chain of layers", chain))
}

// layering is a Layered in training.
type layering struct {
	Layered
	tasks        []layers.Task // of each channel
	sizes        []float64     // L2 norms of the outputs to which errors are relative
	before, look float64       // leave-one-out errors without the layer, and with one from a first look
}

func newLayering(pairs dataset.Pairs, first Operator, placed bool, o Options) *layering {
	l := &layering{Layered: Layered{place: placeOf(pairs), First: first, Placed: placed},
		sizes: norms(pairs.Outputs)}
	var v grid.Batch
	if first == nil {
		for d := range l.out() {
			mean, _ := moments(pairs.Outputs.Channel(d))
			l.Means = append(l.Means, mean)
		}
		v = l.constant(pairs.Count())
		l.left = pairs.Outputs.Minus(v)
	} else {
		l.left = residualsOf(first)
		v = pairs.Outputs.Minus(l.left)
	}
	l.view = l.newView()
	task := layers.Task{View: l.view, Inputs: l.seen(pairs.Inputs, v), Seed: o.Seed, Layer: layersOf(first),
		Workers: o.Workers, Groups: ridge.Labelled(pairs.Groups, pairs.Count())}
	for d := range l.out() {
		task.Targets = l.left.Channel(d)
		l.tasks = append(l.tasks, task)
	}
	l.before = meanRelative(l.left, l.sizes)
	return l
}

// layersOf returns the number of layers in a chain.
func layersOf(o Operator) int {
	switch o := o.(type) {
	case *Layered:
		return 1 + layersOf(o.First)
	case *Stacked:
		return layersOf(o.First)
	}
	return 0
}

// search returns directions for each channel, and the root mean square that they miss, relative to all targets.
func (l *layering) search(ctx context.Context, count int) (all []layers.Directions, relative float64, err error) {
	missed, square := 0.0, 0.0
	for _, t := range l.tasks {
		d, err := t.Search(ctx, count)
		if err != nil {
			return nil, 0, err
		}
		own := floats.Dot(t.Targets.Data, t.Targets.Data)
		all = append(all, d)
		missed += own * d.Error * d.Error
		square += own
	}
	return all, math.Sqrt(missed / square), nil
}

// learn learns the layer from all pairs. gained reports whether it lowers the leave-one-out error by 2%; a layer that
// begins without another operator always does. The error is one of training.
func (l *layering) learn(ctx context.Context) (learned *Layered, gained bool, err error) {
	directions, missed, err := l.search(ctx, l.left.Count)
	if err != nil {
		return nil, false, err
	}
	if l.First != nil && missed > lawless {
		return nil, false, nil
	}
	var predicted []grid.Batch
	for d, t := range l.tasks {
		layer, one, err := t.Learn(ctx, directions[d])
		if err != nil {
			return nil, false, err
		}
		if d == 0 {
			l.Weights = layer.Weights
		} else {
			both := new(mat.Dense)
			both.Augment(l.Weights, layer.Weights)
			l.Weights = both
		}
		l.Coefficients = append(l.Coefficients, layer.Coefficients...)
		predicted = append(predicted, one)
	}
	l.left = l.left.Minus(grid.Stack(predicted...))
	l.Error = meanRelative(l.left, l.sizes)
	return &l.Layered, l.First == nil || l.Error < gain*l.before, nil
}

// seen returns the functions that a layer sees: predictions only if they are not constant.
func (l *Layered) seen(a, v grid.Batch) grid.Batch {
	if l.First == nil {
		return a
	}
	return grid.Stack(a, v)
}

// channelsSeen returns the number of channels of these functions.
func (l *Layered) channelsSeen() int {
	if l.First == nil {
		return l.in()
	}
	return l.in() + l.out()
}

func (l *Layered) newView() *layers.View {
	return layers.NewView(l.Domain(), l.Points, l.channelsSeen(), l.Placed)
}

// constant returns functions of the values Means.
func (l *Layered) constant(count int) grid.Batch {
	v := grid.NewBatch(l.outputs(), l.Points, count)
	for i := range count {
		for d, mean := range l.Means {
			floats.AddConst(mean, v.Of(i, d))
		}
	}
	return v
}

func (l *Layered) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return l.apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (v grid.Batch, err error) {
		if l.First == nil {
			v = l.constant(inputs.Count)
		} else if v, err = l.First.Predict(ctx, inputs, workers, nil); err != nil {
			return v, err
		}
		sum := v.Clone()
		return sum, l.Add(ctx, l.view, sum, l.seen(inputs, v), ridge.Others(nil, v.Count), workers, progress)
	})
}

func (*Layered) Name() string { return config.Layers }

func (l *Layered) String() string {
	layer := fmt.Sprintf("a local layer of %d features", len(l.Coefficients)/l.out())
	if l.First == nil {
		return layer
	}
	return fmt.Sprintf("%v, corrected by %s", l.First, layer)
}

func (l *Layered) Sizes() (map[string][]int, error) {
	all, err := l.place.Sizes()
	if err != nil {
		return nil, err
	}
	if !grid.Finite(l.Means...) || l.First == nil && len(l.Means) != l.out() {
		return nil, codec.Bad("has layers for %d channels with the means %g", l.out(), l.Means)
	}
	all["seen"] = []int{layers.SizeOf(l.Domain(), l.channelsSeen(), l.Placed)}
	return all, nil
}

// Restored computes the view.
func (l *Layered) Restored() error {
	if all := len(l.Coefficients); all%l.out() != 0 {
		return codec.Bad("has layers of %d features for %d channels", all, l.out())
	}
	l.view = l.newView()
	if l.First == nil {
		return nil
	}
	return l.begins(l.First)
}
