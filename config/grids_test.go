package config

import "testing"

// Pairs are on the coarsest grid that suffices: Darcy's fields on the data grid would take 1.2 GB.
func TestPairsGrid(t *testing.T) {
	for _, test := range []struct {
		preset            string
		data, train, test int
		want              int
	}{
		{"burgers", 1025, 129, 0, 129},
		{"darcy", 257, 33, 0, 33},
		{"darcy", 257, 33, 65, 65},
		{"burgers", 193, 33, 49, 97}, // 49 does not contain 33
		{"burgers", 129, 129, 33, 129},
		{"burgers", 97, 65, 0, 97}, // refused by Validate
	} {
		c, err := PresetByName(test.preset)
		if err != nil {
			t.Fatal(err)
		}
		c.Data.Grid, c.Train.Grid, c.Evaluation.Grid = test.data, test.train, test.test
		if got := c.PairsGrid(c.Data.Grid); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}
