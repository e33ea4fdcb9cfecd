package rfm

import (
	"slices"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/draw"
	"rfm/solver/fft"
)

// Rows selects points of every training sample that enter the sums: Count of them, drawn again for every sample from
// the stream (Seed, rows, sample), each with the weight Points/Count, so that the expectation of the sums is right.
// With Count 0, or as many as there are points, all enter. It applies to features whose rows are points of the grid,
// not coefficients.
type Rows struct {
	Seed  uint64
	Count int
}

// Of returns the number of rows of a sample that has the given points.
func (r Rows) Of(points int) int {
	if r.Count <= 0 || r.Count > points {
		return points
	}
	return r.Count
}

// weight returns the factor from sums over the rows of an evaluator's features to L2 inner products.
func (r Rows) weight(e feature.Evaluator) float64 {
	return e.Weight() * (float64(e.Points()) / float64(r.Of(e.Points())))
}

// EnoughRows returns a number of points of every sample for about the same test error of m features trained with n
// samples as with all points: 16 m rows in all, at least 8 of a sample, a power of two. It may exceed the points.
func EnoughRows(n, m int) int {
	rows := 8
	for n*rows < 16*m {
		rows *= 2
	}
	return rows
}

// draw returns the points of a sample, ascending.
func (r Rows) draw(sample, points int) []int {
	stream, all := draw.Stream(r.Seed, draw.Rows, sample), make([]int, points)
	for x := range all {
		all[x] = x
	}
	for k := range r.Count { // Fisher-Yates shuffle of the first Count
		j := k + int(stream.Uint64N(uint64(points-k)))
		all[k], all[j] = all[j], all[k]
	}
	chosen := all[:r.Count]
	slices.Sort(chosen)
	return chosen
}

// choice holds the points of every sample of a block; nil: all.
type choice [][]int

// choose returns the points of the samples of the block that begins with sample first.
func (b *blocks) choose(first, samples int) choice {
	points := b.evaluator.Points()
	if b.rows == points {
		return nil
	}
	c := make(choice, samples)
	for i := range c {
		c[i] = b.some.draw(first+i, points)
	}
	return c
}

// at returns the kth point of sample i.
func (c choice) at(i, k int) int {
	if c == nil {
		return k
	}
	return c[i][k]
}

// masked returns values, points of them for each sample, with zeros where no point was chosen.
func (c choice) masked(values []float64, points int) []float64 {
	if c == nil {
		return values
	}
	masked := make([]float64, len(values))
	for i, chosen := range c {
		for _, x := range chosen {
			masked[i*points+x] = values[i*points+x]
		}
	}
	return masked
}

// of returns the values of the chosen points alone.
func (c choice) of(values []float64, points int) []float64 {
	if c == nil {
		return values
	}
	var some []float64
	for i, chosen := range c {
		for _, x := range chosen {
			some = append(some, values[i*points+x])
		}
	}
	return some
}

// gather copies the chosen rows after row, in the columns of group g, to the rows after to.
func gather(features *linalg.Panels, g, row, to int, chosen []int) {
	const perGroup = feature.GroupSize / fft.Lanes
	for p := perGroup * g; p < min(perGroup*(g+1), features.Count()); p++ {
		panel := features.Panel(p)
		for k, x := range chosen {
			*(*[fft.Lanes]float64)(panel[fft.Lanes*(to+k):]) = *(*[fft.Lanes]float64)(panel[fft.Lanes*(row+x):])
		}
	}
}
