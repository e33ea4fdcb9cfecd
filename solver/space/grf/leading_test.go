package grf

import (
	"math"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// The leading functions are orthonormal and ordered by variance, and draws have this variance along them.
func TestLeadingFunctionsAreThoseOfTheDraws(t *testing.T) {
	const draws = 4000
	for _, c := range []struct {
		measure Measure
		points  int
		all     int
	}{
		{Measure{Tau: 3, Alpha: 2, Scale: 1.5, Space: grid.Torus}, 17, 14},
		{Measure{Tau: 3, Alpha: 2, Space: grid.Torus}, 16, 14},
		{Measure{Tau: 3, Alpha: 3, Space: grid.Torus2}, 9, 48},
		{Measure{Tau: 7, Alpha: 2.5, Space: grid.Domain{Dims: 2, Periodic: true, Aspect: grid.AspectOf(2, 3)}}, 9, 76},
	} {
		prior := c.measure.On(c.points).(Expanding)
		if all, _ := prior.Leading(1000); all.Count != c.all {
			t.Errorf("%+v: %d functions, want %d", c.measure, all.Count, c.all)
		}
		functions, lambda := prior.Leading(12)
		d := functions.Domain
		if functions.Count != 12 || len(lambda) != 12 {
			t.Fatalf("%+v: %d functions with %d variances", c.measure, functions.Count, len(lambda))
		}
		b := grid.NewBatch(d, c.points, draws)
		prior.Draw(b, 1, draw.InputTrain, 0)
		for i := range functions.Count {
			for j := range functions.Count {
				want := 0.0
				if i == j {
					want = 1
				}
				if got := d.Inner(functions.At(i), functions.At(j)); math.Abs(got-want) > 1e-13 {
					t.Errorf("%+v: inner product of %d and %d is %g", c.measure, i, j, got)
				}
			}
			if i > 0 && lambda[i] > lambda[i-1] {
				t.Errorf("%+v: variance %d is above that before it", c.measure, i)
			}
			square := 0.0
			for k := range draws {
				c := d.Inner(b.At(k), functions.At(i))
				square += c * c / draws
			}
			if z := (square/lambda[i] - 1) / math.Sqrt(2./draws); math.Abs(z) > 4 {
				t.Errorf("%+v: variance %d is %.1f deviations off", c.measure, i, z)
			}
		}
	}
}
