package grf

import (
	"math"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// Eigenfunctions satisfy the conditions u_n + loss u = 0 at their ends and are orthogonal, with mean squares of 1/2.
// For a very small or a very large loss they are near those with zero slopes or zero values.
func TestModesWithLosingEnds(t *testing.T) {
	for _, ends := range [][2]End{{Losing(2), Losing(1)}, {Held, Losing(3)}, {Losing(40), Free}, {Free, Losing(1e-9)}, {Losing(1e9), Held}} {
		left, right := ends[0], ends[1]
		const n = 2000
		at := func(k int, x float64) float64 { return modeBetween(left, right, waveBetween(left, right, k), x) }
		for k := range 5 {
			const h = 1e-5
			for _, e := range []struct {
				End
				at, outwards float64
			}{{left, 0, -h}, {right, 1, h}} {
				if e.kind != losing {
					continue
				}
				slope := (at(k, e.at+e.outwards) - at(k, e.at-e.outwards)) / (2 * h)
				if d := slope + e.loss*at(k, e.at); math.Abs(d) > 1e-6*(1+e.loss) {
					t.Errorf("%v, mode %d: the value falls by %g too little", ends, k, d)
				}
			}
			for j := range k + 1 {
				sum := 0.0
				for i := range n {
					x := (float64(i) + 0.5) / n
					sum += at(k, x) * at(j, x) / n
				}
				want := 0.0
				if j == k {
					want = 0.5
				}
				if math.Abs(sum-want) > 1e-4 {
					t.Errorf("%v: the product of modes %d and %d has the mean %g", ends, k, j, sum)
				}
			}
		}
	}
	nearlyFree := waveBetween(Free, Losing(1e-9), 3)
	nearlyHeld := waveBetween(Losing(1e9), Held, 3)
	if math.Abs(nearlyFree-3*math.Pi) > 1e-8 || math.Abs(nearlyHeld-4*math.Pi) > 1e-6 {
		t.Errorf("wavenumbers %g and %g", nearlyFree, nearlyHeld)
	}
}

// Functions that do not satisfy the conditions keep their values on the grid, and are interpolated nearly as well.
func TestOtherFunctionsKeepTheirValues(t *testing.T) {
	const points = 33
	f := func(x float64) float64 { return 1 + math.Exp(x)*math.Sin(3*x) }
	var grid, between []float64
	for i := range points {
		grid = append(grid, float64(i)/(points-1))
		between = append(between, (float64(i)+0.5)/points)
	}
	for _, ends := range [][2]End{{Losing(2), Losing(1)}, {Losing(0.3), Free}} {
		for _, c := range []struct {
			to   []float64
			most float64
		}{{grid, 1e-12}, {between, 0.06}} {
			matrix := NewInterpolation(ends[0], ends[1], points).To(c.to)
			for i, x := range c.to {
				got := 0.0
				for j, at := range grid {
					got += matrix[i*points+j] * f(at)
				}
				if math.Abs(got-f(x)) > c.most {
					t.Errorf("%v at %g: %g, want %g", ends, x, got, f(x))
				}
			}
		}
	}
}

// Draws are interpolated exactly, on the interval and on both axes of the square.
func TestDrawsWithLosingEndsAreInterpolated(t *testing.T) {
	m := Measure{Tau: 7, Alpha: 4, Scale: 1}
	for _, ends := range [][2]End{{Losing(2), Losing(1)}, {Held, Losing(3)}, {Losing(300), Free}} {
		const coarse, fine = 33, 65
		left, right := ends[0], ends[1]
		u := grid.NewBatch(grid.Interval, coarse, 1)
		m.Between(left, right, coarse).Draw(u, 1, draw.InputTrain, 0)
		var to []float64
		for i := range fine {
			to = append(to, float64(i)/(fine-1))
		}
		matrix := NewInterpolation(left, right, coarse).To(to)
		for i, x := range to {
			got := 0.0
			for j, v := range u.At(0) {
				got += matrix[i*coarse+j] * v
			}
			want := 0.0
			stream := draw.Stream(1, draw.InputTrain, 0)
			for k := range modesDrawn(left, right, coarse) {
				wave := waveBetween(left, right, k)
				amplitude := math.Sqrt(2 * math.Exp(2*m.logDeviation(1, wave*wave)))
				want += amplitude * stream.NormFloat64() * modeBetween(left, right, wave, x)
			}
			if math.Abs(got-want) > 1e-10 {
				t.Errorf("%v at %g: %g, want %g", ends, x, got, want)
			}
		}
	}
}
