// This file is the scatter of numbers from draw to draw, the unit in which differences are judged.

package study

import "math"

// Spread is the scatter of one quantity over draws.
type Spread struct {
	quantity
	Mean     float64 `json:"mean"`
	Features float64 `json:"features"` // standard deviation over draws of the features, same data
	Data     float64 `json:"data"`     // standard deviation over draws of the data, same features
	Sampling float64 `json:"sampling"` // standard error of a mean over the test inputs: a lower bound to what Data estimates; 0 for what is no such mean
}

// Total is the standard deviation when both are drawn anew: independent contributions add in squares. A handful of draws
// can scatter less by chance than the test inputs alone make them; then the latter counts.
func (s Spread) Total() float64 { return math.Hypot(s.Features, max(s.Data, s.Sampling)) }

// spreadTable is what the study of seeds measured for a problem.
type spreadTable []Spread

// relative is the total spread of a quantity divided by its mean: that of the same quantity, or else of the one of its kind
// that is nearest in log m, log n and log grid. It is 0 if none of its kind was measured.
func (t spreadTable) relative(q quantity) float64 {
	best, value := math.Inf(1), 0.0
	for _, s := range t {
		if s.Kind != q.Kind || s.Step != q.Step {
			continue
		}
		d := apart(s.M, q.M) + apart(s.N, q.N) + apart(s.Grid, q.Grid) + apart(s.Test, q.Test)
		if d < best && s.Mean != 0 {
			best, value = d, s.Total()/math.Abs(s.Mean)
		}
	}
	return value
}

// apart is |log(a/b)|, for values that may be 0.
func apart(a, b int) float64 { return math.Abs(math.Log(float64(a+1) / float64(b+1))) }
