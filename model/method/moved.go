// This file finds out whether outputs depend on the place of what is in the inputs, which features that commute with
// translations or reflections cannot represent.

package method

import (
	"context"
	"fmt"
	"math"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

const (
	// mostMoved and leastMoved bound the number of training pairs that are moved.
	mostMoved, leastMoved = 96, 16
	// movedFactor is how many times as hard moving must make it to learn the outputs. Chance gives up to about 1.5.
	movedFactor = 2
	// unevenResiduals is how uneven the model's errors over x must be besides: an operator that commutes with
	// translations, too nearly linear to be learned well, is missed everywhere alike. Chance gives about sqrt(2/n).
	unevenResiduals = 0.3
	// purposeMove names the streams of the moves.
	purposeMove draw.Purpose = "move"
)

// PlaceWarning compares kernel ridge regression, which knows places, on training pairs and on the same pairs moved at
// random, input and output together. Spectral features for periodic functions commute with translations, those for
// fields with reflections of the square, up to a function of x alone; if the operator does, too, moved pairs belong to
// the same operator. Then they are harder to learn only as far as their inputs differ more, and so are the outputs of
// the trained model, which does commute: they tell how much. The warning is empty if there is nothing to warn of,
// too little to tell, or several channels, of which reflections may change signs. predictions are the model's for the
// training pairs, all on one grid, which contains that of K points for the kernel. The error is ctx's.
func PlaceWarning(ctx context.Context, train dataset.Pairs, predictions grid.Batch, K int,
	o Options) (string, error) {
	if train.Count() < leastMoved || max(train.Inputs.Domain.Width(), train.Outputs.Domain.Width()) > 1 {
		return "", nil
	}
	o.Symmetry = "" // pairs may contradict what is asked for
	units := ScalingOf(train)
	train = units.Apply(train)
	predictions = units.Apply(dataset.Pairs{Inputs: train.Inputs, Outputs: predictions}).Outputs
	moves, along, features := config.Translations, "along x", "translations"
	if !train.Inputs.Domain.Periodic {
		moves, along, features = config.Reflection, "by reflections", "reflections"
	}
	order := draw.Permutation(o.Seed, purposeMove, train.Count())
	some := order[:min(len(order), mostMoved)]
	harder := func(outputs grid.Batch) (float64, error) {
		centred := outputs.Take(some).Plus(-1, outputs.Mean())
		pairs, err := dataset.Pairs{Inputs: train.Inputs.Take(some), Outputs: centred}.Restrict(K)
		if err != nil {
			return 0, err
		}
		asIs, err := Kernel(ctx, pairs, o)
		if err != nil {
			return 0, err
		}
		moved, err := Kernel(ctx, moved(pairs, moves, o.Seed), o)
		if err != nil {
			return 0, err
		}
		return moved.LeaveOneOut() / max(asIs.LeaveOneOut(), 1e-12), nil
	}
	outputs, err := harder(train.Outputs)
	var model float64
	if err == nil && outputs >= movedFactor { // else there is nothing that the model could explain
		model, err = harder(predictions)
	}
	if fault.BlamesInput(err) {
		return "", nil // pairs of which nothing can be said in this way
	}
	if err != nil || outputs < movedFactor || outputs < movedFactor*model {
		return "", err
	}
	if train.Inputs.Domain.Periodic && uneven(train.Outputs, predictions) < unevenResiduals {
		return "", nil
	}
	return fmt.Sprintf("The outputs depend on places: kernel ridge regression has %.1f times the error on training "+
		"pairs that were moved %s (%.1f times on the model's own outputs). "+
		"Spectral features commute with %s, apart from a function of x alone, so they cannot represent this "+
		"operator.", outputs, along, model, features), nil
}

// uneven is the relative spread over x of the mean squared error, every pair's taken relative to its own.
func uneven(outputs, predictions grid.Batch) float64 {
	profile := make([]float64, outputs.Values())
	for i := range outputs.Count {
		u, v := outputs.At(i), predictions.At(i)
		square := outputs.Domain.Distance2(u, v)
		if square == 0 {
			continue
		}
		for x := range profile {
			profile[x] += (u[x] - v[x]) * (u[x] - v[x]) / square
		}
	}
	var sum, squares float64
	for _, p := range profile {
		sum += p
		squares += p * p
	}
	if sum == 0 {
		return 0
	}
	mean := sum / float64(len(profile))
	return math.Sqrt(max(0, squares/float64(len(profile))/(mean*mean)-1))
}

// moved moves every pair at random, input and output together, by motions that a word of data.symmetry names.
func moved(pairs dataset.Pairs, symmetry string, seed uint64) dataset.Pairs {
	result := dataset.Pairs{Inputs: pairs.Inputs.Like(pairs.Count()), Outputs: pairs.Outputs.Like(pairs.Count())}
	domain := pairs.Inputs.Domain
	rows, columns := domain.Axes(pairs.Inputs.Points)
	motions := []grid.Motion{{}}
	switch {
	case !domain.Periodic:
		motions = motionsOf(domain, symmetry)
	case symmetry != config.Translations:
		motions = domain.Reflections(symmetry == config.OddReflection)
	}
	for i := range pairs.Count() {
		random := draw.Stream(seed, purposeMove, i+1)
		by := func(points int) int { return int(random.Uint64N(uint64(max(1, points-1)))) }
		move := func(x int) int { return x }
		switch {
		case domain.Periodic && domain.Dims == 1:
			move = roll(rows, columns, 0, by(columns))
		case domain.Periodic:
			move = roll(rows, columns, by(rows), by(columns))
		}
		m := motions[random.Uint64N(uint64(len(motions)))]
		for _, f := range [][2]grid.Batch{{result.Inputs, pairs.Inputs}, {result.Outputs, pairs.Outputs}} {
			image := f[1].Range(i, 1).Moved(m).Data
			for x := range image {
				f[0].At(i)[x] = image[move(x)]
			}
		}
	}
	return result
}

// roll is where the value of a periodic function or field comes from that is moved by some rows and columns.
func roll(rows, columns, down, right int) func(x int) int {
	return func(x int) int { return (x/columns+down)%max(1, rows-1)*columns + (x%columns+right)%(columns-1) }
}
