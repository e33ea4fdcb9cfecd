// Package grf draws Gaussian random fields by their Karhunen-Loeve sums.
package grf

import (
	"math"

	"rfm/solver/draw"
	"rfm/solver/grid"
)

// Measure is a Gaussian measure of functions on a domain.
type Measure interface {
	Domain() grid.Domain
	// On prepares draws on the grid with points points along an axis.
	On(points int) Draws
}

// Draws generates draws of a measure on one grid. It is immutable and safe for concurrent use.
type Draws interface {
	// Draw writes the functions first, first+1, ... of the stream family (seed, purpose) to the rows of dst.
	Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int)
}

// Periodic is the measure N(0, scale^2 tau^(2 alpha-d) (-Laplacian + tau^2)^-alpha) on mean-zero functions on a
// periodic domain of d dimensions, eq. 3.3 of Nelsen & Stuart 2021:
//
//	g(x) = sqrt2 sum_k sqrt(lambda_k) (c_k cos 2 pi k.x + s_k sin 2 pi k.x),  c_k, s_k iid N(0, 1),
//
// over one of k and -k for every k but zero: k = k2 on the torus, k = (k1, k2) on the square. On a rectangle k2 is
// k2/L, L its length along the second axis.
type Periodic struct {
	Tau   float64     // inverse length scale, > 0
	Alpha float64     // regularity, > d/2
	Scale float64     // factor of draws; 0 means 1
	Space grid.Domain // zero: the torus
}

// Eigenvalue returns lambda_k = scale^2 tau^(2 alpha-d) (4 pi^2 |k|^2 + tau^2)^-alpha, the variance of the coefficients
// of sqrt2 cos(2 pi k.x) and sqrt2 sin(2 pi k.x) (eq. 4.3).
func (m Periodic) Eigenvalue(k1, k2 int) float64 {
	d, w := m.Domain(), 2*math.Pi*float64(k2)
	square := w * w
	if d.Dims == 2 {
		square = 4 * math.Pi * math.Pi * (float64(k1*k1) + d.Frequency(k2)*d.Frequency(k2))
	}
	lambda := math.Exp((2*m.Alpha-float64(d.Dims))*math.Log(m.Tau) - m.Alpha*math.Log(square+m.Tau*m.Tau))
	if m.Scale != 0 {
		lambda *= m.Scale * m.Scale
	}
	return lambda
}

// Domain implements Measure.
func (m Periodic) Domain() grid.Domain {
	if m.Space.Dims == 0 {
		return grid.Torus
	}
	return m.Space
}

// On implements Measure with NewSampler.
func (m Periodic) On(points int) Draws { return NewSampler(m, points) }
