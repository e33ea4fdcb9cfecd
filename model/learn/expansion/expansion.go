// Package expansion describes functions by coefficients in a basis: principal components, waves of low frequency, or the
// numbers of which they consist. An Expansion is an operator that is a sum of functions, whose factors depend on the
// coefficients of an input.
package expansion

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/operator"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// Projection maps an input to numbers: z = (a - mean) components, with the values of a in a row.
type Projection struct {
	Mean       []float64      `json:"mean" shape:"inputs"`
	Components *linalg.Panels `json:"components" shape:"inputs modes"`
}

// Expansion is the operator F(a) = constant + sum_g sum_j phi_gj(z) g c_j, z the coordinates of a, c_j functions and g
// the motions of a symmetry group, or the identity alone.
type Expansion struct {
	operator.Base
	Projection
	Constant     []float64      `json:"constant" shape:"outputs"`
	Coefficients *linalg.Panels `json:"coefficients" shape:"terms outputs"`
	Sources      [][]int        // of each g the index of the value that it moves to each place; nil: the identity
	Offset       []float64      // added to the sum of some terms
	// Terms computes the numbers phi_gj, first <= j < first + count, of some inputs: a row for each term, a column for
	// each input. z has their coordinates in columns, followed by 1 and the squared norm. It returns ctx.Err() if ctx is
	// done.
	Terms func(ctx context.Context, z *linalg.Panels, g, first, count, workers int) (*linalg.Panels, error)
}

// Predictions take predictBlock inputs, and predictTerms terms of these at a time. The latter is a multiple of
// linalg.KC, so that no bit depends on it.
const (
	predictBlock = 96
	predictTerms = 8 * linalg.KC
)

// Predict implements Operator. Each number of a prediction is computed alike in blocks of any size.
func (e *Expansion) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	return e.InBlocks(ctx, inputs, workers, 8, predictBlock, progress, e.predict)
}

// predict sets outputs to the predictions for a block of inputs. It returns ctx.Err() if ctx is done.
func (e *Expansion) predict(ctx context.Context, outputs, inputs grid.Batch, workers int) error {
	count := inputs.Count
	z, err := e.coordinates(ctx, inputs, workers)
	if err != nil {
		return err
	}
	for i := range count {
		copy(outputs.At(i), e.Offset)
	}
	sums := linalg.NewRectangle(count, len(e.Offset)) // a row for each input
	for g, from := range e.Sources {
		err := e.addTerms(ctx, sums, z, g, workers)
		if err != nil {
			return err
		}
		for i := range count {
			sum := sums.Row(i)
			AddMoved(outputs.At(i), 1, sum, from)
			clear(sum)
		}
	}
	return nil
}

// coordinates returns the coordinates z of inputs in columns, followed by 1 and the squared norm.
func (e *Expansion) coordinates(ctx context.Context, inputs grid.Batch, workers int) (*linalg.Panels, error) {
	size := e.Components.Rows()                     // values of an input
	centred := linalg.NewPanels(size, inputs.Count) // a column for each input
	difference := make([]float64, size)
	for i := range inputs.Count {
		floats.SubTo(difference, inputs.At(i), e.Mean)
		centred.SetColumn(i, difference)
	}
	coordinates := linalg.NewRectangle(inputs.Count, e.Components.Cols())
	err := coordinates.AddProduct(ctx, centred, e.Components, size, workers)
	if err != nil {
		return nil, err
	}
	return ColumnsOf(coordinates.General()), nil
}

// addTerms adds sum_j phi_gj(z) c_j to the row of each input.
func (e *Expansion) addTerms(ctx context.Context, sums *linalg.Rectangle, z *linalg.Panels, g, workers int) error {
	all := e.Coefficients.Rows()
	for first := 0; first < all; first += predictTerms {
		some := min(predictTerms, all-first)
		phi, err := e.Terms(ctx, z, g, first, some, workers)
		if err != nil {
			return err
		}
		err = sums.AddProduct(ctx, phi, e.Coefficients.From(first), some, workers)
		if err != nil {
			return err
		}
	}
	return nil
}

// AddMoved adds a factor times the image of a function under a motion with the given indices; nil: the identity.
func AddMoved(dst []float64, factor float64, f []float64, from []int) {
	if from == nil {
		floats.AddScaled(dst, factor, f)
	}
	for x, i := range from {
		dst[x] += factor * f[i]
	}
}

// ColumnsOf returns points in rows of a matrix as columns, followed by 1 and the squared norm.
func ColumnsOf(rows blas64.General) *linalg.Panels {
	p := linalg.NewPanels(rows.Cols+2, rows.Rows)
	for i := range rows.Rows {
		point := rows.Data[i*rows.Stride:][:rows.Cols]
		square := floats.Dot(point, point)
		column := append(slices.Clone(point), 1, square)
		p.SetColumn(i, column)
	}
	return p
}
