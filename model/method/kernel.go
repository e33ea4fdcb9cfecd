// This file is kernel ridge regression on principal components.

package method

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// KernelRidge is the interpolant
//
//	F(a) = sum_i k(a, a_i) c_i,  (k(a_i, a_j) + Ridge delta_ij) c = u,
//	k(a, a') = 1 + matern(d(a, a') / Length),  matern(s) = (1 + sqrt5 s + 5/3 s^2) exp(-sqrt5 s),
//
// where d is the Euclidean distance of the first Modes principal coefficients of the inputs, coefficient j multiplied with
// variance_j^Weight. The constant in the kernel is an unknown mean output.
type KernelRidge struct {
	Parameters
	LeaveOneOut float64 // mean relative L2 error of predictions of each training output from the other pairs

	inputs       *principal
	points       *mat.Dense // weighted coefficients of the training inputs, a row each
	coefficients *mat.Dense // c, a row a pair
}

// Parameters are what the leave-one-out error chooses.
type Parameters struct {
	Modes  int     // number of principal components of the inputs
	Weight float64 // exponent: 0 is the L2 distance, -1/2 whitening, above 0 smooth differences count more
	Length float64 // length scale, relative to the mean distance of two training inputs
	Ridge  float64
}

// Kernel fits kernel ridge regression to the pairs. Parameters are those with the smallest
// leave-one-out error, exact in closed form, that a descent along each in turn finds on the first searchPairs pairs; the
// fit uses all. workers bound the goroutines of this package; gonum's matrix products of the fit take all cores, predictions do not. Errors: a *fault.Data if there are fewer than three pairs, a value is not finite, all inputs are the same or
// an output is zero; ctx's.
func Kernel(ctx context.Context, pairs dataset.Pairs, workers int) (*KernelRidge, error) {
	p, err := newKernelProblem(pairs)
	if err != nil {
		return nil, err
	}
	chosen, err := p.first(searchPairs).choose(ctx, workers)
	if err != nil {
		return nil, err
	}
	return p.fit(ctx, chosen, workers)
}

// Name is "kernel ridge".
func (*KernelRidge) Name() string { return "kernel ridge" }

// predictBlock is the number of inputs that are predicted by one matrix product.
const predictBlock = 64

// Predict implements Baseline.
func (k *KernelRidge) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	if err := checkGrid(inputs, len(k.inputs.mean)); err != nil {
		return grid.Batch{}, err
	}
	outputs := inputs.Like(inputs.Count)
	blocks := (inputs.Count + predictBlock - 1) / predictBlock
	err := parallel.For(ctx, workers, blocks, func(_, block int) error {
		first := block * predictBlock
		count := min(predictBlock, inputs.Count-first)
		points := k.Parameters.points(k.inputs, k.inputs.coefficients(inputs.Range(first, count)))
		pairs, _ := k.points.Dims()
		values := mat.NewDense(count, pairs, nil)
		for i := range count {
			row, z := values.RawRowView(i), points.RawRowView(i)
			for j := range row {
				row[j] = kernel(distance(z, k.points.RawRowView(j)))
			}
		}
		product(mat.NewDense(count, inputs.Values(), outputs.Range(first, count).Data), values, k.coefficients)
		if progress != nil {
			progress(count)
		}
		return nil
	})
	if err != nil {
		return grid.Batch{}, err
	}
	return outputs, nil
}

// serialColumns is the number of columns of a product with up to predictBlock rows that gonum computes on the goroutine that
// asks for it: it divides larger results among all cores, from four blocks of 64 x 64 on.
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

// kernel is 1 + matern at a distance in units of the length scale.
func kernel(distance float64) float64 {
	s := math.Sqrt(5) * distance
	return 1 + (1+s+s*s/3)*math.Exp(-s)
}

func distance(z, w []float64) float64 {
	sum := 0.0
	for k, v := range z {
		sum += (v - w[k]) * (v - w[k])
	}
	return math.Sqrt(sum)
}

// kernelProblem is what does not depend on the parameters.
type kernelProblem struct {
	inputs       *principal
	coefficients *mat.Dense // of the training inputs, a row each
	outputs      *mat.Dense // a row each
	weights      []float64
	sizes        []float64 // L2 norms of the outputs
}

func newKernelProblem(pairs dataset.Pairs) (*kernelProblem, error) {
	if err := check(pairs); err != nil {
		return nil, err
	}
	p := &kernelProblem{weights: pairs.Inputs.Domain.Weights(pairs.Inputs.Points), outputs: mat.NewDense(pairs.Count(), pairs.Outputs.Values(), pairs.Outputs.Data)}
	var err error
	if p.sizes, err = norms(pairs.Outputs, p.weights); err != nil {
		return nil, err
	}
	if p.inputs, err = newPrincipal(pairs.Inputs, p.weights); err != nil {
		return nil, err
	}
	p.coefficients = p.inputs.coefficients(pairs.Inputs)
	return p, nil
}

// count is the number of pairs.
func (p *kernelProblem) count() int { return len(p.sizes) }

// first is the problem with the first pairs only; the principal components stay.
func (p *kernelProblem) first(pairs int) *kernelProblem {
	part := *p
	n := min(pairs, p.count())
	part.sizes = p.sizes[:n]
	part.coefficients = p.coefficients.Slice(0, n, 0, len(p.inputs.variances)).(*mat.Dense)
	part.outputs = p.outputs.Slice(0, n, 0, len(p.weights)).(*mat.Dense)
	return &part
}

// points are coefficients in which Euclidean distances are in units of the length scale: rows of Modes numbers.
func (q Parameters) points(inputs *principal, coefficients *mat.Dense) *mat.Dense {
	n, _ := coefficients.Dims()
	points, unit := mat.NewDense(n, q.Modes, nil), 1/(q.Length*q.spread(inputs))
	for i := range n {
		row, c := points.RawRowView(i), coefficients.RawRowView(i)
		for k := range row {
			row[k] = unit * math.Pow(inputs.variances[k], q.Weight) * c[k]
		}
	}
	return points
}

// spread is the root mean square distance of two inputs before it is measured in length scales.
func (q Parameters) spread(inputs *principal) float64 {
	sum := 0.0
	for _, v := range inputs.variances[:q.Modes] {
		sum += 2 * math.Pow(v, 1+2*q.Weight)
	}
	return math.Sqrt(sum)
}

// inverse is (k(a_i, a_j) + Ridge delta_ij)^-1, and the points it belongs to. It is nil if the matrix is not positive
// definite in floating point numbers.
func (p *kernelProblem) inverse(ctx context.Context, q Parameters, workers int) (*mat.SymDense, *mat.Dense, error) {
	points, n := q.points(p.inputs, p.coefficients), p.count()
	values := mat.NewSymDense(n, nil)
	err := parallel.For(ctx, workers, n, func(_, i int) error {
		for j := i; j < n; j++ {
			values.SetSym(i, j, kernel(distance(points.RawRowView(i), points.RawRowView(j))))
		}
		values.SetSym(i, i, values.At(i, i)+q.Ridge)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	var factor mat.Cholesky
	if !factor.Factorize(values) {
		return nil, points, nil
	}
	inverse := values // its memory
	if err := factor.InverseTo(inverse); err != nil {
		return nil, points, nil
	}
	return inverse, points, nil
}

// solve is c = (k + Ridge)^-1 u and the leave-one-out error: without pair i, its prediction misses it by
// c_i / ((k + Ridge)^-1)_ii. The error is +Inf if the system cannot be solved.
func (p *kernelProblem) solve(ctx context.Context, q Parameters, workers int) (c, points *mat.Dense, leaveOneOut float64, err error) {
	inverse, points, err := p.inverse(ctx, q, workers)
	if err != nil {
		return nil, nil, 0, err
	}
	if inverse == nil {
		return nil, nil, math.Inf(1), nil
	}
	c = new(mat.Dense)
	c.Mul(mat.DenseCopyOf(inverse), p.outputs) // products of dense matrices are many times faster than of symmetric ones
	for i, size := range p.sizes {
		norm := 0.0
		for x, v := range c.RawRowView(i) {
			norm += p.weights[x] * v * v
		}
		leaveOneOut += math.Sqrt(norm) / inverse.At(i, i) / size / float64(p.count())
	}
	if math.IsNaN(leaveOneOut) {
		leaveOneOut = math.Inf(1)
	}
	return c, points, leaveOneOut, nil
}

// fit solves with given parameters. The error is ctx's, or a *fault.Numerical.
func (p *kernelProblem) fit(ctx context.Context, q Parameters, workers int) (*KernelRidge, error) {
	c, points, leaveOneOut, err := p.solve(ctx, q, workers)
	if err != nil {
		return nil, err
	}
	if math.IsInf(leaveOneOut, 1) {
		return nil, &fault.Numerical{Where: "kernel ridge regression", What: fmt.Sprintf("the kernel matrix of %d inputs is not positive definite with ridge %g", p.count(), q.Ridge), Do: "look for inputs that occur twice"}
	}
	return &KernelRidge{Parameters: q, LeaveOneOut: leaveOneOut, inputs: p.inputs, points: points, coefficients: c}, nil
}
