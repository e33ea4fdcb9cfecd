package config

import "testing"

// Training pairs of own data are kept on the training grid, test pairs on that of the file, on which errors are
// measured; pairs of an equation are on one grid.
func TestTrainingPairsOfFilesAreOnTheTrainingGrid(t *testing.T) {
	for _, test := range []struct {
		preset      string
		train, test int
	}{{Functions, 129, 1025}, {"burgers", 1025, 1025}} {
		c, err := PresetByName(test.preset)
		if err != nil {
			t.Fatal(err)
		}
		c.Data.Grid, c.Train.Grid, c.Evaluation.Grid = 1025, 129, 1025
		if train, tests := c.TrainPairsGrid(1025), c.TestPairsGrid(1025); train != test.train || tests != test.test {
			t.Errorf("%s: training pairs on %d, test pairs on %d, want %d and %d", test.preset, train, tests, test.train,
				test.test)
		}
	}
}
