package brownian

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// small returns a problem whose direct formulas are fast.
func small(points, modes int) Problem {
	p := Paper(1)
	p.Points, p.Truncation = points, modes
	return p
}

func interpolant(t *testing.T, p Problem) *Interpolant {
	t.Helper()
	f := must(p.Interpolant())
	return f
}

func train(t *testing.T, p Problem, workers int, counts ...int) []*Model {
	t.Helper()
	models := must(p.Train(t.Context(), counts, 0, workers))
	return models
}

// features returns the first features of draw 0 at the data points, one in a row.
func features(t *testing.T, p Problem, count int) *mat.Dense {
	t.Helper()
	_, phi, err := p.draw(t.Context(), p.Data().X, count, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	return phi
}

// truncatedKernel returns the kernel of features of the given number of modes.
func truncatedKernel(x, y float64, modes int) float64 {
	sum := 0.0
	for j := 1; j <= modes; j++ {
		sum += mode(j, x) * mode(j, y)
	}
	return sum
}

// apart returns the largest difference relative to the largest value of want.
func apart(got, want []float64) float64 {
	most := math.Inf(1)
	return floats.Distance(got, want, most) / math.Max(floats.Norm(want, most), math.SmallestNonzeroFloat64)
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// predict returns F_m(x).
func predict(f *Model, x float64) float64 {
	sum := 0.0
	for j, c := range f.Coefficients {
		sum += c * mode(j+1, x)
	}
	return sum
}
