package brownian

import (
	"math"
	"testing"

	"rfm/model/linalg"

	"gonum.org/v1/gonum/floats"
)

// small is a problem whose direct formulas are quick.
func small(points, modes int) Problem {
	p := Paper(1)
	p.Points, p.Truncation = points, modes
	return p
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
	blocks, err := p.drawFeatures(t.Context(), p.Data().X, count, 0, 2)
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
	most := math.Inf(1)
	return floats.Distance(got, want, most) / math.Max(floats.Norm(want, most), math.SmallestNonzeroFloat64)
}
