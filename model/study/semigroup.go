// This file is the study of the semigroup: the model for T = 0.5 composed with itself.

package study

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/rfm"
	"rfm/solver/dataset"
)

// compositionErrors trains Psi_T, T = 0.5, with n samples and m features on the training grid, and composes it: e[j] is the
// expected relative test error of the (j+1)-fold composition against the solution at time (j+1) T.
func (l *lab) compositionErrors(ctx context.Context) (e []float64, err error) {
	b, n, m, K := l.problem.(*burgersProblem), l.n, l.m, l.base.Train.Grid
	features, err := b.evaluator(ctx, K, m, l.workers)
	if err != nil {
		return nil, err
	}
	var alpha []float64
	pairs := func(first, count int) (dataset.Pairs, error) { return b.trainAt(0, K, first, count) }
	err = l.snapshots(ctx, features, pairs, []int{n}, func(normal *rfm.Normal) (err error) {
		alpha, err = l.solve(normal, m)
		return err
	})
	if err != nil {
		return nil, err
	}
	model := rfm.Model{Features: b.first(m), Alpha: alpha}
	l.tracker.begin("composing, predictions", len(halves)*b.testInputs.Count)
	state, err := b.testInputs.Restrict(K)
	if err != nil {
		return nil, err
	}
	for _, outputs := range b.testOutputs {
		if state, err = model.Predict(ctx, state, l.workers, l.tracker.advance); err != nil {
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
		e = append(e, errors.ExpectedRelative)
	}
	return e, nil
}

// semigroup is Table 4.1.
func semigroup(ctx context.Context, s *Session) (Result, error) {
	l, err := s.lab(ctx, config.Burgers)
	if err != nil {
		return Result{}, err
	}
	n, m, K := l.n, l.m, l.base.Train.Grid
	e, err := l.compositionErrors(ctx)
	if err != nil {
		return Result{}, err
	}
	r := Result{}
	var published []float64
	for j, v := range e {
		known := 0.0
		if n == publishedSemigroup.n && m == publishedSemigroup.m {
			known = publishedSemigroup.errors[j]
		}
		published = append(published, known)
		r.Cells = append(r.Cells, s.cell(config.Burgers, quantity{Kind: "composition", M: m, N: n, Grid: K, Step: j + 1}, v, known))
	}
	var times []string
	for _, t := range halves {
		times = append(times, fmt.Sprintf("T=%g", t))
	}
	r.Tables = comparison(fmt.Sprintf("trained for T=0.5 with n=%d, m=%d, K=%d", n, m, K), []string{"error"}, times, r.Cells)
	r.Figures = []Figure{{Title: "error of the composed model", XLabel: "T", YLabel: "relative test error",
		Curves: []Curve{{Name: "composed model", X: halves[:], Y: e}}}}
	if published[0] != 0 {
		r.Figures[0].Curves = append(r.Figures[0].Curves, Curve{Name: "paper", X: halves[:], Y: published, Published: true})
	}
	return r, nil
}
