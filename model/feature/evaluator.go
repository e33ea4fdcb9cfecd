// This file is what training and prediction need to know of a feature map.

package feature

import (
	"rfm/model/linalg"
	"rfm/solver/grid"
)

// Evaluator is a feature map on one grid, as training sees it: inputs and outputs in a form of its own, features as
// columns of a matrix whose rows are the points (or coefficients) of samples. It is immutable and safe for concurrent use.
type Evaluator interface {
	K() int          // values of a function on the grid
	Points() int     // rows of the feature matrix that a sample takes
	Weight() float64 // factor from sums over rows to L2 inner products by the trapezoid rule
	Count() int      // m
	Groups() int     // groups of GroupSize features, the last one possibly incomplete
	InputSize() int  // numbers that Prepare makes of an input

	// Prepare transforms inputs on the grid to the form that Train takes. Errors are *fault.Data or *fault.Numerical.
	Prepare(inputs grid.Batch) ([]float64, error)
	// Targets transforms outputs on the grid to the form that Train takes, Points numbers each.
	Targets(outputs grid.Batch) []float64
	// NewTrainer allocates the working memory of one goroutine.
	NewTrainer() Trainer
}

// Trainer evaluates features for training; it serves one goroutine.
type Trainer interface {
	// Train evaluates group g for one input: it writes the features to rows row .. row+Points-1 of their columns of the
	// matrix (and anything to its padding) and adds their products with the target, summed over the rows, to rhs.
	Train(features *linalg.Panels, row, g int, input, target, rhs []float64)
}

// Expansion is a feature map on one grid, as prediction sees it: its features are summed group by group. It is immutable
// and safe for concurrent use.
type Expansion interface {
	Evaluator
	// NewScratch allocates the working memory of one goroutine.
	NewScratch() *Scratch
	// Predict adds the eight features of group g for one prepared input, weighted with alpha[0..7], to out: the sum over
	// out[4x..4x+3] is the sum at point x. Weights beyond m must be zero.
	Predict(out []float64, g int, input, alpha []float64, s *Scratch)
	// PredictMany does so for several coefficient vectors: for vector q it adds to out[q*Points+x]. Coefficients are
	// alpha[half*4*vectors + 4*q + l] for feature 4*half + l of the group.
	PredictMany(out []float64, g int, input, alpha []float64, vectors int, s *Scratch)
	// Complete makes a function with K values, in place, of the sum over all groups, its first Points values.
	Complete(values []float64)
}

// Scratch is the working memory of one goroutine.
type Scratch struct {
	block  []float64 // of the transforms
	panels [2][]float64
}

type fourierTrainer struct {
	*FourierEvaluator
	scratch *Scratch
}

func (t fourierTrainer) Train(features *linalg.Panels, row, g int, input, target, rhs []float64) {
	t.FourierEvaluator.Train(features, row, g, input, target, rhs, t.scratch)
}

// NewTrainer allocates the working memory of one goroutine.
func (e *FourierEvaluator) NewTrainer() Trainer { return fourierTrainer{e, e.NewScratch()} }

type cosineTrainer struct {
	*CosineEvaluator
	scratch *Scratch
}

func (t cosineTrainer) Train(features *linalg.Panels, row, g int, input, target, rhs []float64) {
	t.CosineEvaluator.Train(features, row, g, input, target, rhs, t.scratch)
}

// NewTrainer allocates the working memory of one goroutine.
func (e *CosineEvaluator) NewTrainer() Trainer { return cosineTrainer{e, e.NewScratch()} }

type predictorTrainer struct {
	*PredictorEvaluator
	scratch *PredictorScratch
}

func (t predictorTrainer) Train(features *linalg.Panels, row, g int, input, target, rhs []float64) {
	t.PredictorEvaluator.Train(features, row, g, input, target, rhs, t.scratch)
}

// NewTrainer allocates the working memory of one goroutine.
func (e *PredictorEvaluator) NewTrainer() Trainer { return predictorTrainer{e, e.NewScratch()} }
