package brownian

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
)

// small returns a problem whose direct formulas are fast.
func small(points, modes int) Problem { return Problem{Points: points, Truncation: modes, Seed: 1} }

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// at returns the function at x, by its definition.
func (c Model) at(x float64) float64 {
	sum := 0.0
	for j, v := range c {
		sum += v * math.Sqrt2 * math.Sin(float64(j+1)*math.Pi*x) / (float64(j+1) * math.Pi)
	}
	return sum
}

// With more and more features the model approaches the piecewise linear interpolant of 32 values.
func Example() {
	s := PaperSweep(1)
	s.Counts, s.Draws = PaperCounts(), 1
	for _, level := range must(s.Run(context.Background(), 2, nil)).Levels {
		fmt.Printf("m = %4d: distance %.4f\n", level.Count, level.RMS)
	}
	// Output:
	// m =   50: distance 0.1485
	// m =  500: distance 0.0263
	// m = 5000: distance 0.0093
}

func TestModelOfManyFeaturesInterpolates(t *testing.T) {
	p := Paper(1)
	d := p.data()
	for q, f := range must(p.train(t.Context(), []int{50, 500}, 0, 2)) {
		for i, x := range d.X {
			if got := f.at(x); math.Abs(got-d.Y[i]) > 1e-10 {
				t.Errorf("model %d: F(%g) = %g, data %g", q, x, got, d.Y[i])
			}
		}
	}
}

// The model is in the span of its features, and the residual is orthogonal to them: it is the least squares solution.
func TestResidualOfFewFeaturesIsOrthogonalToThem(t *testing.T) {
	const m = 12
	p := Paper(1)
	d, f := p.data(), must(p.train(t.Context(), []int{m}, 0, 1))[0]
	for l := range m {
		sum, phi := 0.0, p.Feature(0, l)
		for i, x := range d.X {
			sum += (d.Y[i] - f.at(x)) * phi.at(x)
		}
		if math.Abs(sum) > 1e-10 {
			t.Errorf("feature %d: %g", l, sum)
		}
	}
}

func TestCurveIsTheSeriesOnEveryGrid(t *testing.T) {
	f := small(10, 100).Feature(2, 7)
	// coarse grids alias most modes, 51 and 101 hit zeros of mode 50 and 100
	for _, K := range []int{2, 3, 4, 17, 51, 101, 513} {
		curve := f.Curve(K)
		for i, x := range uniform(K) {
			if math.Abs(curve[i]-f.at(x)) > 1e-13 {
				t.Errorf("%d points: curve at %g is %g, series %g", K, x, curve[i], f.at(x))
			}
		}
	}
}

// The mean of products of features is the kernel, whose interpolant is piecewise linear: the mean square distance falls
// like 1/(m-n-1).
func TestDistanceFallsAtTheMonteCarloRate(t *testing.T) {
	s := Sweep{Problem: small(12, 200), Counts: []int{40, 400}, Draws: 100, GridSize: 129}
	l := must(s.Run(t.Context(), 2, nil)).Levels
	if rate := math.Pow(l[0].RMS/l[1].RMS, 2) / ((400. - 13) / (40 - 13)); math.Abs(rate-1) > 0.25 {
		t.Errorf("mean squares of %g and %g, %g times the rate", l[0].RMS, l[1].RMS, rate)
	}
}

// At m = n the Gram matrix is nearly singular, and the model swings between the data points.
func TestDistancePeaksWhereFeaturesMatchData(t *testing.T) {
	s := PaperSweep(1)
	s.Counts = []int{16, 32, 64}
	r := must(s.Run(t.Context(), 2, nil))
	if l := r.Levels; l[1].RMS < 2*l[0].RMS || l[1].RMS < 2*l[2].RMS {
		t.Errorf("distances %g, %g, %g at m = 16, 32, 64", l[0].RMS, l[1].RMS, l[2].RMS)
	}
}

func TestInterpolantIsLinearBetweenDistinctPoints(t *testing.T) {
	d := Data{X: []float64{0.25, 0.5}, Y: []float64{1, 3}}
	if got := must(d.interpolant(9)); !reflect.DeepEqual(got, []float64{0, 0.5, 1, 2, 3, 2.25, 1.5, 0.75, 0}) {
		t.Error(got)
	}
	d.X[1] = d.X[0]
	if _, err := d.interpolant(9); err == nil {
		t.Error("two points coincide without an error")
	}
}

func TestSweepDoesNotDependOnWorkersOrOtherCounts(t *testing.T) {
	s := Sweep{Problem: small(8, 60), Counts: []int{5, 20, 100}, Draws: 3, GridSize: 33}
	want := must(s.Run(t.Context(), 1, nil))
	if got := must(s.Run(t.Context(), 4, nil)); !reflect.DeepEqual(got, want) {
		t.Error("four workers give another result")
	}
	s.Counts = s.Counts[1:2]
	if got := must(s.Run(t.Context(), 2, nil)); !reflect.DeepEqual(got.Levels, want.Levels[1:2]) {
		t.Error("the model of 20 features alone is another")
	}
}

func TestSweepStopsWhenCancelled(t *testing.T) {
	s := Sweep{Problem: small(8, 60), Counts: []int{20}, Draws: 50, GridSize: 33}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := 0
	_, err := s.Run(ctx, 2, func(draws int) {
		done = draws
		if draws == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || done != 2 {
		t.Errorf("error %v after %d draws", err, done)
	}
}
