package tune

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/solver/base/draw"
)

// half is half a unit in the last digit of parameters, relative.
const half = 0.5e-3

func TestEveryPlaceIsAValidConfiguration(t *testing.T) {
	trials := 200
	if testing.Short() {
		trials = 40
	}
	for _, problem := range config.Problems() {
		start := must(config.PresetByName(problem))
		start.Data.TrainFile = "pairs.npz" // required by problems from files
		space := newSpace(start)
		random := draw.Stream(1, purposeExplore, 0)
		for trial := range trials {
			p := nearest(space, start)
			for i, d := range space {
				u := random.Float64()
				if trial < 20 { // corners
					u = math.Round(u)
				}
				p[i] = d.coordinate(d.value(u))
			}
			c := configuration(space, start, p)
			if err := c.Validate(); err != nil {
				t.Fatalf("%s: %v", problem, err)
			}
			if back := nearest(space, c); floats.Distance(p, back, 2) > half*float64(len(space)) {
				t.Fatalf("%s: %v comes back as %v", problem, p, back)
			}
		}
	}
}

func TestCoordinatesRunBetweenTheEnds(t *testing.T) {
	d := dimension{low: 1e-3, high: 10, log: true}
	for u, want := range map[float64]string{-1: "0.001", 0: "0.001", 0.5: "0.1", 1: "10", 2: "10"} {
		if got := d.value(u); got != want {
			t.Errorf("value at %g is %s, want %s", u, got, want)
		}
	}
	for v, want := range map[string]float64{"0": 0, "1e-3": 0, "0.1": 0.5, "10": 1, "1e9": 1} {
		if got := d.coordinate(v); math.Abs(got-want) > 1e-12 {
			t.Errorf("coordinate of %s is %g, want %g", v, got, want)
		}
	}
	for u, want := range map[float64]float64{0: 0, 0.25: 0.25, 1: 1, 1.25: 0.75, 2: 0, -0.25: 0.25, -1.5: 0.5, 3.5: 0.5} {
		if got := mirrored(u); got != want {
			t.Errorf("%g is reflected to %g, want %g", u, got, want)
		}
	}
}

// No validation pair depends on a pair of the fit.
func TestPairsOfOneGroupAreOnOneSide(t *testing.T) {
	c := small(t)
	once := pairsOf(t, c, draw.InputTrain, 20)
	rows := make([]int, 2*once.Count())
	for i := range rows {
		rows[i] = i % once.Count()
	}
	pairs := once.Take(rows)
	pairs.Groups = rows
	p := must(newProblem(c, pairs, 1))
	for number := range parts + 1 {
		trial := p.trial(request{Draw: number, Features: 8})
		if total := trial.fit.Count() + trial.validate.Count(); total != pairs.Count() || trial.validate.Count() < 2 {
			t.Errorf("draw %d: %d pairs of %d, %d validate", number, total, pairs.Count(), trial.validate.Count())
		}
		for i := range trial.validate.Count() {
			for j := range trial.fit.Count() {
				if slices.Equal(trial.validate.Inputs.At(i), trial.fit.Inputs.At(j)) {
					t.Fatalf("draw %d: pair %d validates what pair %d is a copy of", number, i, j)
				}
			}
		}
	}
}
