package fno

import (
	"context"
	"maps"
	"math"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Method learns a Neural.
var Method = operator.Method{
	Name:    config.NeuralOperator,
	Title:   "neural operator",
	Most:    math.MaxInt32,
	Timed:   true,
	Bytes:   bytesOf,
	Accepts: accepts,
	Fit: func(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
		return operator.From(learn(ctx, pairs, o))
	},
}

// bytesOf returns the memory that training takes.
func bytesOf(pairs dataset.Pairs, o operator.Options) float64 {
	in := pairs.Inputs.Domain
	out := pairs.Outputs.Domain
	points := pairs.Inputs.Points
	settings := settingsOf(o)
	return trainingBytes(in.One(), points, in.Width(), out.Width(), pairs.Count(), settings)
}

// accepts reports whether a network can map functions on one domain to those on another: only on periodic ones does it
// commute with translations.
func accepts(in, out grid.Domain, symmetry string) bool {
	if in.One() != out.One() {
		return false
	}
	return in.Periodic || !config.Commutes(symmetry)
}

// Neural is a Fourier neural operator. Its leave-one-out error is that of a network which has learned from four fifths of
// the pairs, on the others; it is known where methods are compared.
type Neural struct {
	operator.Base
	Network
}

// settingsOf returns the settings of a network that learns from pairs with the symmetry of the options.
func settingsOf(o operator.Options) Settings {
	return Settings{
		Width:   o.Network.Width,
		Modes:   o.Network.Modes,
		Layers:  o.Network.Layers,
		Seconds: o.Network.Seconds,
		Placed:  !config.Commutes(o.Symmetry),
	}
}

// purposeHeld names the stream that draws the pairs on which a network is tested.
const purposeHeld draw.Purpose = "neural-held"

// learn trains a Neural. Where methods are compared, half of the time goes to a network that has not seen a fifth of the
// pairs: nothing else tells its error.
func learn(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Operator, error) {
	_, err := operator.Checked(pairs)
	if err != nil {
		return nil, err
	}
	settings := settingsOf(o)
	n := &Neural{Base: operator.BaseOf(pairs)}
	if o.Network.Compared {
		settings.Seconds /= 2
		held, err := heldError(ctx, pairs, settings, o)
		if err != nil {
			return nil, err
		}
		n.Error = held
	}
	network, err := fit(ctx, pairs.Inputs, pairs.Outputs, settings, descent{
		seed:        o.Seed,
		workers:     o.Workers,
		advance:     descending(o.Watch),
		name:        "network",
		checkpoints: o.Checkpoints,
	})
	if err != nil {
		return nil, err
	}
	n.Network = *network
	return operator.Averaged(n, o.Symmetry), nil
}

// heldError returns the mean relative error of a network on a fifth of the pairs, after training on the others.
func heldError(ctx context.Context, pairs dataset.Pairs, settings Settings, o operator.Options) (float64, error) {
	const parts = 5
	count := pairs.Count()
	groups := ridge.Labelled(pairs.Groups, count)
	order := draw.Permutation(o.Seed, purposeHeld, 0, count)
	held := groups.Parts(order, min(parts, count))[0]
	train := pairs.Take(ridge.Others(held, count))
	test := pairs.Take(held)
	network, err := fit(ctx, train.Inputs, train.Outputs, settings, descent{
		seed:        o.Seed,
		workers:     o.Workers,
		name:        "network-held",
		checkpoints: o.Checkpoints,
	})
	if err != nil {
		return 0, err
	}
	predicted, err := network.Predict(ctx, test.Inputs, o.Workers, func(int) {})
	if err != nil {
		return 0, err
	}
	missed := test.Outputs.Minus(predicted)
	return operator.MeanRelative(missed, operator.Sizes(test.Outputs)), nil
}

// descending returns the observer of a descent that reports to a watch.
func descending(w operator.Watch) func(done, total, before int) {
	if w == nil {
		return nil
	}
	return func(done, total, before int) {
		if done == before+1 {
			w.Begin(operator.Descending, "steps", total)
			w.Skip(before)
		}
		w.Advance(1)
	}
}

func (*Neural) Name() string { return config.NeuralOperator }

func (n *Neural) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	return n.Apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		return n.Network.Predict(ctx, inputs, workers, progress)
	})
}

func (n *Neural) String() string { return n.Network.String() }

func (n *Neural) Sizes() (map[string][]int, error) {
	all, err := n.Base.Sizes()
	if err != nil {
		return nil, err
	}
	lengths, ok := n.Lengths(n.Domain(), n.Points, n.InChannels(), n.OutChannels())
	if !ok {
		return nil, codec.Bad("has a neural operator of %d layers of width %d, with modes %d",
			n.Depth, n.Width, n.Modes)
	}
	maps.Copy(all, lengths)
	return all, nil
}

func (n *Neural) Restored() error {
	n.Network.Restored()
	return nil
}
