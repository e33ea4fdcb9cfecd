// Package rfm trains and applies the random feature model
//
//	F(a) = (1/m) sum_j alpha_j phi(a; theta_j)
//
// of Nelsen & Stuart 2021: the coefficients alpha solve one linear system, the normal equations of a least squares
// problem (section 2.4).
package rfm

import (
	"context"
	"fmt"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/dataset"
)

// Normal are the sums over training samples
//
//	S_jl = sum_i <phi_j(a_i), phi_l(a_i)>,  b_l = sum_i <u_i, phi_l(a_i)>
//
// with L2 inner products by the trapezoid rule. They serve every lambda, and their leading blocks every smaller m.
type Normal struct {
	Sums    *linalg.Symmetric // S
	RHS     []float64         // b
	Samples int               // n
	Rows    Rows              // the points of samples that enter
	Means   *Means            // subtracted from features and outputs; nil: none
}

// blockRows is about the number of rows (sample, grid point) of the feature matrix in memory: enough to keep the rank-k
// update at its speed, and far fewer than the Gram matrix has.
const blockRows = 2048

// blockSamples returns the number of samples between two updates of the Gram matrix if a sample takes the given number
// of rows.
func blockSamples(rows int) int { return max(1, blockRows/rows) }

// Accumulate sums the normal equations over the pairs, which are on the evaluator's grid. Samples enter in blocks of
// fixed size in index order, so the sums do not depend on the number of workers. After each block, progress (which
// may be nil) gets the number of samples seen. Errors are ctx's and the evaluator's.
func Accumulate(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int,
	progress func(samples int)) (*Normal, error) {
	normal := NewNormal(e.Count())
	err := normal.Accumulate(ctx, e, pairs, workers, Watch{After: func() error {
		if progress != nil {
			progress(normal.Samples)
		}
		return nil
	}})
	if err != nil {
		return nil, err
	}
	return normal, nil
}

// NewNormal returns the normal equations of m features before any sample.
func NewNormal(m int) *Normal { return &Normal{Sums: linalg.NewSymmetric(m), RHS: make([]float64, m)} }

// Watch observes the blocks of samples in training. Both functions may be nil.
type Watch struct {
	// Before is called with the sums of normal equations, not yet weighted, and the next block: its features and targets,
	// equally many for each sample, and the sum of squares of each sample, the scale of an error of 100%.
	Before func(seen *Normal, features *linalg.Panels, targets, squares []float64)
	After  func() error
}

// Accumulate completes sums over the first n.Samples pairs, a whole number of blocks, to sums over all pairs. After
// each block it calls w.After, whose error ends it. The sums that w sees are over n.Samples pairs, but over rows of the
// feature matrix instead of L2 inner products: the factor enters at the end. After an error the sums are invalid.
func (n *Normal) Accumulate(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int, w Watch) error {
	if err := n.sum(ctx, e, pairs, workers, w); err != nil {
		return err
	}
	weight := n.Rows.weight(e)
	n.Sums.Scale(weight)
	for j := range n.RHS {
		n.RHS[j] *= weight
	}
	return nil
}

// sum does the same as Accumulate without the factor at the end.
func (n *Normal) sum(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int, w Watch) error {
	blocks := newBlocks(e, pairs, workers, n.Rows, n.Means)
	count, rows, m := pairs.Count(), blocks.rows, e.Count()
	if n.Samples > count || n.Samples < count && n.Samples%blocks.size != 0 || len(n.RHS) != m {
		panic(fmt.Sprintf("rfm: sums of %d features over %d samples cannot be continued with %d features and %d samples in "+
			"blocks of %d", len(n.RHS), n.Samples, m, count, blocks.size))
	}
	features := blocks.matrix(m)
	if n.Means != nil {
		if err := n.Means.follow(ctx, blocks, features, n.Samples); err != nil {
			return err
		}
	}
	before := make([]float64, m)
	for n.Samples < count {
		copy(before, n.RHS)
		block, err := blocks.evaluate(ctx, features, n.RHS, n.Samples)
		if err != nil {
			return err
		}
		if w.Before != nil {
			w.Before(&Normal{Sums: n.Sums, RHS: before, Samples: n.Samples}, features, block.targets, block.squares)
		}
		if err := n.Sums.RankUpdateUntil(ctx, features, block.samples*rows, workers); err != nil {
			return err
		}
		n.Samples += block.samples
		if w.After != nil {
			if err := w.After(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Gram returns G = S/m for the first m features.
func (n *Normal) Gram(m int) *linalg.Symmetric {
	g := n.Sums.Leading(m)
	g.Scale(1 / float64(m))
	return g
}
