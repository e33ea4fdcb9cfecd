// This file is what all Gaussian measures have in common.

package grf

import (
	"rfm/solver/draw"
	"rfm/solver/grid"
)

// Measure is a Gaussian measure of functions on a domain.
type Measure interface {
	Domain() grid.Domain
	// On prepares draws on the grid with so many points along an axis.
	On(points int) Draws
}

// Draws are the draws of a measure on one grid. They are immutable and safe for concurrent use.
type Draws interface {
	// Draw writes the functions first, first+1, ... of the stream family (seed, purpose) to the rows of dst.
	Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int)
}

// Domain is the periodic interval.
func (m Periodic) Domain() grid.Domain { return grid.Torus }

// On is NewSampler.
func (m Periodic) On(points int) Draws { return NewSampler(m, points) }

// Domain is the closed square, or what it is said to be.
func (m Neumann) Domain() grid.Domain {
	if m.Space == (grid.Domain{}) {
		return grid.Square
	}
	return m.Space
}

// On is NewNeumannSampler.
func (m Neumann) On(points int) Draws { return NewNeumannSampler(m, points) }

// Domain is the periodic square, or a rectangle.
func (m Field) Domain() grid.Domain { return grid.Domain{Dims: 2, Periodic: true, Aspect: m.Aspect} }

// On is NewFieldSampler.
func (m Field) On(points int) Draws { return NewFieldSampler(m, points) }
