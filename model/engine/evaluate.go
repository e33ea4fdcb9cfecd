// This file is the third stage: the errors of the trained model, and what it costs.

package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"rfm/model/price"
	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/grid"
)

// Evaluation is what a trained model does on one grid.
type Evaluation struct {
	Grid        int
	Grids       []int // on which the pairs can be had, named as in the configuration, ascending
	Train, Test rfm.Errors
	TestPairs   dataset.Pairs // on Grid
	Predictions grid.Batch    // of the test inputs
	trained     grid.Batch    // predictions of the training inputs, until they are stored
	Side        int           // points along an axis of fields on the unit square; 0 for functions of one variable
	Rivals      []Rival       // the model first, then what it is compared with
	Warnings    []string      // groups of pairs, methods that were left out; on the configured grid only
	Uncertainty *Uncertainty  // nil if bands were not asked for
	Choice      string        // which method was taken, and why; empty if it was given
	workers     int           // of the session that made it
	method      string        // what the model's method is called; empty: random features
}

// Rival is another way to get at the solution: its error on the test pairs and its cost beside the model's.
type Rival struct {
	Name    string  `json:"name"`
	Error   float64 `json:"error"`   // expected relative test error; NaN for the solver that made the truth
	Seconds float64 `json:"seconds"` // time of one evaluation on one core
	// seconds that learning took on all workers; 0 if there is nothing to learn
	Training float64 `json:"training,omitempty"`
	// LeaveOneOut is the mean relative error of predictions of training outputs from all other pairs; 0 if it is not
	// known.
	LeaveOneOut float64 `json:"leave_one_out,omitempty"`
	// multiplications and additions of one evaluation, about; 0 if it is not known
	Operations float64 `json:"operations,omitempty"`

	// Of solvers only.
	Grid      int     `json:"grid,omitempty"`      // on which they solve: points along an axis
	Tolerance float64 `json:"tolerance,omitempty"` // to which they were timed; 0 for other methods
	// number of inputs that were solved at the same time in one core's lanes, Seconds being the share of one
	Together int     `json:"together,omitempty"`
	Alone    float64 `json:"alone,omitempty"` // seconds if there is one input; 0 if that is the same
}

// plain is a Rival whose error JSON leaves to others: it has no NaN.
type plain Rival

// MarshalJSON writes null for an error that is NaN.
func (r Rival) MarshalJSON() ([]byte, error) {
	out := struct {
		plain
		Error *float64 `json:"error"`
	}{plain: plain(r)}
	if !math.IsNaN(r.Error) {
		out.Error = &r.Error
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Rival) UnmarshalJSON(text []byte) error {
	in := struct {
		*plain
		Error *float64 `json:"error"`
	}{plain: (*plain)(r)}
	err := json.Unmarshal(text, &in)
	if r.Error = math.NaN(); in.Error != nil {
		r.Error = *in.Error
	}
	return err
}

// Better says whether the rival's error is smaller than another's. The truth itself has none to compare.
func (r Rival) Better(than Rival) bool { return r.Error < than.Error }

// betterFactor is how many times smaller the error of the best method must be to be worth a sentence.
const betterFactor = 1.5

// Notes are sentences about the comparison: how solvers were timed, what beats the model by far, and Warnings.
func (v *Evaluation) Notes() []string {
	var notes []string
	switch {
	case v.Choice != "":
		notes = append(notes, v.Choice)
	case v.method != "":
		notes = append(notes, "The model is what "+v.method+" has learned.")
	}
	for _, r := range v.Rivals {
		if r.Tolerance == 0 {
			continue
		}
		note := fmt.Sprintf("The %s is timed at tolerance %g on %s", r.Name, r.Tolerance,
			v.TestPairs.Inputs.Domain.Grid(r.Grid))
		if r.Together > 1 {
			note += fmt.Sprintf(", %d inputs at a time", r.Together)
		}
		const noticeable = 1.05 // below, the clock has more to do with it than the solver
		if r.Alone > noticeable*r.Seconds {
			note += fmt.Sprintf("; one alone takes %.2g times as long", r.Alone/r.Seconds)
		}
		notes = append(notes, note+".")
	}
	var best Rival
	for _, r := range v.Rivals {
		if r.Training > 0 && r.Tolerance == 0 && (best.Name == "" || r.Error < best.Error) {
			best = r
		}
	}
	if best.Name != "" && best.Error*betterFactor < v.Rivals[0].Error {
		note := fmt.Sprintf("The test error of %s is %.1f times smaller than the model's", best.Name,
			v.Rivals[0].Error/best.Error)
		if v.method == "" {
			note += ": these features, or this many, do not suit the operator"
		}
		notes = append(notes, note+".")
	}
	return slices.Concat(notes, v.Warnings)
}

// evaluate measures errors on the configured grid; predictions that the run has are not made again. Errors are
// EvaluateOn's, those of writing the results, *fault.Data, and ctx's.
func (e *Experiment) evaluate(ctx context.Context) error {
	evaluation, err := e.evaluateOn(ctx, e.Config.TestGrid(), e.store)
	if err != nil {
		return err
	}
	e.tracker.measured(*evaluation)
	if evaluation.Rivals, err = e.rivals(ctx, evaluation); err != nil {
		return err
	}
	if evaluation.Choice, err = e.choice(ctx); err != nil {
		return err
	}
	if _, random := e.model.Features(); !random {
		evaluation.method = e.ModelTitle()
	}
	if e.grouped != "" {
		evaluation.Warnings = append(evaluation.Warnings, e.grouped)
	}
	evaluation.Warnings = append(evaluation.Warnings, e.trainer().omitted...)
	if e.Config.Evaluation.Bands {
		calibrated, err := e.calibrate(ctx)
		if err != nil {
			return err
		}
		if evaluation.Uncertainty, err = uncertainty(calibrated, evaluation); err != nil {
			return err
		}
	}
	evaluation.workers = e.workers
	e.seconds.Evaluate = e.watch()
	e.evaluation = evaluation
	if e.store == nil {
		return nil
	}
	if err := e.keepResults(ctx); err != nil {
		e.evaluation = nil
		return err
	}
	return nil
}

// rivals are the model, what the problem offers besides, and methods that learn from the same pairs.
func (e *Experiment) rivals(ctx context.Context, v *Evaluation) ([]Rival, error) {
	seconds, err := price.Prediction(ctx, e.model, v.TestPairs.Inputs)
	if err != nil {
		return nil, err
	}
	model := Rival{Name: "model", Error: v.Test.ExpectedRelative, Seconds: seconds, Training: e.seconds.Train,
		LeaveOneOut: e.model.Operator.LeaveOneOut(), Operations: e.model.Cost(v.Grid)}
	references, err := e.references(ctx, v)
	if err != nil {
		return nil, err
	}
	others, err := e.others(ctx, v)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]Rival{model}, references, others), nil
}

// EvaluateOn measures errors on the closed grid of K points (Darcy: K x K), which may differ from the training grid. On
// one that the grid of the pairs does not contain these are made again.
// Errors: *fault.Data if the data do not fit K or a true output is zero, *fault.Numerical, ctx's.
func (e *Experiment) EvaluateOn(ctx context.Context, K int) (*Evaluation, error) {
	return e.evaluateOn(ctx, K, nil)
}

// evaluateOn keeps predictions in a store, unless it is nil.
func (e *Experiment) evaluateOn(ctx context.Context, K int, to *kept) (*Evaluation, error) {
	e.tracker.begin(Evaluating, "predictions", e.train.Count()+e.test.Count())
	evaluation := &Evaluation{Grid: K, Grids: e.grids(), Side: sideOf(e.test.Inputs.Domain, K)}
	train, test, err := e.pairsOn(ctx, K)
	if err != nil {
		return nil, err
	}
	for _, side := range []struct {
		name, file string
		pairs      dataset.Pairs
		errors     *rfm.Errors
	}{{"training pairs", TrainPredictionsFile, train, &evaluation.Train},
		{"test pairs", TestPredictionsFile, test, &evaluation.Test}} {
		pairs, predictions, err := side.pairs, grid.Batch{}, error(nil)
		if to == nil {
			predictions, err = e.model.Predict(ctx, pairs.Inputs, e.workers, e.predicted)
		} else {
			predictions, err = e.predictInto(ctx, to, side.file, pairs.Inputs)
		}
		if err != nil {
			return nil, err
		}
		if *side.errors, err = rfm.Measure(predictions, pairs.Outputs); err != nil {
			return nil, fmt.Errorf("%s: %w", side.name, err)
		}
		if side.errors == &evaluation.Train {
			evaluation.trained = predictions
		}
		evaluation.TestPairs, evaluation.Predictions = pairs, predictions // the test pairs come last
	}
	e.tracker.finish()
	return evaluation, nil
}

func (e *Experiment) predicted(added int) { e.tracker.Advance(added) }

// leastPredictions is the number of inputs for which a worker makes predictions at least before they are stored: enough
// for what a pass over the features costs once.
const leastPredictions = 16

// predictInto makes predictions some inputs at a time, but for those of which the run has units, and keeps them.
func (e *Experiment) predictInto(ctx context.Context, to *kept, file string, inputs grid.Batch) (grid.Batch, error) {
	predictions := grid.NewBatch(e.train.Outputs.Domain, inputs.Points, inputs.Count)
	units, err := e.units(file)
	if err != nil {
		return predictions, err
	}
	gaps, err := readUnits(ctx, to.Units(), units, predictions)
	if err != nil {
		return predictions, err
	}
	have := inputs.Count
	for _, g := range gaps {
		have -= g.count
	}
	e.tracker.Skip(have)
	recorded, rec := e.record(ctx, file)
	least := leastPredictions * e.workers
	count := 4 * least
	for _, g := range gaps {
		for g.count > 0 && err == nil {
			count = min(count, g.count)
			begin := time.Now()
			var some grid.Batch
			if some, err = e.model.Predict(recorded, inputs.Range(g.first, count), e.workers, e.predicted); err == nil {
				copy(predictions.Data[g.first*predictions.Values():], some.Data)
				rec.add(g.first, store.Block{some})
				g.first, g.count = g.first+count, g.count-count
				// As many as take about the time between two checkpoints.
				count = max(least, int(float64(count)*min(8, to.pace.interval.Seconds()/time.Since(begin).Seconds()))/least*least)
			}
		}
	}
	return predictions, rec.close(err)
}
