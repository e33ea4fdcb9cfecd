// This file evaluates cosine space random features on one grid.

package feature

import (
	"context"
	"fmt"
	"math"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/parallel"
	"rfm/solver/trig"
)

// CosineEvaluator is a Cosine feature map on one grid. It is immutable and safe for concurrent use.
//
// Rows of the feature matrix are grid points, multiplied by the square roots of their weights in the trapezoid rule: 1
// inside, 1/2 on edges, 1/4 at corners. So a sum over rows of products is, up to the factor Weight, an inner product.
type CosineEvaluator struct {
	r          int
	transform  *trig.Cosine
	activation activation.Func
	theta      [][]float64 // of each feature 4 gain chi theta_k / n^2, r x r, for coefficients of inputs times n^2
	biased     bool        // theta has 4 times the bias at k = 0, where coefficients of inputs are 1
	mean       []float64   // weights of the mean over x that is removed from features; nil: it is kept
}

// On prepares the features on the closed r x r grid, r >= 3, which theta's must contain, on up to workers
// goroutines, on which the result does not depend. It keeps r^2 numbers for every feature. The error is ctx's, or a
// *fault.Data if theta's grid does not contain this one.
func (f Cosine) On(ctx context.Context, r, workers int) (*CosineEvaluator, error) {
	checkDraws(f.Count, f.Theta, f.Bias)
	if err := checkContained("theta", r, f.Theta.Points); err != nil {
		return nil, err
	}
	theta, err := f.Theta.First(f.Count).Restrict(r)
	if err != nil {
		return nil, err
	}
	e := &CosineEvaluator{r: r, transform: trig.NewCosine(r, r), activation: f.Activation, biased: f.Bias != nil}
	if f.Centred {
		e.mean = make([]float64, r*r)
		for x := range e.mean {
			e.mean[x] = e.Weight()
		}
		e.weigh(e.mean, 1, 0.5)
	}
	n := float64(r - 1)
	multiplier := make([]float64, r*r)
	for k := range multiplier {
		multiplier[k] = 4 * f.Gain * f.chi(k/r, k%r) / (n * n * n * n)
	}
	e.theta = make([][]float64, f.Count)
	err = parallel.For(ctx, workers, f.Count, func(_, j int) error {
		coefficients := make([]float64, r*r)
		e.transform.Transform(coefficients, theta.At(j))
		for k, c := range multiplier {
			coefficients[k] *= c
		}
		if e.biased {
			coefficients[0] = 4 * f.Bias[j]
		}
		e.theta[j] = coefficients
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// K is the number of values of a field on the closed grid, r^2.
func (e *CosineEvaluator) K() int { return e.r * e.r }

// Points is r^2: the rows of a sample in a feature matrix.
func (e *CosineEvaluator) Points() int { return e.r * e.r }

// Weight is h^2, the factor from sums over rows to L2 inner products by the trapezoid rule.
func (e *CosineEvaluator) Weight() float64 { return 1 / float64((e.r-1)*(e.r-1)) }

// Count is m.
func (e *CosineEvaluator) Count() int { return len(e.theta) }

// Groups is the number of groups of GroupSize features, the last one possibly incomplete.
func (e *CosineEvaluator) Groups() int { return (len(e.theta) + GroupSize - 1) / GroupSize }

// InputSize is the number of values that Prepare makes of an input, r^2.
func (e *CosineEvaluator) InputSize() int { return e.r * e.r }

// Prepare transforms inputs on the evaluator's grid to the form that the other methods take, their cosine coefficients:
// InputSize numbers each. It has no errors.
func (e *CosineEvaluator) Prepare(inputs grid.Batch) ([]float64, error) {
	e.check("inputs", inputs)
	coefficients := make([]float64, inputs.Count*e.K())
	for i := range inputs.Count {
		c := coefficients[i*e.K() : (i+1)*e.K()]
		e.transform.Transform(c, inputs.At(i))
		if e.biased {
			c[0] = 1
		}
	}
	return coefficients, nil
}

// Targets are the values of the outputs, multiplied by the square roots of the points' weights.
func (e *CosineEvaluator) Targets(outputs grid.Batch) []float64 {
	e.check("outputs", outputs)
	targets := make([]float64, outputs.Count*e.K())
	copy(targets, outputs.Data)
	for i := range outputs.Count {
		e.weigh(targets[i*e.K():(i+1)*e.K()], 1, math.Sqrt(0.5))
	}
	return targets
}

func (e *CosineEvaluator) check(what string, b grid.Batch) {
	if b.Values() != e.K() {
		panic(fmt.Sprintf("feature: %s of %d values, features on %d x %d points", what, b.Values(), e.r, e.r))
	}
}

// weigh multiplies what belongs to points on the edges, width numbers a point, by factor, at the corners twice.
func (e *CosineEvaluator) weigh(values []float64, width int, factor float64) {
	row := width * e.r
	scale := func(x []float64) {
		for i := range x {
			x[i] *= factor
		}
	}
	scale(values[:row])
	scale(values[len(values)-row:])
	for first := 0; first < len(values); first += row {
		scale(values[first : first+width])
		scale(values[first+row-width : first+row])
	}
}

// NewScratch allocates working memory.
func (e *CosineEvaluator) NewScratch() *Scratch {
	K := e.K()
	return &Scratch{make([]float64, K), [2][]float64{make([]float64, fft.Lanes*K), make([]float64, fft.Lanes*K)}}
}

// arguments writes to the panel what the activation is applied to, for four features from the first on: 0 for features
// that do not exist.
func (e *CosineEvaluator) arguments(panel []float64, first int, input []float64, s *Scratch) {
	for l := range fft.Lanes {
		field := s.block
		if j := first + l; j < len(e.theta) {
			for k, c := range e.theta[j] {
				field[k] = c * input[k]
			}
			e.transform.Transform(field, field)
		} else {
			clear(field)
		}
		for x, v := range field {
			panel[fft.Lanes*x+l] = v
		}
	}
}

// Train evaluates group g for one input: it writes phi_j(a) at the grid points, multiplied by the square roots of their
// weights, to rows row .. row+Points-1 of the columns j of the feature matrix (and anything to its padding) and adds the
// products with the target, summed over the rows, to rhs[j]. input is one of Prepare, target one of Targets.
func (e *CosineEvaluator) Train(features *linalg.Panels, row, g int, input, target, rhs []float64, s *Scratch) {
	for half := range 2 {
		first := g*GroupSize + half*fft.Lanes
		if first >= len(e.theta) {
			return
		}
		panel := features.Panel(first / fft.Lanes)[fft.Lanes*row : fft.Lanes*(row+e.Points())]
		e.arguments(panel, first, input, s)
		weighted := s.block
		copy(weighted, target)
		e.weigh(weighted, 1, math.Sqrt(0.5))
		var sums [fft.Lanes]float64
		if e.mean == nil {
			e.activation.ApplyDot(panel, weighted, sums[:])
		} else {
			e.activation.ApplyCentredDot(panel, e.mean, weighted, sums[:])
		}
		e.weigh(panel, fft.Lanes, math.Sqrt(0.5))
		for l := range min(fft.Lanes, len(e.theta)-first) {
			rhs[first+l] += sums[l]
		}
	}
}

// Predict adds the eight features of group g for one input, weighted with alpha[0..7], to out, four partial sums a
// point: the sum over a point's four numbers is sum_l alpha[l] phi_(8g+l)(x). Weights beyond m must be zero. The means of
// centred features are still in the sum: Complete removes them.
func (e *CosineEvaluator) Predict(out []float64, g int, input, alpha []float64, s *Scratch) {
	for half, panel := range s.panels {
		e.arguments(panel, g*GroupSize+half*fft.Lanes, input, s)
	}
	e.activation.Accumulate(out, s.panels[0], s.panels[1], alpha)
}

// PredictMany is Predict for several coefficient vectors in one pass over the features: for vector q, it adds
// sum_l alpha[q][8g+l] phi_(8g+l)(x) to out[q*Points+x]. alpha has the weights of the group in two halves of four
// features, each one vector after the other: alpha[half*4*vectors + 4*q + l]. Complete must follow, as for Predict.
func (e *CosineEvaluator) PredictMany(out []float64, g int, input, alpha []float64, vectors int, s *Scratch) {
	for half, panel := range s.panels {
		e.arguments(panel, g*GroupSize+half*fft.Lanes, input, s)
		e.activation.Apply(panel)
		linalg.Combine(out, panel, alpha[half*fft.Lanes*vectors:(half+1)*fft.Lanes*vectors], vectors)
	}
}

// Complete makes a field of a sum of features, in place: it removes the mean if features are centred.
func (e *CosineEvaluator) Complete(values []float64) {
	if e.mean != nil {
		subtractMean(values, e.mean)
	}
}

// Values evaluates feature j for one input, for people to look at.
func (e *CosineEvaluator) Values(j int, input []float64) []float64 {
	s := e.NewScratch()
	panel := s.panels[0]
	e.arguments(panel, j/fft.Lanes*fft.Lanes, input, s)
	e.activation.Apply(panel)
	values := make([]float64, e.K())
	for x := range values {
		values[x] = panel[fft.Lanes*x+j%fft.Lanes]
	}
	e.Complete(values)
	return values
}
