// This file evaluates Fourier space random features on one grid, eight side by side.

package feature

import (
	"context"
	"fmt"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// FourierEvaluator is a Fourier feature map on one grid. It is immutable and safe for concurrent use.
type FourierEvaluator struct {
	plan       *fft.Plan
	activation activation.Func
	count      int
	groups     [][]float64 // per group of 8 features: spectrum block of gain chi theta / N^2, features l and l+4 in lane l
	biased     bool        // groups have the bias at frequency 0, where spectra of inputs are 1
	constant   int         // position of frequency 0
	mean       []float64   // weights of the mean over x that is removed from features; nil: it is kept
}

// On prepares the features on the closed grid of K points, on up to workers goroutines, on which the result does not depend.
// The error is ctx's, or a *fault.Data if theta's grid does not contain this one.
func (f Fourier) On(ctx context.Context, K, workers int) (*FourierEvaluator, error) {
	checkDraws(f.Count, f.Theta, f.Bias)
	theta, err := f.Theta.Restrict(K)
	if err != nil {
		return nil, err
	}
	e := &FourierEvaluator{plan: fft.NewPlan(K - 1), activation: f.Activation, count: f.Count, biased: f.Bias != nil}
	N := K - 1
	if f.Centred {
		e.mean = make([]float64, N)
		for x := range e.mean {
			e.mean[x] = e.Weight()
		}
	}
	multiplier := make([]float64, N)
	for p, k := range e.plan.Frequencies() {
		if k == 0 {
			e.constant = p
		}
		multiplier[p] = f.Gain * f.Filter.At(k) / float64(N) / float64(N) // both transforms are unnormalised
	}
	e.groups = make([][]float64, (f.Count+GroupSize-1)/GroupSize)
	err = parallel.For(ctx, workers, len(e.groups), func(_, g int) error {
		first, spectrum := GroupSize*g, make([]float64, 2*N)
		block := make([]float64, GroupSize*N)
		for l := range min(GroupSize, theta.Count-first) {
			e.plan.Spectra(spectrum, theta.At(first + l)[:N], 1)
			lane := l % fft.Lanes
			for p, c := range multiplier {
				re, im := c*spectrum[2*p], c*spectrum[2*p+1]
				z := block[GroupSize*p:]
				if l < fft.Lanes {
					z[lane] += re
					z[lane+fft.Lanes] += im
				} else { // times i
					z[lane] -= im
					z[lane+fft.Lanes] += re
				}
			}
			if e.biased {
				block[GroupSize*e.constant+l] = f.Bias[first+l]
			}
		}
		e.groups[g] = block
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// K is the number of points of the grid.
func (e *FourierEvaluator) K() int { return e.plan.N() + 1 }

// Points is the number of distinct points of the grid, N = K-1: the rows of a sample in a feature matrix.
func (e *FourierEvaluator) Points() int { return e.plan.N() }

// Count is m.
func (e *FourierEvaluator) Count() int { return e.count }

// Groups is the number of groups of GroupSize features, the last one possibly incomplete.
func (e *FourierEvaluator) Groups() int { return len(e.groups) }

// Weight is 1/N: the trapezoid rule on periodic functions is their mean.
func (e *FourierEvaluator) Weight() float64 { return 1 / float64(e.Points()) }

// InputSize is the number of values that Prepare makes of an input, 2 Points.
func (e *FourierEvaluator) InputSize() int { return 2 * e.Points() }

// Prepare is Spectra; it has no errors.
func (e *FourierEvaluator) Prepare(inputs grid.Batch) ([]float64, error) {
	return e.Spectra(inputs), nil
}

// Targets are the values of the outputs at the distinct points of the grid.
func (e *FourierEvaluator) Targets(outputs grid.Batch) []float64 {
	N := e.Points()
	targets := make([]float64, 0, outputs.Count*N)
	for i := range outputs.Count {
		targets = append(targets, outputs.At(i)[:N]...)
	}
	return targets
}

// Spectra transforms inputs on the evaluator's grid to the form that the other methods take: 2*Points numbers each. With a
// bias, the place of an input's mean, which has no effect, holds 1: there the product with a group's block adds the bias.
func (e *FourierEvaluator) Spectra(inputs grid.Batch) []float64 {
	if inputs.Values() != e.K() {
		panic(fmt.Sprintf("feature: inputs on K=%d, features on K=%d", inputs.Values(), e.K()))
	}
	N := e.Points()
	spectra := make([]float64, 2*N*inputs.Count)
	for i := range inputs.Count { // one at a time: the last bit must not depend on the neighbours
		spectrum := spectra[2*N*i : 2*N*(i+1)]
		e.plan.Spectra(spectrum, inputs.At(i)[:N], 1)
		if e.biased {
			spectrum[2*e.constant], spectrum[2*e.constant+1] = 1, 0
		}
	}
	return spectra
}

// NewScratch allocates working memory.
func (e *FourierEvaluator) NewScratch() *Scratch {
	N := e.Points()
	return &Scratch{make([]float64, GroupSize*N), [2][]float64{make([]float64, fft.Lanes*N), make([]float64, fft.Lanes*N)}}
}

// Train evaluates group g for one input: it writes phi(a; theta_j) to rows row .. row+Points-1 of the columns j of the
// feature matrix (and anything to its padding) and adds sum_x y(x) phi_j(x) to rhs[j]. spectrum is one input's, y has
// at least Points values.
func (e *FourierEvaluator) Train(features *linalg.Panels, row, g int, spectrum, y, rhs []float64, s *Scratch) {
	N := e.Points()
	out := s.panels // for columns beyond the padding
	for half := range out {
		if panel := 2*g + half; panel < features.Count() {
			out[half] = features.Panel(panel)[fft.Lanes*row : fft.Lanes*(row+N)]
		}
	}
	e.plan.InverseProduct(out[0], out[1], e.groups[g], spectrum, s.block)
	for half, panel := range out {
		var sums [fft.Lanes]float64
		if e.mean == nil {
			e.activation.ApplyDot(panel, y[:N], sums[:])
		} else {
			e.activation.ApplyCentredDot(panel, e.mean, y[:N], sums[:])
		}
		for l, sum := range sums {
			if j := g*GroupSize + half*fft.Lanes + l; j < e.count {
				rhs[j] += sum
			}
		}
	}
}

// Predict adds the eight features of group g for one input, weighted with alpha[0..7], to out, four partial sums a
// point: the sum over a point's four numbers is sum_l alpha[l] phi_(8g+l)(x). Weights beyond m must be zero. The means of
// centred features are still in the sum: Complete removes them.
func (e *FourierEvaluator) Predict(out []float64, g int, spectrum, alpha []float64, s *Scratch) {
	e.plan.InverseProduct(s.panels[0], s.panels[1], e.groups[g], spectrum, s.block)
	e.activation.Accumulate(out, s.panels[0], s.panels[1], alpha)
}

// PredictMany is Predict for several coefficient vectors in one pass over the features: for vector q, it adds
// sum_l alpha[q][8g+l] phi_(8g+l)(x) to out[q*Points+x]. alpha has the weights of the group in two halves of four
// features, each one vector after the other: alpha[half*4*vectors + 4*q + l]. Complete must follow, as for Predict.
func (e *FourierEvaluator) PredictMany(out []float64, g int, spectrum, alpha []float64, vectors int, s *Scratch) {
	e.plan.InverseProduct(s.panels[0], s.panels[1], e.groups[g], spectrum, s.block)
	for half, panel := range s.panels {
		e.activation.Apply(panel)
		linalg.Combine(out, panel, alpha[half*fft.Lanes*vectors:(half+1)*fft.Lanes*vectors], vectors)
	}
}

// Values evaluates feature j for one input on the closed grid, for people to look at.
func (e *FourierEvaluator) Values(j int, spectrum []float64) []float64 {
	s := e.NewScratch()
	e.plan.InverseProduct(s.panels[0], s.panels[1], e.groups[j/GroupSize], spectrum, s.block)
	panel := s.panels[j%GroupSize/fft.Lanes]
	e.activation.Apply(panel)
	values := make([]float64, e.K())
	for x := range e.Points() {
		values[x] = panel[fft.Lanes*x+j%fft.Lanes]
	}
	e.Complete(values)
	return values
}

// Complete makes a function on the closed grid of a sum of features at its distinct points, in place: it removes the mean
// if features are centred, and repeats the first value at the end.
func (e *FourierEvaluator) Complete(values []float64) {
	N := e.Points()
	if e.mean != nil {
		subtractMean(values[:N], e.mean)
	}
	values[N] = values[0]
}

// subtractMean removes the mean with the given weights.
func subtractMean(values, weights []float64) {
	mean := 0.0
	for x, w := range weights {
		mean += w * values[x]
	}
	for x := range values {
		values[x] -= mean
	}
}
