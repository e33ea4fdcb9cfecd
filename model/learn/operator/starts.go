package operator

import (
	"context"
	"slices"

	"rfm/solver/dataset"
)

// Starts are the methods with whose operators other methods begin: kernels, whose residuals layers and corrections learn.
type Starts []Method

// suiting returns those that learn from some pairs.
func (s Starts) suiting(pairs dataset.Pairs, symmetry string) Starts {
	return slices.DeleteFunc(slices.Clone(s), func(m Method) bool {
		return !m.Suits(pairs.Inputs.Domain, pairs.Outputs.Domain, symmetry)
	})
}

// Bytes returns the memory of best.
func (s Starts) Bytes(pairs dataset.Pairs, o Options) (most float64) {
	for _, m := range s.suiting(pairs, o.Symmetry) {
		most = max(most, m.Bytes(pairs, o))
	}
	return most
}

// Best returns the operator with the smallest leave-one-out error, and all that have been learned. Operators known from
// the same pairs are not trained again, and with Options.Like only its method is. The error is the first method's if none
// works.
func (s Starts) Best(ctx context.Context, pairs dataset.Pairs, o Options) (first Result, all []Operator, err error) {
	able := s.suiting(pairs, o.Symmetry)
	all = o.KnownBy(pairs.Count(), able...)
	if len(all) > 0 {
		return Result{Operator: Least(all)}, all, nil
	}
	if o.Like != nil {
		able = slices.DeleteFunc(able, func(m Method) bool {
			return !m.Learned(o.Like)
		})
	}
	first, err = BestOf(o, able, func(m Method) (Result, error) {
		learned, err := m.Try(ctx, pairs, o)
		if learned.Operator != nil {
			all = append(all, learned.Operator)
		}
		return learned, err
	})
	return first, all, err
}
