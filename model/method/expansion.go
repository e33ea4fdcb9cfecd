// This file is operators that are a sum over functions with numbers as coefficients, which follow from some coordinates
// of the input.

package method

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"rfm/model/feature"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// coordinates are numbers that an input is described by: z = (a - mean) components, the values of a in a row.
type coordinates struct {
	mean       []float64  // V values
	components *mat.Dense // V x M
}

// of are the coordinates of functions: a row each. It stays on the goroutine of its caller for up to predictBlock of
// them.
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
	work  float64 // multiplications and additions of that for one row, about
}

// predictBlock is the number of inputs that are predicted by one matrix product.
const predictBlock = 64

// Predict is one of Operator.
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

// serialColumns is the number of columns of a product with up to predictBlock rows that gonum computes on the goroutine
// that asks for it: it divides larger results among all cores, from four blocks of 64 x 64 on.
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

// Cost is one of Operator. Predictions on other grids are interpolated, which costs little beside.
func (e *expansion) Cost(int) float64 {
	in, coordinates := e.components.Dims()
	terms, out := e.coefficients.Dims()
	return 2*(float64(in)*float64(coordinates)+float64(out)*float64(terms)) + e.work
}

// Check is one of Operator.
func (e *expansion) Check() error {
	values, terms := e.values(), 0
	in := e.inputs().Values(e.points)
	if e.coefficients != nil {
		terms, _ = e.coefficients.Dims()
	}
	if terms < 1 || len(e.mean) != in || len(e.constant) != values || !grid.Finite(e.leaveOneOut) || e.leaveOneOut < 0 {
		return feature.Unusable("has no coefficients, or those of another grid")
	}
	return nil
}

// arrays are those of every expansion.
func (e *expansion) arrays() []npy.Named {
	return []npy.Named{array("mean", e.mean, len(e.mean)), dense("components", e.components),
		array("constant", e.constant, e.values()), dense("coefficients", e.coefficients)}
}

func dense(name string, m *mat.Dense) npy.Named {
	rows, columns := m.Dims()
	data := make([]float64, 0, rows*columns)
	for i := range rows {
		data = append(data, m.RawRowView(i)...)
	}
	return array(name, data, rows, columns)
}

// readDense reads a matrix; -1 is any number of rows or columns.
func readDense(s feature.Stored, name string, rows, columns int) (*mat.Dense, error) {
	a, err := readArray(s, name, rows, columns)
	if err != nil {
		return nil, err
	}
	return mat.NewDense(a.Shape[0], a.Shape[1], a.Data), nil
}

// readExpansion reads what arrays writes; terms are the rows of the coefficients, -1 any number.
func readExpansion(s feature.Stored, g gridScalars, leaveOneOut float64, terms int) (*expansion, error) {
	p, err := g.place(leaveOneOut)
	if err != nil {
		return nil, err
	}
	e := &expansion{place: p}
	values := p.inputs().Values(p.points)
	mean, err := readArray(s, "mean", values)
	if err != nil {
		return nil, err
	}
	constant, err := readArray(s, "constant", p.values())
	if err != nil {
		return nil, err
	}
	e.mean, e.constant = mean.Data, constant.Data
	if e.components, err = readDense(s, "components", values, -1); err != nil {
		return nil, err
	}
	e.coefficients, err = readDense(s, "coefficients", terms, p.values())
	return e, err
}

// NumPy is a program for the terms phi of the coordinates z, on the operator's own grid.
func (e *expansion) program(points int, phi string) (imports, program string) {
	if points != e.points {
		return "", ""
	}
	shape := "a.shape"
	if e.in != e.out {
		if shape = "len(a), -1, *a.shape[-" + fmt.Sprint(e.domain.Dims) + ":]"; e.out == 1 {
			shape = "len(a), *a.shape[-" + fmt.Sprint(e.domain.Dims) + ":]"
		}
	}
	return "", `z = (a.reshape(len(a), -1) - model["mean"]) @ model["components"]
` + phi + `
u = (model["constant"] + phi @ model["coefficients"]).reshape(` + shape + `)
`
}
