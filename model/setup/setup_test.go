package setup

import (
	"slices"
	"testing"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// Every problem with a known equation can be computed, on its domain and grid.
func TestEveryProblemHasItsTruth(t *testing.T) {
	for _, problem := range config.Problems() {
		c, err := config.PresetByName(problem)
		noError(t, err)
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

// On a torus of length L the equation of functions of x/L is that of the unit torus with viscosity nu/L at time T/L.
func TestPeriodIsAScale(t *testing.T) {
	unit := config.Reference()
	unit.Data.Grid, unit.Burgers.Tolerance = 129, 1e-6
	long := unit
	long.Burgers.Period, long.Burgers.Time, long.Burgers.Viscosity = 2, 2, 0.02
	var outputs [2]grid.Batch
	for i, c := range []config.Config{unit, long} {
		pairs, err := dataset.Generate(t.Context(), Truth(c), truth.Wanted{Purpose: draw.InputTrain, Count: 8}, 1, nil)
		noError(t, err)
		outputs[i] = pairs.Outputs
	}
	if !slices.Equal(outputs[0].Data, outputs[1].Data) {
		t.Error("the solutions differ")
	}
}

// noError ends the test if a call has failed.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
