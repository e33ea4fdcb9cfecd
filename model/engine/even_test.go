package engine

import (
	"math"
	"rfm/solver/parallel/detector"
	"slices"
	"testing"
)

// Grids with an even number of points, which have an odd number of intervals, give the results of their neighbours.
func TestEvenGrids(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	few := []string{"data.train=40", "data.test=20", "features.count=24", "train.grid=16"}
	even := run(t, tiny(t, append(few, "data.grid=46", "evaluation.grid=46")...), 2)
	odd := run(t, tiny(t, append(few, "data.grid=91", "evaluation.grid=16")...), 2) // 15 divides 90 intervals, too
	if got, want := even.Evaluation().Test.ExpectedRelative,
		odd.Evaluation().Test.ExpectedRelative; !(math.Abs(got-want) < 0.05*want) {
		t.Errorf("test error %g on 46 points, %g with data on 91", got, want)
	}
	if grids := even.grids(); !slices.Equal(grids, []int{10, 16, 46}) {
		t.Errorf("grids %v", grids)
	}
}
