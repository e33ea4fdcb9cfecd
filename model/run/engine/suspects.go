// This file finds training pairs that may be wrong.

package engine

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"rfm/model/learn/operator"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/solver/base/files"
)

// suspectsFile contains the suspects of a run. Runs without them do not have it.
const suspectsFile = "suspects.json"

// suspects are training pairs whose outputs are far from those that the model predicts from all other pairs.
type suspects struct {
	Pairs  []int     `json:"pairs"`  // indices among the training pairs, ascending
	Errors []float64 `json:"errors"` // relative leave-one-out error of each
	Median float64   `json:"median"` // of all training pairs
	Count  int       `json:"count"`  // number of training pairs
}

// A pair is suspect if its relative leave-one-out error is above suspectFactor times the median, and above that of zero,
// 1, or of the mean of all outputs: no prediction at all would be better. More than a share of the pairs are no
// exceptions, but a hard law.
const suspectFactor, mostSuspects = 10, 0.05

// suspectsAmong returns the suspects for the relative leave-one-out errors of all training pairs, and the errors of the
// mean of all outputs.
func suspectsAmong(errors, ofMean []float64) suspects {
	s := suspects{Count: len(errors)}
	if len(errors) == 0 {
		return s
	}
	s.Median = stat.Quantile(0.5, stat.Empirical, slices.Sorted(slices.Values(errors)), nil)
	for i, e := range errors {
		if e > min(1, ofMean[i]) && e > suspectFactor*s.Median {
			s.Pairs = append(s.Pairs, i)
			s.Errors = append(s.Errors, e)
		}
	}
	if float64(len(s.Pairs)) > mostSuspects*float64(len(errors)) {
		s.Pairs, s.Errors = nil, nil
	}
	return s
}

// String describes the suspects in a sentence; it is empty if there are none.
func (s suspects) String() string {
	if len(s.Pairs) == 0 {
		return ""
	}
	const most = 10 // more are in the run's file
	var list []string
	for k, i := range s.Pairs[:min(most, len(s.Pairs))] {
		list = append(list, fmt.Sprintf("%d (%s)", i, report.Error(s.Errors[k], 2)))
	}
	if more := len(s.Pairs) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("and %d more in %s", more, suspectsFile))
	}
	return fmt.Sprintf("Outputs of %d of %d training pairs may be wrong: the mean of all outputs is nearer to them than the "+
		"prediction from all other pairs, while the median error is %s. Pairs, counted from 0, with their errors: %s. No pair was "+
		"left out because of it.", len(s.Pairs), s.Count, report.Error(s.Median, 4), strings.Join(list, ", "))
}

// findSuspects looks for them after training, and returns the file to store, if there are any.
func (e *Experiment) findSuspects() []files.File {
	errors, ofMean := operator.LeftOutErrors(e.model.Operator, e.train.Outputs)
	e.suspects = suspectsAmong(errors, ofMean)
	if len(e.suspects.Pairs) == 0 {
		return nil
	}
	return []files.File{store.JSON(suspectsFile, e.suspects, "")}
}
