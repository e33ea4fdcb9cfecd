package feature

import (
	"testing"

	"rfm/config"
	"rfm/model/run/setup"
)

// Every feature map that the configuration of a problem may name can be made from it, and has the domain of the
// problem's functions.
func TestEveryConfiguredMapExists(t *testing.T) {
	for _, problem := range config.Problems() {
		base := must(config.PresetByName(problem))
		for _, name := range base.Of().Maps {
			c := base
			if err := config.Assign(&c, "features.kind="+name); err != nil {
				t.Fatal(err)
			}
			f := must(New(t.Context(), c, 1, 3, 17, 1))
			if f.Domain() != setup.Domain(c) || f.Count() != 3 || f.Finest() != 17 {
				t.Errorf("%s, %s: %d features on %s", problem, name, f.Count(), f.Domain().Grid(f.Finest()))
			}
		}
	}
}
