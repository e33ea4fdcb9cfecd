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

// Domain returns the periodic interval.
func (m Periodic) Domain() grid.Domain { return grid.Torus }

// On implements Measure with NewSampler.
func (m Periodic) On(points int) Draws { return NewSampler(m, points) }

// Domain returns m.Space, or the closed square if it is zero.
func (m Neumann) Domain() grid.Domain {
	if m.Space == (grid.Domain{}) {
		return grid.Square
	}
	return m.Space
}

// On implements Measure with NewNeumannSampler.
func (m Neumann) On(points int) Draws { return NewNeumannSampler(m, points) }

// Domain returns the periodic square or rectangle.
func (m Field) Domain() grid.Domain { return grid.Domain{Dims: 2, Periodic: true, Aspect: m.Aspect} }

// On implements Measure with NewFieldSampler.
func (m Field) On(points int) Draws { return NewFieldSampler(m, points) }

// leading is the largest number of half periods that Deviation includes.
const leading = 64

// Deviation implements Measure.
func (m Periodic) Deviation() float64 {
	sum := 0.0
	for j := 1; 2*j <= leading; j++ {
		sum += 2 * m.Eigenvalue(j)
	}
	return math.Sqrt(sum)
}

// Deviation implements Measure.
func (m Neumann) Deviation() float64 {
	rows, sum := leading, 0.0
	if m.Domain().Dims == 1 {
		rows = 1
	}
	mean := func(k int) float64 { // square of the cosine
		if k == 0 {
			return 1
		}
		return 0.5
	}
	for k1 := range rows {
		for k2 := range leading {
			a := m.Amplitude(k1, k2)
			sum += a * a * mean(k1) * mean(k2)
		}
	}
	return math.Sqrt(sum)
}

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
