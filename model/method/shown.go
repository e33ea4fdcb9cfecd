// This file finds out whether pairs show a symmetry.

package method

import (
	"context"
	"math"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
)

const (
	// clearly bounds the leave-one-out error with a symmetry, relative to the error without: a symmetry that merely does
	// no harm is not evidence.
	clearly = 0.75
	// further bounds the error with a larger group, relative to the error with a smaller one.
	further = 0.9
	// leftAlike is the least error of learning the residual of a symmetric operator without symmetry, relative to the same
	// for moved pairs. Chance gives down to about 0.98.
	leftAlike = 0.97
	// nothingMissed is an error too small for its parts to be evidence.
	nothingMissed = 1e-9
	// leastShown is the least number of pairs for comparing methods.
	leastShown = 16
	// purposeMove names the streams of random motions of pairs.
	purposeMove draw.Purpose = "move"
)

// mostShown bounds that number in one and in two dimensions: a symmetry gains most with few pairs.
var mostShown = [...]int{64, 32}

// MostShown returns the number of pairs of functions on a domain beyond which Shows does not look.
func MostShown(domain grid.Domain) int { return 3 * mostShown[domain.Dims-1] }

// Shown is a symmetry that pairs show.
type Shown struct {
	Symmetry string  `json:"symmetry"`      // in words of data.symmetry; empty: none
	Pairs    int     `json:"pairs"`         // number of pairs behind the errors
	With     float64 `json:"leave_one_out"` // the least error of linear operators and kernels that commute with it
	Without  float64 `json:"without"`       // the least error of those that do not
}

// Shows looks for a symmetry of pairs on one grid and in no order. On a third of them it must lower the leave-one-out
// error clearly. The residuals of the other pairs must then be no easier to learn, for a kernel without symmetry, than
// the residuals moved at random: a law that is only nearly symmetric leaves structure that moving destroys. Functions
// with several channels show none. The error is ctx's.
func Shows(ctx context.Context, pairs dataset.Pairs, o Options) (Shown, error) {
	domain := pairs.Inputs.Domain
	first := min(pairs.Count()/3, mostShown[domain.Dims-1])
	if domain != pairs.Outputs.Domain || domain.Width() > 1 || first < leastShown {
		return Shown{}, nil
	}
	rest := pairs.Range(first, 2*first)
	pairs = pairs.Range(0, first)
	type candidate struct {
		Shown
		operator Operator
	}
	var found []candidate
	_, without, err := simplest(ctx, pairs, config.NoSymmetry, o)
	if err != nil || !grid.Finite(without) || without < nothingMissed {
		return Shown{}, err
	}
	bound := clearly * without
	for _, symmetry := range symmetriesOf(domain) {
		operator, with, err := simplest(ctx, pairs, symmetry, o)
		if err != nil {
			return Shown{}, err
		}
		if with < bound {
			found = append(found, candidate{Shown{symmetry, first, with, without}, operator})
			bound = further * with
		}
	}
	for i := len(found) - 1; i >= 0; i-- {
		if ok, err := leavesAlike(ctx, rest, found[i].operator, found[i].Symmetry, o); ok || err != nil {
			return found[i].Shown, err
		}
	}
	return Shown{}, nil
}

// symmetriesOf returns the words of data.symmetry that a domain may have, smaller groups first.
func symmetriesOf(domain grid.Domain) []string {
	if domain.Periodic {
		return []string{config.Translations, config.Reflection, config.OddReflection}
	}
	return groupWords[reflections:groups(domain)]
}

// simplest returns the linear operator or kernel that commutes with a symmetry and has the least leave-one-out error,
// +Inf if none exists. The error is ctx's.
func simplest(ctx context.Context, pairs dataset.Pairs, symmetry string, o Options) (best Operator, least float64,
	err error) {
	o.Symmetry, o.rough, least = symmetry, true, math.Inf(1)
	for _, m := range All(pairs.Inputs.Domain, pairs.Outputs.Domain, symmetry) {
		if !m.shows {
			continue
		}
		learned, err := m.Train(ctx, pairs, o)
		switch {
		case ctx.Err() != nil:
			return nil, 0, ctx.Err()
		case err == nil && learned.LeaveOneOut() < least:
			best, least = learned, learned.LeaveOneOut()
		}
	}
	return best, least, nil
}

// leavesAlike reports whether the leave-one-out residuals of an operator show no evidence against a symmetry. The error
// is ctx's.
func leavesAlike(ctx context.Context, pairs dataset.Pairs, operator Operator, symmetry string, o Options) (bool,
	error) {
	predictions, err := operator.Predict(ctx, pairs.Inputs, o.Workers, nil)
	if err != nil {
		return false, ctx.Err()
	}
	missed := pairs.With(pairs.Outputs.Minus(predictions))
	o.Symmetry, o.rough = config.NoSymmetry, true
	learned := func(pairs dataset.Pairs) (float64, error) {
		k, err := kernelRidge(ctx, ScalingOf(pairs).Apply(pairs), o)
		if err != nil {
			return 0, err
		}
		return k.LeaveOneOut(), nil
	}
	asIs, err := learned(missed)
	const times = 2
	mean := 0.0
	for i := range uint64(times) {
		if err != nil {
			return false, ctx.Err()
		}
		var one float64
		one, err = learned(moved(missed, symmetry, o.Seed+i))
		mean += one / times
	}
	return err == nil && asIs >= leftAlike*mean, ctx.Err()
}

// moved moves every pair, input and output together, by random motions of a word of data.symmetry.
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

// roll returns the source index of each value of a periodic function or field that is moved by some rows and columns.
func roll(rows, columns, down, right int) func(x int) int {
	return func(x int) int { return (x/columns+down)%max(1, rows-1)*columns + (x%columns+right)%(columns-1) }
}
