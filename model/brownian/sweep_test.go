package brownian

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"
)

// With many modes, int r(x, x) dx is a sixth of the sum of squared gaps, and the interpolants agree.
func TestExpectationTendsToItsClosedForm(t *testing.T) {
	p := small(6, 100)
	f := interpolant(t, p)
	gaps := 0.0
	for i := range len(f.knots) - 1 {
		h := f.knots[i+1] - f.knots[i]
		gaps += h * h
	}
	before := math.Inf(1)
	for _, modes := range []int{100, 1000, 10000} {
		p.Truncation = modes
		e := must(p.Expectation())
		off := math.Abs(e.Variance/(energy(f)*gaps/6) - 1)
		if off > before/5 || e.Bias > 0.5/float64(modes)*math.Sqrt(energy(f)) {
			t.Errorf("%d modes: variance off by %g (before %g), bias %g", modes, off, before, e.Bias)
		}
		before = off
	}
}

// The statistic is the mean over draws of |F_m - F|^2 divided by its expectation, which falls like 1/m.
func TestMeanSquareDistanceIsTheExpectation(t *testing.T) {
	const draws, tolerance = 100, 0.25 // about four standard deviations of the mean
	p := small(12, 100)
	e := must(p.Expectation())
	counts := []int{40, 120, 400}
	r := must(Sweep{Problem: p, Counts: counts, Draws: draws, GridSize: 17}.Run(t.Context(), 2, nil))
	for q, level := range r.Levels {
		if quotient := math.Pow(level.RMS/e.Distance(counts[q]), 2); math.Abs(quotient-1) > tolerance {
			t.Errorf("m = %d: mean square distance is %g of its expectation", level.Count, quotient)
		}
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

func TestSweepDoesNotDependOnWorkers(t *testing.T) {
	s := Sweep{Problem: small(8, 60), Counts: []int{5, 20, 100}, Draws: 3, GridSize: 33}
	want := must(s.Run(t.Context(), 1, nil))
	got := must(s.Run(t.Context(), 4, nil))
	if !reflect.DeepEqual(got, want) {
		t.Error("four workers give another result")
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
