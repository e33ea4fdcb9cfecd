package config

import "testing"

// Many pairs from files are held on the coarsest grid that is needed, few on their own.
func TestHeldGrid(t *testing.T) {
	c := own(Fields)
	c.Data.Grid, c.Train.Grid, c.Data.Train, c.Data.Test = 101, 21, 16000, 4000
	if c.HeldGrid() != 21 || c.Cost().Bytes > 2<<30 {
		t.Errorf("r=%d, %.0f bytes", c.HeldGrid(), c.Cost().Bytes)
	}
	c.Evaluation.Grid = 51
	if c.HeldGrid() != 101 { // 51 does not contain 21
		t.Errorf("r=%d", c.HeldGrid())
	}
	c.Evaluation.Grid, c.Data.Train = 0, 100
	c.Data.Test = 50
	if c.HeldGrid() != 101 {
		t.Errorf("r=%d", c.HeldGrid())
	}
}
