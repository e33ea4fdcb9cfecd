// Package fidelity joins an operator that was learned from many cheap pairs, of low fidelity, with one that was learned
// from few dear pairs, of high fidelity: the first is the start of the second, and may be a further input of it.
package fidelity

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/operator"
	"rfm/model/trained/codec"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Staged is the operator
//
//	F(a) = L(a) + R(a)  or  F(a) = L(a) + R(a, L(a))
//
// of two fidelities. L was learned from pairs of low fidelity. R was learned from what L leaves of the outputs of high
// fidelity; the second form has the channels of L(a) behind those of a. See Kennedy & O'Hagan (2000), Biometrika 87, for
// the first form and Perdikaris et al. (2017), Proc. R. Soc. A 473, for the second.
type Staged struct {
	operator.Base
	Sees bool              `json:"sees_low,omitempty"` // R sees L(a)
	Low  operator.Operator `json:"low" prefix:"low_"`
	Rest operator.Operator `json:"rest" prefix:"rest_"`
}

// Pairs returns the pairs from which R is learned: the inputs, with the predictions of L behind them if it sees these,
// and what they leave of the outputs.
func Pairs(pairs dataset.Pairs, low grid.Batch, sees bool) dataset.Pairs {
	rest := pairs.With(pairs.Outputs.Minus(low))
	if sees {
		rest.Inputs = beside(pairs.Inputs, low)
	}
	return rest
}

// New returns the operator of L and of an R that was learned from Pairs. Its leave-one-out error is relative to the
// outputs of the pairs, 0 if the residuals of R are not known.
func New(pairs dataset.Pairs, low, rest operator.Operator, sees bool) *Staged {
	s := &Staged{
		Base: operator.BaseOf(pairs),
		Sees: sees,
		Low:  low,
		Rest: rest,
	}
	s.Left = operator.ResidualsOf(rest)
	if s.Left.Count == pairs.Count() {
		s.Error = operator.MeanRelative(s.Left, operator.Sizes(pairs.Outputs))
	}
	return s
}

// beside returns functions with the channels of a, then those of b, on one grid.
func beside(a, b grid.Batch) grid.Batch {
	both := grid.NewBatch(a.Domain.With(a.Domain.Width()+b.Domain.Width()), a.Points, a.Count)
	for i := range a.Count {
		to := both.At(i)
		copied := copy(to, a.At(i))
		copy(to[copied:], b.At(i))
	}
	return both
}

func (s *Staged) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return s.Apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		low, err := s.Low.Predict(ctx, inputs, workers, nil)
		if err != nil {
			return grid.Batch{}, err
		}
		if s.Sees {
			inputs = beside(inputs, low)
		}
		rest, err := s.Rest.Predict(ctx, inputs, workers, progress)
		if err != nil {
			return grid.Batch{}, err
		}
		floats.Add(rest.Data, low.Data)
		return rest, nil
	})
}

// Name returns the method that learned R.
func (s *Staged) Name() string { return s.Rest.Name() }

func (s *Staged) String() string {
	seen := "the input"
	if s.Sees {
		seen = "the input and the low prediction"
	}
	return fmt.Sprintf("low: %v; added to it, of %s: %v", s.Low, seen, s.Rest)
}

// Sizes implements codec.Part.
func (s *Staged) Sizes() (map[string][]int, error) { return s.Base.Sizes() }

// Restored implements codec.Part: it refuses parts that do not fit together.
func (s *Staged) Restored() error {
	err := s.Fits(s.Low)
	if err != nil {
		return err
	}
	seen := s.Base
	if s.Sees {
		_, out := s.Channels()
		seen.In = s.InChannels() + out
		seen.Out = out
	}
	if seen.In > grid.MostChannels {
		return codec.Bad("has inputs of %d channels beside predictions, want at most %d", seen.In, grid.MostChannels)
	}
	return seen.Fits(s.Rest)
}
