// This file measures the errors and the cost of a trained model and of its baselines, how the error falls with the
// number of training pairs, and how far single outputs may be off.

package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/model/learn/method"
	"rfm/model/learn/rfm"
	"rfm/model/learn/ridge"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/model/trained/bands"
	"rfm/model/trained/price"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Evaluation is the test errors of a trained model and of its baselines on one grid.
type Evaluation struct {
	Grid        int
	Grids       []int // grids on which the pairs are available, named as in the configuration, ascending
	Train, Test rfm.Errors
	TestPairs   dataset.Pairs // on Grid
	Predictions grid.Batch    // of the test inputs
	trained     grid.Batch    // predictions of the training inputs, until they are stored
	Side        int           // points along an axis of fields on the unit square; 0 for functions of one variable
	Rivals      []Rival       // the model first, then its baselines
	Expected    []string      // names of the Rivals while they are compared, as far as they are known
	Findings
	workers    int    // goroutines of the session that made it
	method     string // name of the model's method; empty for random features
	compareAll string // the command that compares all methods on the same pairs; empty if there is none
}

// Findings are the results of an evaluation besides errors, on the configured grid only.
type Findings struct {
	Choice      string       `json:"choice,omitempty"`         // which method was chosen, and why; empty: it is configured
	Uncertainty *Uncertainty `json:"bands,omitempty"`          // coverage of the error bands; nil: not asked for
	Curve       *Curve       `json:"learning_curve,omitempty"` // of the model's method; nil: not measured
	Warnings    []string     `json:"warnings,omitempty"`       // groups of pairs, methods that were left out
}

// Rival is the model or one of its baselines, with its error on the test pairs and its cost. Grid, Tolerance, Together
// and Alone are set for solvers only.
type Rival struct {
	price.Offer
	// training time in seconds on all workers; 0 if nothing is trained
	Training float64 `json:"training,omitempty"`
	// LeaveOneOut is the mean relative error of each training output predicted from all other pairs; 0 if unknown.
	LeaveOneOut float64                                           `json:"leave_one_out,omitempty"`
	operator    method.Operator                                   // nil for solvers, and once stored
	measure     func(context.Context, *Evaluation) (Rival, error) // of a baseline before it is measured
}

// betterFactor is the ratio of the model's error to the smallest error from which Notes mentions the better method.
const betterFactor = 1.5

// Times returns sentences about the measured times of evaluations.
func (v *Evaluation) Times() (notes []string) {
	for _, r := range v.Rivals {
		if r.Bound {
			notes = append(notes, "The time of "+r.Name+" is an upper bound: inputs were few, or the machine was busy.")
		}
		if r.Tolerance == 0 {
			continue
		}
		note := fmt.Sprintf("The %s is timed at tolerance %g on %s", r.Name, r.Tolerance,
			v.TestPairs.Inputs.Domain.Grid(r.Grid))
		if r.Together > 1 {
			note += fmt.Sprintf(", %d inputs at a time", r.Together)
		}
		const noticeable = 1.05 // smaller ratios are within the noise of the clock
		if r.Alone > noticeable*r.Seconds {
			note += fmt.Sprintf("; one alone takes %.2g times as long", r.Alone/r.Seconds)
		}
		notes = append(notes, note+".")
	}
	return notes
}

// Notes returns sentences about the comparison: the choice of the method, methods far better than the model, hard
// inputs, the learning curve, and Warnings.
func (v *Evaluation) Notes() (notes []string) {
	switch {
	case v.Choice != "":
		notes = append(notes, v.Choice)
	case v.method != "":
		notes = append(notes, "The model was learned by "+v.method+".")
	}
	var best Rival
	for _, r := range v.Rivals {
		if r.Training > 0 && r.Tolerance == 0 && (best.Name == "" || r.Error < best.Error) {
			best = r
		}
	}
	if best.Name != "" && best.Error*betterFactor < v.Rivals[0].Error {
		note := fmt.Sprintf("The test error of %s is %.3g times smaller than the model's", best.Name,
			v.Rivals[0].Error/best.Error)
		if v.method == "" {
			note += ": these features, or this many, do not suit the operator"
		}
		note += "."
		if v.method == "" && v.compareAll != "" {
			note += " This compares all methods:\n  " + v.compareAll
		}
		notes = append(notes, note)
	}
	sorted := slices.Sorted(slices.Values(v.Test.Relative))
	hard := sorted[len(sorted)-len(sorted)/100:]
	if share := floats.Sum(hard) / floats.Sum(sorted); share > hardShare {
		notes = append(notes, fmt.Sprintf("Few inputs are hard: %d of %d test pairs have %.0f%% of the error. "+
			"The leave-one-out error, a mean over other pairs, may differ several times.", len(hard), len(sorted), 100*share))
	}
	if v.Curve != nil {
		notes = append(notes, v.Curve.String())
	}
	return slices.Concat(notes, v.Warnings)
}

// hardShare is the share of the error in one percent of the test pairs above which Notes mentions them. Kernels have
// shares of 0.05 to 0.2 on most equations, and 0.2 to 0.9 on shallow water and Korteweg-de Vries, where leave-one-out
// errors were 0.2 to 2.5 times the test errors.
const hardShare = 0.25

// rivals returns the model, the baselines of the problem, and the methods that learn from the same pairs.
func (e *Experiment) rivals(ctx context.Context, v *Evaluation) ([]Rival, error) {
	baselines, early := e.baselines(v.Grid), *v
	early.Expected = []string{"model"} // unless a method fails or no solver is as good as the model
	for _, b := range baselines {
		early.Expected = append(early.Expected, b.Name)
	}
	methods := method.Rivals(e.Config, e.train.Inputs.Domain, e.train.Outputs.Domain)
	for _, m := range slices.Insert(methods, 0, method.Random{}.Method()) {
		if e.Config.Evaluation.Baselines && m.Name != e.model.Operator.Name() {
			early.Expected = append(early.Expected, m.Title)
		}
	}
	e.tracker.Set(func(p *Progress) { p.Measured = &early })
	defer e.tracker.digress("timings", 1)()
	seconds, bound, err := price.Prediction(ctx, e.model, v.TestPairs.Inputs)
	if err != nil {
		return nil, err
	}
	rivals := []Rival{{Offer: price.Offer{Name: "model", Error: v.Test.ExpectedRelative, Seconds: seconds, Bound: bound},
		Training: e.store.Seconds[1], LeaveOneOut: e.model.Operator.LeaveOneOut()}}
	for _, b := range baselines {
		r, err := b.measure(ctx, v)
		switch {
		case errors.As(err, new(*fault.Numerical)): // the solver does not converge on this grid
		case err != nil:
			return nil, err
		case r.Seconds > 0: // otherwise no solver is as accurate as the model
			r.Name = b.Name
			rivals = append(rivals, r)
		}
	}
	if !e.Config.Evaluation.Baselines {
		return rivals, nil
	}
	all, err := e.learning.competitors(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range all {
		if l.operator.Name() == e.model.Operator.Name() {
			continue
		}
		rival, err := e.rival(ctx, v, l, l.operator)
		rival.operator = nil
		switch {
		case ctx.Err() != nil || err != nil && !fault.BlamesInput(err):
			return nil, errors.Join(ctx.Err(), err)
		case err == nil:
			rivals = append(rivals, rival)
		}
	}
	return rivals, nil
}

// EvaluateOn measures errors on the closed grid of K points (Darcy: K x K), which may differ from the training grid. If
// the grid of the pairs does not contain it, the pairs are generated or read again. On the configured grid it reads
// predictions from the run, or keeps them as its units. Errors: *fault.Data if the data do not fit K or a true output
// is zero, *fault.Numerical, ctx's.
func (e *Experiment) EvaluateOn(ctx context.Context, K int) (*Evaluation, error) {
	configured := K == e.Config.TestGrid()
	e.tracker.begin(Evaluating, "predictions", e.train.Count()+e.test.Count())
	v := &Evaluation{Grid: K, Grids: e.grids(), Side: sideOf(e.test.Inputs.Domain, K)}
	if _, random := e.model.Features(); !random {
		v.method = e.ModelTitle()
	}
	v.compareAll = compareAll(e.Config)
	train, test, err := e.pairsOn(ctx, K)
	if err != nil {
		return nil, err
	}
	predicted := func(what, file string, pairs dataset.Pairs) (all grid.Batch, errors rfm.Errors, err error) {
		all = grid.NewBatch(e.train.Outputs.Domain, pairs.Inputs.Points, pairs.Count())
		predict := func(ctx context.Context, first, count int) error {
			some, err := e.model.Predict(ctx, pairs.Inputs.Range(first, count), e.workers, e.tracker.Advance)
			copy(all.Range(first, count).Data, some.Data)
			return err
		}
		switch {
		case configured && e.store.Has(file):
			err = e.store.ReadArray(ctx, file, func([]int) (store.Block, error) { return store.Block{all}, nil })
		case configured:
			err = e.rows(ctx, file, leastPredictions, store.Block{all}, predict)
		default:
			err = predict(ctx, 0, pairs.Count())
		}
		if err != nil {
			return all, errors, err
		}
		if errors, err = rfm.Measure(all, pairs.Outputs); err != nil {
			err = fmt.Errorf("%s: %w", what, err)
		}
		return all, errors, err
	}
	if v.trained, v.Train, err = predicted("training pairs", store.TrainPredictionsFile, train); err != nil {
		return nil, err
	}
	v.TestPairs = test
	if v.Predictions, v.Test, err = predicted("test pairs", store.TestPredictionsFile, test); err != nil {
		return nil, err
	}
	e.tracker.finish()
	return v, nil
}

// compareAll returns the command that compares all methods in place of the configured one, or nothing if no command with
// a preset does.
func compareAll(c config.Config) string {
	c.Train.Method = config.Best
	c.Train.Rows = 0 // because random features are compared by whole functions that are left out
	preset, assignments := c.FromPreset()
	if preset == "" || c.Validate() != nil {
		return ""
	}
	command := "rfm run " + preset
	for _, a := range assignments {
		command += " --set " + printable.Quote(a)
	}
	return command
}

// leastPredictions is the least number of inputs for which a worker makes predictions before they are stored. It
// amortises the fixed cost of a pass over the features.
const leastPredictions = 16

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
	defer e.tracker.digress("models of the curve", 3)() // of n/8, n/4, n/2 pairs
	var c Curve
	order := draw.Permutation(e.Config.Seed, purposeCurve, 0, n)
	for part := parts; part > 1; part /= 2 {
		fewer, err := e.retrained(ctx, slices.Sorted(slices.Values(order[:n/part])), true)
		var failing float64
		if err == nil {
			failing, err = e.testError(ctx, v, fewer)
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
	order := draw.Permutation(e.Config.Seed, purposeBands, 0, n)
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
