// This file trains and tests many coefficient vectors in one pass over the features.

package study

import (
	"context"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/report"
	"rfm/model/rfm"
	"rfm/solver/dataset"
)

// lab is a problem at the sizes of a plan, with its cached systems and solutions.
type lab struct {
	plan
	problem *problem
	seed    uint64 // of the features
	workers int
	tracker *tracker
	normals map[int]*rfm.Normal // by grid: n samples, m features
	alphas  map[system][]float64
}

// system identifies the paper's linear system on a grid for the first m features.
type system struct{ grid, m int }

// newLab generates the data of a plan.
func newLab(ctx context.Context, p plan, seed uint64, workers int, t *tracker) (*lab, error) {
	c := p.base
	c.Seed = seed
	l := &lab{plan: p, seed: seed, workers: workers, tracker: t, problem: newProblem(c), normals: map[int]*rfm.Normal{},
		alphas: map[system][]float64{}}
	return l, l.problem.generate(ctx, workers, t)
}

// features returns the first m features.
func (l *lab) features(ctx context.Context, m int) (feature.Map, error) {
	return feature.New(ctx, l.base, l.seed, m, l.base.Data.Grid, l.workers)
}

// evaluator prepares the first m features on a grid.
func (l *lab) evaluator(ctx context.Context, grid, m int) (feature.Evaluator, error) {
	features, err := l.features(ctx, m)
	if err != nil {
		return nil, err
	}
	return features.On(ctx, grid, l.workers)
}

// models returns the models with the given coefficient vectors, of any lengths.
func (l *lab) models(ctx context.Context, alphas [][]float64) (feature.Models, error) {
	most := 0
	for _, alpha := range alphas {
		most = max(most, len(alpha))
	}
	features, err := l.features(ctx, most)
	if err != nil {
		return nil, err
	}
	return features.Models(ctx, alphas, l.workers)
}

// source returns count training pairs, starting at index first.
type source func(first, count int) (dataset.Pairs, error)

// pairs returns the source of the training pairs on a grid.
func (l *lab) pairs(ctx context.Context, grid int) source {
	return func(first, count int) (dataset.Pairs, error) {
		return l.problem.pairs(ctx, &l.problem.training, grid, first, count, l.workers)
	}
}

// test returns count test pairs on a grid, starting at index first.
func (l *lab) test(ctx context.Context, grid, first, count int) (dataset.Pairs, error) {
	return l.problem.pairs(ctx, &l.problem.tests, grid, first, count, l.workers)
}

// snapshots sums the normal equations over the first max(ns) pairs and calls visit with the sums over the first n of
// them for each n of ns, which ascend. The sums change after the call.
func (l *lab) snapshots(ctx context.Context, e feature.Evaluator, pairs source, ns []int,
	visit func(*rfm.Normal) error) error {
	var sums *rfm.Normal
	first := 0
	l.tracker.begin("training, samples", ns[len(ns)-1])
	for _, n := range ns {
		samples, err := pairs(first, n-first)
		if err != nil {
			return err
		}
		seen := 0
		part, err := rfm.Accumulate(ctx, e, samples, l.workers, func(samples int) {
			l.tracker.advance(samples - seen)
			seen = samples
		})
		if err != nil {
			return err
		}
		if sums == nil {
			sums = part
		} else {
			add(sums, part)
		}
		first = n
		if err := visit(sums); err != nil {
			return err
		}
	}
	return nil
}

// add adds the sums over further samples to sums.
func add(sums, part *rfm.Normal) {
	m := sums.Sums.Order()
	for i := range m {
		for j := i; j < m; j++ {
			sums.Sums.Set(i, j, sums.Sums.At(i, j)+part.Sums.At(i, j))
		}
		sums.RHS[i] += part.RHS[i]
	}
	sums.Samples += part.Samples
}

// normal returns the normal equations of n samples and m features on a grid, which are summed once.
func (l *lab) normal(ctx context.Context, grid int) (*rfm.Normal, error) {
	if normal := l.normals[grid]; normal != nil {
		return normal, nil
	}
	e, err := l.evaluator(ctx, grid, l.m)
	if err != nil {
		return nil, err
	}
	err = l.snapshots(ctx, e, l.pairs(ctx, grid), []int{l.n}, func(normal *rfm.Normal) error {
		l.normals[grid] = normal
		return nil
	})
	return l.normals[grid], err
}

// alpha returns the coefficients of the first m features, trained with n samples on a grid.
func (l *lab) alpha(ctx context.Context, grid, m int) ([]float64, error) {
	if alpha := l.alphas[system{grid, m}]; alpha != nil {
		return alpha, nil
	}
	normal, err := l.normal(ctx, grid)
	if err != nil {
		return nil, err
	}
	alpha, err := l.solve(ctx, normal, m)
	l.alphas[system{grid, m}] = alpha
	return alpha, err
}

// solve returns the solution with the paper's regularisation for the first m features.
func (l *lab) solve(ctx context.Context, normal *rfm.Normal, m int) ([]float64, error) {
	solution, err := normal.Fit(ctx, m, rfm.Regularisation{Lambda: l.base.Train.Lambda, Rcond: l.base.Train.Rcond},
		l.workers)
	return solution.Alpha, err
}

// relative returns the relative L2 errors of models on the test inputs on a grid, one list per coefficient vector.
func (l *lab) relative(ctx context.Context, models feature.Models, grid int) ([][]float64, error) {
	var all [][]float64
	l.tracker.begin("testing, inputs", l.base.Data.Test)
	err := l.problem.eachTest(ctx, grid, l.workers, func(pairs dataset.Pairs) error {
		predictions, err := models.Predict(ctx, pairs.Inputs, l.workers)
		if err != nil {
			return err
		}
		if all == nil {
			all = make([][]float64, len(predictions))
		}
		for q, p := range predictions {
			errors, err := rfm.Measure(p, pairs.Outputs)
			if err != nil {
				return err
			}
			all[q] = append(all[q], errors.Relative...)
		}
		l.tracker.advance(pairs.Count())
		return nil
	})
	return all, err
}

// errors returns the expected relative test errors e_{n',m} (eq. 4.4) of coefficient vectors on a grid, in one pass
// over the features.
func (l *lab) errors(ctx context.Context, alphas [][]float64, grid int) ([]float64, error) {
	models, err := l.models(ctx, alphas)
	if err != nil {
		return nil, err
	}
	return l.errorsOf(ctx, models, grid)
}

// errorsOf returns the expected relative test errors of models on a grid.
func (l *lab) errorsOf(ctx context.Context, models feature.Models, grid int) ([]float64, error) {
	relative, err := l.relative(ctx, models, grid)
	if err != nil {
		return nil, err
	}
	means := make([]float64, len(relative))
	for q, list := range relative {
		means[q] = report.Mean(list)
	}
	return means, nil
}

// publishedConfig returns the paper's experiment with other sizes, to look up its published value.
func publishedConfig(problem string, n, m, train, test int) config.Config {
	c := planOf(problem, false).base
	c.Data.Train, c.Features.Count, c.Train.Grid, c.Evaluation.Grid = n, m, train, test
	return c
}
