// This file finds the slowest eigenvectors of the Laplacian at points, by iterations with its inverse.

package points

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/parallel"
)

// function returns column k of vectors of the symmetric matrix, by row, as a function at all points: divided by the roots,
// with norm 1 by the weights and a positive largest value, so that it does not depend on the method. It vanishes at points
// without a row.
func (s *stiffness) function(vectors *mat.Dense, k, points int) []float64 {
	values := make([]float64, points)
	norm := 0.0    // of the vector, squared
	largest := 0.0 // value at a point
	for row, point := range s.order {
		v := vectors.At(row, k)
		norm += v * v
		values[point] = v / s.root[row]
	}
	for _, v := range values {
		if math.Abs(v) > (1+1e-6)*math.Abs(largest) {
			largest = v
		}
	}
	factor := math.Copysign(1/math.Sqrt(norm), largest)
	floats.Scale(factor, values)
	return values
}

// dense returns the lowest eigenvalues and vectors by a decomposition of the whole matrix.
func (s *stiffness) dense(wanted int) ([]float64, *mat.Dense) {
	n := len(s.order)
	whole := mat.NewSymDense(n, nil)
	for i, row := range s.rows {
		for k, j := range row.columns {
			if j >= i {
				whole.SetSym(i, j, row.values[k])
			}
		}
	}
	var eigen mat.EigenSym
	eigen.Factorize(whole, true)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	lowest := mat.NewDense(n, wanted, nil)
	lowest.Copy(vectors.Slice(0, n, 0, wanted))
	return eigen.Values(nil)[:wanted], lowest
}

// lowest returns the same by iteration of a larger subspace with the inverse of the shifted matrix, from a banded
// factorisation. The functions that vary most are not exact, but orthonormal and as smooth.
func (s *stiffness) lowest(ctx context.Context, wanted, workers int) ([]float64, *mat.Dense, error) {
	const (
		rounds = 5
		solves = 2
	)
	n := len(s.order)
	size := min(n, wanted+wanted/2)
	factor := newBand(s)
	block := mat.NewDense(size, n, nil) // vectors in rows
	random := newRandom(7)
	entries := block.RawMatrix().Data
	for i := range entries {
		entries[i] = random.next()
	}
	var values []float64
	for range rounds {
		err := parallel.For(ctx, workers, size, func(_, i int) error {
			for range solves {
				factor.solve(block.RawRowView(i))
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
		values = s.ritz(block)
	}
	vectors := mat.NewDense(n, wanted, nil)
	for k := range wanted {
		vectors.SetCol(k, block.RawRowView(k))
	}
	return values[:wanted], vectors, nil
}

// orthonormalise makes the rows of a block orthonormal, one after the other, twice against rounding.
func orthonormalise(block *mat.Dense) {
	size, _ := block.Dims()
	for i := range size {
		row := block.RawRowView(i)
		for range 2 {
			for j := range i {
				other := block.RawRowView(j)
				floats.AddScaled(row, -floats.Dot(row, other), other)
			}
			floats.Scale(1/floats.Norm(row, 2), row)
		}
	}
}

// ritz makes the rows of a block orthonormal, and the eigenvectors of the matrix in the subspace that they span, the
// lowest first. It returns their values.
func (s *stiffness) ritz(block *mat.Dense) []float64 {
	size, n := block.Dims()
	orthonormalise(block)
	image := mat.NewDense(size, n, nil)
	for i := range size {
		from := block.RawRowView(i)
		for row, entries := range s.rows {
			image.Set(i, row, entries.times(from))
		}
	}
	var inner mat.Dense
	inner.Mul(block, image.T())
	symmetric := mat.NewSymDense(size, nil)
	for i := range size {
		for j := i; j < size; j++ {
			mean := (inner.At(i, j) + inner.At(j, i)) / 2
			symmetric.SetSym(i, j, mean)
		}
	}
	var eigen mat.EigenSym
	eigen.Factorize(symmetric, true)
	var turn mat.Dense
	eigen.VectorsTo(&turn)
	var turned mat.Dense
	turned.Mul(turn.T(), block)
	block.Copy(&turned)
	return eigen.Values(nil)
}

// band is the Cholesky factor of the matrix plus a shift, which makes it positive definite.
type band struct {
	width  int
	values []float64 // rows of width+1 entries: (i, i-width) to (i, i)
}

// row returns row i, which ends with the diagonal.
func (b *band) row(i int) []float64 {
	stride := b.width + 1
	return b.values[i*stride:][:stride]
}

// newBand factorises the matrix.
func newBand(s *stiffness) *band {
	b := &band{}
	for i, row := range s.rows {
		b.width = max(b.width, i-row.columns[0])
	}
	stride := b.width + 1
	b.values = make([]float64, len(s.rows)*stride)
	for i, row := range s.rows {
		line := b.row(i)
		for k, j := range row.columns {
			if j <= i {
				line[j-i+b.width] = row.values[k]
			}
		}
		line[b.width] += s.shift
		first := max(0, i-b.width)
		for j := first; j <= i; j++ {
			other := b.row(j)
			sum := line[j-i+b.width]
			for k := max(first, j-b.width); k < j; k++ {
				sum -= line[k-i+b.width] * other[k-j+b.width]
			}
			if j < i {
				line[j-i+b.width] = sum / other[b.width]
			} else {
				line[b.width] = math.Sqrt(sum)
			}
		}
	}
	return b
}

// solve replaces x by the product of the inverse of the factorised matrix with it.
func (b *band) solve(x []float64) {
	for i := range x {
		line := b.row(i)
		sum := x[i]
		for k := max(0, i-b.width); k < i; k++ {
			sum -= line[k-i+b.width] * x[k]
		}
		x[i] = sum / line[b.width]
	}
	for i := len(x) - 1; i >= 0; i-- {
		line := b.row(i)
		x[i] /= line[b.width]
		for k := max(0, i-b.width); k < i; k++ {
			x[k] -= line[k-i+b.width] * x[i]
		}
	}
}
