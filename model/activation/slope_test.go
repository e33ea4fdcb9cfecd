package activation

import (
	"math"
	"testing"
)

// Central differences of second order: halving the step divides what they miss by four.
func TestSlopesAreLimitsOfDifferences(t *testing.T) {
	for _, name := range Names() {
		f, _ := ByName(name)
		for _, x := range []float64{-3.1, -0.7, 0.4, 2.3} {
			slope := []float64{x}
			f.Slope(slope)
			miss := func(h float64) float64 { return math.Abs((f.Value(x+h)-f.Value(x-h))/(2*h) - slope[0]) }
			const h, rounding = 1.0 / 64, 1e-12
			coarse, fine := miss(h), miss(h/2)
			if coarse > 1e-4 || fine > 0.27*coarse+rounding {
				t.Errorf("%s at %g: slope %.15g, differences miss it by %.2g and %.2g", name, x, slope[0], coarse, fine)
			}
		}
	}
}

func TestSlopesAtTheEnds(t *testing.T) {
	for _, name := range Names() {
		f, _ := ByName(name)
		x := []float64{-800, 800}
		f.Slope(x)
		if name != "sin" && (math.IsNaN(x[0]) || math.IsNaN(x[1]) || x[0] != 0) {
			t.Errorf("%s: slopes %v at -800 and 800", name, x)
		}
	}
}
