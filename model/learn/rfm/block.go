// This file evaluates features of training samples: the rows of a matrix, a block of samples at a time.

package rfm

import (
	"context"
	"fmt"
	"slices"

	"rfm/model/learn/feature"
	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
)

// Rows selects points of every training sample that enter the sums: Count of them, equally spaced as far as the grid
// allows (systematic sampling), the first drawn from the stream (Seed, rows, sample). All points are equally likely and
// have the weight Points/Count, so that the expectation of the sums is right; independent points have a larger variance.
// With Count 0, or as many as there are points, all enter. It applies to features whose rows are points of the grid,
// not coefficients.
type Rows struct {
	Seed  uint64
	Count int
}

// Of returns the number of rows of a sample that has the given points.
func (r Rows) Of(points int) int {
	if r.Count <= 0 || r.Count > points {
		return points
	}
	return r.Count
}

// weight returns the factor from sums over the rows of an evaluator's features to L2 inner products.
func (r Rows) weight(e feature.Evaluator) float64 {
	return e.Weight() * (float64(e.Points()) / float64(r.Of(e.Points())))
}

// EnoughRows returns a number of points of every sample for about the same test error of m features trained with n
// samples as with all points: 16 m rows in all, at least 8 of a sample, a power of two. It may exceed the points.
func EnoughRows(n, m int) int {
	rows := 8
	for n*rows < 16*m {
		rows *= 2
	}
	return rows
}

// draw returns the points of a sample, ascending and distinct.
func (r Rows) draw(sample, points int) []int {
	count := r.Of(points)
	if count == points {
		return ridge.Others(nil, points)
	}
	chosen := make([]int, count)
	first := int(draw.Stream(r.Seed, draw.Rows, sample).Uint64N(uint64(points)))
	for k := range chosen {
		chosen[k] = (k*points + first) / count
	}
	return chosen
}

// blockRows is about the number of rows (sample, grid point) of the feature matrix in memory: enough to keep the rank-k
// update at its speed, and far fewer than the Gram matrix has.
const blockRows = 2048

// blocks evaluates the features of consecutive samples.
type blocks struct {
	evaluator feature.Evaluator
	pairs     dataset.Pairs
	workers   int
	some      Rows
	rows      int // rows of the feature matrix for each sample
	size      int // samples of a whole block
	trainers  []feature.Trainer
	means     *means // subtracted from every sample; or nil
	ignored   []float64
}

func newBlocks(e feature.Evaluator, pairs dataset.Pairs, workers int, some Rows, m *means) *blocks {
	b := &blocks{
		evaluator: e,
		pairs:     pairs,
		workers:   workers,
		some:      some,
		rows:      some.Of(e.Points()),
		means:     m,
		ignored:   make([]float64, e.Count()),
	}
	b.size = min(pairs.Count(), max(1, blockRows/b.rows))
	for range max(1, min(workers, feature.Groups(e.Count()))) {
		b.trainers = append(b.trainers, e.NewTrainer())
	}
	return b
}

// matrix returns a matrix for the features of a block, with room for all points of a sample behind its rows if only
// some of them enter.
func (b *blocks) matrix() *linalg.Panels {
	rows := b.size * b.rows
	if b.rows < b.evaluator.Points() {
		rows += b.evaluator.Points()
	}
	return linalg.NewPanels(rows, b.evaluator.Count())
}

// rowsOf holds the data of a block besides features.
type rowsOf struct {
	targets []float64 // one for each row of each sample
	// of each sample, in the units of the targets: the sum of squares of its output, the scale of an error of 100%
	squares []float64
}

// evaluate writes the features of the block that begins with sample first to the first rows of the matrix, equally many
// for each sample, and adds their products with the targets to rhs, m numbers. Columns beyond m are overwritten. Errors
// are ctx's and the evaluator's; rhs is then incomplete.
func (b *blocks) evaluate(ctx context.Context, features *linalg.Panels, rhs []float64, first int) (rowsOf, error) {
	e := b.evaluator
	samples := min(b.size, b.pairs.Count()-first)
	block := b.pairs.Range(first, samples)
	inputs, err := e.Prepare(block.Inputs)
	if err != nil {
		return rowsOf{}, fmt.Errorf("training inputs from %d on: %w", first, err)
	}
	points := e.Points()
	width := len(inputs) / samples      // of a prepared input
	targets := e.Targets(block.Outputs) // 0 at points that do not enter
	r := rowsOf{squares: make([]float64, samples)}
	chosen := make([][]int, samples)
	for i := range samples {
		target := targets[points*i : points*(i+1)]
		whole := slices.Clone(target)
		clear(target)
		chosen[i] = b.some.draw(first+i, points)
		for _, x := range chosen[i] {
			r.squares[i] += whole[x] * whole[x]
			if b.means != nil {
				whole[x] -= b.means.outputs[x]
			}
			target[x] = whole[x]
			r.targets = append(r.targets, whole[x])
		}
	}
	products := rhs
	if b.means != nil {
		products = b.ignored
	}
	return r, parallel.For(ctx, b.workers, feature.Groups(e.Count()), func(worker, g int) error {
		for i := range samples {
			target := targets[points*i : points*(i+1)]
			input := inputs[width*i : width*(i+1)]
			row := i * points
			if b.rows < points {
				row = b.size * b.rows // behind those that enter
			}
			b.trainers[worker](features, row, g, input, target, products)
			if b.means != nil {
				b.means.subtract(features, row, g, target, rhs)
			}
			if b.rows < points {
				for p, end := panelsOf(features, g); p < end; p++ {
					panel := features.Panel(p)
					for k, x := range chosen[i] {
						copy(panel[fft.Lanes*(i*b.rows+k):][:fft.Lanes], panel[fft.Lanes*(row+x):])
					}
				}
			}
		}
		return nil
	})
}

// panelsOf returns the panels first to before end of a group of features.
func panelsOf(features *linalg.Panels, g int) (first, end int) {
	const perGroup = feature.GroupSize / fft.Lanes
	return perGroup * g, min(perGroup*(g+1), features.Count())
}

// misses returns the sum of squares of the residual of a model with padded coefficients on each sample of a block.
func (r rowsOf) misses(features *linalg.Panels, alpha []float64) []float64 {
	predicted := make([]float64, len(r.targets))
	for p := 0; fft.Lanes*p < len(alpha); p++ {
		panel := features.Panel(p)[:fft.Lanes*len(predicted)]
		linalg.Combine(predicted, panel, alpha[fft.Lanes*p:fft.Lanes*(p+1)])
	}
	all := make([]float64, len(r.squares))
	rows := len(r.targets) / len(r.squares) // of a sample
	for row, u := range r.targets {
		residual := u - predicted[row]
		all[row/rows] += residual * residual
	}
	return all
}

// padded returns alpha/m for features of the given indices, with zeros for all others up to whole panels of count.
func padded(alpha []float64, indices []int, count int) []float64 {
	all := make([]float64, (count+fft.Lanes-1)/fft.Lanes*fft.Lanes)
	for i, a := range alpha {
		all[indices[i]] = a / float64(len(alpha))
	}
	return all
}

// means are the means over training samples of features and outputs.
type means struct {
	features *linalg.Panels // rows: those of one sample
	outputs  []float64
}

// meansOf computes the means over the pairs, by a pass over the features of its own: a single pass would subtract means
// from sums of squares, which cancels.
func meansOf(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int) (*means, error) {
	points := e.Points()
	b := newBlocks(e, pairs, workers, Rows{}, nil)
	features := b.matrix()
	m := &means{
		features: linalg.NewPanels(points, e.Count()),
		outputs:  make([]float64, points),
	}
	for first := 0; first < pairs.Count(); first += b.size {
		block, err := b.evaluate(ctx, features, b.ignored, first)
		if err != nil {
			return nil, err
		}
		err = parallel.For(ctx, workers, feature.Groups(e.Count()), func(_, g int) error {
			for p, end := panelsOf(features, g); p < end; p++ {
				for i := range block.squares {
					sample := features.Panel(p)[fft.Lanes*points*i:]
					enter(m.features.Panel(p), sample, first+i)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i := range block.squares {
			enter(m.outputs, block.targets[points*i:], first+i)
		}
	}
	return m, nil
}

// enter updates the mean of the given number of samples by another one; the mean of equal samples is exact.
func enter(mean, sample []float64, samples int) {
	share := 1 / float64(samples+1)
	for x, c := range mean {
		mean[x] += share * (sample[x] - c)
	}
}

// subtract subtracts the means from the features of group g for one sample, and adds the products of the differences
// with the target to rhs.
func (m *means) subtract(features *linalg.Panels, row, g int, target, rhs []float64) {
	for p, end := panelsOf(features, g); p < end; p++ {
		mean := m.features.Panel(p)
		panel := features.Panel(p)[fft.Lanes*row:]
		var sums [fft.Lanes]float64
		for x, u := range target {
			c := (*[fft.Lanes]float64)(mean[fft.Lanes*x:])
			v := (*[fft.Lanes]float64)(panel[fft.Lanes*x:])
			for l := range v {
				v[l] -= c[l]
				sums[l] += u * v[l]
			}
		}
		for j := fft.Lanes * p; j < min(fft.Lanes*(p+1), len(rhs)); j++ {
			rhs[j] += sums[j%fft.Lanes]
		}
	}
}
