// This file solves the systems of kernel ridge regression, which decouple into parities under reflections.

package method

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/linalg"
	"rfm/model/ridge"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// solution is the result of solving for a kernel.
type solution struct {
	points, c   *mat.Dense // the points of the kernel and their coefficients, a row each
	left        *mat.Dense // leave-one-out residuals of the outputs, a row each
	leaveOneOut float64
}

// solve computes c = (k + Ridge)^-1 u and the leave-one-out residuals. The error is ridge.Solve's.
//
// With a symmetry the operator learns from the images of all pairs, and a pair is left out with all of its images.
// Under reflections g a function is a sum of parts of either parity, g f_p = p(g) f_p. The parts of the outputs have
// kernels K_p(a, a') = sum_g p(g) k(a, g a') of the pairs alone, and the coefficient of the image g a_i is g c_i, c_i
// the sum over the parts. Pairs whose axes are exchanged count as pairs.
func (p *kernelProblem) solve(ctx context.Context, q Parameters, workers int) (solution, error) {
	flips, turns := orders(p.domain, q.Symmetry)
	n, V := p.count()*turns, len(p.weights)
	points := mat.NewDense(n*flips, q.Modes, nil) // of the images under reflections, one set after the other
	for flip := range flips {
		for turn := range turns {
			image := q.points(p.inputs, p.images[2*flip+turn])
			for i := range p.count() {
				points.SetRow(flip*n+i*turns+turn, image.RawRowView(i))
			}
		}
	}
	s := solution{points: points, c: mat.NewDense(n*flips, V, nil), left: mat.NewDense(p.count(), V, nil)}
	for parity := range flips { // in advance, as Targets must not write
		p.parts(q.Symmetry, parity)
	}
	groups := ridge.Labelled(p.labels, p.count()).Times(turns)
	err := ridge.SolveBlocks(ctx, parities{p, q.Profile, q.Symmetry, n, flips, points}, q.Ridge, groups, workers,
		func(parity int, solved ridge.Solution) {
			for i := range p.count() {
				floats.Add(s.left.RawRowView(i), solved.Residuals[i*turns*V:(i*turns+1)*V])
			}
			for flip := range flips {
				for i := range n {
					floats.AddScaled(s.c.RawRowView(flip*n+i), sign(parity, flip), solved.Dual[i*V:(i+1)*V])
				}
			}
		})
	if err != nil {
		return solution{}, err
	}
	s.leaveOneOut = meanRelative(s.left.RawMatrix().Data, p.weights, p.sizes)
	return s, nil
}

// parities is the kernel of functions of each parity, with n pairs and images under exchanges of the axes.
type parities struct {
	*kernelProblem
	profile         Profile
	group, n, flips int
	points          *mat.Dense // of the images under reflections, one set of n after the other
}

// Blocks implements ridge.Kernel.
func (k parities) Blocks() int { return k.flips }

// Together implements ridge.Kernel.
func (k parities) Together(int) int { return paritiesTogether(k.n, k.flips) }

// Targets implements ridge.Kernel.
func (k parities) Targets(parity int) []float64 { return k.parts(k.group, parity) }

// Gram implements ridge.Kernel.
func (k parities) Gram(ctx context.Context, first, count, workers int) ([]*linalg.Symmetric, error) {
	values := make([]*linalg.Symmetric, count)
	for q := range values {
		values[q] = linalg.NewSymmetric(k.n)
	}
	for flip := range k.flips {
		if err := addKernel(ctx, k.profile, values, first, k.points, flip, workers); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// parityBytes bounds the memory of the matrices of parities that are built at the same time, except for one.
const parityBytes = 1 << 28

// paritiesTogether returns the number of parities whose matrices of order n are built at the same time: a divisor of
// the number of parities, which is a power of two.
func paritiesTogether(n, parities int) int {
	for parities > 1 && 8*n*n*parities > parityBytes {
		parities /= 2
	}
	return parities
}

// stripRows is the number of rows of kernel matrices whose inner products are known at the same time.
const stripRows = 256

// addKernel adds the share of one reflection of the points, in rows of the second argument, to the kernels of the
// parities from first on.
func addKernel(ctx context.Context, profile Profile, values []*linalg.Symmetric, first int, points *mat.Dense, flip,
	workers int) error {
	n, modes := values[0].Order(), points.RawMatrix().Cols
	image := pointsOf(points.Slice(flip*n, (flip+1)*n, 0, modes).(*mat.Dense))
	for from := 0; from < n; from += stripRows {
		to := min(from+stripRows, n)
		strip, products := linalg.NewPanels(modes+1, to-from), linalg.NewRectangle(to-from, n)
		for i := range to - from {
			strip.SetColumn(i, append(slices.Clone(points.RawRowView(from+i)), 1))
		}
		if err := products.AddProduct(ctx, strip, image, modes+1, workers); err != nil {
			return err
		}
		err := parallel.For(ctx, workers, to-from, func(_, row int) error {
			i := from + row
			kernels := products.Row(row)[i:]
			profile.apply(kernels, sumOfSquares(points.RawRowView(i)))
			floats.AddConst(1, kernels)
			for q := range values {
				floats.AddScaled(values[q].Row(i), sign(first+q, flip), kernels)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pointsOf returns the points y in rows of a matrix as columns (-2 y, |y|^2), whose products with (z, 1) are the
// squared distances |z - y|^2 less |z|^2.
func pointsOf(rows *mat.Dense) *linalg.Panels {
	n, modes := rows.Dims()
	p, column := linalg.NewPanels(modes+1, n), make([]float64, modes+1)
	for i := range n {
		floats.ScaleTo(column[:modes], -2, rows.RawRowView(i))
		column[modes] = sumOfSquares(rows.RawRowView(i))
		p.SetColumn(i, column)
	}
	return p
}

// rowsOf is the inverse of pointsOf.
func rowsOf(points *linalg.Panels) *mat.Dense {
	n, modes := points.Cols(), points.Rows()-1
	var rows mat.Dense
	rows.CloneFrom(dense(points).Slice(0, modes, 0, n).T())
	rows.Scale(-0.5, &rows)
	return &rows
}

// dense returns panels as a matrix.
func dense(p *linalg.Panels) *mat.Dense { return mat.NewDense(p.Rows(), p.Cols(), p.Dense()) }

// parts returns the parts of the outputs, and of their images with axes exchanged, that have a parity under the
// reflections of a group: a row each.
func (p *kernelProblem) parts(group, parity int) []float64 {
	flips, turns := orders(p.domain, group)
	if flips*turns == 1 { // any number of channels
		return p.outputs
	}
	key := [2]int{group, parity}
	if p.split[key] == nil {
		V := len(p.weights)
		p.split[key] = make([]float64, p.count()*turns*V)
		for i := range p.count() {
			for turn := range turns {
				row := p.split[key][(i*turns+turn)*V:][:V]
				for flip := range flips {
					image := grid.BatchOf(p.domain, p.points, p.outputs[i*V:(i+1)*V]).Moved(motion(flip, turn)).At(0)
					floats.AddScaled(row, sign(parity, flip)/float64(flips), image)
				}
			}
		}
	}
	return p.split[key]
}
