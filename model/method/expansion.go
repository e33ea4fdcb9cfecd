// This file contains operators that are a sum over functions whose coefficients are numbers, computed from coordinates
// of the input.

package method

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// coordinates maps an input to numbers: z = (a - mean) components, with the values of a in a row.
type coordinates struct {
	mean       []float64  // V values
	components *mat.Dense // V x M
}

// of returns the coordinates of functions, a row each. It runs on the caller's goroutine for up to predictBlock
// functions.
func (c coordinates) of(functions grid.Batch) *mat.Dense {
	centred := mat.NewDense(functions.Count, functions.Values(), nil)
	for i := range functions.Count {
		row := centred.RawRowView(i)
		for x, v := range functions.At(i) {
			row[x] = v - c.mean[x]
		}
	}
	_, size := c.components.Dims()
	z := mat.NewDense(functions.Count, size, nil)
	for first := 0; first < functions.Count; first += predictBlock {
		last := min(first+predictBlock, functions.Count)
		product(z.Slice(first, last, 0, size).(*mat.Dense), centred.Slice(first, last, 0, functions.Values()).(*mat.Dense),
			c.components)
	}
	return z
}

// expansion is the operator F(a) = constant + sum_j phi_j(z) c_j, z the coordinates of a, c_j functions.
type expansion struct {
	place
	coordinates
	constant     []float64  // V values
	coefficients *mat.Dense // J x V
	// terms sets phi to the J numbers phi_j of every row of coordinates.
	terms func(phi, z *mat.Dense)
	work  float64 // multiplications and additions of terms for one row, about
}

// predictBlock is the number of inputs that are predicted by one matrix product.
const predictBlock = 64

// Predict implements Operator.
func (e *expansion) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return e.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs := grid.NewBatch(e.outputs(), inputs.Points, inputs.Count)
		terms, values := e.coefficients.Dims()
		err := parallel.For(ctx, workers, (inputs.Count+predictBlock-1)/predictBlock, func(_, block int) error {
			first := block * predictBlock
			count := min(predictBlock, inputs.Count-first)
			phi := mat.NewDense(count, terms, nil)
			e.terms(phi, e.of(inputs.Range(first, count)))
			result := mat.NewDense(count, values, outputs.Range(first, count).Data)
			product(result, phi, e.coefficients)
			for i := range count {
				for x, v := range e.constant {
					result.RawRowView(i)[x] += v
				}
			}
			progress(count)
			return nil
		})
		return outputs, err
	})
}

// serialColumns is the number of columns of a product with up to predictBlock rows that gonum computes on the calling
// goroutine: it divides larger results among all cores, from four blocks of 64 x 64 on.
const serialColumns = 3 * 64

// product sets dst, with up to predictBlock rows, to a b on one core. The result is that of dst.Mul.
func product(dst, a, b *mat.Dense) {
	rows, columns := dst.Dims()
	inner, _ := b.Dims()
	for first := 0; first < columns; first += serialColumns {
		last := min(first+serialColumns, columns)
		dst.Slice(0, rows, first, last).(*mat.Dense).Mul(a, b.Slice(0, inner, first, last))
	}
}

// Cost implements Operator. Interpolating predictions on other grids costs little in addition.
func (e *expansion) Cost(int) float64 {
	in, coordinates := e.components.Dims()
	terms, out := e.coefficients.Dims()
	return 2*(float64(in)*float64(coordinates)+float64(out)*float64(terms)) + e.work
}
