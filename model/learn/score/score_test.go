package score

import (
	"math"
	"testing"

	"rfm/solver/space/grid"
)

// Errors of numbers are relative to the root mean square of all of them, so that a number near zero does not dominate
// the mean.
func TestErrorsOfNumbersAreRelativeToAll(t *testing.T) {
	truth := grid.BatchOf(grid.Interval, 3, []float64{3, 3, 3, 0, 0, 0, -4, -4, -4})
	predictions := grid.BatchOf(grid.Interval, 3, []float64{3, 3, 3, 1, 1, 1, -4, -4, -4})
	e, err := Measure(predictions, truth)
	if err != nil {
		t.Fatal(err)
	}
	want := 1 / math.Sqrt(25.0/3)
	if math.Abs(e.Relative[1]-want) > 1e-15 || math.Abs(e.ExpectedRelative-want/3) > 1e-15 {
		t.Errorf("errors %v, want %g of the second", e.Relative, want)
	}
}
