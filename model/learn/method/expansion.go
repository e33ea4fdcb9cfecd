package method

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/ridge"
	"rfm/solver/base/parallel"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// coordinates maps an input to numbers: z = (a - mean) components, with the values of a in a row.
type coordinates struct {
	Mean       []float64      `json:"mean" shape:"inputs"`
	Components *linalg.Panels `json:"components" shape:"inputs modes"`
}

// expansion is the operator F(a) = constant + sum_g sum_j phi_gj(z) g c_j, z the coordinates of a, c_j functions and g
// the motions of a symmetry group, or the identity alone.
type expansion struct {
	place
	coordinates
	Constant     []float64      `json:"constant" shape:"outputs"`
	Coefficients *linalg.Panels `json:"coefficients" shape:"terms outputs"`
	sources      [][]int        // of each g, see sourcesOf
	offset       []float64      // added to the sum of some terms
	// terms computes the numbers phi_gj, first <= j < first + count, of some inputs: a row for each term, a column for
	// each input. z has their coordinates in columns, followed by 1 and the squared norm. The error is ctx's.
	terms func(ctx context.Context, z *linalg.Panels, g, first, count, workers int) (*linalg.Panels, error)
}

// Predictions take predictBlock inputs, and predictTerms terms of these at a time. The latter is a multiple of
// linalg.KC, so that no bit depends on it.
const (
	predictBlock = 96
	predictTerms = 8 * linalg.KC
)

// Predict implements Operator. Each number of a prediction is computed alike in blocks of any size.
func (e *expansion) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return e.inBlocks(ctx, inputs, workers, 8, predictBlock, progress, e.predict)
}

// inBlocks evaluates an operator on its own grid. It divides inputs into blocks of least to most inputs, most being a
// multiple of least, and predicts one block on each worker at a time, or on all workers if there are fewer blocks than
// workers.
func (p place) inBlocks(ctx context.Context, inputs grid.Batch, workers, least, most int, progress func(added int),
	predict func(ctx context.Context, outputs, inputs grid.Batch, workers int) error) (grid.Batch, error) {
	return p.apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		size, outputs := least, grid.NewBatch(p.outputs(), inputs.Points, inputs.Count)
		for size < most && size*max(1, workers) < inputs.Count {
			size += least
		}
		blocks := (inputs.Count + size - 1) / size
		side, each := ridge.AtOnce(blocks, max(1, workers))
		return outputs, parallel.For(ctx, side, blocks, func(_, block int) error {
			first := block * size
			count := min(size, inputs.Count-first)
			defer progress(count)
			return predict(ctx, outputs.Range(first, count), inputs.Range(first, count), each)
		})
	})
}

// predict sets outputs to the predictions for a block of inputs. The error is ctx's.
func (e *expansion) predict(ctx context.Context, outputs, inputs grid.Batch, workers int) error {
	inner, size := e.Components.Rows(), e.Components.Cols()
	count, all := inputs.Count, e.Coefficients.Rows()
	centred, sums := linalg.NewPanels(inner, count), linalg.NewRectangle(count, len(e.offset))
	difference := make([]float64, inner)
	for i := range count {
		centred.SetColumn(i, floats.SubTo(difference, inputs.At(i), e.Mean))
	}
	coordinates := linalg.NewRectangle(count, size)
	if err := coordinates.AddProduct(ctx, centred, e.Components, inner, workers); err != nil {
		return err
	}
	z := columnsOf(coordinates.General())
	for i := range count {
		copy(outputs.At(i), e.offset)
	}
	for g, from := range e.sources {
		for first := 0; first < all; first += predictTerms {
			some := min(predictTerms, all-first)
			phi, err := e.terms(ctx, z, g, first, some, workers)
			if err != nil {
				return err
			}
			if err := sums.AddProduct(ctx, phi, e.Coefficients.From(first), some, workers); err != nil {
				return err
			}
		}
		for i := range count {
			addMoved(outputs.At(i), 1, sums.Row(i), from)
			clear(sums.Row(i))
		}
	}
	return nil
}

// addMoved adds a factor times the image of a function under a motion with the given indices, see sourcesOf.
func addMoved(dst []float64, factor float64, f []float64, from []int) {
	if from == nil {
		floats.AddScaled(dst, factor, f)
	}
	for x, i := range from {
		dst[x] += factor * f[i]
	}
}
