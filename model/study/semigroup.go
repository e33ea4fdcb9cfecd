// This file is the study of the semigroup: the model for T = 0.5 composed with itself.

package study

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/grid"
)

// composition is the model for T = 0.5 composed with itself some times, beside the solution at that time.
type composition struct {
	predictions, truth grid.Batch
	errors             rfm.Errors
}

// compositionErrors are the expected relative test errors of compositions: e[j] of j+1 of them.
func (l *lab) compositionErrors(ctx context.Context) (e []float64, err error) {
	compositions, err := l.compositions(ctx)
	for _, c := range compositions {
		e = append(e, c.errors.ExpectedRelative)
	}
	return e, err
}

// compositions trains Psi_T, T = 0.5, with n samples and m features on the training grid, and composes it: c[j] is the
// (j+1)-fold composition at time (j+1) T.
func (l *lab) compositions(ctx context.Context) (c []composition, err error) {
	b, n, m, K := l.problem.(*burgersProblem), l.n, l.m, l.base.Train.Grid
	features, err := l.features(ctx, m)
	if err != nil {
		return nil, err
	}
	evaluator, err := features.On(ctx, K, l.workers)
	if err != nil {
		return nil, err
	}
	var alpha []float64
	pairs := func(first, count int) (dataset.Pairs, error) { return b.trainAt(0, K, first, count) }
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
	l.tracker.begin("composing, predictions", len(halves)*b.testInputs.Count)
	state, err := b.testInputs.Restrict(K)
	if err != nil {
		return nil, err
	}
	for _, outputs := range b.testOutputs {
		if state, err = model.Predict(ctx, alpha, state, l.workers, l.tracker.advance); err != nil {
			return nil, err
		}
		truth, err := outputs.Restrict(K)
		if err != nil {
			return nil, err
		}
		errors, err := rfm.Measure(state, truth)
		if err != nil {
			return nil, err
		}
		c = append(c, composition{state, truth, errors})
	}
	return c, nil
}

// semigroup is Table 4.1, with one sample composition by composition.
func semigroup(ctx context.Context, s *Session) (Result, error) {
	l, err := s.lab(ctx, config.Burgers)
	if err != nil {
		return Result{}, err
	}
	n, m, K := l.n, l.m, l.base.Train.Grid
	compositions, err := l.compositions(ctx)
	if err != nil {
		return Result{}, err
	}
	r := Result{}
	var e, published []float64
	for j, c := range compositions {
		v := c.errors.ExpectedRelative
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
	r.Figures = []Figure{{Title: "error of the composed model", XLabel: "T", YLabel: "relative test error",
		Curves: []Curve{{Name: "composed model", X: halves[:], Y: e}}}}
	if published[0] != 0 {
		r.Figures[0].Curves = append(r.Figures[0].Curves, Curve{Name: "paper", X: halves[:], Y: published, Published: true})
	}
	last := compositions[len(compositions)-1].errors
	median := last.Ranking()[(len(last.Relative)-1)/2]
	for j, c := range compositions {
		r.Figures = append(r.Figures, Figure{Title: fmt.Sprintf("sample %d at T=%g, error %.4f", median, halves[j],
			c.errors.Relative[median]), XLabel: "x", YLabel: "u",
			Curves: []Curve{{Name: "composed model", X: points(K), Y: c.predictions.At(median)},
				{Name: "truth", X: points(K), Y: c.truth.At(median)}}})
	}
	r.Notes = append(r.Notes, fmt.Sprintf("Sample %d has the median error at T=%g.", median, halves[len(halves)-1]))
	return r, nil
}
