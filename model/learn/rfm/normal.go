// Package rfm trains and applies the random feature model
//
//	F(a) = (1/m) sum_j alpha_j phi(a; theta_j)
//
// of Nelsen & Stuart 2021: the coefficients alpha solve one linear system, the normal equations of a least squares
// problem (section 2.4).
package rfm

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/feature"
	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
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
	// Offset has the means over the samples subtracted from features and outputs: the sums are then those of a model
	// F(a) + c(x) with a function c that is fitted, too, and not regularised.
	Offset bool

	means *means // if Offset
}

// NewNormal returns the normal equations of m features before any sample.
func NewNormal(m int) *Normal {
	return &Normal{
		Sums: linalg.NewSymmetric(m),
		RHS:  make([]float64, m),
	}
}

// Accumulate sums the normal equations over the pairs, which are on the evaluator's grid, into sums that are still empty.
// Samples enter in blocks of fixed size in index order, so the sums do not depend on the number of workers. The validator
// (which may be nil) gets each block before it enters the sums, progress (which may be nil) the number of samples seen
// after each. After an error, ctx.Err() or the evaluator's, the sums are invalid.
func (n *Normal) Accumulate(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int, v *Validator,
	progress func(samples int)) error {
	err := n.sum(ctx, e, pairs, workers, v, progress)
	if err != nil {
		return err
	}
	n.Weigh(e)
	return nil
}

// Weigh turns sums over rows of the feature matrix, see Put, into sums of L2 inner products.
func (n *Normal) Weigh(e feature.Evaluator) {
	weight := n.Rows.weight(e)
	n.Sums.Scale(weight)
	floats.Scale(weight, n.RHS)
}

// sum accumulates sums over rows of the feature matrix, which Weigh completes.
func (n *Normal) sum(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int, v *Validator,
	progress func(samples int)) error {
	if n.Offset {
		means, err := meansOf(ctx, e, pairs, workers)
		if err != nil {
			return err
		}
		n.means = means
	}
	blocks := newBlockEvaluator(e, pairs, workers, n.Rows, n.means)
	features := blocks.newMatrix()
	before := make([]float64, e.Count()) // the right-hand side without the block
	for n.Samples < pairs.Count() {
		copy(before, n.RHS)
		block, err := blocks.evaluate(ctx, features, n.RHS, n.Samples)
		if err != nil {
			return err
		}
		if v != nil {
			earlier := &Normal{
				Sums:    n.Sums,
				RHS:     before,
				Samples: n.Samples,
			}
			v.block(ctx, earlier, features, block, workers)
		}
		err = n.Sums.RankUpdate(ctx, features, len(block.targets), workers)
		if err != nil {
			return err
		}
		n.Samples += len(block.squares)
		if progress != nil {
			progress(n.Samples)
		}
	}
	return nil
}

// Add adds the sums over further samples, without an offset.
func (n *Normal) Add(part *Normal) {
	for i := range n.RHS {
		floats.Add(n.Sums.Row(i), part.Sums.Row(i))
	}
	floats.Add(n.RHS, part.RHS)
	n.Samples += part.Samples
}

// Gram returns G = S/m for the first m features.
func (n *Normal) Gram(m int) *linalg.Symmetric {
	g := n.Sums.Leading(m)
	g.Scale(1 / float64(m))
	return g
}
