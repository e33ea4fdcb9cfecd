// This file decides whether a model has learned anything: whether it is better than the mean of the training outputs.

package engine

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"rfm/model/learn/mean"
	"rfm/model/learn/operator"
	"rfm/model/learn/score"
	"rfm/model/show/report"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Skill compares the test errors of a model with those of the mean of the training outputs, which needs no input.
type Skill struct {
	// Mean is the expected relative test error of the mean of the training outputs.
	Mean float64 `json:"mean"`
	// MeanTrain is the same of the training pairs, from which the mean was taken.
	MeanTrain float64 `json:"mean_train"`
	// Gain is the amount by which the model's error is smaller, Uncertainty two standard errors of it: the mean of the
	// differences pair by pair, which vary less than the errors.
	Gain        float64 `json:"gain"`
	Uncertainty float64 `json:"uncertainty"`
	// Learned reports whether Gain is larger than Uncertainty.
	Learned bool `json:"learned"`
	// Fluctuation is the error relative to the distance of the outputs from their mean, in root mean squares; 0 unless
	// the mean carries most of their norm.
	Fluctuation      float64 `json:"fluctuation,omitempty"`
	FluctuationTrain float64 `json:"fluctuation_train,omitempty"`
	// Copy is the test error of inputs that are taken for outputs, if the model's is no smaller, or if that is rounding:
	// the operator is the identity then. 0: not so.
	Copy     float64 `json:"copy,omitempty"`
	Identity bool    `json:"identity,omitempty"`
	// Same reports whether all outputs are equal up to rounding.
	Same bool `json:"same,omitempty"`
}

const (
	// meanCarries is the share of the outputs' norm in their mean from which the error of the fluctuation is told.
	meanCarries = 0.9
	// copyRounding is the relative difference of inputs and outputs up to which they are equal: of single precision, after
	// some operations.
	copyRounding = 1e-6
	// sameRounding is the relative difference of outputs up to which they are equal.
	sameRounding = 1e-12
)

// skill compares the errors of v, which are known, with those of v.mean. train are the training pairs on v's grid.
func (e *evaluating) skill(ctx context.Context, v *Evaluation, train dataset.Pairs) (*Skill, error) {
	ofTrain, fluctuationTrain, err := e.meanErrors(ctx, v.mean, train, v.trained)
	if err != nil {
		return nil, err
	}
	ofTest, fluctuation, err := e.meanErrors(ctx, v.mean, v.TestPairs, v.Predictions)
	if err != nil {
		return nil, err
	}
	s := newSkill(v.Test.Relative, ofTest.Relative)
	s.Mean = ofTest.ExpectedRelative
	s.MeanTrain = ofTrain.ExpectedRelative
	if fluctuation.Share > meanCarries {
		s.Fluctuation = fluctuation.Relative
		s.FluctuationTrain = fluctuationTrain.Relative
	}
	s.compareWithCopy(v)
	s.Same = ofTest.Max() < sameRounding
	return s, nil
}

// newSkill compares the relative errors of a model and of the mean on the same pairs.
func newSkill(own, mean []float64) *Skill {
	differences := floats.SubTo(make([]float64, len(own)), mean, own)
	s := &Skill{Gain: stat.Mean(differences, nil)}
	if n := len(differences); n > 1 {
		const deviations = 2
		s.Uncertainty = deviations * stat.StdDev(differences, nil) / math.Sqrt(float64(n))
	}
	s.Learned = s.Gain > s.Uncertainty
	return s
}

// meanErrors returns the errors of the mean of the outputs on some pairs, and those of predictions relative to the
// fluctuation around it.
func (e *evaluating) meanErrors(ctx context.Context, mean operator.Operator, pairs dataset.Pairs, predictions grid.Batch) (
	score.Errors, score.Fluctuation, error) {
	means, err := mean.Predict(ctx, pairs.Inputs, e.workers, nil)
	if err != nil {
		return score.Errors{}, score.Fluctuation{}, err
	}
	errors, err := score.Measure(means, pairs.Outputs)
	return errors, score.FluctuationOf(predictions, pairs.Outputs, means), err
}

// compareWithCopy sets Copy and Identity, if inputs can be outputs.
func (s *Skill) compareWithCopy(v *Evaluation) {
	a := v.TestPairs.Inputs
	u := v.TestPairs.Outputs
	if a.Domain != u.Domain {
		return
	}
	copied, err := score.Measure(a, u)
	if err != nil { // of another size than the outputs by so much that it is not finite
		return
	}
	s.Identity = copied.Max() < copyRounding
	if s.Identity || copied.ExpectedRelative <= v.Test.ExpectedRelative {
		s.Copy = copied.ExpectedRelative
	}
}

// Verdict says in a few words, to stand behind the error, what it is worth; empty if the model has learned something.
func (s *Skill) Verdict() string {
	switch {
	case s == nil:
		return ""
	case s.Identity:
		return "outputs equal inputs"
	case s.Same && !s.Learned:
		return "all outputs are the same"
	case !s.Learned:
		return "no better than the mean of the outputs"
	case s.Copy > 0:
		return "no better than a copy of the input"
	}
	return ""
}

// sentences explains the verdict with its numbers.
func (s *Skill) sentences(v *Evaluation) (all []string) {
	if s == nil {
		return nil
	}
	if s.Identity {
		all = append(all, fmt.Sprintf("Every output equals its input to %.1g: the operator is the identity, and there is "+
			"nothing to learn.", math.Max(s.Copy, 1e-16)))
	}
	if s.Same && !s.Learned {
		return append(all, "All outputs are the same: they do not depend on the inputs, and there is nothing to learn. In an equation "+
			"the input is a, as in 0 = u_xx + a.")
	}
	if !s.Learned {
		own := report.Measured(v.Test.ExpectedRelative)
		ofMean := report.Measured(s.Mean)
		text := "The model has learned nothing: its test error, " + own + ", is no smaller than that of the mean of the " +
			"training outputs, " + ofMean
		switch {
		case v.method == mean.Title:
			text = "Nothing was learned: no method predicts better than the mean of the training outputs"
		case s.Gain > 0:
			text = fmt.Sprintf("The model has learned nothing that can be told from chance: its test error, %s, is smaller "+
				"than that of the mean of the training outputs, %s, by %.2g, with an uncertainty of %.2g", own, ofMean, s.Gain,
				s.Uncertainty)
		}
		all = append(all, text+".")
	}
	if s.Copy > 0 && !s.Identity {
		all = append(all, fmt.Sprintf("Inputs taken for outputs have the error %s, no more than the model's.",
			report.Measured(s.Copy)))
	}
	if s.Fluctuation > 0 {
		all = append(all, fmt.Sprintf("The mean of the outputs carries nearly all of their norm. Relative to the fluctuation "+
			"around the mean, the error is %s.", report.Error(s.Fluctuation, 3)))
	}
	return all
}

// meanOperator returns the mean of the training outputs on the training grid, as the methods learn it.
func (e *evaluating) meanOperator() (operator.Operator, error) {
	pairs, err := e.learning.pairs.Restrict(e.Config.Train.Grid)
	if err != nil {
		return nil, err
	}
	return mean.Of(pairs, e.Config.Data.Symmetry), nil
}
