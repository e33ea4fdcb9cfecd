package rfm

import (
	"context"
	"math"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/fft"
)

// Validation is the error of a model of the first samples on samples that come after them.
type Validation struct {
	Samples int     // in the training of the model
	Unseen  int     // in the mean
	Error   float64 // mean relative L2 error
}

// Validator turns the features of samples that are about to enter the normal equations into a validation error of the
// earlier samples: the features are needed anyway, and the samples are still unseen. It solves when the number of
// samples seen reaches the next power of two, for as many of the first features as training time allows.
type Validator struct {
	m       int // features of the models
	lambda  float64
	weight  float64
	next    int // samples at which to solve again
	alpha   []float64
	current Validation
	sum     float64 // of the relative errors behind current
	points  []Validation
}

const (
	// validationShare is the share of the operations of training that validation may take.
	validationShare = 0.03
	// choleskySlowdown is the time of an operation of the factorisation, relative to the rank-k update.
	choleskySlowdown = 12
	// validationLambda is the smallest regularisation relative to the mean eigenvalue.
	validationLambda = 1e-9
	// leastUnseen is the least number of samples for a validation error.
	leastUnseen = 8
)

// NewValidator prepares for training with the evaluator's features on the given rows of n samples, and lambda. Training
// waits for validation, which runs on one core and not on all.
func NewValidator(e feature.Evaluator, n int, rows Rows, lambda float64, workers int) *Validator {
	m := e.Count()
	budget := validationShare / float64(max(1, workers)) * float64(n) * float64(rows.Of(e.Points())) * float64(m) *
		float64(m+1)
	solves := math.Log2(float64(n)) + 1
	size := m
	for size > fft.Lanes && solves*choleskySlowdown/3*math.Pow(float64(size), 3) > budget {
		size /= 2
	}
	return &Validator{m: size, lambda: lambda, weight: rows.weight(e), next: 1}
}

// Block takes the next samples before they enter the sums of n, which are over n.Samples samples and not yet weighted;
// see Watch. It solves on up to workers goroutines; after the end of ctx it does nothing.
func (v *Validator) Block(ctx context.Context, n *Normal, features *linalg.Panels, targets, squares []float64,
	workers int) {
	if n.Samples >= v.next {
		v.publish()
		for v.next <= n.Samples {
			v.next *= 2
		}
		v.current, v.sum = Validation{Samples: n.Samples}, 0
		v.alpha = v.solve(ctx, n, workers)
	}
	if v.alpha == nil {
		return
	}
	for i, miss := range misses(features, v.alpha, targets, len(squares)) {
		if squares[i] > 0 {
			v.sum += math.Sqrt(miss / squares[i])
			v.current.Unseen++
		}
	}
}

// solve returns alpha/m for the samples seen, padded to whole panels; nil if there is no solution.
func (v *Validator) solve(ctx context.Context, n *Normal, workers int) []float64 {
	gram, alpha := n.Gram(v.m), make([]float64, v.m)
	gram.Scale(v.weight)
	trace := 0.
	for j := range v.m {
		trace += gram.At(j, j)
	}
	for j := range alpha {
		alpha[j] = n.RHS[j] * v.weight
	}
	factor, err := linalg.Factor(ctx, gram, max(v.lambda, validationLambda*trace/float64(v.m)), workers)
	if err != nil {
		return nil // no point; training itself reports the error
	}
	factor.Solve(alpha)
	return padded(alpha)
}

// publish appends the validation error of the current model to the points.
func (v *Validator) publish() {
	if v.alpha == nil || v.current.Unseen < min(leastUnseen, v.current.Samples) || v.current.Unseen == 0 {
		return
	}
	v.current.Error = v.sum / float64(v.current.Unseen)
	v.points = append(v.points, v.current)
}

// Points returns the validation errors so far, the newest last.
func (v *Validator) Points() []Validation { return v.points[:len(v.points):len(v.points)] }

// Finish publishes the last model's error.
func (v *Validator) Finish() {
	v.publish()
	v.alpha = nil
}
