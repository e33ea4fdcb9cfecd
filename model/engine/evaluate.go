// This file measures the errors and the cost of a trained model and of its baselines.

package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/model/method"
	"rfm/model/price"
	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/grid"
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
	Warnings    []string      // groups of pairs, methods that were left out; on the configured grid only
	Uncertainty *Uncertainty  // nil if bands were not asked for
	Choice      string        // which method was chosen, and why; empty if the configuration names it
	Curve       *Curve        // nil: not measured
	workers     int           // goroutines of the session that made it
	method      string        // name of the model's method; empty for random features
}

// Rival is the model or one of its baselines, with its error on the test pairs and its cost. Grid, Tolerance, Together
// and Alone are set for solvers only.
type Rival struct {
	price.Offer
	// training time in seconds on all workers; 0 if nothing is trained
	Training float64 `json:"training,omitempty"`
	// LeaveOneOut is the mean relative error of each training output predicted from all other pairs; 0 if unknown.
	LeaveOneOut float64 `json:"leave_one_out,omitempty"`
	// approximate multiplications and additions of one evaluation; 0 if unknown
	Operations float64         `json:"operations,omitempty"`
	operator   method.Operator // nil for solvers, and once stored
	// of a baseline before it is measured
	measure func(context.Context, *Evaluation) (Rival, error)
}

// plain is a Rival without the methods of JSON; MarshalJSON and UnmarshalJSON treat its error separately.
type plain Rival

// MarshalJSON implements json.Marshaler. It writes null for an error that is NaN.
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

// UnmarshalJSON implements json.Unmarshaler. It reads null as NaN.
func (r *Rival) UnmarshalJSON(text []byte) error {
	r.Error = math.NaN() // null changes nothing
	return json.Unmarshal(text, (*plain)(r))
}

// Better reports whether the error of r is smaller than the error of than. It is false if either is NaN.
func (r Rival) Better(than Rival) bool { return r.Error < than.Error }

// betterFactor is the ratio of the model's error to the smallest error from which Notes mentions the better method.
const betterFactor = 1.5

// Notes returns sentences about the comparison: solver timing, methods far better than the model, and Warnings.
func (v *Evaluation) Notes() []string {
	var notes []string
	switch {
	case v.Choice != "":
		notes = append(notes, v.Choice)
	case v.method != "":
		notes = append(notes, "The model was learned by "+v.method+".")
	}
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
	defer e.tracker.digress("timings of model and solver", 1)()
	seconds, bound, err := price.Prediction(ctx, e.model, v.TestPairs.Inputs)
	if err != nil {
		return nil, err
	}
	model := Rival{Offer: price.Offer{Name: "model", Error: v.Test.ExpectedRelative, Seconds: seconds, Bound: bound},
		Training: e.seconds[1], LeaveOneOut: e.model.Operator.LeaveOneOut(), Operations: e.model.Cost(v.Grid)}
	references, err := e.references(ctx, v)
	if err != nil || !e.Config.Evaluation.Baselines {
		return append([]Rival{model}, references...), err
	}
	others, err := e.others(ctx, v)
	return slices.Concat([]Rival{model}, references, others), err
}

// expected returns the names of rivals on a grid, unless a method fails or no solver is as good as the model.
func (e *Experiment) expected(K int) []string {
	names := []string{"model"}
	for _, b := range e.baselines(K) {
		names = append(names, b.Name)
	}
	methods := method.Rivals(e.Config, e.train.Inputs.Domain, e.train.Outputs.Domain)
	for _, m := range slices.Insert(methods, 0, method.Random{}.Method()) {
		if e.Config.Evaluation.Baselines && m.Name != e.model.Operator.Name() {
			names = append(names, m.Title)
		}
	}
	return names
}

// EvaluateOn measures errors on the closed grid of K points (Darcy: K x K), which may differ from the training grid. If
// the grid of the pairs does not contain it, the pairs are generated or read again. Errors: *fault.Data if the data do
// not fit K or a true output is zero, *fault.Numerical, ctx's.
func (e *Experiment) EvaluateOn(ctx context.Context, K int) (*Evaluation, error) {
	return e.evaluateOn(ctx, K, false)
}

// evaluateOn implements EvaluateOn. If stored, it reads predictions from the run, or keeps them as its units.
func (e *Experiment) evaluateOn(ctx context.Context, K int, stored bool) (*Evaluation, error) {
	e.tracker.begin(Evaluating, "predictions", e.train.Count()+e.test.Count())
	v := &Evaluation{Grid: K, Grids: e.grids(), Side: sideOf(e.test.Inputs.Domain, K)}
	if _, random := e.model.Features(); !random {
		v.method = e.ModelTitle()
	}
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
		case stored && e.store.Has(file):
			err = e.store.ReadArray(ctx, file, func([]int) (store.Block, error) { return store.Block{all}, nil })
		case stored:
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

// leastPredictions is the least number of inputs for which a worker makes predictions before they are stored. It
// amortises the fixed cost of a pass over the features.
const leastPredictions = 16
