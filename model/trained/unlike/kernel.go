// This file evaluates the kernel by which inputs are compared, and deviations from it.

package unlike

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/ridge"
	"rfm/solver/num/activation"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// squares returns the squared distances of the rows from each other.
func squares(rows *mat.Dense) *mat.SymDense {
	n, columns := rows.Dims()
	all := mat.NewSymDense(n, nil)
	difference := make([]float64, columns)
	for i := range n {
		for j := i + 1; j < n; j++ {
			floats.SubTo(difference, rows.RawRowView(i), rows.RawRowView(j))
			all.SetSym(i, j, floats.Dot(difference, difference))
		}
	}
	return all
}

// rootMeanSquare returns that of the distances of different rows from each other: the sum of the squares of all n^2
// distances is 2 n times that of the distances from the mean.
func rootMeanSquare(rows *mat.Dense) float64 {
	n, columns := rows.Dims()
	mean := make([]float64, columns) // less the first row, so that it is zero if all are the same
	difference := make([]float64, columns)
	for i := range n {
		floats.SubTo(difference, rows.RawRowView(i), rows.RawRowView(0))
		floats.AddScaled(mean, 1/float64(n), difference)
	}
	sum := 0.0
	for i := range n {
		floats.SubTo(difference, rows.RawRowView(i), rows.RawRowView(0))
		floats.Sub(difference, mean)
		sum += floats.Dot(difference, difference)
	}
	return math.Sqrt(2 * sum / float64(n-1))
}

// matern replaces squared distances by the values of Matern's kernel of order 5/2; rounding may have made them negative.
func matern(squared []float64) {
	var none [8]float64
	activation.Matern.Apply(squared, &none)
}

// matrix returns K + c I.
func (in *Inputs) matrix() *mat.SymDense {
	k := squares(in.rows)
	raw := k.RawSymmetric()
	matern(raw.Data)
	for i := range raw.N {
		k.SetSym(i, i, 1+nugget)
	}
	return k
}

// leftOut returns the deviation of each reference from those outside of its group: the root of the diagonal of the
// inverse of the group's block of (K + c I)^-1, whose factors are given.
func leftOut(factors *mat.Cholesky, groups ridge.Groups) (all []float64) {
	var inverse mat.SymDense
	if factors.InverseTo(&inverse) != nil {
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

// deviations returns s of functions on the grid of the references. It returns ctx.Err() if ctx is done.
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
			row[j] = own + norms[j] - 2*product
		}
		matern(row)
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
