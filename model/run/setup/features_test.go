package setup_test

import (
	"testing"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/run/setup"
)

// Every feature map that the configuration of a problem may name can be made from it, and has the domain of the
// problem's functions.
func TestEveryConfiguredMapExists(t *testing.T) {
	const (
		m      = 3
		points = 17
	)
	for _, problem := range config.Problems() {
		base, err := config.PresetByName(problem)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range base.Of().Maps {
			c := base
			err := config.Assign(&c, "features.kind="+name)
			if err != nil {
				t.Fatal(err)
			}
			f, err := feature.New(t.Context(), setup.Features(c), m, points, 1)
			if err != nil {
				t.Fatal(err)
			}
			if f.Domain() != setup.Domain(c) || f.Count() != m || f.Finest() != points {
				t.Errorf("%s, %s: %d features on %s", problem, name, f.Count(), f.Domain().Grid(f.Finest()))
			}
		}
	}
}
