package tune

import (
	"math"
	"testing"

	"rfm/config"
	"rfm/solver/draw"
)

// half is half a unit in the last digit of parameters, relative.
const half = 0.5e-3

func TestEveryPlaceIsAValidConfiguration(t *testing.T) {
	trials := 200
	if testing.Short() {
		trials = 40
	}
	for _, problem := range config.Problems() {
		start, err := config.PresetByName(problem)
		if err != nil {
			t.Fatal(err)
		}
		start.Data.TrainFile = "pairs.npz" // required by problems from files
		s := newSpace(start)
		origin := s.nearest(start, 1)
		random := draw.Stream(1, purposeExplore, 0)
		for trial := range trials {
			p := Place{origin.Choices, make([]float64, len(s.dimensions))}
			for i := range p.Coordinates {
				p.Coordinates[i] = random.Float64()
				if trial < 20 { // corners
					p.Coordinates[i] = math.Round(p.Coordinates[i])
				}
			}
			for _, toggle := range s.toggles {
				p = p.chosen(toggle.Name, toggle.values[random.IntN(len(toggle.values))])
			}
			if s.kinds.Name != "" {
				p = p.chosen(s.kinds.Name, s.kinds.Choices[random.IntN(len(s.kinds.Choices))])
			}
			c := s.configuration(start, p)
			if err := c.Validate(); err != nil {
				t.Fatalf("%s: %v", problem, err)
			}
			back := s.nearest(c, c.Features.RMS)
			if d := p.distance(back); d > half*float64(len(s.dimensions)) {
				t.Fatalf("%s: %v comes back as %v, at distance %g", problem, p, back, d)
			}
		}
	}
}

func TestCoordinatesRunBetweenTheEnds(t *testing.T) {
	d := dimension{"features.delta", 1e-3, 10, true}
	for u, want := range map[float64]string{-1: "0.001", 0: "0.001", 0.5: "0.1", 1: "10", 2: "10"} {
		if got := d.value(u); got != want {
			t.Errorf("value at %g is %s, want %s", u, got, want)
		}
	}
	for v, want := range map[float64]float64{0: 0, 1e-3: 0, 0.1: 0.5, 10: 1, 1e9: 1} {
		if got := d.coordinate(v); math.Abs(got-want) > 1e-12 {
			t.Errorf("coordinate of %g is %g, want %g", v, got, want)
		}
	}
}
