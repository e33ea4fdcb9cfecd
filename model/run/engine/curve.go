// This file measures how the error falls with the number of training pairs.

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
	"rfm/model/show/report"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
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
// the cube of their order, take a sixth of its training at most. It returns nil and the reason for random features,
// whose cost is proportional to the number of pairs, for few pairs, if the method takes no more, and if errors are of
// rounding. The error is ctx.Err(), or one of training.
func (e *evaluating) curve(ctx context.Context, v *Evaluation) (_ *Curve, reason string, _ error) {
	const (
		parts    = 8  // of the pairs: the first point has one of them
		least    = 16 // pairs of the first point
		rounding = 1e-13
	)
	t := e.learning
	n := t.pairs.Count()
	m := t.methodCalled(e.model.Operator.Name())
	if m.Name == config.RandomFeatures || m.Name == config.Mean || m.Timed {
		const useless = "training again on parts of the pairs would take as long as a run, or show nothing, with "
		return nil, useless + m.Title, nil
	}
	if n < parts*least {
		return nil, fmt.Sprintf("an eighth of %d pairs is too few, %d pairs are needed", n, parts*least), nil
	}
	if 2*n > m.Most {
		return nil, fmt.Sprintf("%s learns from %d pairs at most", m.Title, m.Most), nil
	}
	if v.Test.ExpectedRelative < rounding {
		return nil, "the error is that of rounding", nil
	}
	defer e.tracker.digress("models of the curve", 3)() // of n/8, n/4, n/2 pairs
	var c Curve
	order := draw.Permutation(e.Config.Seed, purposeCurve, 0, n)
	for part := parts; part > 1; part /= 2 {
		some := slices.Sorted(slices.Values(order[:n/part]))
		testError, err := e.errorOn(ctx, v, some)
		if ctx.Err() != nil {
			return nil, "", errors.Join(ctx.Err(), err)
		}
		tooFew := err != nil && fault.BlamesInput(err) // for the method
		if err != nil && !tooFew {
			return nil, "", err
		}
		if !tooFew {
			c.Points = append(c.Points, Point{N: n / part, Error: testError})
		}
		e.tracker.Advance(1)
	}
	if len(c.Points) < 2 {
		return nil, "parts of the pairs are too few for " + m.Title, nil
	}
	c.Points = append(c.Points, Point{N: n, Error: v.Test.ExpectedRelative})
	c.extrapolate()
	return &c, "", nil
}

// errorOn returns the test error of the model's method trained on some of the training pairs.
func (e *evaluating) errorOn(ctx context.Context, v *Evaluation, pairs []int) (float64, error) {
	fewer, err := e.retrained(ctx, pairs, true)
	if err != nil {
		return 0, err
	}
	return e.testError(ctx, v, fewer)
}

// extrapolate computes the error of twice the pairs. Its logarithm falls as it did with every doubling so far, on
// average; the standard deviation of these steps, and a tenth, are uncertain.
func (c *Curve) extrapolate() {
	const least = 0.1
	var steps []float64 // of the logarithm for each doubling
	for i, p := range c.Points[1:] {
		before := c.Points[i]
		fall := math.Log(p.Error / before.Error)
		doublings := math.Log2(float64(p.N) / float64(before.N))
		steps = append(steps, fall/doublings)
	}
	mean, deviation := stat.MeanStdDev(steps, nil)
	last := c.Points[len(c.Points)-1]
	c.Twice = Point{N: 2 * last.N, Error: last.Error * math.Exp(mean)}
	factor := math.Exp(math.Hypot(deviation, least))
	c.Low = c.Twice.Error / factor
	c.High = c.Twice.Error * factor
}

// String describes the curve in a sentence.
func (c *Curve) String() string {
	var sizes, errors []string
	for _, p := range c.Points {
		sizes = append(sizes, fmt.Sprint(p.N))
		errors = append(errors, report.Error(p.Error, 4))
	}
	measured := fmt.Sprintf("Test error with n=%s: %s.", strings.Join(sizes, ", "), strings.Join(errors, ", "))
	twice := report.Error(c.Twice.Error, 4)
	low := report.Error(c.Low, 4)
	high := report.Error(c.High, 4)
	expected := fmt.Sprintf("With n=%d expect %s (%s to %s).", c.Twice.N, twice, low, high)
	return measured + " " + expected
}
