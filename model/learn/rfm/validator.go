package rfm

import (
	"context"
	"math"

	"rfm/model/learn/feature"
	"rfm/model/learn/ridge"
	"rfm/model/learn/score"
	"rfm/solver/num/linalg"
)

// Validator turns the features of samples that are about to enter the normal equations into a validation error of the
// earlier samples: the features are needed anyway, and the samples are still unseen. It solves for the first features
// when the number of samples seen reaches the next power of two.
type Validator struct {
	m       int // features of the models
	lambda  float64
	weight  float64
	next    int // samples at which to solve again
	alpha   []float64
	current score.Validation
	sum     float64 // of the relative errors behind current
	points  []score.Validation
}

const (
	// validationFeatures is the most features of a model: its solution takes a small part of the time of training.
	validationFeatures = 256
	// validationLambda is the smallest regularisation relative to the mean eigenvalue.
	validationLambda = 1e-9
	// leastUnseen is the least number of samples for a validation error.
	leastUnseen = 8
)

// NewValidator prepares for training with the evaluator's features on the given rows of samples, and lambda.
func NewValidator(e feature.Evaluator, rows Rows, lambda float64) *Validator {
	return &Validator{
		m:      min(e.Count(), validationFeatures),
		lambda: lambda,
		weight: rows.weight(e),
		next:   1,
	}
}

// block takes the next samples before they enter the sums of n, which are over n.Samples samples and not yet weighted.
// After the end of ctx it does nothing.
func (v *Validator) block(ctx context.Context, n *Normal, features *linalg.Panels, b block, workers int) {
	if n.Samples >= v.next {
		v.Finish()
		for v.next <= n.Samples {
			v.next *= 2
		}
		v.current = score.Validation{Samples: n.Samples}
		v.sum = 0
		v.alpha = v.solve(ctx, n, workers)
	}
	if v.alpha == nil {
		return
	}
	for i, residual := range b.squaredResiduals(features, v.alpha) {
		square := b.squares[i]
		if square > 0 {
			v.sum += math.Sqrt(residual / square)
			v.current.Unseen++
		}
	}
}

// solve returns the padded coefficients for the samples seen; nil if there is no solution.
func (v *Validator) solve(ctx context.Context, n *Normal, workers int) []float64 {
	gram := n.Gram(v.m)
	gram.Scale(v.weight)
	alpha := make([]float64, v.m)
	trace := 0.0
	for j := range alpha {
		trace += gram.At(j, j)
		alpha[j] = n.RHS[j] * v.weight
	}
	least := validationLambda * trace / float64(v.m)
	factor, err := linalg.Factor(ctx, gram, max(v.lambda, least), workers)
	if err != nil {
		return nil // no point; training itself reports the error
	}
	factor.Solve(alpha)
	return withPadding(alpha, ridge.Others(nil, v.m), v.m)
}

// Finish publishes the error of the current model.
func (v *Validator) Finish() {
	least := max(1, min(leastUnseen, v.current.Samples))
	if v.alpha != nil && v.current.Unseen >= least {
		v.current.Error = v.sum / float64(v.current.Unseen)
		v.points = append(v.points, v.current)
	}
	v.alpha = nil
}

// Points returns the validation errors so far, the newest last.
func (v *Validator) Points() []score.Validation {
	return v.points[:len(v.points):len(v.points)]
}
