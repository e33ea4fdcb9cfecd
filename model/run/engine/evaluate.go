// This file measures the errors of a trained model on its training and test pairs.

package engine

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/learn/score"
	"rfm/model/run/reading"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Evaluation is the test errors of a trained model and of its baselines on one grid.
type Evaluation struct {
	Grid        int
	TrainGrid   int     // of Train: Grid, or a coarser one if only test pairs are known on Grid
	Lost        float64 // part of the test outputs that is lost between the points of the training grid; 0 on that grid
	Grids       []int   // grids on which the pairs are available, named as in the configuration, ascending
	Train, Test score.Errors
	TestPairs   dataset.Pairs // on Grid
	Predictions grid.Batch    // of the test inputs
	Side        int           // points or pixels along an axis of maps; 0 for functions of one variable
	Rows        []Row         // the model first, then what it is compared with
	// whether the search for the equal solve ended early because it took long, so that one that is faster may not be found
	EqualUnfinished bool
	Expected        []string // names of the Rows while they are compared, as far as they are known
	Unlike          *Unlike  // test inputs that are unlike the training inputs; nil if the model cannot tell
	Skill           *Skill   // comparison with the mean of the training outputs
	Findings
	workers     int               // goroutines of the session that made it
	method      string            // title of the model's method; empty for random features
	mean        operator.Operator // the mean of the training outputs
	trained     grid.Batch        // predictions of the training inputs, until they are stored
	trainPoints int               // along an axis of the training grid
	at          geometries        // of functions at points of any geometry
	compareAll  string            // the command that compares all methods on the same pairs; empty if there is none
}

// Findings are the results of an evaluation besides errors, on the configured grid only.
type Findings struct {
	Choice      string       `json:"choice,omitempty"`         // which method was chosen, and why; empty: it is configured
	Low         *LowGain     `json:"low,omitempty"`            // what pairs of low fidelity gain; nil: there are none
	Uncertainty *Uncertainty `json:"bands,omitempty"`          // coverage of the prediction bands; nil: not asked for
	Curve       *Curve       `json:"learning_curve,omitempty"` // of the model's method; nil: not measured
	Convergence *Convergence `json:"convergence,omitempty"`    // of random features; nil: not measured
	Warnings    []string     `json:"warnings,omitempty"`       // groups of pairs, methods that were left out
	// Shared is the number of test pairs that are copies of training pairs or near them, so that their error says nothing of
	// other inputs.
	Shared int `json:"test_pairs_in_training_groups,omitempty"`
	// Lengths are those of each number that inputs consist of, in standard deviations: a long one hardly matters.
	Lengths []float64 `json:"lengths,omitempty"`
}

// EvaluateOn measures errors on the closed grid of K points (Darcy: K x K), which may differ from the training grid. If
// the grid of the pairs does not contain it, the pairs are generated or read again. On the configured grid it reads
// predictions from the run, or keeps them as its units. Errors: *fault.Data if the data do not fit K or a true output
// is zero, *fault.Numerical, ctx.Err().
func (e *Experiment) EvaluateOn(ctx context.Context, K int) (*Evaluation, error) {
	return e.evaluating().on(ctx, K)
}

// on is Experiment.EvaluateOn.
func (e *evaluating) on(ctx context.Context, K int) (*Evaluation, error) {
	configured := K == e.Config.TestGrid()
	e.tracker.begin(Evaluating, "predictions", e.train.Count()+e.test.Count())
	v := &Evaluation{
		Grid:  K,
		Grids: e.grids(),
		at:    e.geometries(),
	}
	v.Side = v.at.side(e.test.Inputs.Domain, K)
	_, isRandom := e.model.Features()
	if !isRandom {
		v.method = e.title()
	}
	v.trainPoints = e.Config.Train.Grid
	v.compareAll = compareAll(e.Config)
	train, test, err := e.pairsOn(ctx, K)
	if err != nil {
		return nil, err
	}
	v.TrainGrid = train.Inputs.Points
	v.TestPairs = test
	trainFile := "" // of predictions; not stored on other grids than the configured one
	testFile := ""
	if configured {
		trainFile = store.TrainPredictionsFile
		testFile = store.TestPredictionsFile
	}
	v.trained, v.Train, err = e.predicted(ctx, "training pairs", trainFile, train)
	if err != nil {
		return nil, err
	}
	v.Predictions, v.Test, err = e.predicted(ctx, "test pairs", testFile, test)
	if err != nil {
		return nil, err
	}
	v.Lost, err = e.lost(test.Outputs)
	if err != nil {
		return nil, err
	}
	v.mean, err = e.meanOperator()
	if err != nil {
		return nil, err
	}
	v.Skill, err = e.skill(ctx, v, train)
	if err != nil {
		return nil, err
	}
	v.Unlike, err = e.unlike(ctx, v)
	if err != nil {
		return nil, err
	}
	e.tracker.finish()
	return v, nil
}

// predicted returns the predictions for the inputs of pairs, and their errors. Those that have a file are read from it, or
// made as units of the run; without a file they are not stored.
func (e *evaluating) predicted(ctx context.Context, what, file string, pairs dataset.Pairs) (
	all grid.Batch, errors score.Errors, err error) {
	all = grid.NewBatch(e.train.Outputs.Domain, pairs.Inputs.Points, pairs.Count())
	predict := func(ctx context.Context, first, count int) error {
		some, err := e.model.Predict(ctx, pairs.Inputs.Range(first, count), e.workers, e.tracker.Advance)
		copy(all.Range(first, count).Data, some.Data)
		return err
	}
	switch {
	case file == "":
		err = predict(ctx, 0, pairs.Count())
	case e.store.Has(file):
		err = e.store.ReadArray(ctx, file, func([]int) (store.Block, error) {
			return store.Block{all}, nil
		})
	default:
		err = e.rows(ctx, file, leastPredictions, store.Block{all}, predict)
	}
	if err != nil {
		return all, errors, err
	}
	errors, err = score.Measure(all, pairs.Outputs)
	if err != nil {
		return all, errors, fmt.Errorf("%s: %w", what, err)
	}
	return all, errors, nil
}

// Sample returns a channel of test pair i with its prediction for display; both sides may have fewer channels.
func (v *Evaluation) Sample(problem config.Problem, i, channel int) report.Sample {
	input := v.TestPairs.Inputs.Range(i, 1)
	output := v.TestPairs.Outputs.Range(i, 1)
	s := sampleOf(problem, v.at, input, output, channel)
	s.Prediction = v.at.ofOutput(v.Predictions.Of(i, channel))
	return s
}

// grids returns the grids on which the pairs are available, named as in the configuration, ascending.
func (w *work) grids() []int {
	finest := max(w.Config.Data.Grid, w.test.Inputs.Points)
	return w.Config.Grids(finest)
}

// lost returns the relative error of outputs that are known on the training grid only and interpolated from there; 0 if
// theirs is no finer.
func (e *evaluating) lost(outputs grid.Batch) (float64, error) {
	points := e.Config.Train.Grid
	if points >= outputs.Points || !outputs.Domain.Contains(outputs.Points, points) {
		return 0, nil
	}
	return reading.LossBetweenPoints(outputs, points)
}

// leastPredictions is the least number of inputs for which a worker makes predictions before they are stored. It
// amortises the fixed cost of a pass over the features.
const leastPredictions = 16
