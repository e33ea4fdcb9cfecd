package grid

import (
	"math"
	"testing"
)

func sampled(r int, f func(x, y float64) float64) []float64 {
	values := make([]float64, 0, r*r)
	for i := range r {
		for j := range r {
			values = append(values, f(float64(i)/float64(r-1), float64(j)/float64(r-1)))
		}
	}
	return values
}

func TestSquareTrapezoidIsExactForBilinearIntegrands(t *testing.T) {
	f := sampled(9, func(x, y float64) float64 { return 1 + 2*x })
	g := sampled(9, func(x, y float64) float64 { return 3 - y })
	if got := Square.Inner(f, g); math.Abs(got-5) > 1e-14 { // rounding of 81 terms
		t.Errorf("integral of (1+2x)(3-y) is %.17g, want 5", got)
	}
}

func TestFieldsThatDoNotRepeatAreNotPeriodic(t *testing.T) {
	const r = 4
	for x := range r * r {
		b := NewBatch(Torus2, r, 2)
		b.At(1)[x] = 1
		inside := x/r > 0 && x/r < r-1 && x%r > 0 && x%r < r-1
		if err := b.CheckPeriodic("input", nil); (err == nil) != inside {
			t.Errorf("a single value at point %d: %v", x, err)
		}
	}
}
