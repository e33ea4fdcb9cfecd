package config

import "testing"

// A data grid without intervals is an error like any other, whatever the other grids are.
func TestGridsWithoutIntervalsAreRefused(t *testing.T) {
	for _, p := range Presets() {
		for _, grid := range []int{-1, 0, 1, 2} {
			for _, other := range []int{-1, 0, 1, 2, 33} {
				c := p.Config
				c.Data.Grid = grid
				c.Train.Grid = other
				c.Evaluation.Grid = other
				if c.Validate() == nil && !c.Of().Files {
					t.Errorf("%s with grids of %d and %d points is accepted", p.Name, grid, other)
				}
			}
		}
	}
}
