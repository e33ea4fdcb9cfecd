// This file calibrates prediction bands, and trains models again on parts of the pairs.

package engine

import (
	"context"

	"rfm/model/learn/method"
	"rfm/model/learn/ridge"
	"rfm/model/learn/score"
	"rfm/model/trained/bands"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
)

// Uncertainty is the error estimate of a model from held-out training pairs, and its coverage of the test pairs.
type Uncertainty struct {
	Pairs    int              `json:"pairs"` // training pairs that were held out in turn
	Coverage []bands.Coverage `json:"coverage"`
	Outside  int              `json:"outside"` // number of test inputs outside the training inputs

	bands   *bands.Bands
	checked *bands.Checked // for the test inputs
}

// heldOutParts is the number of parts into which the pairs are divided; each part is held out in turn.
const heldOutParts = 10

// purposeBands names the stream that divides the pairs into parts.
const purposeBands draw.Purpose = "bands"

// calibrate computes the prediction bands of the model. The error is one of training, or a *fault.Data.
func (e *evaluating) calibrate(ctx context.Context) (*bands.Bands, error) {
	pairs, err := e.learning.pairs.Restrict(e.Config.Train.Grid)
	if err != nil {
		return nil, err
	}
	groups := ridge.Labelled(pairs.Groups, pairs.Count())
	parts := e.partsForBands()
	const halves = 2
	defer e.tracker.digress("parts held out", len(parts)+halves)()
	return bands.Calibrate(ctx, pairs, parts, func(ctx context.Context, kept []int) (score.Predictor, error) {
		defer e.tracker.Advance(1)
		return e.retrained(ctx, kept, len(groups) >= bands.Fewest) // few pairs fit parameters that they have chosen
	}, e.workers)
}

// partsForBands divides the training pairs into parts that are held out in turn.
func (w *work) partsForBands() [][]int {
	n := w.learning.pairs.Count()
	groups := ridge.Labelled(w.learning.pairs.Groups, n)
	order := draw.Permutation(w.Config.Seed, purposeBands, 0, n)
	return groups.Parts(order, bands.Parts(len(groups), heldOutParts))
}

// retrained trains the model's method on some of the training pairs; like says whether with the model's parameters.
// Fewer pairs may have nothing to improve in a kernel: then it trains the kernel.
func (e *evaluating) retrained(ctx context.Context, kept []int, like bool) (score.Predictor, error) {
	for operator := e.model.Operator; ; {
		rest := e.learning.without(e.learning.pairs.Take(kept), operator)
		if !like {
			rest.like = nil
		}
		model, err := rest.model(ctx)
		if operator = method.Beneath(operator); operator == nil || !fault.BlamesInput(err) {
			return model, err
		}
	}
}

// uncertainty measures the coverage of the prediction bands b on the test pairs.
func uncertainty(b *bands.Bands, v *Evaluation) (*Uncertainty, error) {
	checked, err := b.Check(v.TestPairs.Inputs, v.Predictions)
	if err != nil {
		return nil, err
	}
	outside := len(checked.Outside)
	if v.Unlike != nil { // one measure for all methods, which runs of earlier versions do not have
		outside = len(v.Unlike.Outside)
	}
	return &Uncertainty{
		Pairs:    b.Pairs,
		Coverage: checked.Covered(v.TestPairs.Outputs),
		Outside:  outside,
		bands:    b,
		checked:  checked,
	}, nil
}

// Band returns half the width, at its points, of the prediction band that contains the whole output of test input i
// with probability level. It is nil if the run has no bands, outputs have several channels, or the pairs are too few.
func (v *Evaluation) Band(i int, level float64) []float64 {
	if v.Uncertainty == nil || v.TestPairs.Outputs.Domain.Width() > 1 {
		return nil
	}
	return v.Uncertainty.checked.Band(i, level)
}
