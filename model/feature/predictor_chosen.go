// This file implements features that have been chosen from a pool.

package feature

import "rfm/solver/grid"

// chosenPairs selects some of other parameters, in the order of Indices.
type chosenPairs struct {
	Of      thetaPairs
	Indices []int
}

// Count returns m.
func (c chosenPairs) Count() int { return len(c.Indices) }

// R returns the number of grid points along an axis.
func (c chosenPairs) R() int { return c.Of.R() }

// Read reads the chosen parameters.
func (c chosenPairs) Read(predictor, corrector grid.Batch, first int) {
	for row := range predictor.Count {
		c.Of.Read(predictor.Range(row, 1), corrector.Range(row, 1), c.Indices[first+row])
	}
}
