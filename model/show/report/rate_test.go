package report

import (
	"math"
	"testing"
)

// A power law has its slope without error; the standard error of a scattered one is that of the regression.
func TestRatesAreSlopes(t *testing.T) {
	x := []float64{1, 2, 4, 8}
	exact := FitRate(x, []float64{3, 1.5, 0.75, 0.375})
	if math.Abs(exact.Slope+1) > 1e-12 || exact.Error > 1e-12 {
		t.Errorf("slope %g, error %g of 3/x", exact.Slope, exact.Error)
	}
	// y = x^-1 times e, 1/e, 1/e, e: residuals 1, -1, -1, 1 are orthogonal to log x, whose squares around the mean sum to 5 log(2)^2
	scattered := FitRate(x, []float64{math.E, 1 / (2 * math.E), 1 / (4 * math.E), math.E / 8})
	want := math.Sqrt(4.0/2) / (math.Sqrt(5) * math.Ln2)
	if math.Abs(scattered.Slope+1) > 1e-12 || math.Abs(scattered.Error-want) > 1e-12 {
		t.Errorf("slope %g, error %g, want -1 and %g", scattered.Slope, scattered.Error, want)
	}
	if two := FitRate(x[:2], []float64{4, 1}); two.Slope != -2 || two.Error != 0 || two.String() != "-2.00" {
		t.Errorf("two points: %v", two)
	}
	if line := Guarantee("", -0.5, x, []float64{4, 9, 9, 9}); line.Y[0] != 4 || math.Abs(line.Y[2]-2) > 1e-12 {
		t.Errorf("the guaranteed line is %v", line.Y)
	}
}
