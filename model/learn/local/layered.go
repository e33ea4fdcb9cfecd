package local

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Layered adds a local law of the input a and of the prediction v of another operator, or of the input alone:
//
//	F(a) = v + r(a, v),  v = First(a),  or  F(a) = Means + r(a),
//
// r being a Layer for each channel of outputs, which sees all channels of inputs and predictions.
// First may be a Layered.
type Layered struct {
	operator.Base
	Means  []float64         `json:"means,omitempty"`                 // of outputs, one a channel; without First
	Placed bool              `json:"placed,omitempty"`                // whether r sees the place, too
	Whole  bool              `json:"whole,omitempty"`                 // whether r sees the means of all channels, too
	First  operator.Operator `json:"first,omitempty" prefix:"first_"` // nil: none
	Layer
	view *View
}

// layering is a Layered in training.
type layering struct {
	Layered
	tasks  []Task    // of each channel
	sizes  []float64 // L2 norms of the outputs to which errors are relative
	before float64   // leave-one-out error without the layer
	look   float64   // with one from a first look
}

// newLayering prepares a layer that sees the means of channels, and perhaps the place, on first, or on nothing if it is nil.
func newLayering(pairs dataset.Pairs, first operator.Operator, placed bool, o operator.Options) *layering {
	l := &layering{sizes: operator.Sizes(pairs.Outputs)}
	l.Base = operator.BaseOf(pairs)
	l.First = first
	l.Placed = placed
	var v grid.Batch
	if first == nil {
		for d := range l.OutChannels() {
			mean, _ := operator.Moments(pairs.Outputs.Channel(d))
			l.Means = append(l.Means, mean)
		}
		v = l.constant(pairs.Count())
		l.Left = pairs.Outputs.Minus(v)
	} else {
		l.Left = operator.ResidualsOf(first)
		v = pairs.Outputs.Minus(l.Left)
	}
	task := Task{
		Inputs:  l.seen(pairs.Inputs, v),
		Groups:  ridge.Labelled(pairs.Groups, pairs.Count()),
		Seed:    o.Seed,
		Layer:   layersOf(first),
		Workers: o.Workers,
	}
	for d := range l.OutChannels() {
		task.Targets = l.Left.Channel(d)
		l.tasks = append(l.tasks, task)
	}
	l.seeMeans(true)
	l.before = operator.MeanRelative(l.Left, l.sizes)
	return l
}

// seeMeans makes the layer see the means of all channels, or not.
func (l *layering) seeMeans(whole bool) {
	l.Whole = whole
	l.view = l.newView()
	for d := range l.tasks {
		l.tasks[d].View = l.view
	}
}

// layersOf returns the number of layers in a chain.
func layersOf(o operator.Operator) int {
	switch o := o.(type) {
	case *Layered:
		return 1 + layersOf(o.First)
	case *Stacked:
		return layersOf(o.First)
	}
	return 0
}

// search returns directions for each channel, and the root mean square that they miss, relative to all targets.
func (l *layering) search(ctx context.Context, count int) (all []Directions, relative float64, err error) {
	missed := 0.0
	square := 0.0
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

// learn learns the layer from all pairs. It sees the means of channels where they clearly lower the error of a search: a
// mean has one value a function, so that features of means also fit what a few functions have by chance. gained reports
// whether the layer lowers the leave-one-out error by 2%; one that begins without another operator always does. The error
// is one of training.
func (l *layering) learn(ctx context.Context) (learned *Layered, gained bool, err error) {
	l.seeMeans(true)
	whole, missedByWhole, err := l.search(ctx, l.Left.Count)
	if err != nil {
		return nil, false, err
	}
	l.seeMeans(false)
	directions, missed, err := l.search(ctx, l.Left.Count)
	if err != nil {
		return nil, false, err
	}
	if missedByWhole < clearGain*missed {
		l.seeMeans(true)
		return l.learnAlong(ctx, whole, missedByWhole)
	}
	return l.learnAlong(ctx, directions, missed)
}

// learnLike learns the layer from all pairs, and sees what another one sees. It is otherwise as learn.
func (l *layering) learnLike(ctx context.Context, other *Layered) (learned *Layered, gained bool, err error) {
	l.seeMeans(other.Whole)
	directions, missed, err := l.search(ctx, l.Left.Count)
	if err != nil {
		return nil, false, err
	}
	return l.learnAlong(ctx, directions, missed)
}

// learnAlong learns the layer along directions of each channel, with which a search misses a part of the targets. It is
// otherwise as learn.
func (l *layering) learnAlong(ctx context.Context, directions []Directions, missed float64) (
	learned *Layered, gained bool, err error) {
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
	l.Left = l.Left.Minus(grid.Stack(predicted...))
	l.Error = operator.MeanRelative(l.Left, l.sizes)
	gained = l.First == nil || l.Error < operator.Gain*l.before
	return &l.Layered, gained, nil
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
		return l.InChannels()
	}
	return l.InChannels() + l.OutChannels()
}

func (l *Layered) newView() *View {
	return newView(l.Domain(), l.Points, l.channelsSeen(), l.sight())
}

func (l *Layered) sight() sight { return sight{placed: l.Placed, means: l.Whole} }

// constant returns functions of the values Means.
func (l *Layered) constant(count int) grid.Batch {
	v := grid.NewBatch(l.OutputDomain(), l.Points, count)
	for i := range count {
		for d, mean := range l.Means {
			floats.AddConst(mean, v.Of(i, d))
		}
	}
	return v
}

// Predict applies the operator that the layer follows, and adds the layer.
func (l *Layered) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	return l.Apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		v, err := l.beneath(ctx, inputs, workers)
		if err != nil {
			return v, err
		}
		sum := v.Clone()
		all := ridge.Others(nil, v.Count)
		err = l.Add(ctx, l.view, sum, l.seen(inputs, v), all, workers, progress)
		return sum, err
	})
}

// beneath returns what the layer is added to: predictions of First, or else the means.
func (l *Layered) beneath(ctx context.Context, inputs grid.Batch, workers int) (grid.Batch, error) {
	if l.First == nil {
		return l.constant(inputs.Count), nil
	}
	return l.First.Predict(ctx, inputs, workers, nil)
}

func (*Layered) Name() string { return config.Layers }

func (l *Layered) String() string {
	layer := fmt.Sprintf("a local layer of %d features", len(l.Coefficients)/l.OutChannels())
	if l.First == nil {
		return layer
	}
	return fmt.Sprintf("%v, corrected by %s", l.First, layer)
}

func (l *Layered) Sizes() (map[string][]int, error) {
	all, err := l.Base.Sizes()
	if err != nil {
		return nil, err
	}
	missing := l.First == nil && len(l.Means) != l.OutChannels()
	if missing || !grid.Finite(l.Means...) {
		return nil, codec.Bad("has layers for %d channels with the means %g", l.OutChannels(), l.Means)
	}
	return all, nil
}

// Restored computes the view.
func (l *Layered) Restored() error {
	all := len(l.Coefficients)
	if all%l.OutChannels() != 0 {
		return codec.Bad("has layers of %d features for %d channels", all, l.OutChannels())
	}
	d := l.Domain()
	if d.Scattered() && !seesAround(d.Cloud) {
		return codec.Bad("has layers, which see nothing around its points")
	}
	seen, _ := l.Weights.Dims()
	want := sizeOf(d, l.channelsSeen(), l.sight())
	if seen != want {
		return codec.Bad("has layers of %d coordinates, want %d", seen, want)
	}
	l.view = l.newView()
	if l.First == nil {
		return nil
	}
	return l.Fits(l.First)
}
