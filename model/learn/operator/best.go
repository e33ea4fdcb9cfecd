package operator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"rfm/solver/base/fault"
)

// A method that is behind the best one by a factor in a first look ends there. Random features of pairs of an unknown law
// end sooner, because no set is known where they were the best in the end.
const Behind, FeaturesBehind = 5, 2

// Look takes the error of a first look. It returns a *fault.Data if it is more than a factor above the least so far.
func (o Options) Look(score, behind float64) error {
	if o.Looked == nil {
		return nil
	}
	if least := *o.Looked; score > behind*least {
		return &fault.Data{Where: "training", What: fmt.Sprintf("the error is %.2g in a first look, that of other methods "+
			"%.2g", score, least), Do: "take another method"}
	}
	*o.Looked = min(*o.Looked, score)
	return nil
}

// Near returns those of several candidates whose errors in a first look are within a factor of the least, the best
// first. The error is that of look.
func Near[C any](all []C, score func(C) float64, factor float64, o Options) ([]C, error) {
	slices.SortStableFunc(all, func(a, b C) int { return cmp.Compare(score(a), score(b)) })
	least := score(all[0])
	return slices.DeleteFunc(all, func(c C) bool { return score(c) > factor*least }), o.Look(least, Behind)
}

// BestOf trains every candidate and returns the operator with the least leave-one-out error. Errors that blame the
// pairs count only if no candidate learns from them: the first one is returned then. Else Options.Failed is told of
// those that are numerical failures; all others are ways to say that a candidate does not suit. Without candidates there
// is no operator and no error.
func BestOf[C any](o Options, candidates []C, train func(C) (Operator, error)) (best Operator, err error) {
	var dropped []error
	for _, c := range candidates {
		learned, err := train(c)
		switch {
		case err == nil && (best == nil || learned.LeaveOneOut() < best.LeaveOneOut()):
			best = learned
		case err != nil && !fault.BlamesInput(err):
			return nil, err
		case err != nil:
			dropped = append(dropped, err)
		}
	}
	if best == nil && len(dropped) > 0 {
		return nil, dropped[0]
	}
	for _, err := range dropped {
		var failed *fault.Numerical
		if errors.As(err, &failed) && o.Failed != nil {
			o.Failed(failed)
		}
	}
	return best, nil
}

// Least returns the operator with the smallest leave-one-out error.
func Least(all []Operator) Operator {
	return slices.MinFunc(all, func(a, b Operator) int { return cmp.Compare(a.LeaveOneOut(), b.LeaveOneOut()) })
}
