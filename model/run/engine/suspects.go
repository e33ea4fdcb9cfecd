// This file finds training pairs that may be wrong.

package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
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
	// LeftOut holds the errors if the model has learned without the suspects, which data.suspects asks for; else nil.
	LeftOut *leftOut `json:"left_out,omitempty"`
}

// leftOut compares the mean relative leave-one-out errors of two models.
type leftOut struct {
	All    float64 `json:"all"`    // at all pairs, of the model that has learned from all
	Others float64 `json:"others"` // of the same model, at the pairs that are no suspects
	After  float64 `json:"after"`  // at the same pairs, of the model that has learned from these alone
}

// A pair is suspect if its relative leave-one-out error is above suspectFactor times the median, and above that of zero,
// 1, or of the mean of all outputs: no prediction at all would be better. More than a share of the pairs are no
// exceptions, but a hard law. A model whose median error is more than a part of that of the mean knows too little of the law
// to doubt an output.
const (
	suspectFactor = 10
	mostSuspects  = 0.05
	knowing       = 0.5
)

// A model that has learned without the suspects finds others, because it has a smaller median error. They have to be left
// out as well: with fewer errors around them a smaller ridge is chosen, with which a model follows those that remain.
// Where some pairs are wrong others may be, so that half the error of the mean suffices for suspicion.
const (
	suspectRounds = 3
	suspicion     = 0.5
)

// suspectsAmong returns the suspects for the relative leave-one-out errors of all training pairs, and the errors of the
// mean of all outputs, of which errors have to be above a part.
func suspectsAmong(errors, ofMean []float64, part float64) suspects {
	s := suspects{Count: len(errors)}
	if len(errors) == 0 {
		return s
	}
	s.Median = medianOf(errors)
	if s.Median > knowing*medianOf(ofMean) {
		return s
	}
	for i, e := range errors {
		if e > part*min(1, ofMean[i]) && e > suspectFactor*s.Median {
			s.Pairs = append(s.Pairs, i)
			s.Errors = append(s.Errors, e)
		}
	}
	if float64(len(s.Pairs)) > mostSuspects*float64(len(errors)) {
		s.Pairs = nil
		s.Errors = nil
	}
	return s
}

// medianOf returns the median of some errors.
func medianOf(errors []float64) float64 {
	sorted := slices.Sorted(slices.Values(errors))
	return stat.Quantile(0.5, stat.Empirical, sorted, nil)
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
	text := fmt.Sprintf("Outputs of %d of %d training pairs may be wrong: the prediction from all other pairs is not much nearer "+
		"to them than the mean of all outputs, while the median error is %s. Pairs, counted from 0, with their errors: %s. ",
		len(s.Pairs), s.Count, report.Error(s.Median, 4), strings.Join(list, ", "))
	if s.LeftOut == nil {
		return text + "No pair was left out because of it: data.suspects=leave-out trains once more without them."
	}
	return text + fmt.Sprintf("They were left out, as data.suspects=leave-out says: at the other %d pairs the leave-one-out "+
		"error is %s, and it was %s after training with the suspects (%s at all %d pairs).", s.Count-len(s.Pairs),
		report.Error(s.LeftOut.After, 4), report.Error(s.LeftOut.Others, 4), report.Error(s.LeftOut.All, 4), s.Count)
}

// findSuspects looks for suspects after training. If data.suspects says so, it trains once more without them. It returns
// the file to store, if there are any. The error is one of training.
func (w *work) findSuspects(ctx context.Context, l *learned) ([]files.File, error) {
	errors, ofMean := operator.LeftOutErrors(l.model.Operator, w.train.Outputs)
	l.suspects = suspectsAmong(errors, ofMean, 1)
	if len(l.suspects.Pairs) == 0 {
		return nil, nil
	}
	if w.Config.Data.Suspects == config.LeaveOut {
		err := w.learnWithoutSuspects(ctx, l, errors)
		if err != nil {
			return nil, err
		}
	}
	return []files.File{store.JSON(suspectsFile, l.suspects, "")}, nil
}

// learnWithoutSuspects trains once more without the suspects, and again while that finds others. errors are those that the
// first model makes at all pairs. The error is one of training.
func (w *work) learnWithoutSuspects(ctx context.Context, l *learned, errors []float64) error {
	left := &leftOut{All: l.model.Operator.LeaveOneOut()}
	l.suspects.LeftOut = left
	for round := 1; ; round++ {
		w.leaveOut(l.suspects)
		model, err := w.learning.model(ctx)
		if err != nil {
			return err
		}
		l.model = model
		if round == suspectRounds || !w.suspectMore(l) {
			break
		}
	}
	kept := ridge.Others(l.suspects.Pairs, len(errors))
	for _, i := range kept {
		left.Others += errors[i] / float64(len(kept))
	}
	left.After = l.model.Operator.LeaveOneOut()
	return nil
}

// suspectMore adds the suspects among the pairs from which the model has learned without others. found is false if there
// are none, or too many to be exceptions.
func (w *work) suspectMore(l *learned) (found bool) {
	errors, ofMean := operator.LeftOutErrors(l.model.Operator, w.learning.pairs.Outputs)
	more := suspectsAmong(errors, ofMean, suspicion)
	all := len(l.suspects.Pairs) + len(more.Pairs)
	if len(more.Pairs) == 0 || float64(all) > mostSuspects*float64(l.suspects.Count) {
		return false
	}
	kept := ridge.Others(l.suspects.Pairs, l.suspects.Count)
	for k, among := range more.Pairs {
		l.suspects.add(kept[among], more.Errors[k])
	}
	return true
}

// add adds a pair in its place.
func (s *suspects) add(pair int, relativeError float64) {
	at, _ := slices.BinarySearch(s.Pairs, pair)
	s.Pairs = slices.Insert(s.Pairs, at, pair)
	s.Errors = slices.Insert(s.Errors, at, relativeError)
}

// leaveOut takes the suspects out of the pairs from which models learn, if they were left out.
func (w *work) leaveOut(s suspects) {
	if s.LeftOut != nil {
		w.learning.pairs = w.train.Take(ridge.Others(s.Pairs, w.train.Count()))
	}
}
