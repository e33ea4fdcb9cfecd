// This file applies a model and the solver to inputs that a person makes up.

package engine

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"rfm/config"
	"rfm/model/run/setup"
	"rfm/model/show/report"
	"rfm/model/trained"
	"rfm/model/trained/bands"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// Trial answers inputs that a person makes up: with the prediction of a model, with the solution, and with how unlike the
// training inputs they are. Its methods are safe for concurrent use.
type Trial struct {
	Config config.Config
	Domain grid.Domain // of the inputs, with all channels
	Points int         // along the first axis, of inputs and answers
	Side   int         // points along an axis of fields; 0 for functions of one variable
	Law    Law
	Error  float64 // the median relative test error of the model; 0 if there is no model

	model    *trained.Model // nil: only solutions are known
	bands    *bands.Bands   // nil: the model has none
	examples grid.Batch     // inputs from files, which take the place of draws
	solver   *truth.Operator
	finer    *truth.Operator // where the solver's grid does not resolve a solution; nil if there is no finer grid
	failed   atomic.Bool     // the solver's grid did not resolve a solution
}

// Law says what training inputs are like.
type Law struct {
	Low, High   []float64    // of a few inputs, at each value of one
	Size        float64      // the median of their norms
	Left, Right EndCondition // of functions on an interval
	Levels      []float64    // the only values of inputs that jump between two of them, ascending; nil for others
	Numbers     []bool       // by channel: it is a number, constant in each input
	Means       []float64    // by channel: the mean over x of all of them
}

// EndCondition is what all inputs satisfy at an end of an interval.
type EndCondition struct {
	Held  bool    // the value is the same
	Value float64 // the value that is held
	Flat  bool    // the derivative is zero
}

// Answer is what a model says about an input.
type Answer struct {
	Prediction []float64 // values of all channels of the output
	Band       []float64 // half the width of the 90% band at each value; nil: unknown
	Known      bool      // the model can tell how unlike the training inputs the input is
	Deviation  float64   // from the training inputs: 0 at one of them, 1 far from all
	Limit      float64   // of the deviation of inputs like them
}

// lawInputs bounds the inputs from which a law is measured.
const lawInputs = 256

// Trial returns the trial of an experiment whose model is trained, with the usual error and the bands of an evaluation of
// it, which may be nil: it may be called while other methods are compared. The error is ctx.Err(), or a *fault.Data if
// its functions cannot be drawn.
func (e *Experiment) Trial(ctx context.Context, v *Evaluation) (*Trial, error) {
	if e.train.Inputs.Domain.Scattered() {
		return nil, &fault.Data{
			Where: "drawing",
			What:  "is for functions on grids, and these are given at scattered points",
			Do:    "apply the model to the inputs in a file: rfm predict",
		}
	}
	t := newTrial(e.Config)
	model := e.model
	t.model = &model
	t.Points = e.Config.TestGrid()
	t.Domain = e.train.Inputs.Domain
	t.Side = sideOf(t.Domain, t.Points)
	known, err := resample.To(e.train.Inputs.First(min(lawInputs, e.train.Count())), t.Points)
	if err != nil {
		return nil, err
	}
	if t.solver == nil {
		t.examples = known
		if e.test.Count() > 0 {
			t.examples, err = resample.To(e.test.Inputs.First(min(lawInputs, e.test.Count())), t.Points)
		}
	}
	if v != nil {
		t.Error = report.Median(v.Test.Relative)
		if v.Uncertainty != nil && v.TestPairs.Outputs.Domain.Width() == 1 {
			t.bands = v.Uncertainty.bands
		}
	}
	t.measure(known)
	return t, errors.Join(err, ctx.Err())
}

// Untrained returns the trial of a configuration without a model: only the solver answers. The error is a *config.Error
// or, if the problem has no solver, a *fault.Data.
func Untrained(c config.Config) (*Trial, error) {
	if err := setup.Check(c); err != nil {
		return nil, err
	}
	t := newTrial(c)
	if t.solver == nil {
		return nil, &fault.Data{
			Where: "drawing",
			What:  "needs a model, because the pairs come from files",
			Do:    "train a model first: ctrl+r",
		}
	}
	most := previewPoints
	if c.Dims() == 2 {
		most = previewSide
	}
	t.Points = c.GridUpTo(c.Data.Grid, most)
	t.Domain = t.solver.Inputs()
	t.Side = sideOf(t.Domain, t.Points)
	const few = 32
	inputs := grid.NewBatch(t.Domain, t.Points, few)
	t.solver.With(t.Points, trialTolerance).Draw(inputs, draw.InputTrain, 0)
	t.measure(inputs)
	return t, nil
}

// trialTolerance is the least tolerance of a solution that is compared with a prediction.
const trialTolerance = 1e-5

// newTrial returns a trial with the solver of a configuration, if it has one.
func newTrial(c config.Config) *Trial {
	t := &Trial{Config: c}
	own := setup.Truth(c)
	if own == nil {
		return t
	}
	tolerance := max(own.Tolerance, trialTolerance)
	t.solver = own.With(c.Data.Grid, tolerance)
	if coarse := trialGrid(c); coarse < c.Data.Grid {
		t.finer = t.solver
		t.solver = own.With(coarse, tolerance)
	}
	return t
}

// trialGrid returns the grid on which solutions are tried first. Fields that jump have no coarser one: a solution depends
// on where exactly they do.
func trialGrid(c config.Config) int {
	most := previewPoints
	if c.Dims() == 2 {
		most = previewSide
	}
	coarse := c.GridUpTo(c.Data.Grid, most)
	if c.Of().Jumps || !c.Contains(coarse, c.TestGrid()) {
		return c.Data.Grid
	}
	return coarse
}

// measure finds the law of some training inputs.
func (t *Trial) measure(inputs grid.Batch) {
	values := inputs.Values()
	t.Law.Low = slices.Clone(inputs.At(0))
	t.Law.High = slices.Clone(inputs.At(0))
	sizes := make([]float64, inputs.Count)
	for i := range inputs.Count {
		for x, v := range inputs.At(i) {
			t.Law.Low[x] = min(t.Law.Low[x], v)
			t.Law.High[x] = max(t.Law.High[x], v)
		}
		sizes[i] = t.Domain.Norm(inputs.At(i))
	}
	t.Law.Size = report.Median(sizes)
	for c := range t.Domain.Width() {
		channel := inputs.Channel(c)
		t.Law.Numbers = append(t.Law.Numbers, inputs.IsNumber(c))
		t.Law.Means = append(t.Law.Means, t.Mean(channel.Mean()))
	}
	if t.Config.Of().Jumps {
		t.Law.Levels = []float64{slices.Min(t.Law.Low), slices.Max(t.Law.High)}
	}
	if t.Domain.Dims == 2 || t.Domain.Periodic || t.Domain.Width() > 1 {
		return
	}
	t.Law.Left = t.heldAt(0)
	t.Law.Right = t.heldAt(values - 1)
	if t.solver == nil {
		return
	}
	if left, right, ok := grf.Ends(t.solver.Draws); ok {
		t.Law.Left.Flat = left == grf.Free
		t.Law.Right.Flat = right == grf.Free
	}
}

// heldAt returns the condition of an end at which all training inputs have one value.
func (t *Trial) heldAt(x int) EndCondition {
	const rounding = 1e-9
	spread := slices.Max(t.Law.High) - slices.Min(t.Law.Low)
	held := t.Law.High[x]-t.Law.Low[x] <= rounding*spread
	if !held {
		return EndCondition{}
	}
	return EndCondition{Held: true, Value: (t.Law.High[x] + t.Law.Low[x]) / 2}
}

// Solves reports whether there is a solver, and Predicts whether there is a model.
func (t *Trial) Solves() bool { return t.solver != nil }

// Predicts reports whether there is a model.
func (t *Trial) Predicts() bool { return t.model != nil }

// purposeTrial names the stream of inputs that are drawn for a person.
const purposeTrial draw.Purpose = "trial"

// Draw returns an input of the training law, which no training and no test pair has if there is a solver; else one of the
// test inputs.
func (t *Trial) Draw(number int) []float64 {
	if t.solver == nil {
		return slices.Clone(t.examples.At(number % t.examples.Count))
	}
	input := grid.NewBatch(t.Domain, t.Points, 1)
	t.solver.With(t.Points, t.solver.Tolerance).Draw(input, purposeTrial, number)
	return input.At(0)
}

// batch returns an input as a batch.
func (t *Trial) batch(input []float64) grid.Batch {
	return grid.BatchOf(t.Domain, t.Points, slices.Clone(input))
}

// Predict applies the model, of which there must be one. Errors are those of trained.Model.Predict.
func (t *Trial) Predict(ctx context.Context, input []float64) (Answer, error) {
	inputs := t.batch(input)
	outputs, err := t.model.Predict(ctx, inputs, 1, nil)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Prediction: outputs.At(0)}
	found, known, err := t.model.Unlike(ctx, inputs, 1)
	if err != nil {
		return Answer{}, err
	}
	if known {
		answer.Known = true
		answer.Deviation = found.Deviations[0]
		answer.Limit = found.Limit
	}
	if t.bands != nil {
		const level = 0.9
		checked, err := t.bands.Check(inputs, outputs)
		if err != nil {
			return Answer{}, err
		}
		answer.Band = checked.Band(0, level)
	}
	return answer, nil
}

// Solve solves for an input; there must be a solver. A solution that its grid does not resolve is computed on the grid of
// the data, as are all after it. Errors are the solver's, and ctx.Err().
func (t *Trial) Solve(ctx context.Context, input []float64) ([]float64, error) {
	if !t.failed.Load() {
		output, err := t.solveBy(ctx, t.solver, input)
		var unresolved *fault.Numerical
		if t.finer == nil || !errors.As(err, &unresolved) {
			return output, err
		}
		t.failed.Store(true)
	}
	return t.solveBy(ctx, t.finer, input)
}

// solveBy solves on the grid of an operator.
func (t *Trial) solveBy(ctx context.Context, o *truth.Operator, input []float64) ([]float64, error) {
	own := t.batch(input)
	inputs := own
	switch {
	case t.Config.Of().Jumps:
		inputs = nearest(own, o.Points)
	case o.Points != t.Points:
		var err error
		inputs, err = resample.To(own, o.Points)
		if err != nil {
			return nil, err
		}
	}
	if o.Check != nil {
		err := o.Check("the input", inputs)
		if err != nil {
			return nil, err
		}
	}
	outputs := []grid.Batch{grid.NewBatch(o.Domain, inputs.Points, 1)}
	worker := o.Worker()
	err := worker.Solve(ctx, outputs, inputs, o.Times, "the input")
	if err != nil {
		return nil, err
	}
	o.Release(worker)
	there, err := resample.To(outputs[0], t.Points)
	if err != nil {
		return nil, err
	}
	return there.At(0), nil
}

// nearest returns fields of one channel on another grid of the square, with the values of the nearest points: those
// between two levels would be of neither.
func nearest(b grid.Batch, points int) grid.Batch {
	to := grid.NewBatch(b.Domain, points, b.Count)
	ratio := float64(b.Points-1) / float64(points-1)
	at := make([]int, points)
	for i := range at {
		at[i] = int(math.Round(float64(i) * ratio))
	}
	for f := range b.Count {
		from := b.At(f)
		values := to.At(f)
		for i := range points {
			for j := range points {
				values[i*points+j] = from[at[i]*b.Points+at[j]]
			}
		}
	}
	return to
}

// Distance returns the relative L2 error of a prediction whose solution is known; +Inf if the solution is zero.
func (t *Trial) Distance(prediction, solution []float64) float64 {
	domain := t.Domain.One()
	size := domain.Norm(solution)
	if size == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(domain.Distance2(prediction, solution)) / size
}

// Mean returns the mean of a function of one channel over its domain.
func (t *Trial) Mean(f []float64) float64 {
	ones := make([]float64, len(f))
	for x := range ones {
		ones[x] = 1
	}
	return t.Domain.One().Inner(f, ones)
}

// Model returns the model; nil if there is none.
func (t *Trial) Model() *trained.Model { return t.model }

// Likeness says in a word how much an input is like the training inputs.
type Likeness int

// The grades of likeness.
const (
	Unknown Likeness = iota // the model does not know its training inputs
	Like                    // as far from the training inputs as these are from each other
	Unusual                 // farther
	Outside                 // so far that the training inputs say next to nothing about it
)

// Likeness grades the deviation of the input.
func (a Answer) Likeness() Likeness {
	far := (1 + a.Limit) / 2
	switch {
	case !a.Known:
		return Unknown
	case a.Deviation <= a.Limit:
		return Like
	case a.Deviation <= far:
		return Unusual
	}
	return Outside
}
