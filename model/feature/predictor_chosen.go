// This file is about features that have been chosen out of a pool.

package feature

import "rfm/solver/grid"

// chosenPairs are some of other parameters, in the order of their indices.
type chosenPairs struct {
	Of      thetaPairs
	Indices []int
}

// Count is m.
func (c chosenPairs) Count() int { return len(c.Indices) }

// R is the number of grid points along an axis.
func (c chosenPairs) R() int { return c.Of.R() }

// Read reads those that are chosen.
func (c chosenPairs) Read(predictor, corrector grid.Batch, first int) {
	for row := range predictor.Count {
		c.Of.Read(predictor.Range(row, 1), corrector.Range(row, 1), c.Indices[first+row])
	}
}
