package engine

import (
	"context"

	"rfm/model/bands"
	"rfm/model/rfm"
	"rfm/model/ridge"
	"rfm/solver/draw"
)

// Uncertainty is what is known of the errors of a model without test pairs, and whether it is right about these.
type Uncertainty struct {
	Pairs    int              `json:"pairs"` // training pairs that were held out in turn
	Coverage []bands.Coverage `json:"coverage"`
	Outside  int              `json:"outside"` // test inputs that are outside the training inputs

	bands   *bands.Bands
	checked *bands.Checked // of the test inputs
}

// heldOutParts is the number of parts of the pairs that are held out in turn.
const heldOutParts = 10

// purposeBands names the stream that divides the pairs into parts.
const purposeBands draw.Purpose = "bands"

// calibrate makes the bands of the model. Errors are those of training, and a *fault.Data.
func (e *Experiment) calibrate(ctx context.Context) (*bands.Bands, error) {
	pairs, err := e.train.Restrict(e.Config.Train.Grid)
	if err != nil {
		return nil, err
	}
	n := pairs.Count()
	order := draw.Permutation(e.Config.Seed, purposeBands, n)
	parts := ridge.Labelled(pairs.Groups, n).Parts(order, min(heldOutParts, n))
	const halves = 2
	defer e.tracker.digress(Comparing, "parts held out", len(parts)+halves)()
	return bands.Calibrate(ctx, pairs, parts, func(ctx context.Context, kept []int) (rfm.Predictor, error) {
		model, err := e.trainer().without(e.train.Take(kept), e.model.Operator).model(ctx)
		e.tracker.Advance(1)
		return model, err
	}, e.workers)
}

// uncertainty holds bands against the test pairs.
func uncertainty(b *bands.Bands, v *Evaluation) (*Uncertainty, error) {
	checked, err := b.Check(v.TestPairs.Inputs, v.Predictions)
	if err != nil {
		return nil, err
	}
	return &Uncertainty{Pairs: b.Pairs, Coverage: checked.Covered(v.TestPairs.Outputs), Outside: len(checked.Outside),
		bands: b, checked: checked}, nil
}

// Band is half the width, at its points, of the band in which the whole output of test input i is with the given
// probability; nil if the run has no bands, outputs have several channels, or too few pairs for that.
func (v *Evaluation) Band(i int, level float64) []float64 {
	if v.Uncertainty == nil || v.TestPairs.Outputs.Domain.Width() > 1 {
		return nil
	}
	return v.Uncertainty.checked.Band(i, level)
}
