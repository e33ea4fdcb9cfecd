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
	// Deviation returns the root mean square of draws, restricted to waves with up to 64 half periods along an axis.
	Deviation() float64
	// On prepares draws on the grid with points points along an axis.
	On(points int) Draws
}

// Draws generates draws of a measure on one grid. It is immutable and safe for concurrent use.
type Draws interface {
	// Draw writes the functions first, first+1, ... of the stream family (seed, purpose) to the rows of dst.
	Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int)
}

// leading is the largest number of half periods that Deviation includes.
const leading = 64

// Periodic is the measure N(0, scale^2 tau^(2 alpha-1) (-Laplacian + tau^2)^-alpha) on mean-zero functions on the unit
// torus, eq. 3.3 of Nelsen & Stuart 2021.
type Periodic struct {
	Tau   float64 // inverse length scale, > 0
	Alpha float64 // regularity, > 1/2
	Scale float64 // factor of draws; 0 means 1
}

// Eigenvalue returns lambda_j = scale^2 tau^(2 alpha-1) (4 pi^2 j^2 + tau^2)^-alpha, the variance of the coefficients
// of sqrt2 cos(2 pi j x) and sqrt2 sin(2 pi j x), j >= 1 (eq. 4.3).
func (m Periodic) Eigenvalue(j int) float64 {
	w := 2 * math.Pi * float64(j)
	lambda := math.Exp((2*m.Alpha-1)*math.Log(m.Tau) - m.Alpha*math.Log(w*w+m.Tau*m.Tau))
	if m.Scale != 0 {
		lambda *= m.Scale * m.Scale
	}
	return lambda
}

// Domain returns the periodic interval.
func (m Periodic) Domain() grid.Domain { return grid.Torus }

// On implements Measure with NewSampler.
func (m Periodic) On(points int) Draws { return NewSampler(m, points) }

// Deviation implements Measure.
func (m Periodic) Deviation() float64 {
	sum := 0.0
	for j := 1; 2*j <= leading; j++ {
		sum += 2 * m.Eigenvalue(j)
	}
	return math.Sqrt(sum)
}

// Field is the measure N(0, scale^2 tau^(2 alpha-2) (-Laplacian + tau^2)^-alpha) on mean-zero functions on the periodic
// unit square, like Periodic on the interval:
//
//	g(x) = sqrt2 sum_k sqrt(lambda_k) (c_k cos 2 pi k.x + s_k sin 2 pi k.x),  c_k, s_k iid N(0, 1),
//
// over one of k and -k for every k = (k1, k2) but zero. On a rectangle k2 is k2/L, L its length along the second axis.
type Field struct {
	Tau   float64 // inverse length scale, > 0
	Alpha float64 // regularity, > 1
	Scale float64 // factor of draws; 0 means 1

	Aspect grid.Aspect // of the rectangle; zero: the square
}

// Eigenvalue returns lambda_k, the variance of the coefficients of sqrt2 cos(2 pi k.x) and sqrt2 sin(2 pi k.x).
func (m Field) Eigenvalue(k1, k2 int) float64 {
	square := 4 * math.Pi * math.Pi * float64(k1*k1+k2*k2)
	if d := m.Domain(); m.Aspect != (grid.Aspect{}) {
		square = 4 * math.Pi * math.Pi * (float64(k1*k1) + d.Frequency(k2)*d.Frequency(k2))
	}
	lambda := math.Exp((2*m.Alpha-2)*math.Log(m.Tau) - m.Alpha*math.Log(square+m.Tau*m.Tau))
	if m.Scale != 0 {
		lambda *= m.Scale * m.Scale
	}
	return lambda
}

// Domain returns the periodic square or rectangle.
func (m Field) Domain() grid.Domain { return grid.Domain{Dims: 2, Periodic: true, Aspect: m.Aspect} }

// On implements Measure with NewFieldSampler.
func (m Field) On(points int) Draws { return NewFieldSampler(m, points) }

// Deviation implements Measure.
func (m Field) Deviation() float64 {
	sum := -m.Eigenvalue(0, 0)
	for k1 := -leading / 2; 2*k1 <= leading; k1++ {
		for k2 := -leading / 2; 2*k2 <= leading; k2++ {
			sum += m.Eigenvalue(k1, k2)
		}
	}
	return math.Sqrt(sum)
}
