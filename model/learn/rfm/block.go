package rfm

import (
	"context"
	"fmt"
	"slices"

	"rfm/model/learn/feature"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
)

// blockRows is about the number of rows of the feature matrix that are in memory at a time. That many keep the rank-k
// update at its full speed, and are far fewer than the Gram matrix has.
const blockRows = 1024

// blockEvaluator evaluates the feature matrix of the training samples block by block. The matrix has a row for each
// selected point of each sample, and a column for each of the m features.
type blockEvaluator struct {
	evaluator feature.Evaluator
	pairs     dataset.Pairs
	workers   int
	selection Rows
	means     *means            // subtracted from features and outputs; nil: they stay as they are
	few       *feature.Thinned  // evaluates the selected points alone; nil: all points are evaluated
	together  int               // groups that a trainer evaluates in one call
	rows      int               // rows of a sample
	size      int               // samples of a block; the last block can have fewer
	trainers  []feature.Trainer // one for each worker
	discarded []float64         // m numbers; takes products that nobody needs
}

// block holds the data of a block of samples besides its features.
type block struct {
	targets []float64 // samples x rows, centred if there are means
	squares []float64 // for each sample the sum of its squared targets before they are centred: an error of 100%
}

func newBlockEvaluator(e feature.Evaluator, pairs dataset.Pairs, workers int, selection Rows,
	m *means) *blockEvaluator {
	rows := selection.Of(e.Points())
	b := &blockEvaluator{
		evaluator: e,
		pairs:     pairs,
		workers:   workers,
		selection: selection,
		means:     m,
		rows:      rows,
		size:      min(pairs.Count(), max(1, blockRows/rows)),
		discarded: make([]float64, e.Count()),
	}
	newTrainer := b.chooseTrainer()
	for range max(1, min(workers, b.calls())) {
		b.trainers = append(b.trainers, newTrainer())
	}
	return b
}

// chooseTrainer returns the function that makes the fastest trainers.
func (b *blockEvaluator) chooseTrainer() func() feature.Trainer {
	b.together = 1
	if b.means == nil {
		few, ok := feature.NewThinned(b.evaluator, b.rows)
		if ok {
			b.few = few
			return few.NewTrainer
		}
	}
	ofPairs, ok := feature.NewPairTrainer(b.evaluator)
	if ok && !b.copies() {
		b.together = 2
		return ofPairs
	}
	return b.evaluator.NewTrainer
}

// calls returns the number of calls of a trainer that evaluate all groups for a sample.
func (b *blockEvaluator) calls() int {
	groups := feature.Groups(b.evaluator.Count())
	return (groups + b.together - 1) / b.together
}

// copies reports whether only some points of each sample are rows of the matrix, and are copied from rows of all points.
func (b *blockEvaluator) copies() bool { return b.few == nil && b.rows < b.evaluator.Points() }

// spareRow returns the first of the rows behind the block. If some points are copied, the features at all points of a
// sample are evaluated there, because trainers know no selection.
func (b *blockEvaluator) spareRow() int { return b.size * b.rows }

// newMatrix returns a matrix for the features of a block, with its spare rows.
func (b *blockEvaluator) newMatrix() *linalg.Panels {
	rows := b.size * b.rows
	if b.copies() {
		rows += b.evaluator.Points()
	}
	return linalg.NewPanels(rows, b.evaluator.Count())
}

// evaluate writes the features of the block that begins with sample first to the first rows of the matrix, sample
// after sample, and adds their products with the targets to rhs (m numbers). It overwrites columns beyond m. The
// errors are those of the evaluator, or ctx.Err(); rhs is then incomplete.
func (b *blockEvaluator) evaluate(ctx context.Context, features *linalg.Panels, rhs []float64,
	first int) (block, error) {
	samples := min(b.size, b.pairs.Count()-first)
	points := b.evaluator.Points()
	pairs := b.pairs.Range(first, samples)
	inputs, err := b.evaluator.Prepare(pairs.Inputs)
	if err != nil {
		return block{}, fmt.Errorf("training inputs from %d on: %w", first, err)
	}
	inputSize := len(inputs) / samples

	selected := make([][]int, samples)
	for i := range selected {
		selected[i] = b.selection.draw(first+i, points)
	}
	targets := b.evaluator.Targets(pairs.Outputs) // samples x points
	result := b.selectTargets(targets, selected)

	if b.few != nil {
		inputs = b.prepareFew(inputs, selected)
		targets = result.targets
		points = b.rows
	}
	err = parallel.For(ctx, b.workers, b.calls(), func(worker, call int) error {
		group := call * b.together
		for i := range samples {
			b.evaluateSample(b.trainers[worker], features, rhs, group, sample{
				row:      i * b.rows,
				selected: selected[i],
				input:    inputs[inputSize*i : inputSize*(i+1)],
				target:   targets[points*i : points*(i+1)],
			})
		}
		return nil
	})
	return result, err
}

// prepareFew returns prepared inputs for their selected points, which are equally spaced.
func (b *blockEvaluator) prepareFew(inputs []float64, selected [][]int) []float64 {
	size := len(inputs) / len(selected)
	prepared := make([]float64, len(inputs))
	for i, chosen := range selected {
		own := inputs[size*i:][:size]
		b.few.Prepare(prepared[size*i:][:size], own, chosen[0])
	}
	return prepared
}

// selectTargets returns the targets at the selected points. In targets it leaves zeros at all other points, so that
// their products with features vanish, and centres the selected ones.
func (b *blockEvaluator) selectTargets(targets []float64, selected [][]int) block {
	points := b.evaluator.Points()
	result := block{squares: make([]float64, len(selected))}
	for i, chosen := range selected {
		target := targets[points*i : points*(i+1)]
		whole := slices.Clone(target)
		clear(target)
		for _, x := range chosen {
			value := whole[x]
			result.squares[i] += value * value
			if b.means != nil {
				value -= b.means.outputs[x]
			}
			target[x] = value
			result.targets = append(result.targets, value)
		}
	}
	return result
}

// sample is a training sample of a block.
type sample struct {
	row      int       // its first row in the matrix
	selected []int     // points that are rows
	input    []float64 // as Prepare returns it
	target   []float64 // of all points, 0 where one is not selected; of the selected ones if no others are evaluated
}

// evaluateSample writes the features of a group, or of several together, for one sample to its rows of the matrix, and
// adds their products with the target to rhs. Groups have columns of their own, so that workers do not meet.
func (b *blockEvaluator) evaluateSample(train feature.Trainer, features *linalg.Panels, rhs []float64, group int,
	s sample) {
	row := s.row
	if b.copies() {
		row = b.spareRow()
	}
	if b.means == nil {
		train(features, row, group, s.input, s.target, rhs)
	} else {
		train(features, row, group, s.input, s.target, b.discarded)
		end := min(group+b.together, feature.Groups(b.evaluator.Count()))
		for g := group; g < end; g++ {
			b.means.center(features, row, g, s.target, rhs)
		}
	}
	if b.copies() {
		copySelected(features, group, s.row, row, s.selected)
	}
}

// copySelected copies rows from+selected[k] to rows to+k, in the columns of a group.
func copySelected(features *linalg.Panels, group, to, from int, selected []int) {
	begin, end := panelsOfGroup(features, group)
	for p := begin; p < end; p++ {
		panel := features.Panel(p)
		for k, x := range selected {
			destination := panel[fft.Lanes*(to+k):]
			source := panel[fft.Lanes*(from+x):]
			copy(destination[:fft.Lanes], source)
		}
	}
}

// panelsOfGroup returns the first panel of a group of features, and the one after its last.
func panelsOfGroup(features *linalg.Panels, group int) (begin, end int) {
	const panels = feature.GroupSize / fft.Lanes
	begin = panels * group
	end = min(begin+panels, features.Count())
	return begin, end
}

// squaredResiduals returns for each sample of the block the sum of squares of what a model leaves of its targets.
// coefficients are those that withPadding returns.
func (b block) squaredResiduals(features *linalg.Panels, coefficients []float64) []float64 {
	predictions := make([]float64, len(b.targets))
	for p := range len(coefficients) / fft.Lanes {
		panel := features.Panel(p)[:fft.Lanes*len(predictions)]
		weights := coefficients[fft.Lanes*p:][:fft.Lanes]
		linalg.Combine(predictions, panel, weights)
	}
	rows := len(b.targets) / len(b.squares)
	result := make([]float64, len(b.squares))
	for row, target := range b.targets {
		residual := target - predictions[row]
		result[row/rows] += residual * residual
	}
	return result
}

// withPadding returns the coefficients alpha_j/m of the m features with the given indices, and zeros for all other
// ones of count features, up to whole panels.
func withPadding(alpha []float64, indices []int, count int) []float64 {
	panels := (count + fft.Lanes - 1) / fft.Lanes
	coefficients := make([]float64, fft.Lanes*panels)
	m := float64(len(alpha))
	for i, a := range alpha {
		coefficients[indices[i]] = a / m
	}
	return coefficients
}
