package published

import (
	"testing"

	"rfm/config"
)

func TestExpectedRelative(t *testing.T) {
	change := func(assignments ...string) config.Config {
		c, _ := config.PresetByName("burgers")
		if err := config.Assign(&c, assignments...); err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, test := range []struct {
		c      config.Config
		want   float64
		source string
	}{
		{change(), 0.0310214, "Figure 4.3 left"},
		{change("seed=7", "data.test=100", "equation.tolerance=1e-6"), 0.0310214, "Figure 4.3 left"},
		{change("train.grid=1025"), 0.0310191, "Figure 4.3 left"},
		{change("data.train=500"), 0.0310638, "Figure 4.2 right"},
		{change("data.train=10", "features.count=16"), 0.248012, "Figure 4.2 right"},
		{change("train.grid=65", "evaluation.grid=1025"), 0.032205, "Figure 4.2 left"},
		{change("equation.time=0.5"), 0.036, "Table 4.1"},
		{change("equation.time=0.25"), 0, ""},
		{change("data.train=511"), 0, ""},
		{change("train.grid=65", "data.train=500"), 0, ""},
		{change("nu=0.02"), 0, ""},
		{change("features.gain=1"), 0, ""},
		{change("train.lambda=1e-6"), 0, ""},
		{change("data.train_file=x.npy"), 0, ""},
		{change("problem=darcy"), 0.0408112, "Figure 4.6 left"},
		{change("problem=darcy", "data.train=100", "features.count=64"), 0.0552328, "Figure 4.5 right"},
		{change("problem=darcy", "train.grid=129", "evaluation.grid=257"), 0.0418084,
			"Figure 4.5 left (published experiment file: n=128, m=256)"},
		{change("problem=darcy", "darcy.face=harmonic"), 0, ""},
		{change("problem=darcy", "features.axis=1.414"), 0, ""},
	} {
		v, ok := ExpectedRelative(test.c)
		if v.Value != test.want || v.Source != test.source || ok != (test.want != 0) {
			t.Errorf("n=%d m=%d K=%d: got %v, want %g, %s", test.c.Data.Train, test.c.Features.Count, test.c.Train.Grid, v,
				test.want, test.source)
		}
	}
}
