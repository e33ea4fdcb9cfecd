// Package grf draws Gaussian random fields by their Karhunen-Loeve sums.
package grf

import (
	"math"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// Measure is a Gaussian measure of mean-zero functions on a domain of d dimensions. On a periodic domain it is N(0,
// scale^2 tau^(2 alpha-d) (-Laplacian + tau^2)^-alpha), eq. 3.3 of Nelsen & Stuart 2021:
//
//	g(x) = sqrt2 sum_k sqrt(lambda_k) (c_k cos 2 pi k.x + s_k sin 2 pi k.x),  c_k, s_k iid N(0, 1),
//
// over one of k and -k for every k but zero: k = k2 on the torus, k = (k1, k2) on the square. On a closed domain the
// Laplacian has homogeneous Neumann boundary conditions (section 4), scale is 1, and on the unit square
//
//	g(x) = sum_k A_k xi_k cos(pi k1 x1) cos(pi k2 x2),  k1, k2 >= 0,  xi_k iid N(0, 1).
//
// On an interval the sum is over k2 with k1 = 0. On a rectangle k2 is k2/L, L its length along the second axis.
type Measure struct {
	Tau   float64 // inverse length scale, > 0
	Alpha float64 // regularity, > d/2
	Scale float64 // periodic: factor of draws; 0 means 1
	// Closed fields: the weight of modes with exactly one zero index: 2 in the computations and numbers of the paper's
	// authors, sqrt2 in its formula, which normalises every cosine in L2.
	Axis  float64
	Space grid.Domain
}

// On prepares draws on the grid with points points along the first axis, at least three or, on periodic fields, four.
func (m Measure) On(points int) Draws {
	if m.Space.Periodic {
		return newPeriodicSampler(m, points)
	}
	return newNeumannSampler(m, points)
}

// Draws generates draws of a measure on one grid. It is immutable and safe for concurrent use.
type Draws interface {
	// Draw writes the functions first, first+1, ... of the stream family (seed, purpose) to the rows of dst.
	Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int)
}

// Eigenvalue returns lambda_k = scale^2 tau^(2 alpha-d) (4 pi^2 |k|^2 + tau^2)^-alpha, the variance of the coefficients
// of sqrt2 cos(2 pi k.x) and sqrt2 sin(2 pi k.x) (eq. 4.3).
func (m Measure) Eigenvalue(k1, k2 int) float64 {
	d := m.Space
	w := 2 * math.Pi * float64(k2)
	square := w * w
	if d.Dims == 2 {
		frequency := d.Frequency(k2)
		square = 4 * math.Pi * math.Pi * (float64(k1*k1) + frequency*frequency)
	}
	lambda := math.Exp(2 * m.logDeviation(d.Dims, square))
	if m.Scale != 0 {
		lambda *= m.Scale * m.Scale
	}
	return lambda
}

// logDeviation returns the logarithm of tau^(alpha-d/2) (square + tau^2)^(-alpha/2), the standard deviation of a
// coefficient in d dimensions without factors, where square is the eigenvalue of the negative Laplacian. Logarithms,
// because the powers may overflow.
func (m Measure) logDeviation(dims int, square float64) float64 {
	scaling := (m.Alpha - float64(dims)/2) * math.Log(m.Tau)
	decay := m.Alpha / 2 * math.Log(square+m.Tau*m.Tau)
	return scaling - decay
}
