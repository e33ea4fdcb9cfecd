package operator

import (
	"cmp"
	"errors"
	"slices"

	"rfm/solver/base/fault"
)

// Near returns those of several candidates whose errors in a first look are within a factor of the least, the best first.
func Near[C any](all []C, score func(C) float64, factor float64) []C {
	slices.SortStableFunc(all, func(a, b C) int {
		return cmp.Compare(score(a), score(b))
	})
	most := factor * score(all[0])
	return slices.DeleteFunc(all, func(c C) bool { return score(c) > most })
}

// BestOf trains every candidate and returns the result with the least leave-one-out error. If none learns, the first
// candidate's result or error is returned. If one does, Options.Failed is told of those that failed numerically; results
// without an operator, and errors that blame the pairs, are ways to say that a candidate does not suit. Without candidates
// there is no operator and no error.
func BestOf[C any](o Options, candidates []C, train func(C) (Result, error)) (best Result, err error) {
	var first *Result    // that has not learned
	var firstError error // if it came before first
	var failures []*fault.Numerical
	for _, c := range candidates {
		learned, err := train(c)
		if err != nil && !fault.BlamesInput(err) {
			return Result{}, err
		}
		if err != nil {
			if first == nil && firstError == nil {
				firstError = err
			}
			var failed *fault.Numerical
			if errors.As(err, &failed) {
				failures = append(failures, failed)
			}
			continue
		}
		if learned.Operator == nil {
			if first == nil && firstError == nil {
				first = &learned
			}
			continue
		}
		if best.Operator == nil || learned.Operator.LeaveOneOut() < best.Operator.LeaveOneOut() {
			best = learned
		}
	}
	if best.Operator == nil && first != nil {
		return *first, nil
	}
	if best.Operator == nil && firstError != nil {
		return Result{}, firstError
	}
	if o.Failed != nil {
		for _, failed := range failures {
			o.Failed(failed)
		}
	}
	return best, nil
}

// Least returns the operator with the smallest leave-one-out error.
func Least(all []Operator) Operator {
	return slices.MinFunc(all, func(a, b Operator) int {
		return cmp.Compare(a.LeaveOneOut(), b.LeaveOneOut())
	})
}
