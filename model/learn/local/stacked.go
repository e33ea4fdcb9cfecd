package local

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/trained/codec"
	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
)

// Stacked is the sum of a chain of layers and of an operator of whole functions that has learned what they leave:
//
//	F(a) = First(a) + Second(a).
//
// A law that is local but for an integral is such a sum. A layer that learns it alone takes the integral for noise, which
// hides the directions in which the law changes. So where First is a single layer it learns again what Second leaves of
// the outputs, and Second again what First leaves (backfitting: Buja, Hastie & Tibshirani, Annals of Statistics 17,
// 1989), each from predictions of the other one without the pair.
type Stacked struct {
	operator.Base
	Rounds int               `json:"rounds"` // how often both have learned
	First  operator.Operator `json:"first" prefix:"first_"`
	Second operator.Operator `json:"second" prefix:"second_"`
}

// mostRounds bounds the rounds of backfitting; later ones hardly lower errors.
const mostRounds = 5

// stack learns what a chain of layers leaves, and backfits if the chain is a single layer, as long as the leave-one-out
// error falls by 2%. gained is false if not even the first round lowers it so. The error is one of training.
func (t *chainTraining) stack(ctx context.Context, chain operator.Operator) (s *Stacked, gained bool, err error) {
	s, gained, err = t.add(ctx, chain, operator.ResidualsOf(chain), nil)
	if err != nil || !gained || !(s.Error < operator.Gain*chain.LeaveOneOut()) {
		return nil, false, err
	}
	for s.Rounds < mostRounds && backfits(chain) {
		next, gained, err := t.backfit(ctx, s, nil)
		if err != nil {
			return nil, false, err
		}
		if !gained || !(next.Error < operator.Gain*s.Error) {
			break
		}
		s = next
	}
	return s, true, nil
}

// stackLike learns what a chain leaves, and backfits as often as for another sum, with second operators of the same
// parameters. It returns the chain where nothing learns from what it leaves.
func (t *chainTraining) stackLike(ctx context.Context, chain operator.Operator, other *Stacked) (
	operator.Operator, error) {
	s, learned, err := t.add(ctx, chain, operator.ResidualsOf(chain), other.Second)
	if err != nil {
		return nil, err
	}
	if !learned {
		return chain, nil
	}
	for s.Rounds < other.Rounds && backfits(chain) {
		next, learned, err := t.backfit(ctx, s, other.Second)
		if err != nil {
			return nil, err
		}
		if !learned {
			break
		}
		s = next
	}
	return s, nil
}

// backfits reports whether a chain is a single layer that sees inputs only.
func backfits(chain operator.Operator) bool {
	l, ok := chain.(*Layered)
	return ok && l.First == nil
}

// add learns the second operator from the leave-one-out residuals of a chain. learned is false if no method learns from
// them. like is the operator that it is like; nil: none.
func (t *chainTraining) add(ctx context.Context, chain operator.Operator, residuals grid.Batch,
	like operator.Operator) (s *Stacked, learned bool, err error) {
	rest := t.pairs.With(residuals)
	o := t.options
	o.Known = nil
	o.Race = nil
	o.Like = like
	var second operator.Operator
	for _, m := range t.seconds {
		suits := m.Suits(rest.Inputs.Domain, rest.Outputs.Domain, o.Symmetry)
		other := like != nil && !m.Learned(like)
		if !suits || other {
			continue
		}
		found, err := m.Fit(ctx, rest, o)
		if fault.BlamesInput(err) {
			continue
		}
		if err != nil {
			return nil, false, err
		}
		learned := found.Operator
		known := operator.ResidualsOf(learned).Count > 0
		if !known {
			continue
		}
		if second == nil || learned.LeaveOneOut() < second.LeaveOneOut() {
			second = learned
		}
	}
	if second == nil {
		return nil, false, nil
	}
	s = &Stacked{
		Base:   operator.BaseOf(t.pairs),
		Rounds: 1,
		First:  chain,
		Second: second,
	}
	s.Left = operator.ResidualsOf(second)
	s.Error = operator.MeanRelative(s.Left, operator.Sizes(t.pairs.Outputs))
	return s, true, nil
}

// backfit learns both operators of a sum again, the layer from what the second one leaves of the outputs. like is as for
// add.
func (t *chainTraining) backfit(ctx context.Context, s *Stacked, like operator.Operator) (
	next *Stacked, learned bool, err error) {
	before := s.First.(*Layered)
	bySecond := operator.ResidualsOf(before).Minus(s.Left) // predictions without each pair
	rest := t.pairs.With(t.pairs.Outputs.Minus(bySecond))
	layer, _, err := newLayering(rest, nil, before.Placed, t.options).learnLike(ctx, before)
	if err != nil {
		return nil, false, err
	}
	floats.Add(layer.Left.Data, bySecond.Data) // what the layer alone leaves of the outputs
	layer.Error = operator.MeanRelative(layer.Left, operator.Sizes(t.pairs.Outputs))
	next, learned, err = t.add(ctx, layer, layer.Left, like)
	if err != nil || !learned {
		return nil, false, err
	}
	next.Rounds = s.Rounds + 1
	return next, true, nil
}

func (*Stacked) Name() string { return config.Layers }

func (s *Stacked) String() string { return fmt.Sprintf("%v, plus %v", s.First, s.Second) }

func (s *Stacked) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	return s.Apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		first, err := s.First.Predict(ctx, inputs, workers, nil)
		if err != nil {
			return first, err
		}
		second, err := s.Second.Predict(ctx, inputs, workers, progress)
		if err != nil {
			return second, err
		}
		floats.Add(second.Data, first.Data)
		return second, nil
	})
}

func (s *Stacked) Sizes() (map[string][]int, error) {
	if s.Rounds < 1 || s.Rounds > mostRounds {
		return nil, codec.Bad("has a sum of %d rounds, want 1 to %d", s.Rounds, mostRounds)
	}
	return s.Base.Sizes()
}

// Restored refuses operators that cannot be added.
func (s *Stacked) Restored() error {
	if !isChain(s.First) {
		return codec.Bad("adds to a %q, want layers", s.First.Name())
	}
	err := s.Fits(s.First)
	if err != nil {
		return err
	}
	return s.Fits(s.Second)
}
