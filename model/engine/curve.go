// This file measures how the error falls with the number of training pairs, and how far single outputs may be off.

package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/model/bands"
	"rfm/model/method"
	"rfm/model/report"
	"rfm/model/rfm"
	"rfm/model/ridge"
	"rfm/solver/draw"
	"rfm/solver/fault"
)

// Curve is a learning curve: test errors of the model's method on parts of the training pairs and on all, and the error
// expected of twice as many, probably between Low and High. It chooses nothing.
type Curve struct {
	Points []Point `json:"points"`
	Twice  Point   `json:"twice"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Point is a point of a learning curve: the expected relative test error with N training pairs.
type Point struct {
	N     int     `json:"n"`
	Error float64 `json:"error"`
}

// purposeCurve names the stream that draws the pairs of a learning curve.
const purposeCurve draw.Purpose = "learning-curve"

// curve trains the model's method on an eighth, a quarter and a half of the training pairs and measures the errors on
// the test pairs of v. Leave-one-out errors would not do: where few inputs have most of the error, their means over few
// pairs differ from each other tenfold. Hyperparameters are the model's: the systems of kernels, whose cost grows with
// the cube of their order, take a sixth of its training at most. It returns nil for random features, whose cost is
// proportional to the number of pairs, for few pairs, if the method takes no more, and if errors are of rounding. The
// error is ctx's, or one of training.
func (e *Experiment) curve(ctx context.Context, v *Evaluation) (*Curve, error) {
	const parts, least, rounding = 8, 16, 1e-13
	t, model := e.learning, e.model.Operator
	n, m := t.pairs.Count(), t.methodCalled(model.Name())
	if m.Name == config.RandomFeatures || n < parts*least || 2*n > m.Most || v.Test.ExpectedRelative < rounding {
		return nil, nil
	}
	pairs, err := t.pairs.Restrict(e.Config.Train.Grid)
	if err != nil {
		return nil, err
	}
	defer e.tracker.digress("models of the learning curve", 3)() // of n/8, n/4, n/2 pairs
	var c Curve
	order := draw.Permutation(e.Config.Seed, purposeCurve, n)
	for part := parts; part > 1; part /= 2 {
		fewer := t.without(pairs.Take(slices.Sorted(slices.Values(order[:n/part]))), model)
		found, err := fewer.learn(ctx, fewer.pairs)
		var failing float64
		if err == nil {
			failing, err = e.testError(ctx, v, found.operator)
		}
		switch {
		case ctx.Err() != nil || err != nil && !fault.BlamesInput(err):
			return nil, errors.Join(ctx.Err(), err)
		case err == nil: // there may be too few for the method
			c.Points = append(c.Points, Point{n / part, failing})
		}
		e.tracker.Advance(1)
	}
	if len(c.Points) < 2 {
		return nil, nil
	}
	c.Points = append(c.Points, Point{n, v.Test.ExpectedRelative})
	c.extrapolate()
	return &c, nil
}

// extrapolate computes the error of twice the pairs. Its logarithm falls as it did with every doubling so far, on
// average; the standard deviation of these steps, and a tenth, are uncertain.
func (c *Curve) extrapolate() {
	const least = 0.1
	var steps []float64
	for i, p := range c.Points[1:] {
		before := c.Points[i]
		steps = append(steps, math.Log(p.Error/before.Error)/math.Log2(float64(p.N)/float64(before.N)))
	}
	mean, deviation := stat.MeanStdDev(steps, nil)
	last := c.Points[len(c.Points)-1]
	c.Twice = Point{2 * last.N, last.Error * math.Exp(mean)}
	factor := math.Exp(math.Hypot(deviation, least))
	c.Low, c.High = c.Twice.Error/factor, c.Twice.Error*factor
}

// String describes the curve in a sentence.
func (c *Curve) String() string {
	var sizes, found []string
	for _, p := range c.Points {
		sizes, found = append(sizes, fmt.Sprint(p.N)), append(found, report.Error(p.Error, 4))
	}
	return fmt.Sprintf("Test error with n=%s: %s. With n=%d expect %s (%s to %s).",
		strings.Join(sizes, ", "), strings.Join(found, ", "), c.Twice.N, report.Error(c.Twice.Error, 4),
		report.Error(c.Low, 4), report.Error(c.High, 4))
}

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
func (e *Experiment) calibrate(ctx context.Context) (*bands.Bands, error) {
	pairs, err := e.train.Restrict(e.Config.Train.Grid)
	if err != nil {
		return nil, err
	}
	n := pairs.Count()
	order := draw.Permutation(e.Config.Seed, purposeBands, n)
	groups := ridge.Labelled(pairs.Groups, n)
	parts := groups.Parts(order, min(heldOutParts, n))
	const halves = 2
	defer e.tracker.digress("parts held out", len(parts)+halves)()
	return bands.Calibrate(ctx, pairs, parts, func(ctx context.Context, kept []int) (rfm.Predictor, error) {
		defer e.tracker.Advance(1)
		return e.retrained(ctx, kept, len(groups) >= bands.Fewest) // few pairs fit parameters that they have chosen
	}, e.workers)
}

// retrained trains the model's method on some of the training pairs; like says whether with the model's parameters.
// Fewer pairs may have nothing to improve in a kernel: then it trains the kernel.
func (e *Experiment) retrained(ctx context.Context, kept []int, like bool) (rfm.Predictor, error) {
	for operator := e.model.Operator; ; {
		rest := e.learning.without(e.train.Take(kept), operator)
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
	return &Uncertainty{Pairs: b.Pairs, Coverage: checked.Covered(v.TestPairs.Outputs), Outside: len(checked.Outside),
		bands: b, checked: checked}, nil
}

// Band returns half the width, at its points, of the prediction band that contains the whole output of test input i
// with probability level. It is nil if the run has no bands, outputs have several channels, or the pairs are too few.
func (v *Evaluation) Band(i int, level float64) []float64 {
	if v.Uncertainty == nil || v.TestPairs.Outputs.Domain.Width() > 1 {
		return nil
	}
	return v.Uncertainty.checked.Band(i, level)
}
