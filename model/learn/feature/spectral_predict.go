// This file sums spectral random features with given coefficients.

package feature

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/parallel"
	"rfm/solver/num/fft"
	"rfm/solver/space/grid"
)

// predictBlock returns the number of inputs for which groups of features are evaluated while their coefficients are in
// cache. Wide sums take more inputs, because groups are packed for each block, as long as the sums stay in cache.
func (e *spectralEvaluator) predictBlock() int {
	const (
		usual = 16
		most  = 64
		cache = 1 << 16 // sums
	)
	if e.wide == nil {
		return usual
	}
	inCache := cache / (e.sumLanes() * e.Points())
	return min(most, max(usual, inCache))
}

// together is the number of groups whose features are added to the sums of one input at a time, where groups are
// evaluated one by one.
const together = 4

// wideGroup is the number of features that are evaluated side by side in wide blocks.
const wideGroup = 2 * GroupSize

// summing is the working memory of one goroutine.
type summing struct {
	*scratch // nil if sums are wide
	// sums are inputs x vectors x rows x sumLanes: the sum over a point's last numbers is the weighted sum of features.
	sums    []float64
	packed  []float64 // wide block of two groups, if sums are wide
	block   []float64 // wide block of the same features
	weights []float64 // vectors x wideGroup
}

func (e *spectralEvaluator) newSumming(inputs, vectors int) *summing {
	s := &summing{sums: make([]float64, inputs*vectors*e.sumLanes()*e.Points())}
	if e.wide == nil {
		s.scratch = e.newScratch()
	} else {
		s.packed = make([]float64, wideGroup*e.Points())
		s.block = make([]float64, wideGroup*e.Points())
		s.weights = make([]float64, vectors*wideGroup)
	}
	return s
}

// sumLanes returns the number of partial sums of a point.
func (e *spectralEvaluator) sumLanes() int {
	if e.wide != nil {
		return wideGroup / 2
	}
	return GroupSize / 2
}

// Predict implements Evaluator, in one pass over the features for each block of inputs.
func (e *spectralEvaluator) Predict(ctx context.Context, coefficients [][]float64, inputs grid.Batch, workers int,
	progress func(added int)) ([]grid.Batch, error) {
	predictions := make([]grid.Batch, len(coefficients))
	vectors := make([][]float64, len(coefficients))
	for q, alpha := range coefficients {
		predictions[q] = grid.NewBatch(e.domain, inputs.Points, inputs.Count)
		vectors[q] = e.weightsOf(alpha)
	}
	size := e.sumLanes() * e.Points() // of the partial sums of a vector
	all := size * len(vectors)        // of an input
	ofWorker := (inputs.Count + workers - 1) / max(1, workers)
	most := max(1, min(e.predictBlock(), ofWorker))
	blocks := (inputs.Count + most - 1) / most
	newSumming := func() *summing { return e.newSumming(most, len(vectors)) }
	err := parallel.With(ctx, workers, blocks, newSumming, func(s *summing, block int) error {
		first := block * most
		count := min(most, inputs.Count-first)
		clear(s.sums[:count*all])
		prepared, err := e.Prepare(inputs.Range(first, count))
		if err != nil {
			return fmt.Errorf("inputs from %d on: %w", first, err)
		}
		err = e.accumulateAll(ctx, prepared, vectors, s)
		if err != nil {
			return err
		}
		for i := range count {
			own := s.sums[all*i:][:all]
			for q := range vectors {
				u := predictions[q].At(first + i)
				e.reduce(u, own[size*q:][:size])
				e.complete(u)
			}
		}
		if progress != nil {
			progress(count)
		}
		return nil
	})
	return predictions, err
}

// weightsOf returns the factors alpha_j/m of features, zero up to the end of the last group.
func (e *spectralEvaluator) weightsOf(alpha []float64) []float64 {
	if len(alpha) < 1 || len(alpha) > e.count {
		panic(fmt.Sprintf("feature: %d coefficients for %d features", len(alpha), e.count))
	}
	m := float64(len(alpha))
	weights := make([]float64, Groups(len(alpha))*GroupSize)
	for j, a := range alpha {
		weights[j] = a / m
	}
	return weights
}

// accumulateAll adds all features for a block of prepared inputs to their partial sums. Groups are the outer loop, so
// that their coefficients stay in cache. The means of centred features are still in the sums: complete removes them. It
// returns ctx.Err() if ctx is done.
func (e *spectralEvaluator) accumulateAll(ctx context.Context, prepared []float64, vectors [][]float64,
	s *summing) error {
	inputs := len(prepared) / e.input
	size := len(vectors) * e.sumLanes() * e.Points()
	step := together
	if e.wide != nil {
		step = wideGroup / GroupSize
	}
	groups := Groups(e.count)
	for begin := 0; begin < groups; begin += step {
		end := min(begin+step, groups)
		if e.wide != nil {
			e.pack(begin, vectors, s)
		}
		for i := range inputs {
			own := s.sums[size*i:][:size]
			input := prepared[e.input*i:][:e.input]
			if e.wide != nil {
				e.accumulateWide(own, input, s)
				continue
			}
			for g := begin; g < end; g++ {
				e.accumulate(own, g, input, vectors, s.scratch)
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// pack puts group g and the next one, if there is one, side by side, and their weights in every vector.
func (e *spectralEvaluator) pack(g int, vectors [][]float64, s *summing) {
	e.wide.Pack(s.packed, e.groups[g], e.groupAfter(g))
	clear(s.weights)
	for q, alpha := range vectors {
		ofVector := s.weights[wideGroup*q:][:wideGroup]
		for l := range ofVector {
			j := GroupSize*g + featureOfLane(l)
			if j < len(alpha) {
				ofVector[l] = alpha[j]
			}
		}
	}
}

// accumulateWide adds the packed features for one prepared input to its partial sums.
func (e *spectralEvaluator) accumulateWide(out, input []float64, s *summing) {
	e.wide.InverseProductWide(s.block, s.packed, input)
	if len(s.weights) == wideGroup {
		e.activation.AccumulateWide(out, s.block, s.weights)
		return
	}
	e.activation.Apply(s.block)
	size := e.sumLanes() * e.Points()
	for q := range len(s.weights) / wideGroup {
		e.activation.AddWide(out[size*q:][:size], s.block, s.weights[wideGroup*q:][:wideGroup])
	}
}

// accumulate adds the eight features of group g for one prepared input, weighted with each of several coefficient
// vectors, to out: for each vector in turn four partial sums a point.
func (e *spectralEvaluator) accumulate(out []float64, g int, input []float64, vectors [][]float64, s *scratch) {
	size := fft.Lanes * e.Points()
	first := GroupSize * g
	activated := e.returns != nil
	if activated {
		e.evaluate(s.panels, g, input, s)
	} else {
		e.transform.synthesise(s.panels, e.groups[g], input, s.work)
	}
	for q, alpha := range vectors {
		if first >= len(alpha) {
			continue
		}
		own := out[q*size:][:size]
		weights := alpha[first:][:GroupSize]
		if activated {
			e.activation.Add(own, s.panels[0], s.panels[1], weights)
			continue
		}
		e.activation.Accumulate(own, s.panels[0], s.panels[1], weights)
		activated = true
	}
}

// reduce sets the first numbers of u to the sums of partial sums.
func (e *spectralEvaluator) reduce(u, sums []float64) {
	lanes := e.sumLanes()
	for x := range len(sums) / lanes {
		s := sums[lanes*x:][:lanes]
		u[x] = (s[0] + s[1]) + (s[2] + s[3])
		if e.wide != nil {
			u[x] += (s[4] + s[5]) + (s[6] + s[7])
		}
	}
}

// complete turns a sum of features at the distinct points into a function on the grid, in place: it removes the mean if
// features are centred.
func (e *spectralEvaluator) complete(values []float64) {
	mean := 0.0
	for x, w := range e.mean {
		mean += w * values[x]
	}
	floats.AddConst(-mean, values[:len(e.mean)])
	e.domain.Complete(values, values[:e.Points()], 1)
}
