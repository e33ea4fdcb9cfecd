package setup

import (
	"testing"

	"rfm/config"
	"rfm/solver/grid"
)

// Every problem that is not known from files only can be computed, on its domain and grid.
func TestEveryProblemHasItsTruth(t *testing.T) {
	for _, problem := range config.Problems() {
		c, err := config.PresetByName(problem)
		if err != nil {
			t.Fatal(err)
		}
		o := Truth(c)
		if (o == nil) != c.Of().Files {
			t.Errorf("%s: truth %v, from files only: %v", problem, o, c.Of().Files)
		}
		if o == nil {
			continue
		}
		if domain, points := o.Grid(); domain != Domain(c) || points != c.Data.Grid {
			t.Errorf("%s: computed on %s, configured on %s", problem, domain.Grid(points), Domain(c).Grid(c.Data.Grid))
		}
	}
	if got := Domain(config.Config{Problem: config.Fields}); got != grid.Square {
		t.Errorf("fields live on %s", got.Name())
	}
}
