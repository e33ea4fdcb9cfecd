package equation

import "testing"

// A number of steps is one of four in an octave, or a power of two.
func TestNumbersOfSteps(t *testing.T) {
	want := []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40}
	for i, count := range want[:len(want)-1] {
		if next := (counts{}).after(count); next != want[i+1] {
			t.Errorf("%d follows %d, want %d", next, count, want[i+1])
		}
	}
	if next := (counts{powersOfTwo: true}).after(16); next != 32 {
		t.Errorf("the power of two after 16 is %d", next)
	}
}

// The number of steps changes only at times where a step of the old size and one of the new size both end.
func TestNumbersOfStepsChangeWhereStepsEnd(t *testing.T) {
	all := counts{}
	for _, c := range []struct {
		count, done   int
		least         float64
		finer, coarse int
	}{
		{16, 0, 17, 20, 16}, // at the beginning any number will do
		{16, 1, 17, 32, 16}, // only twice as many steps end at a sixteenth
		{16, 4, 30, 32, 16}, // no fewer than least
		{16, 8, 5, 20, 6},   // at the middle every even number will do
		{28, 7, 18, 32, 20}, // at a quarter every multiple of four
		{16, 16, 3, 20, 3},  // at the end any number
		{24, 10, 1, 48, 12}, // five twelfths
		{24, 11, 1, 48, 24}, // no step of fewer ends here
		{1 << 20, 3, 1, 1 << 21, 1 << 20},
	} {
		if got := all.finer(c.count, c.done, c.least); got != c.finer {
			t.Errorf("after %d of %d steps, at least %g: %d, want %d", c.done, c.count, c.least, got, c.finer)
		}
		if got := all.coarser(c.count, c.done, c.least); got != c.coarse {
			t.Errorf("after %d of %d steps, at least %g: as few as %d, want %d", c.done, c.count, c.least, got, c.coarse)
		}
	}
}

// The number of steps grows with the fourth root of the estimated error, but at most fourfold, also if the estimate is
// NaN.
func TestStepsForAnEstimate(t *testing.T) {
	zero := 0.0
	for estimate, want := range map[float64]float64{closeEstimate: 1, 16 * closeEstimate: 2, closeEstimate / 16: 0.5, 1e9: 4, zero / zero: 4, 0: 0} {
		if got := finerBy(estimate); got != want {
			t.Errorf("estimate %g: %g times the steps, want %g", estimate, got, want)
		}
	}
}
