package modes

import (
	"math"
	"testing"

	"rfm/solver/space/grid"
)

// Modes have mean square 1, frequencies ascend, no mode comes twice, and slopes are those of differences.
func TestModesAreNormalisedAndInOrder(t *testing.T) {
	for _, f := range []Family{Fourier, Cosine, Sine} {
		seen := map[Mode]bool{}
		for k, m := range First(f, 9) {
			square, last := 0.0, 0
			for _, x := range Points(grid.Domain{Dims: 1, Cells: true}, 64) {
				value, slope := m.At(x)
				above, _ := m.At(x + 1e-6)
				square += value * value / 64
				if math.Abs((above-value)/1e-6-slope) > 1e-2 {
					t.Errorf("family %d: slope %g of %v at %g, by a difference %g", f, slope, m, x, (above-value)/1e-6)
				}
			}
			if k > 0 {
				last = First(f, k)[k-1].HalfPeriods
			}
			if math.Abs(square-1) > 1e-12 || m.HalfPeriods < last || seen[m] {
				t.Errorf("family %d: mode %d is %v with mean square %g", f, k, m, square)
			}
			seen[m] = true
		}
	}
}
