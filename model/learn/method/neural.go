package method

import (
	"context"
	"math"

	"rfm/config"
	"rfm/model/learn/fno"
	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// neuralMethod is the entry of Neural in methods.
var neuralMethod = Method{Name: config.NeuralOperator, Title: "neural operator", Most: math.MaxInt32, Timed: true,
	Bytes: func(pairs dataset.Pairs, o Options) float64 {
		in, out := pairs.Inputs.Domain, pairs.Outputs.Domain
		return fno.Bytes(in.One(), pairs.Inputs.Points, in.Width(), out.Width(), pairs.Count(), settingsOf(o))
	},
	Accepts: func(in, out grid.Domain, symmetry string) bool {
		return in.One() == out.One() && (in.Periodic || !config.Commutes(symmetry))
	},
	Fit: neural}

// Neural is a Fourier neural operator. Its leave-one-out error is that of a network which has learned from four fifths of
// the pairs, on the others; it is known where methods are compared.
type Neural struct {
	place
	fno.Network
}

// settingsOf returns the settings of a network that learns from pairs with the symmetry of the options.
func settingsOf(o Options) fno.Settings {
	return fno.Settings{Width: o.Network.Width, Modes: o.Network.Modes, Layers: o.Network.Layers, Seconds: o.Network.Seconds,
		Placed: !config.Commutes(o.Symmetry)}
}

// purposeHeld names the stream that draws the pairs on which a network is tested.
const purposeHeld draw.Purpose = "neural-held"

// neural trains a Neural. Where methods are compared, half of the time goes to a network that has not seen a fifth of the
// pairs: nothing else tells its error.
func neural(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
	if _, err := checked(pairs); err != nil {
		return nil, err
	}
	settings := settingsOf(o)
	n := &Neural{place: placeOf(pairs)}
	if o.Network.Compared {
		settings.Seconds /= 2
		held, err := heldError(ctx, pairs, settings, o)
		if err != nil {
			return nil, err
		}
		n.Error = held
	}
	network, err := fno.Fit(ctx, pairs.Inputs, pairs.Outputs, settings, o.Seed, o.Workers, descending(o.Watch))
	if err != nil {
		return nil, err
	}
	n.Network = *network
	return averaged(n, o.Symmetry), nil
}

// heldError returns the mean relative error of a network on a fifth of the pairs, after training on the others.
func heldError(ctx context.Context, pairs dataset.Pairs, settings fno.Settings, o Options) (float64, error) {
	const parts = 5
	count := pairs.Count()
	groups := ridge.Labelled(pairs.Groups, count)
	order := draw.Permutation(o.Seed, purposeHeld, 0, count)
	held := groups.Parts(order, min(parts, count))[0]
	train, test := pairs.Take(ridge.Others(held, count)), pairs.Take(held)
	network, err := fno.Fit(ctx, train.Inputs, train.Outputs, settings, o.Seed, o.Workers, nil)
	if err != nil {
		return 0, err
	}
	predicted, err := network.Predict(ctx, test.Inputs, o.Workers, func(int) {})
	if err != nil {
		return 0, err
	}
	return meanRelative(test.Outputs.Minus(predicted), norms(test.Outputs)), nil
}

// descending returns the observer of a descent that reports to a watch.
func descending(w Watch) func(done, total int, error float64) {
	if w == nil {
		return nil
	}
	return func(done, total int, _ float64) {
		if done == 1 {
			w.Begin(Descending, "steps", total)
		}
		w.Advance(1)
	}
}

func (*Neural) Name() string { return config.NeuralOperator }

func (n *Neural) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	return n.apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		return n.Network.Predict(ctx, inputs, workers, progress)
	})
}

func (n *Neural) String() string { return n.Network.String() }

func (n *Neural) Sizes() (map[string][]int, error) {
	all, err := n.place.Sizes()
	if err != nil {
		return nil, err
	}
	lengths, ok := n.Lengths(n.Domain(), n.Points, n.in(), n.out())
	if !ok {
		return nil, codec.Bad("has a neural operator of %d layers of width %d, with modes %d", n.Depth, n.Width, n.Modes)
	}
	for name, length := range lengths {
		all[name] = length
	}
	return all, nil
}

func (n *Neural) Restored() error {
	n.Network.Restored()
	return nil
}
