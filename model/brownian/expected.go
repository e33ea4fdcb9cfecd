package brownian

import (
	"context"
	"fmt"
	"math"

	"rfm/model/linalg"
	"rfm/solver/fault"
)

// Expectation predicts the distance of a model of m features to the interpolant F without drawing any:
//
//	E |F_m - F|^2 = Variance/(m-n-1) + Bias^2,  m >= n+2,
//
// in L2(0,1). Given the features at the data points, a feature elsewhere is Gaussian with mean k(x, X) K^-1 phi(X) and
// the variance r(x, x) = k(x, x) - k(x, X) K^-1 k(X, x) of a Brownian bridge pinned at the data. So F_m has the mean F
// and the variance (r(x, x)/m) y' (Phi Phi'/m)^-1 y, and the mean of an inverse Wishart matrix is E (Phi Phi'/m)^-1 =
// m/(m-n-1) K^-1. Here K and r belong to the kernel of J modes; its interpolant F_J differs from F by Bias.
type Expectation struct {
	Points int // n
	// (y' K^-1 y) int r(x, x) dx; 1/6 |F|_{H1_0}^2 sum of the squared gaps between data points for J = infinity
	Variance float64
	Bias     float64 // |F_J - F|, the distance that is left at m = infinity
}

// Expectation computes the expectation. The error is that of Interpolant, or a *fault.Numerical if the kernel of J
// modes is singular on the data points to within rcond, or ctx's.
func (p Problem) Expectation(ctx context.Context) (Expectation, error) {
	limit, err := p.Interpolant()
	if err != nil {
		return Expectation{}, err
	}
	n := p.Points
	x, y := limit.knots[1:n+1], limit.values[1:n+1]
	modes := linalg.NewPanels(p.Truncation, n)  // B_ji = sqrt2 sin(j pi x_i)/(j pi), K = B' B
	smooth := linalg.NewPanels(p.Truncation, n) // B_ji/(j pi), whose Gram matrix is int k(x_i, x) k(x, x_l) dx
	trace := 0.0                                // int k(x, x) dx
	for j := range p.Truncation {
		w := float64(j+1) * math.Pi
		trace += 1 / (w * w)
		for i, x := range x {
			v := mode(j+1, x)
			modes.Panel(i / 4)[4*j+i%4] = v
			smooth.Panel(i / 4)[4*j+i%4] = v / w
		}
	}
	kernel, product := linalg.NewSymmetric(n), linalg.NewSymmetric(n)
	kernel.RankUpdate(modes, p.Truncation, 1)
	product.RankUpdate(smooth, p.Truncation, 1)
	spectral, err := linalg.Decompose(ctx, kernel, 1)
	if ctx.Err() != nil {
		return Expectation{}, ctx.Err()
	}
	if err != nil {
		return Expectation{}, &fault.Numerical{Where: "Brownian bridge kernel", What: err.Error()}
	}
	solve := func(dst, b []float64) error {
		rank, err := spectral.SolveTruncated(dst, b, p.Rcond)
		switch {
		case err != nil:
			return &fault.Numerical{Where: "Brownian bridge kernel", What: err.Error()}
		case rank < n:
			return &fault.Numerical{Where: "Brownian bridge kernel", Do: "use more modes, or another seed",
				What: fmt.Sprintf("with %d modes has rank %d on %d data points", p.Truncation, rank, n)}
		}
		return nil
	}
	beta := make([]float64, n)
	if err := solve(beta, y); err != nil {
		return Expectation{}, err
	}
	energy := 0.0
	for i, b := range beta {
		energy += b * y[i]
	}
	column := make([]float64, n)
	for i := range n {
		for l := range column {
			column[l] = product.At(l, i)
		}
		if err := solve(column, column); err != nil {
			return Expectation{}, err
		}
		trace -= column[i]
	}
	c := make([]float64, p.Truncation)
	for j := range c {
		for i, b := range beta {
			c[j] += b * modes.Panel(i / 4)[4*j+i%4]
		}
	}
	return Expectation{Points: n, Variance: energy * trace, Bias: limit.distance(c)}, nil
}

// Distance returns the root of the mean square distance at m features, +Inf if m < n+2.
func (e Expectation) Distance(m int) float64 {
	if m < e.Points+2 {
		return math.Inf(1)
	}
	return math.Sqrt(e.Variance/float64(m-e.Points-1) + e.Bias*e.Bias)
}
