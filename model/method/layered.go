// This file contains local layers, which learn and correct operators point by point.

package method

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/codec"
	"rfm/model/layers"
	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// layersMethod is the entry of Layered in methods.
var layersMethod = Method{Name: config.Layers, Title: "local layers", Most: 4096,
	Bytes: func(pairs dataset.Pairs, o Options) float64 {
		functions := 8 * 6 * float64(pairs.Count()*pairs.Outputs.Values())
		return max(kernelMethod.Bytes(pairs, o), layers.Bytes*float64(1+o.Workers)+functions)
	},
	suits: func(in, out grid.Domain, symmetry string) bool { return in == out && in.Width() == 1 },
	train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
		l, err := layered(ctx, pairs, o)
		if err != nil {
			return nil, err
		}
		return averaged(l, o.Symmetry), nil
	}}

// Layered adds a local law of the input a and of the prediction v of another operator, or of the input alone:
//
//	F(a) = v + r(a, v),  v = First(a),  or  F(a) = Mean + r(a),
//
// r being a layer of package layers. First may be a Layered.
type Layered struct {
	place
	First  Operator // nil: none
	Mean   float64  // without First
	Placed bool     // whether r sees the place, too
	layer  *layers.Layer
	view   *layers.View
	left   grid.Batch // left-out residuals of the training outputs; none if it was read from a file
}

const (
	mostLayers = 4
	lookLayers = 150  // pairs that choose how to begin
	layerGain  = 0.98 // of the error before a layer that is worth its cost
)

// layered learns a Layered. It begins with the operator that has the least error after a layer on some of the pairs: a
// kernel, see firstOf, or none. That layer may then see the place. All that come within a factor of lookFactor of the
// least error are tried on all pairs. More layers follow as long as the leave-one-out error falls. That error is of
// predictions from other parts of the pairs; it neglects that without a pair First would predict the others
// differently, and that the directions of the features have seen it. Errors: those of Method.Train, and a *fault.Data
// if no layer lowers the error.
func layered(ctx context.Context, pairs dataset.Pairs, o Options) (*Layered, error) {
	sizes, err := norms(pairs.Outputs)
	if err != nil {
		return nil, err
	}
	kernel, err := firstOf(ctx, pairs, o)
	if err != nil {
		return nil, err
	}
	var all []*layering
	look := func(first Operator, placed bool) error {
		l := newLayering(pairs, sizes, first, placed, o)
		d, err := l.task.Search(ctx, lookLayers)
		l.look = d.Error * l.before
		all = append(all, l)
		slices.SortStableFunc(all, func(a, b *layering) int { return cmp.Compare(a.look, b.look) })
		return err
	}
	for _, first := range []Operator{nil, kernel} {
		if err := look(first, false); err != nil {
			return nil, err
		}
	}
	if still(pairs.Inputs.Domain, pairs.Outputs.Domain, o.Symmetry) {
		if err := look(all[0].First, true); err != nil {
			return nil, err
		}
	}
	least := all[0].look
	if err := o.look(least); err != nil {
		return nil, err
	}
	var best *Layered
	for _, l := range all {
		if l.look > lookFactor*least || l.First != nil && l.look >= l.before { // residuals show no local law
			continue
		}
		if ok, err := l.learn(ctx); err != nil {
			return nil, err
		} else if ok && (best == nil || l.leaveOneOut < best.leaveOneOut) {
			best = &l.Layered
		}
	}
	for range mostLayers - 1 {
		if best == nil {
			break
		}
		o.Seed++
		l := newLayering(pairs, sizes, best, best.Placed, o)
		if ok, err := l.learn(ctx); err != nil {
			return nil, err
		} else if !ok {
			break
		}
		best = &l.Layered
	}
	if before := kernel.LeaveOneOut(); best == nil || !(best.leaveOneOut < layerGain*before) {
		return nil, &fault.Data{Where: "training pairs", Do: "choose train.method=kernel", What: fmt.Sprintf(
			"no local layer lowers the leave-one-out error, %.3g, by %.2g%%", before, 100*(1-layerGain))}
	}
	return best, nil
}

// layering is a Layered in training.
type layering struct {
	Layered
	task         layers.Task
	sizes        []float64
	before, look float64 // leave-one-out errors without the layer, and with one from a first look
}

func newLayering(pairs dataset.Pairs, sizes []float64, first Operator, placed bool, o Options) *layering {
	l := &layering{Layered: Layered{place: placeOf(pairs), First: first, Placed: placed}, sizes: sizes}
	var v grid.Batch
	if first == nil {
		l.Mean, _ = moments(pairs.Outputs)
		v = l.constant(pairs.Count())
		l.left = pairs.Outputs.Minus(v)
	} else {
		l.left, _ = residualsOf(first)
		v = pairs.Outputs.Minus(l.left)
	}
	l.prepare()
	l.task = layers.Task{View: l.view, Channel: channels(pairs.Inputs, v), Targets: l.left, Seed: o.Seed, Workers: o.Workers,
		Groups: ridge.Labelled(pairs.Groups, pairs.Count())}
	l.before = meanRelative(l.left.Data, l.domain.Weights(l.points), sizes)
	return l
}

// learn learns the layer from all pairs. ok reports whether it is worth its cost.
func (l *layering) learn(ctx context.Context) (ok bool, err error) {
	d, err := l.task.Search(ctx, l.left.Count)
	if err != nil {
		return false, err
	}
	layer, predicted, err := l.task.Learn(ctx, d)
	if err != nil {
		return false, err
	}
	l.layer, l.left = layer, l.left.Minus(predicted)
	l.leaveOneOut = meanRelative(l.left.Data, l.domain.Weights(l.points), l.sizes)
	return l.First == nil || l.leaveOneOut < layerGain*l.before, nil
}

// channels returns the channels of a layer.
func channels(a, v grid.Batch) func(i, c int) []float64 {
	return func(i, c int) []float64 { return [2][]float64{a.At(i), v.At(i)}[c] }
}

// prepare computes the fields that are not stored.
func (l *Layered) prepare() *Layered {
	l.view = layers.NewView(l.domain, l.points, channelsWith(l.First != nil), l.Placed)
	return l
}

// channelsWith returns the number of channels of a layer.
func channelsWith(first bool) int { return map[bool]int{false: 1, true: 2}[first] }

// constant returns functions of the value Mean.
func (l *Layered) constant(count int) grid.Batch {
	v := grid.NewBatch(l.domain, l.points, count)
	floats.AddConst(l.Mean, v.Data)
	return v
}

// Predict implements Operator.
func (l *Layered) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return l.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (v grid.Batch, err error) {
		if l.First == nil {
			v = l.constant(inputs.Count)
		} else if v, err = l.First.Predict(ctx, inputs, workers, nil); err != nil {
			return v, err
		}
		sum := v.Clone()
		return sum, l.layer.Add(ctx, l.view, sum, workers, channels(inputs, v), progress)
	})
}

// Name implements Operator.
func (*Layered) Name() string { return config.Layers }

// String implements Operator.
func (l *Layered) String() string {
	_, count := l.layer.Weights.Dims()
	if l.First == nil {
		return fmt.Sprintf("a local layer of %d features", count)
	}
	return fmt.Sprintf("%v, corrected by a local layer of %d features", l.First, count)
}

// Cost implements Operator: products with the weights, and sines.
func (l *Layered) Cost(points int) float64 {
	rows, columns := l.layer.Weights.Dims()
	cost := float64(l.values()) * float64(columns) * float64(2*rows+20)
	if l.First != nil {
		cost += l.First.Cost(points)
	}
	return cost
}

// layerFile is a Layered in a model file.
type layerFile struct {
	placeFile
	Mean         float64    `json:"mean"`
	Placed       bool       `json:"placed,omitempty"`
	First        codec.Part `json:"first,omitempty" prefix:"first_"`
	Weights      *mat.Dense `json:"layer_weights" shape:"seen features"`
	Coefficients []float64  `json:"layer_coefficients" shape:"features"`
}

// Kind implements codec.Part.
func (*layerFile) Kind() string { return "layer" }

// Sizes implements codec.Part.
func (p *layerFile) Sizes() (map[string][]int, error) {
	all, err := p.placeFile.Sizes()
	if err != nil {
		return nil, err
	}
	at := p.place()
	if at.in*at.out != 1 || !grid.Finite(p.Mean) {
		return nil, codec.Bad("has a layer of %d and %d channels with the mean %g", at.in, at.out, p.Mean)
	}
	all["seen"] = []int{layers.NewView(at.domain, at.points, channelsWith(p.First != nil), p.Placed).Size()}
	return all, nil
}

// Stored implements Operator.
func (l *Layered) Stored() codec.Part {
	p := &layerFile{placeFile: l.file(), Mean: l.Mean, Placed: l.Placed, Weights: l.layer.Weights,
		Coefficients: l.layer.Coefficients}
	if l.First != nil {
		p.First = l.First.Stored()
	}
	return p
}

func (p *layerFile) operator() (Operator, error) {
	l := &Layered{place: p.place(), Mean: p.Mean, Placed: p.Placed,
		layer: &layers.Layer{Weights: p.Weights, Coefficients: p.Coefficients}}
	if p.First == nil {
		return l.prepare(), nil
	}
	first, err := operatorOf(p.First)
	if err != nil {
		return nil, err
	}
	at := p.place()
	if in, out := first.Channels(); in*out > 1 || first.Domain() != at.domain || first.Finest() != at.points {
		return nil, codec.Bad("corrects a %q on %s, want one of functions of one channel on %s", first.Name(),
			first.Domain().Grid(first.Finest()), at.domain.Grid(at.points))
	}
	l.First = first
	return l.prepare(), nil
}
