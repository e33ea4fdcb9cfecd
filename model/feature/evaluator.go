// This file defines how training uses a feature map on one grid.

package feature

import (
	"context"
	"fmt"

	"rfm/model/linalg"
	"rfm/solver/grid"
)

// Evaluator is a feature map on one grid, for training. Inputs and outputs have a form of its own; features are columns
// of a matrix whose rows are the points (or coefficients) of samples. It is immutable and safe for concurrent use.
type Evaluator interface {
	K() int          // values of a function on the grid
	Points() int     // rows of the feature matrix that a sample takes
	Weight() float64 // factor from sums over rows to L2 inner products by the trapezoid rule
	Count() int      // m
	Groups() int     // groups of GroupSize features, the last one possibly incomplete
	InputSize() int  // numbers that Prepare computes from an input

	// Band returns the evaluator of the features first to first+count-1, which shares memory; first is a multiple of
	// GroupSize. Their values are bitwise the same.
	Band(first, count int) Evaluator

	// Prepare transforms inputs on the grid to the form that a Trainer takes. Errors are *fault.Data or *fault.Numerical.
	Prepare(inputs grid.Batch) ([]float64, error)
	// Targets transforms outputs on the grid to the form that a Trainer takes, Points numbers each.
	Targets(outputs grid.Batch) []float64
	// NewTrainer allocates the working memory of one goroutine.
	NewTrainer() Trainer

	// Predict evaluates F(a) = (1/m') sum_j alpha_j phi_j(a) for inputs on the grid and several coefficient vectors in one
	// pass: the result for vector q is at index q. A vector of length m' <= Count belongs to the first m' features.
	// progress (which may be nil) is called from worker goroutines with the number of inputs finished since its last call.
	// The result does not depend on workers. Errors are those of Prepare, and ctx's.
	Predict(ctx context.Context, coefficients [][]float64, inputs grid.Batch, workers int,
		progress func(added int)) ([]grid.Batch, error)
}

// A Trainer evaluates group g of the features for one input: it writes them to rows row .. row+Points-1 of their
// columns of the matrix (and anything to its padding) and adds their products with the target, summed over the rows, to
// rhs. input comes from Prepare, target from Targets. It serves one goroutine.
type Trainer func(features *linalg.Panels, row, g int, input, target, rhs []float64)

// size holds the numbers of an Evaluator.
type size struct {
	values, rows, count, input int
	weight                     float64
}

func (s size) K() int          { return s.values }
func (s size) Points() int     { return s.rows }
func (s size) Weight() float64 { return s.weight }
func (s size) Count() int      { return s.count }
func (s size) Groups() int     { return wholeGroups(s.count) / GroupSize }
func (s size) InputSize() int  { return s.input }

// checkBand panics unless Band accepts the features first to first+count-1.
func (s size) checkBand(first, count int) {
	if first < 0 || first%GroupSize != 0 || count < 1 || first+count > s.count {
		panic(fmt.Sprintf("feature: band of %d features from %d on, of %d", count, first, s.count))
	}
}
