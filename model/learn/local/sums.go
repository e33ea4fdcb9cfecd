// This file has the sums of features from which coefficients follow, for parts of the functions that are left out.

package local

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/ridge"
	"rfm/solver/base/parallel"
	"rfm/solver/num/linalg"
)

// leftOut holds the sums of parts that are left out in turn.
type leftOut struct {
	all   *linalg.Symmetric
	parts []*linalg.Symmetric
}

// sum computes the sums of count parts.
func sum(ctx context.Context, count, features, workers int,
	part func(i int, s *linalg.Symmetric) error) (leftOut, error) {
	l := leftOut{
		all:   linalg.NewSymmetric(features + 1),
		parts: make([]*linalg.Symmetric, count),
	}
	err := parallel.For(ctx, workers, count, func(_, i int) error {
		l.parts[i] = linalg.NewSymmetric(features + 1)
		return part(i, l.parts[i])
	})
	if err != nil {
		return l, err
	}
	for _, s := range l.parts {
		plus(l.all, 1, s)
	}
	return l, nil
}

// errors returns the coefficients without each part and the root mean square that they miss there, relative to the
// targets; +Inf if lambda is too small to solve. The error is linalg.Factor's.
func (l leftOut) errors(ctx context.Context, lambda float64, workers int) (
	without [][]float64, relative float64, err error) {
	without = make([][]float64, len(l.parts))
	squares := make([]float64, len(l.parts))
	err = parallel.For(ctx, workers, len(l.parts), func(_, i int) (err error) {
		rest := l.all.Clone()
		plus(rest, -1, l.parts[i])
		without[i], err = solved(ctx, rest, lambda, 1)
		if err != nil {
			return err
		}
		squares[i] = missed(l.parts[i], without[i])
		return nil
	})
	if ridge.Unsolved(err) {
		return nil, math.Inf(1), nil
	}
	if err != nil {
		return nil, 0, err
	}
	last := l.all.Order() - 1 // position of the targets
	all := l.all.At(last, last)
	if all == 0 {
		return nil, math.Inf(1), nil
	}
	return without, math.Sqrt(floats.Sum(squares) / all), nil
}

// bestRidge returns the ridge of the ladder around lambda behind which the error rises, with the coefficients without
// each part; nil if no ridge solves. The error is linalg.Factor's.
func (l leftOut) bestRidge(ctx context.Context, lambda float64, workers int) (
	best float64, without [][]float64, err error) {
	least := math.Inf(1)
	for _, factor := range ladder {
		tried := factor * lambda
		c, e, err := l.errors(ctx, tried, workers)
		if err != nil {
			return 0, nil, err
		}
		if !(e < least) {
			break
		}
		without = c
		best = tried
		least = e
	}
	return best, without, nil
}

// add adds the squares and products of the features of a set of points, and of the targets behind them.
func add(ctx context.Context, sums *linalg.Symmetric, z, w *linalg.Panels, targets []float64) error {
	return features(ctx, z, w, func(first int, phi *linalg.Rectangle) error {
		count := phi.General().Rows
		rows := linalg.NewPanels(count, sums.Order())
		for x := range count {
			rows.SetRow(x, phi.Row(x))
		}
		rows.SetColumn(w.Cols(), targets[first:first+count])
		return sums.RankUpdate(ctx, rows, count, 1)
	})
}

// plus adds a factor times other sums.
func plus(sums *linalg.Symmetric, c float64, more *linalg.Symmetric) {
	for i := range sums.Order() {
		floats.AddScaled(sums.Row(i), c, more.Row(i))
	}
}

// missed returns the sum of squares that coefficients miss of the targets in sums.
func missed(sums *linalg.Symmetric, c []float64) float64 {
	total := 0.0
	c = append(slices.Clone(c), -1) // of the targets
	for i, v := range c {
		row := sums.Row(i) // from the diagonal on
		others := floats.Dot(c[i+1:], row[1:])
		total += v * (v*row[0] + 2*others)
	}
	return max(0, total)
}

// solved returns coefficients for the ridge lambda, relative to the mean square of a feature. The error is
// linalg.Factor's.
func solved(ctx context.Context, sums *linalg.Symmetric, lambda float64, workers int) ([]float64, error) {
	m := sums.Order() - 1
	mean := 0.0 // square of a feature
	c := make([]float64, m)
	for i := range c {
		c[i] = sums.At(i, m)
		mean += sums.At(i, i) / float64(m)
	}
	f, err := linalg.Factor(ctx, sums.Leading(m), lambda*mean, workers)
	if err != nil {
		return nil, err
	}
	f.Solve(c)
	return c, nil
}
