package equation

import (
	"testing"

	"rfm/config"
)

// The wavenumber with exchanged components is at the transposed position: on the torus, between sides, and in a channel.
func TestPartnersAreTransposed(t *testing.T) {
	for what, sides := range map[string][4]string{
		"torus":    {},
		"no flux":  {"u_x = 0", "u_x = 0", "u_y = 0", "u_y = 0"},
		"channel":  {"", "", "u = 0", "u = 0"},
		"two ways": {"u = 0", "u = 0", "u_y = 0", "u_y = 0"},
	} {
		equation := config.Equation{Text: "u_t = 0.02*lap(u) + u - u^3", Left: sides[0], Right: sides[1], Bottom: sides[2], Top: sides[3],
			Dims: 2, Length: 1, Time: 0.2, Tolerance: 1e-6}
		s := newSolver(Problem{equation, config.Field{Tau: 12, Alpha: 8, Scale: 1}, 33, 1})
		noError(t, errorOf(s))
		if s.folded != nil {
			s = s.folded
		}
		along := s.pointsAlong(s.Points - 1)
		for p, k := range s.waves {
			other := s.waves[p%along*along+p/along]
			if other != [2]float64{k[1], k[0]} {
				t.Fatalf("%s: position %d has the wavenumber %v, the transposed one %v", what, p, k, other)
			}
		}
		if len(s.partner) != s.n {
			t.Errorf("%s: %d partners of %d positions", what, len(s.partner), s.n)
		}
	}
}
