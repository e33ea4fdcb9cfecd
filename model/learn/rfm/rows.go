package rfm

import (
	"rfm/model/learn/feature"
	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
)

// Rows selects the grid points of each training sample that enter the sums. The zero value selects all of them.
//
// Neighbouring points of a smooth function say nearly the same, so a few points of each sample are enough for the
// sums, and training takes a fraction of the time. The points are equally spaced as far as the grid allows (systematic
// sampling), and the first one is random. All points are equally likely, so that the weight Points/Count makes the
// expectation of the sums right; points drawn independently would do the same with a larger variance.
//
// Rows applies to features whose rows are points of the grid. Rows that are coefficients, as those of the
// predictor-corrector features, are not alike and must all enter.
type Rows struct {
	Seed  uint64 // root of the streams (Seed, draw.Rows, sample) from which the first points are drawn
	Count int    // points of each sample; 0, or more than there are: all
}

// Of returns the number of rows that a sample with the given number of points contributes.
func (r Rows) Of(points int) int {
	if r.Count <= 0 || r.Count > points {
		return points
	}
	return r.Count
}

// weight returns the factor that turns sums over the selected rows into L2 inner products.
func (r Rows) weight(e feature.Evaluator) float64 {
	points := float64(e.Points())
	selected := float64(r.Of(e.Points()))
	return e.Weight() * (points / selected)
}

// draw returns the selected points of a sample in ascending order, without repetition.
func (r Rows) draw(sample, points int) []int {
	count := r.Of(points)
	if count == points {
		return ridge.Others(nil, points)
	}
	first := int(draw.Stream(r.Seed, draw.Rows, sample).Uint64N(uint64(points)))
	selected := make([]int, count)
	for k := range selected {
		selected[k] = (k*points + first) / count
	}
	return selected
}

// EnoughRows returns a number of points of each sample with which m features, trained on n samples, have about the
// test error of a training on all points. The rule is measured: 16 m rows in all, at least 8 of each sample, and a
// power of two. The result can exceed the number of points that there are.
func EnoughRows(n, m int) int {
	rows := 8
	for n*rows < 16*m {
		rows *= 2
	}
	return rows
}
