package score

import (
	"math"
	"testing"

	"rfm/solver/space/grid"
)

// Around a large mean the relative error is small whatever is predicted; relative to the fluctuation it is not.
func TestFluctuationIsMeasuredAroundTheMean(t *testing.T) {
	truth := grid.NewBatch(grid.Interval, 9, 2)
	predictions := truth.Like(2)
	means := truth.Like(2)
	for x := range 9 {
		truth.At(0)[x], truth.At(1)[x] = 1001, 999
		predictions.At(0)[x], predictions.At(1)[x] = 1000.5, 999.5
		means.At(0)[x], means.At(1)[x] = 1000, 1000
	}
	f := FluctuationOf(predictions, truth, means)
	if math.Abs(f.Relative-0.5) > 1e-12 || math.Abs(f.Share-1) > 1e-5 {
		t.Errorf("got %+v, want half the fluctuation and a share near 1", f)
	}
	if f := FluctuationOf(means, truth, means); math.Abs(f.Relative-1) > 1e-12 {
		t.Errorf("the mean has the error %g of the fluctuation, want 1", f.Relative)
	}
	if f := FluctuationOf(truth, means, means); f.Relative != 0 || math.Abs(f.Share-1) > 1e-12 {
		t.Errorf("outputs that do not fluctuate: %+v", f)
	}
}

// A channel with large values does not hide the error of another one.
func TestFluctuationOfChannelsIsInTheirUnits(t *testing.T) {
	domain := grid.Interval.With(2)
	truth := grid.NewBatch(domain, 5, 2)
	for x := range 5 {
		truth.Of(0, 0)[x], truth.Of(1, 0)[x] = 1e6, -1e6
		truth.Of(0, 1)[x], truth.Of(1, 1)[x] = 1, -1
	}
	zero := truth.Like(2)
	predictions := truth.Like(2)
	copy(predictions.Data, truth.Data)
	for x := range 5 {
		predictions.Of(0, 1)[x] = 0
		predictions.Of(1, 1)[x] = 0
	}
	f := FluctuationOf(predictions, truth, zero)
	if want := math.Sqrt(0.5); math.Abs(f.Relative-want) > 1e-12 || f.Share != 0 {
		t.Errorf("got %+v, want %g with a share of 0", f, want)
	}
}
