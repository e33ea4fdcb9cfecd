package engine

import (
	"math"
	"testing"

	"rfm/config"
)

// The picture of every preset takes a twentieth of a second of one core at most, a fifth on a slow machine: the solver
// advances 1e8 values by a step in a second.
func TestPicturesAreQuick(t *testing.T) {
	const rate, seconds = 1e8, 0.05
	for _, p := range config.Presets() {
		if p.Config.Equation.Text == "" {
			continue
		}
		s, err := drawn(t.Context(), p.Config)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		fields := len(config.Lines(p.Config.Equation.Text))
		work := float64(s.Steps) * float64(fields) * 8 * math.Pow(float64(s.Input.Points-1), float64(p.Config.Dims()))
		if t.Logf("%s: %d steps, %.2g values", p.Name, s.Steps, work); work > rate*seconds {
			t.Errorf("%s: %d steps of %.2g values take about %.2g s", p.Name, s.Steps, work/float64(s.Steps), work/rate)
		}
	}
}

// A picture begins with the initial values, in its lowest row.
func TestPicturesBeginAtTimeZero(t *testing.T) {
	c, err := config.PresetByName("fitzhugh-nagumo")
	noError(t, err)
	c.Equation.Output = "v"
	s, err := drawn(t.Context(), c)
	noError(t, err)
	f, err := Picture(t.Context(), c)
	noError(t, err)
	for x, a := range s.Input.Data {
		if v := f.Values[x]; math.Abs(v-(-0.4+0.3*a)) > 1e-9 {
			t.Fatalf("v(%d) is %g at first, a is %g", x, v, a)
		}
	}
}
