// Tests that a model predicts on every grid, not only on grids that its own contains.

package trained

import (
	"math"
	"testing"

	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// deviation returns the mean relative L2 distance of predictions from the same functions on another grid.
func deviation(t *testing.T, predictions, same grid.Batch) float64 {
	t.Helper()
	e := must(rfm.Measure(predictions, same))
	return e.ExpectedRelative
}

// expectFlat compares deviations from the predictions on the model's own grid of N intervals. On coarser grids that it
// contains, functions alias; between them the deviation must not be larger than on the next coarser one of those. On
// finer grids it must not exceed a bound.
func expectFlat(t *testing.T, N int, grids []int, finer float64, deviation func(points int) float64) {
	t.Helper()
	bound := math.Inf(1)
	for _, points := range grids {
		d := deviation(points)
		t.Logf("%d points: %.2g", points, d)
		if points > N+1 {
			bound = finer
		}
		if d > bound {
			t.Errorf("%d points: predictions deviate by %.2g from those on %d points, want at most %.2g", points, d, N+1, bound)
		}
		if N%(points-1) == 0 {
			bound = d
		}
	}
}

func TestFourierModelsPredictTheSameOnEveryGrid(t *testing.T) {
	const finer = 3e-6 // theta and a have no more modes; those that ELU, which has no second derivative, adds alias
	m, _, test := trainBurgers(t, func(*feature.Spectral) {})
	on := func(K int) grid.Batch {
		inputs := must(resample.To(test.Inputs, K))
		return predict(t, m, inputs)
	}
	own := on(1025)
	expectFlat(t, 1024, []int{33, 50, 65, 100, 129, 200, 257, 301, 513, 721, 1201, 2049}, finer, func(K int) float64 {
		same := must(resample.To(own, K))
		return deviation(t, on(K), same)
	})
}

// smoothPermeability has a contrast of 5 and no symmetry.
func smoothPermeability(r int) grid.Batch {
	a := grid.NewBatch(grid.Square, r, 1)
	for i := range r {
		for j := range r {
			x, y := float64(i)/float64(r-1), float64(j)/float64(r-1)
			a.Data[i*r+j] = math.Exp(0.8 * (math.Cos(math.Pi*x)*math.Cos(2*math.Pi*y) + 0.3*math.Cos(3*math.Pi*y)))
		}
	}
	return a
}

func TestFlowModelsPredictTheSameOnEveryGrid(t *testing.T) {
	const finer = 1e-3 // the differences that stand for derivatives have an error of 3/64^2
	m, _, _ := trainDarcy(t)
	on := func(r int) grid.Batch { return predict(t, m, smoothPermeability(r)) }
	own := on(65)
	expectFlat(t, 64, []int{17, 21, 25, 29, 33, 41, 49, 57, 65, 81, 97, 129, 193}, finer, func(r int) float64 {
		common := commonDivisor(r-1, 64) + 1
		got := must(on(r).Restrict(common))
		want := must(own.Restrict(common))
		return deviation(t, got, want)
	})
}

func TestCosineModelsPredictTheSameOnEveryGrid(t *testing.T) {
	const finer = 1e-13 // the permeability has too few modes to alias with theta's
	m := cosineModel(t, 33)
	on := func(r int) grid.Batch { return predict(t, m, smoothPermeability(r)) }
	own := on(33)
	expectFlat(t, 32, []int{5, 7, 9, 13, 17, 25, 33, 41, 65, 97}, finer, func(r int) float64 {
		common := commonDivisor(r-1, 32) + 1
		got := must(on(r).Restrict(common))
		want := must(own.Restrict(common))
		return deviation(t, got, want)
	})
}

func commonDivisor(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}
