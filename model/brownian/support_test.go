package brownian

import (
	"math"
	"testing"

	"rfm/model/linalg"
)

// small is a problem whose direct formulas are quick.
func small(points, modes int) Problem {
	p := Paper(1)
	p.Points, p.Truncation = points, modes
	return p
}

func data(t *testing.T, p Problem) Data {
	t.Helper()
	d, err := p.Data()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func interpolant(t *testing.T, p Problem) *Interpolant {
	t.Helper()
	f, err := p.Interpolant()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func train(t *testing.T, p Problem, workers int, counts ...int) []*Model {
	t.Helper()
	models, err := p.Train(t.Context(), counts, 0, workers)
	if err != nil {
		t.Fatal(err)
	}
	return models
}

func features(t *testing.T, p Problem, count int) []block {
	t.Helper()
	blocks, err := p.drawFeatures(t.Context(), data(t, p).X, count, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// gram is Phi Phi' over the first m features.
func gram(blocks []block, n, m int) *linalg.Symmetric {
	sums := linalg.NewSymmetric(n)
	for _, b := range blocks {
		if b.first < m {
			sums.RankUpdate(b.phi, min(blockFeatures, m-b.first), 1)
		}
	}
	return sums
}

// truncatedKernel is the kernel of features of the given number of modes.
func truncatedKernel(x, y float64, modes int) float64 {
	sum := 0.0
	for j := 1; j <= modes; j++ {
		sum += mode(j, x) * mode(j, y)
	}
	return sum
}

// apart is the largest difference relative to the largest value of want.
func apart(got, want []float64) float64 {
	zero := make([]float64, len(want))
	return MaxDistance(got, want) / math.Max(MaxDistance(want, zero), math.SmallestNonzeroFloat64)
}
