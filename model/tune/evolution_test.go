package tune

import (
	"math"
	"slices"
	"testing"

	"rfm/solver/draw"
)

// minimise runs generations and returns the best value.
func minimise(f func(x []float64) float64, first []float64, generations int) float64 {
	e := newEvolution(first, 0.2, draw.Stream(3, purposeDescent, 0))
	best := math.Inf(1)
	for range generations {
		points := e.ask()
		values := make([]float64, len(points))
		for i, x := range points {
			values[i] = f(x)
		}
		best = min(best, slices.Min(values))
		e.tell(values)
	}
	return best
}

func TestEvolutionFindsTheMinimumOfARotatedEllipsoid(t *testing.T) {
	const n, condition = 8, 1e4
	f := func(x []float64) float64 { // axes along sums and differences of neighbours
		sum := 0.0
		for i := 0; i < n; i += 2 {
			u, v := x[i]-0.4, x[i+1]-0.6
			sum += (u+v)*(u+v) + (u-v)*(u-v)/condition
		}
		return sum
	}
	first := slices.Repeat([]float64{0.9}, n)
	if best := minimise(f, first, 400); best > 1e-8 {
		t.Errorf("value %g after 400 generations, want 1e-8", best)
	}
}

func TestEvolutionFindsAMinimumInACorner(t *testing.T) {
	f := func(x []float64) float64 {
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		return sum
	}
	if best := minimise(f, slices.Repeat([]float64{0.7}, 6), 150); best > 1e-3 {
		t.Errorf("value %g after 150 generations, want 1e-3", best)
	}
}

func TestEvolutionConverges(t *testing.T) {
	e := newEvolution([]float64{0.2, 0.8, 0.5}, 0.2, draw.Stream(1, purposeDescent, 0))
	for generation := 0; !e.converged(); generation++ {
		if generation > 500 {
			t.Fatal("no convergence in 500 generations")
		}
		values := []float64{}
		for _, x := range e.ask() {
			values = append(values, (x[0]-0.3)*(x[0]-0.3)+x[1]*x[1]+(x[2]-0.5)*(x[2]-0.5))
		}
		e.tell(values)
	}
	if math.Abs(e.mean[0]-0.3) > 1e-3 || math.Abs(e.mean[2]-0.5) > 1e-3 {
		t.Errorf("converged to %v", e.mean)
	}
}

func TestReflectionStaysInsideAndIsContinuous(t *testing.T) {
	for u, want := range map[float64]float64{0: 0, 0.25: 0.25, 1: 1, 1.25: 0.75, 2: 0, -0.25: 0.25, -1.5: 0.5, 3.5: 0.5} {
		if got := mirrored(u); got != want {
			t.Errorf("%g is reflected to %g, want %g", u, got, want)
		}
	}
}
