// This file evaluates the kernel by which inputs are compared, and deviations from it.

package unlike

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/ridge"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// squares returns the squared distances of the rows of a from those of b.
func squares(a, b *mat.Dense) *mat.Dense {
	n, _ := a.Dims()
	m, _ := b.Dims()
	all := mat.NewDense(n, m, nil)
	for i := range n {
		own := a.RawRowView(i)
		row := all.RawRowView(i)
		for j := range m {
			sum := 0.0
			for x, v := range b.RawRowView(j) {
				d := own[x] - v
				sum += d * d
			}
			row[j] = sum
		}
	}
	return all
}

// kernels replaces squared distances by the values of Matern's kernel of order 5/2.
func kernels(squared *mat.Dense) *mat.Dense {
	squared.Apply(func(_, _ int, square float64) float64 { return matern(square) }, squared)
	return squared
}

// matern returns Matern's kernel of order 5/2 of a squared distance.
func matern(square float64) float64 {
	r := math.Sqrt(5 * square)
	if r > 700 { // its exponential is zero
		return 0
	}
	return (1 + r + r*r/3) * math.Exp(-r)
}

// matrix returns K + c I.
func (in *Inputs) matrix() *mat.SymDense {
	kernels := kernels(squares(in.rows, in.rows))
	n, _ := kernels.Dims()
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, kernels.At(i, j))
		}
		k.SetSym(i, i, 1+nugget)
	}
	return k
}

// leftOut returns the deviation of each reference from those outside of its group: the root of the diagonal of the
// inverse of the group's block of (K + c I)^-1.
func (in *Inputs) leftOut(groups ridge.Groups) (all []float64) {
	var factors mat.Cholesky
	var inverse mat.SymDense
	if !factors.Factorize(in.matrix()) || factors.InverseTo(&inverse) != nil {
		return []float64{1}
	}
	for _, group := range groups {
		block := mat.NewSymDense(len(group), nil)
		for i, a := range group {
			for j, b := range group[:i+1] {
				block.SetSym(i, j, inverse.At(a, b))
			}
		}
		var own mat.Cholesky
		var covariance mat.SymDense
		if !own.Factorize(block) || own.InverseTo(&covariance) != nil {
			continue
		}
		for i := range group {
			all = append(all, math.Sqrt(max(0, covariance.At(i, i)-nugget)))
		}
	}
	if len(all) == 0 {
		return []float64{1}
	}
	return all
}

// deviations returns s of functions on the grid of the references. The error is ctx's.
func (in *Inputs) deviations(ctx context.Context, b grid.Batch) ([]float64, error) {
	if b.Count == 0 {
		return nil, nil
	}
	rows := in.coordinates(b)
	count, coordinates := rows.Dims()
	references, _ := in.rows.Dims()
	// |x - y|^2 = |x|^2 + |y|^2 - 2 x.y: products with kernels take a tenth of the time of differences.
	products := linalg.NewRectangle(references, count) // references x functions
	err := products.AddProduct(ctx, in.columns, columnsOf(rows), coordinates, 1)
	if err != nil {
		return nil, err
	}
	norms := squaredNorms(rows)
	k := linalg.NewPanels(references, count)
	for i := range references {
		row := products.Row(i)
		own := in.norms[i]
		for j, product := range row {
			square := own + norms[j] - 2*product
			row[j] = matern(max(0, square))
		}
		k.SetRow(i, row)
	}
	v := linalg.NewRectangle(references, count)
	err = v.AddProduct(ctx, in.inverse, k, references, 1)
	if err != nil {
		return nil, err
	}
	all := make([]float64, count)
	for j := range all {
		all[j] = 1
	}
	for i := range references {
		for j, value := range v.Row(i) {
			all[j] -= value * value
		}
	}
	for j, square := range all {
		all[j] = math.Sqrt(max(0, square))
	}
	return all, nil
}

// columnsOf returns rows as the columns of panels.
func columnsOf(rows *mat.Dense) *linalg.Panels {
	count, coordinates := rows.Dims()
	p := linalg.NewPanels(coordinates, count)
	for j := range count {
		p.SetColumn(j, rows.RawRowView(j))
	}
	return p
}

// squaredNorms returns the squares of the norms of rows.
func squaredNorms(rows *mat.Dense) []float64 {
	count, _ := rows.Dims()
	all := make([]float64, count)
	for i := range all {
		row := rows.RawRowView(i)
		all[i] = floats.Dot(row, row)
	}
	return all
}
