package feature

import (
	"fmt"
	"math"
	"testing"

	"rfm/solver/space/grid"
)

// The distance is periodic, or the one to the corner 0.
func TestWindowIsGaussianInTheDistance(t *testing.T) {
	const width = 0.3
	for _, d := range grid.Domains() {
		theta := grid.NewBatch(d, pointsOf(d, 12), 2)
		copy(theta.Data, constants(len(theta.Data)))
		localise(theta, width, 0, 1)
		rows, columns := d.Axes(theta.Points)
		at := func(i, points int) float64 {
			x, n := float64(i), float64(d.Intervals(theta.Points))
			switch {
			case points == 1:
				return 0
			case d.Cells:
				x += 0.5
			case d.Periodic:
				x = float64(min(i, points-1-i))
			}
			return x / n
		}
		for x, v := range theta.At(1) {
			r := math.Hypot(at(x/columns, rows), at(x%columns, columns))
			expectClose(t, fmt.Sprintf("%s: window at %d", d.Name(), x), []float64{v},
				[]float64{2 * math.Exp(-r*r/(2*width*width))}, fieldTolerance)
		}
	}
}

// Amplitudes are log-normal, biases normal, and both belong to the feature.
func TestAmplitudesAndBiasesHaveTheirDeviations(t *testing.T) {
	const m, spread = 4096, 0.28
	theta := grid.NewBatch(grid.Torus, 3, m)
	copy(theta.Data, constants(3*m))
	localise(theta, 0, spread, 1)
	logarithms := make([]float64, m)
	for j := range logarithms {
		logarithms[j] = math.Log(theta.At(j)[2] / 2)
	}
	for what, values := range map[string][]float64{"logarithms": logarithms, "biases": DrawBias(spread, 1, m)} {
		sum, square := 0.0, 0.0
		for _, z := range values {
			sum, square = sum+z, square+z*z
		}
		mean, variance := sum/m, square/m
		// four standard errors
		if math.Abs(mean) > 4*spread/math.Sqrt(m) || math.Abs(variance/(spread*spread)-1) > 4*math.Sqrt(2./m) {
			t.Errorf("%s have mean %g, variance %g", what, mean, variance)
		}
	}
	few := grid.NewBatch(grid.Torus, 9, 5)
	copy(few.Data, constants(45))
	localise(few, 0, spread, 1)
	for j := range few.Count {
		if few.At(j)[0] != theta.At(j)[0] {
			t.Errorf("amplitude %d of 5 is not that of %d", j, m)
		}
	}
}
