package feature

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"rfm/solver/grf"
	"rfm/solver/grid"
)

func TestLocalityOfZeroChangesNoBit(t *testing.T) {
	theta, square := must(Draw(context.Background(), grf.Periodic{Tau: 5, Alpha: 2}, 1, 9, 1, 33, 2)),
		must(Draw(context.Background(), paperNeumann, 1, 3, 1, 9, 2))
	before, squareBefore := slices.Clone(theta.Data), slices.Clone(square.Data)
	locality{}.Apply(theta, 1)
	locality{}.Apply(square, 1)
	if !slices.Equal(theta.Data, before) || !slices.Equal(square.Data, squareBefore) {
		t.Error("theta changed")
	}
}

func TestWindowIsGaussianInThePeriodicDistance(t *testing.T) {
	const K, width = 33, 0.16
	theta := grid.NewBatch(grid.Torus, K, 2)
	copy(theta.Data, ones(2*K))
	locality{Width: width}.Apply(theta, 1)
	for x := range K {
		d := float64(x) / (K - 1)
		d = math.Abs(d - math.Round(d))
		expectClose(t, fmt.Sprintf("window at %d", x), []float64{theta.At(1)[x]},
			[]float64{math.Exp(-d * d / (2 * width * width))}, fieldTolerance)
	}
}

func TestWindowOnTheSquareIsGaussianAroundTheCorner(t *testing.T) {
	const r, width = 9, 0.3
	theta := grid.NewBatch(grid.Square, r, 1)
	copy(theta.Data, ones(r*r))
	locality{Width: width}.Apply(theta, 1)
	for x := range r * r {
		d := math.Hypot(float64(x/r), float64(x%r)) / (r - 1)
		expectClose(t, fmt.Sprintf("window at %d", x), []float64{theta.Data[x]},
			[]float64{math.Exp(-d * d / (2 * width * width))}, fieldTolerance)
	}
}

func TestAmplitudesAreLogNormalAndBelongToTheFeature(t *testing.T) {
	const m, spread = 4096, 0.28
	theta := grid.NewBatch(grid.Torus, 3, m)
	copy(theta.Data, ones(3*m))
	locality{Spread: spread}.Apply(theta, 1)
	sum, square := 0.0, 0.0
	for j := range m {
		z := math.Log(theta.At(j)[2])
		sum, square = sum+z, square+z*z
	}
	mean, variance := sum/m, square/m
	// four standard errors
	if math.Abs(mean) > 4*spread/math.Sqrt(m) || math.Abs(variance/(spread*spread)-1) > 4*math.Sqrt(2./m) {
		t.Errorf("logarithms have mean %g, variance %g", mean, variance)
	}
	few := grid.NewBatch(grid.Torus, 9, 5)
	copy(few.Data, ones(45))
	locality{Spread: spread}.Apply(few, 1)
	for j := range few.Count {
		if few.At(j)[0] != theta.At(j)[0] {
			t.Errorf("amplitude %d of 5 is not that of %d", j, m)
		}
	}
}
