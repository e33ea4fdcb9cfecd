package shelltest

import (
	"testing"

	"rfm/config"
)

// Tiny returns a configuration that runs in a fraction of a second, without other methods.
func Tiny(t testing.TB, assignments ...string) config.Config {
	return assigned(t, "quick", append([]string{"data.train=40", "data.test=24", "features.count=48", "data.grid=129",
		"train.grid=33", "tolerance=1e-3", "evaluation.baselines=no"}, assignments...))
}

// TinyDarcy is Tiny with fields on the unit square.
func TinyDarcy(t testing.TB, assignments ...string) config.Config {
	return assigned(t, "darcy-quick", append([]string{"data.train=6", "data.test=8", "features.count=8", "data.grid=33",
		"train.grid=17", "evaluation.baselines=no"}, assignments...))
}

// assigned returns a preset with other values of some keys.
func assigned(t testing.TB, preset string, assignments []string) config.Config {
	t.Helper()
	c, err := config.PresetByName(preset)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range assignments {
		if err := config.Assign(&c, a); err != nil {
			t.Fatal(err)
		}
	}
	return c
}
