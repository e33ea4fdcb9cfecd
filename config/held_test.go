package config

import (
	"runtime"
	"testing"
)

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

// More pairs than memory should hold are kept on the disk, and leave memory for everything else.
func TestManyPairsOnTheirOwnGridAreOnDisk(t *testing.T) {
	c := own(Fields)
	c.Data.Grid, c.Train.Grid, c.Data.Train, c.Data.Test = 101, 101, 16000, 4000
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere pairs are in memory")
	}
	if !c.OnDisk() || c.Cost().Bytes > 2<<30 {
		t.Errorf("on disk: %v, %.0f bytes", c.OnDisk(), c.Cost().Bytes)
	}
	c.Train.Grid = 21 // to which they are read
	if c.OnDisk() {
		t.Error("coarse pairs are on disk, too")
	}
}
