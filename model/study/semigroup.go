package study

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/report"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/grid"
)

// Composition is the prediction of a composed model at a time, with the solution at that time.
type Composition struct {
	Time               float64
	Predictions, Truth grid.Batch // for each input
	Errors             rfm.Errors
}

// composed applies a model to inputs and to its own predictions, and compares with the outputs at the given times.
func composed(state grid.Batch, times []float64, outputs []grid.Batch,
	predict func(grid.Batch) (grid.Batch, error)) (list []Composition, err error) {
	for j, u := range outputs {
		if state, err = predict(state); err != nil {
			return nil, err
		}
		truth, err := u.Restrict(state.Points)
		if err != nil {
			return nil, err
		}
		errors, err := rfm.Measure(state, truth)
		if err != nil {
			return nil, err
		}
		list = append(list, Composition{times[j], state, truth, errors})
	}
	return list, nil
}

// compositionErrors returns the expected relative test errors of compositions: e[j] belongs to j+1 applications.
func (l *lab) compositionErrors(ctx context.Context) (e []float64, err error) {
	compositions, err := l.compositions(ctx)
	for _, c := range compositions {
		e = append(e, c.Errors.ExpectedRelative)
	}
	return e, err
}

// compositions trains Psi_T, T = 0.5, with n samples and m features on the training grid, and composes it: c[j] is the
// (j+1)-fold composition at time (j+1) T.
func (l *lab) compositions(ctx context.Context) ([]Composition, error) {
	p, n, m, K := l.problem, l.n, l.m, l.base.Train.Grid
	features, err := l.features(ctx, m)
	if err != nil {
		return nil, err
	}
	evaluator, err := features.On(ctx, K, l.workers)
	if err != nil {
		return nil, err
	}
	var alpha []float64
	pairs := func(first, count int) (dataset.Pairs, error) { return p.training.at(0, K, first, count) }
	err = l.snapshots(ctx, evaluator, pairs, []int{n}, func(normal *rfm.Normal) (err error) {
		alpha, err = l.solve(ctx, normal, m)
		return err
	})
	if err != nil {
		return nil, err
	}
	model, err := features.Trained(ctx, alpha, l.workers)
	if err != nil {
		return nil, err
	}
	l.tracker.begin("composing, predictions", len(halves)*p.tests.inputs.Count)
	state, err := p.tests.inputs.Restrict(K)
	if err != nil {
		return nil, err
	}
	return composed(state, halves[:], p.tests.outputs, func(state grid.Batch) (grid.Batch, error) {
		return model.Predict(ctx, alpha, state, l.workers, l.tracker.advance)
	})
}

// semigroup computes Table 4.1, and shows one sample at every composition.
func semigroup(ctx context.Context, s *Session, l *lab) (Result, error) {
	n, m, K := l.n, l.m, l.base.Train.Grid
	compositions, err := l.compositions(ctx)
	if err != nil {
		return Result{}, err
	}
	r := Result{}
	var e, published []float64
	for j, c := range compositions {
		v := c.Errors.ExpectedRelative
		e = append(e, v)
		known := 0.0
		if n == publishedSemigroup.n && m == publishedSemigroup.m {
			known = publishedSemigroup.errors[j]
		}
		published = append(published, known)
		r.Cells = append(r.Cells, s.cell(config.Burgers, quantity{Kind: "composition", M: m, N: n, Grid: K, Step: j + 1}, v,
			known))
	}
	var times []string
	for _, t := range halves {
		times = append(times, fmt.Sprintf("T=%g", t))
	}
	r.Tables = comparison(fmt.Sprintf("trained for T=0.5 with n=%d, m=%d, K=%d", n, m, K), []string{"error"}, times,
		r.Cells)
	r.Figures = []report.Figure{{Title: "error of the composed model", XLabel: "T", YLabel: "relative test error",
		Curves: []report.Curve{{Name: "composed model", X: halves[:], Y: e}}}}
	if published[0] != 0 {
		r.Figures[0].Curves = append(r.Figures[0].Curves, report.Curve{Name: "paper", X: halves[:], Y: published, Published: true})
	}
	last := compositions[len(compositions)-1].Errors
	median := last.Ranking()[(len(last.Relative)-1)/2]
	for j, c := range compositions {
		r.Figures = append(r.Figures, report.Figure{Title: fmt.Sprintf("sample %d at T=%g, error %.4f", median, halves[j],
			c.Errors.Relative[median]), XLabel: "x", YLabel: "u",
			Curves: []report.Curve{{Name: "composed model", X: points(K), Y: c.Predictions.At(median)},
				{Name: "truth", X: points(K), Y: c.Truth.At(median)}}})
	}
	r.Notes = append(r.Notes, fmt.Sprintf("Sample %d has the median error at T=%g.", median, halves[len(halves)-1]))
	return r, nil
}
