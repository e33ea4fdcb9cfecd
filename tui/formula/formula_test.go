package formula

import (
	"testing"

	"rfm/config"
)

// A line of the screen has room for the name of a file, not for its directory, and for names of arrays that say
// something.
func TestEquationOfPairsNamesTheirFiles(t *testing.T) {
	for _, test := range []struct{ file, input, output, want string }{
		{"/home/somebody/data/pairs.npz", "a", "u", "an operator known by pairs in pairs.npz"},
		{"/data/x.npy,/data/y.npy", "x", "y", "an operator known by pairs in x.npy, y.npy: a = x, u = y"},
	} {
		c, err := config.PresetByName(config.Functions)
		c.Data.TrainFile, c.Data.Input, c.Data.Output = test.file, test.input, test.output
		if got := Equation(c); err != nil || got != test.want {
			t.Errorf("%q, want %q, %v", got, test.want, err)
		}
	}
}
