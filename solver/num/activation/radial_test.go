package activation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRadialFunctionsAreTheirDefinition(t *testing.T) {
	definitions := map[Radial]func(d float64) float64{
		Rational: func(d float64) float64 { return 1 / (1 + d/2) },
		Gaussian: func(d float64) float64 { return math.Exp(-d / 2) },
		Matern: func(d float64) float64 {
			s := math.Sqrt(5 * d)
			return (1 + s + s*s/3) * math.Exp(-s)
		},
	}
	rng := rand.New(rand.NewPCG(3, 5))
	shift := [8]float64{0, 1, 2, -3, 0.5, 10, 1e-9, 0}
	x := []float64{0, -1, -2, 3, -0.5, -10, -1e-9, 1e30, 1e-300, 700, 1e4, 40, -100}
	for len(x) < 1021 {
		x = append(x, math.Exp(12*rng.Float64()-9)-0.1)
	}
	for r, f := range definitions {
		for _, level := range levels() {
			g, y := Func{kind(r), level}, slices.Clone(x)
			g.apply(y, &shift)
			for i, got := range y {
				if want := f(max(0, x[i]+shift[i%8])); !(math.Abs(got-want) <= 2e-15*want+1e-290) {
					t.Fatalf("function %d, %v: %g at %g, want %g", r, level, got, x[i]+shift[i%8], want)
				}
			}
			for _, size := range []int{1, 7, 24, 37} {
				few := slices.Clone(x[:size])
				if g.apply(few, &shift); !slices.Equal(few, y[:size]) {
					t.Errorf("function %d, %v: %d values are other ones than among many", r, level, size)
				}
			}
			few := []float64{math.NaN(), 1}
			if g.apply(few, &shift); !math.IsNaN(few[0]) || math.IsNaN(few[1]) {
				t.Errorf("function %d, %v: NaN and 1 become %v", r, level, few)
			}
			if n := testing.AllocsPerRun(5, func() { g.apply(y[:37], &shift) }); n != 0 {
				t.Errorf("function %d, %v: %v allocations", r, level, n)
			}
		}
	}
}
