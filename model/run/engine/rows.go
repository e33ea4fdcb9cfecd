// This file compares a model with the mean of the outputs, the baselines of its problem, and other methods that learn
// from the same pairs.

package engine

import (
	"context"
	"errors"

	"rfm/config"
	"rfm/model/learn/mean"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/learn/score"
	"rfm/model/trained/price"
	"rfm/solver/base/fault"
)

// Row is the model, or what it is compared with: its error on the test pairs and its cost. Grid, Tolerance, Together
// and Alone are set for solvers only.
type Row struct {
	price.Offer
	// training time in seconds on all workers; 0 if nothing is trained
	Training float64 `json:"training,omitempty"`
	// LeaveOneOut is the mean relative error of each training output predicted from all other pairs; 0 if unknown.
	LeaveOneOut float64 `json:"leave_one_out,omitempty"`
}

// MethodOf returns the value of train.method that the name of a row stands for; empty for rows that are no methods.
func MethodOf(row string) string { return method.Titled(row) }

// candidate is a method that has learned from the training pairs, with its row as far as it is known.
type candidate struct {
	Row
	operator operator.Operator
}

// baseline is a way to predict that is not learned from the pairs alone.
type baseline struct {
	name    string
	measure func(context.Context, *Evaluation) (Row, error)
}

// compare returns the rows of the model, of the mean of the training outputs, of the baselines of the problem, and of
// the methods that learn from the same pairs.
func (e *evaluating) compare(ctx context.Context, v *Evaluation) ([]Row, error) {
	baselines := e.baselines(v.Grid)
	early := *v
	early.Expected = e.expected(baselines)
	e.tracker.Set(func(p *Progress) { p.Measured = &early })
	defer e.tracker.digress("timings", 1)()

	model, err := e.modelRow(ctx, v)
	if err != nil {
		return nil, err
	}
	rows := []Row{model}
	// the mean stands beside the model in every table, so that no small error is taken for a success
	if e.model.Operator.Name() != v.mean.Name() {
		known := Row{Offer: price.Offer{Name: mean.Title}, LeaveOneOut: v.mean.LeaveOneOut()}
		row, err := e.measured(ctx, v, known, v.mean)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	for _, b := range baselines {
		row, err := b.measure(ctx, v)
		if errors.As(err, new(*fault.Numerical)) { // the solver does not converge on this grid
			continue
		}
		if err != nil {
			return nil, err
		}
		if row.Seconds > 0 { // otherwise no solve as accurate as the model was found
			row.Name = b.name
			rows = append(rows, row)
		}
	}
	if !e.Config.Evaluation.Baselines {
		return rows, nil
	}
	candidates, err := e.learning.competitors(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range candidates {
		name := c.operator.Name()
		isModel := name == e.model.Operator.Name() && !e.usesLow()
		if isModel || name == v.mean.Name() { // they have their rows
			continue
		}
		row, err := e.measured(ctx, v, c.Row, c.operator)
		if ctx.Err() != nil || err != nil && !fault.BlamesInput(err) {
			return nil, errors.Join(ctx.Err(), err)
		}
		if err == nil {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// expected returns the names of the rows to come, unless a method fails or no solve as accurate as the model is found.
func (e *evaluating) expected(baselines []baseline) []string {
	names := []string{"model"}
	if e.model.Operator.Name() != config.Mean {
		names = append(names, mean.Title)
	}
	for _, b := range baselines {
		names = append(names, b.name)
	}
	if !e.Config.Evaluation.Baselines {
		return names
	}
	compared := e.learning.comparison(e.train)
	methods := compared.methods
	if compared.features {
		methods = append([]operator.Method{random.Random{}.Method()}, methods...)
	}
	for _, m := range methods {
		isModel := m.Name == e.model.Operator.Name() && !e.usesLow()
		if !isModel && m.Name != config.Mean {
			names = append(names, m.Title)
		}
	}
	return names
}

// modelRow returns the row of the trained model.
func (e *evaluating) modelRow(ctx context.Context, v *Evaluation) (Row, error) {
	seconds, bound, err := price.Prediction(ctx, e.model, v.TestPairs.Inputs)
	if err != nil {
		return Row{}, err
	}
	offer := price.Offer{
		Name:    "model",
		Error:   v.Test.ExpectedRelative,
		Seconds: seconds,
		Bound:   bound,
	}
	return Row{
		Offer:       offer,
		Training:    e.store.Seconds[1],
		LeaveOneOut: e.model.Operator.LeaveOneOut(),
	}, nil
}

// measured completes the row of a predictor: its error on the test pairs, and the time of one evaluation on one core.
func (e *evaluating) measured(ctx context.Context, v *Evaluation, row Row, p score.Predictor) (Row, error) {
	var err error
	row.Error, err = e.testError(ctx, v, p)
	if err != nil {
		return row, err
	}
	row.Seconds, row.Bound, err = price.Prediction(ctx, p, v.TestPairs.Inputs)
	return row, err
}

// testError returns the expected relative error of predictions of the test pairs.
func (e *evaluating) testError(ctx context.Context, v *Evaluation, p score.Predictor) (float64, error) {
	predictions, err := p.Predict(ctx, v.TestPairs.Inputs, e.workers, nil)
	if err != nil {
		return 0, err
	}
	measured, err := score.Measure(predictions, v.TestPairs.Outputs)
	return measured.ExpectedRelative, err
}
