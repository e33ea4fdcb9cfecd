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
	"rfm/solver/base/fault"
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

// layered learns a Layered. All beginnings that come within a factor of lookFactor of the least error are tried on all
// pairs. More layers follow as long as the leave-one-out error falls. That error is of predictions from other parts of
// the pairs; it neglects that without a pair First would predict the others differently, and that the directions of the
// features have seen it. Errors: those of Method.Train, and a *fault.Data if no layer lowers the error.
func layered(ctx context.Context, pairs dataset.Pairs, o Options) (best Operator, err error) {
	most, looks, kernel := mostLayers, []*layering(nil), Operator(nil)
	if like, ok := core(o.Like).(*Layered); ok {
		most = 1
		for below, ok := like.First.(*Layered); ok; below, ok = like.First.(*Layered) {
			like, most = below, most+1
		}
		if o.Like = like.First; o.Like != nil { // with the same parameters
			kernel, _, err = firstOf(ctx, pairs, o)
		}
		looks = []*layering{newLayering(pairs, kernel, like.Placed, o)}
	} else {
		looks, kernel, err = begin(ctx, pairs, o)
	}
	if err != nil {
		return nil, err
	}
	best, err = bestOf(o, looks, func(l *layering) (Operator, error) { return l.learn(ctx) })
	for more := 1; best != nil && more < most; more++ {
		next, failure := newLayering(pairs, best, best.(*Layered).Placed, o).learn(ctx)
		if fault.BlamesInput(failure) {
			break
		}
		best, err = next, failure
	}
	if kernel == nil {
		return best, err
	}
	if fault.BlamesInput(err) || err == nil && (best == nil || !(best.LeaveOneOut() < gain*kernel.LeaveOneOut())) {
		return nil, unimproved(kernel, "no local layer lowers the leave-one-out error, %.3g, by 2%%")
	}
	return best, err
}

// begin returns the first layers that a look at some of the pairs selects, and the kernel of firstOf: layers without a
// kernel, or with it. The better one may then see the place. Errors are those of layered.
func begin(ctx context.Context, pairs dataset.Pairs, o Options) (all []*layering, kernel Operator, err error) {
	if kernel, _, err = firstOf(ctx, pairs, o); err != nil {
		return nil, nil, err
	}
	all = []*layering{newLayering(pairs, nil, false, o), newLayering(pairs, kernel, false, o)}
	for k := 0; k < len(all); k++ {
		_, missed, err := all[k].search(ctx, lookPairs)
		if err != nil {
			return nil, nil, err
		}
		all[k].look = missed * all[k].before
		if k == 1 && still(pairs.Inputs.Domain, pairs.Outputs.Domain, o.Symmetry) {
			better := slices.MinFunc(all, func(a, b *layering) int { return cmp.Compare(a.look, b.look) })
			all = append(all, newLayering(pairs, better.First, true, o))
		}
	}
	all, err = near(all, func(l *layering) float64 { return l.look }, lookFactor, o)
	return slices.DeleteFunc(all, func(l *layering) bool { // whose residuals show no local law
		return l.First != nil && l.look >= l.before
	}), kernel, err
}

// layering is a Layered in training.
type layering struct {
	Layered
	tasks        []layers.Task // of each channel
	sizes        []float64
	before, look float64 // leave-one-out errors without the layer, and with one from a first look
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
	task := layers.Task{View: l.sees(), Inputs: l.seen(pairs.Inputs, v), Seed: o.Seed, Layer: layersOf(first),
		Workers: o.Workers, Groups: ridge.Labelled(pairs.Groups, pairs.Count())}
	for d := range l.out() {
		task.Targets = l.left.Channel(d)
		l.tasks = append(l.tasks, task)
	}
	l.before = meanRelative(l.left, l.sizes)
	return l
}

// layersOf returns the number of layers at the end of a chain.
func layersOf(o Operator) (count int) {
	for l, ok := o.(*Layered); ok; l, ok = l.First.(*Layered) {
		count++
	}
	return count
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
		all, missed, square = append(all, d), missed+own*d.Error*d.Error, square+own
	}
	return all, math.Sqrt(missed / square), nil
}

// learn learns the layer from all pairs. The error is a *fault.Data if it is not worth its cost.
func (l *layering) learn(ctx context.Context) (Operator, error) {
	none := &fault.Data{Where: "local layer", What: "does not lower the error"}
	directions, missed, err := l.search(ctx, l.left.Count)
	if err == nil && l.First != nil && missed > lawless {
		err = none
	}
	if err != nil {
		return nil, err
	}
	var predicted []grid.Batch
	for d, t := range l.tasks {
		layer, one, err := t.Learn(ctx, directions[d])
		if err != nil {
			return nil, err
		}
		all := layer.Weights
		if d > 0 {
			all = new(mat.Dense)
			all.Augment(l.Weights, layer.Weights)
		}
		l.Weights, l.Coefficients, predicted = all, append(l.Coefficients, layer.Coefficients...), append(predicted, one)
	}
	l.left = l.left.Minus(grid.Stack(predicted...))
	l.Error = meanRelative(l.left, l.sizes)
	if l.First != nil && !(l.Error < gain*l.before) {
		return nil, none
	}
	return &l.Layered, nil
}

// seen returns the functions that a layer sees: predictions only if they are not constant.
func (l *Layered) seen(a, v grid.Batch) grid.Batch {
	if l.First == nil {
		return a
	}
	return grid.Stack(a, v)
}

// sees returns the view of a layer, which takes long to compute on fine grids.
func (l *Layered) sees() *layers.View {
	if l.view != nil {
		return l.view
	}
	channels := l.in()
	if l.First != nil {
		channels += l.out()
	}
	l.view = layers.NewView(l.Domain(), l.Points, channels, l.Placed)
	return l.view
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
	all["seen"] = []int{l.sees().Size()}
	return all, nil
}

func (l *Layered) Restored() error {
	if all := len(l.Coefficients); all%l.out() != 0 {
		return codec.Bad("has layers of %d features for %d channels", all, l.out())
	}
	if l.First == nil {
		return nil
	}
	return l.begins(l.First)
}
