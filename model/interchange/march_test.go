package interchange

import (
	"math"
	"testing"
)

// GMean100 takes the first hundred steps, or all if there are fewer.
func TestGMean100(t *testing.T) {
	errors := make([]float64, 150)
	for i := range errors {
		errors[i] = 0.01
		if i >= 50 {
			errors[i] = 0.04
		}
		if i >= 100 {
			errors[i] = 7
		}
	}
	for steps, want := range map[int]float64{1: 0.01, 50: 0.01, 75: 0.01 * math.Cbrt(4), 100: 0.02, 150: 0.02} {
		if got := gmean100(errors[:steps]); math.Abs(got-want) > 1e-15 {
			t.Errorf("%d steps: %g, want %g", steps, got, want)
		}
	}
}
