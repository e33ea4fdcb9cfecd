package brownian

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/parallel"
)

// Model is the trained random feature model
//
//	F_m(x) = (1/m) sum_l alpha_l phi(x; theta_l) = sum_j c_j sqrt2 sin(j pi x)/(j pi),  c_j = (1/m) sum_l alpha_l theta_lj,
//
// so evaluating it costs J operations a point, for any m.
type Model struct {
	Alpha        []float64 // length m
	Coefficients []float64 // c_j, length J
}

// maxFeatures separates the streams of different draws: feature l of draw d has index d*maxFeatures + l.
const maxFeatures = 1 << 24

// draw draws the first count features of a draw, one in a row of theta (count x J), and evaluates them at the data
// points (count x n). The error is ctx's.
func (p Problem) draw(ctx context.Context, x []float64, count, number, workers int) (theta, phi *mat.Dense, err error) {
	basis := p.modes(x)
	theta, phi = mat.NewDense(count, p.Truncation, nil), mat.NewDense(count, len(x), nil)
	return theta, phi, parallel.For(ctx, workers, count, func(_, l int) error {
		stream, values := draw.Stream(p.Seed, draw.ThetaBridge, number*maxFeatures+l), phi.RawRowView(l)
		for j := range p.Truncation {
			v := stream.NormFloat64()
			theta.Set(l, j, v)
			floats.AddScaled(values, v, basis.RawRowView(j))
		}
		return nil
	})
}

// Train returns the models of the first m features of a draw (0 to 127), for every m in counts, in that order. With
// Phi_il = phi(x_i; theta_l), alpha is the minimum norm least squares solution of (1/m) Phi alpha = y. For m > n it
// solves n equations, for m <= n it solves m:
//
//	alpha = Phi' beta, (Phi Phi'/m) beta = y;    (Phi' Phi/m) alpha = Phi' y.
//
// A model does not depend on the other counts, nor on the number of workers >= 1. The normals take 8 J max(counts)
// bytes. The error is ctx's, or a *fault.Numerical.
func (p Problem) Train(ctx context.Context, counts []int, number, workers int) ([]*Model, error) {
	d := p.Data()
	theta, phi, err := p.draw(ctx, d.X, slices.Max(counts), number, workers)
	if err != nil {
		return nil, err
	}
	models := make([]*Model, len(counts))
	return models, parallel.For(ctx, workers, len(counts), func(_, q int) error {
		m := counts[q]
		alpha, err := leastSquares(phi.Slice(0, m, 0, p.Points), d.Y, p.Rcond)
		if err != nil {
			return &fault.Numerical{Where: fmt.Sprintf("Brownian bridge model of %d features, draw %d", m, number),
				What: err.Error(), Do: "check the target"}
		}
		c := mat.NewVecDense(p.Truncation, nil)
		c.MulVec(theta.Slice(0, m, 0, p.Truncation).T(), mat.NewVecDense(m, alpha))
		c.ScaleVec(1/float64(m), c)
		models[q] = &Model{Alpha: alpha, Coefficients: c.RawVector().Data}
		return nil
	})
}

// leastSquares returns alpha of Train for m features at n points, a row of phi for each feature.
func leastSquares(phi mat.Matrix, y []float64, rcond float64) ([]float64, error) {
	m, n := phi.Dims()
	var right, result mat.Dense
	rhs := mat.NewVecDense(n, y)
	if m > n {
		beta, _, err := truncated(phi.T(), m, rhs, rcond)
		if err != nil {
			return nil, err
		}
		result.Mul(phi, beta)
		return result.RawMatrix().Data, nil
	}
	right.Mul(phi, rhs)
	x, _, err := truncated(phi, m, &right, rcond)
	if err != nil {
		return nil, err
	}
	return x.RawMatrix().Data, nil
}

// truncated returns the minimum norm solutions of (A A'/m) X = B, where eigenvalues that are not above rcond times the
// largest count as zero, and the number of the others.
func truncated(a mat.Matrix, m int, b mat.Matrix, rcond float64) (x *mat.Dense, rank int, err error) {
	n, _ := a.Dims()
	gram := mat.NewSymDense(n, nil)
	gram.SymOuterK(1/float64(m), a)
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) || !(eigen.Values(nil)[n-1] > 0) {
		return nil, 0, fmt.Errorf("the matrix of order %d has no positive eigenvalues", n)
	}
	vectors, c, values := new(mat.Dense), new(mat.Dense), eigen.Values(nil)
	eigen.VectorsTo(vectors)
	first := sort.Search(n, func(k int) bool { return values[k] > rcond*values[n-1] })
	kept := vectors.Slice(0, n, first, n)
	c.Mul(kept.T(), b)
	for k, v := range values[first:] {
		floats.Scale(1/v, c.RawRowView(k))
	}
	x = new(mat.Dense)
	x.Mul(kept, c)
	return x, n - first, nil
}

// Curve returns F_m at the K >= 2 points i/(K-1).
func (f *Model) Curve(K int) []float64 {
	values, sines := make([]float64, K), make([]float64, 2*(K-1)) // of i pi/(K-1)
	for i := range sines {
		sines[i] = math.Sin(float64(i) * math.Pi / float64(K-1))
	}
	for j, c := range f.Coefficients {
		c *= math.Sqrt2 / (float64(j+1) * math.Pi)
		for i := 1; i < K-1; i++ {
			values[i] += c * sines[(j+1)*i%len(sines)]
		}
	}
	return values
}

// Distance returns the L2(0,1) norm of F_m - F, exact up to rounding by Parseval's identity. It panics unless both
// belong to problems of the same truncation.
func (f *Model) Distance(limit *Interpolant) float64 {
	if len(f.Coefficients) != len(limit.sine) {
		panic(fmt.Sprintf("brownian: model of %d modes against an interpolant for %d", len(f.Coefficients), len(limit.sine)))
	}
	return limit.distance(f.Coefficients)
}

// uniform returns the K >= 2 points i/(K-1) of [0, 1].
func uniform(K int) []float64 {
	x := make([]float64, K)
	for i := range x {
		x[i] = float64(i) / float64(K-1)
	}
	return x
}
