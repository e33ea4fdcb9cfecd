package study

import "math"

// Spread is the scatter of one quantity over draws.
type Spread struct {
	quantity
	Own       float64 `json:"own"`       // in the first draw, that of the session's seed
	Mean      float64 `json:"mean"`      // over draws of data and features
	Deviation float64 `json:"deviation"` // standard deviation of one draw of both
	// standard error of a mean over the test inputs: a lower bound to what Deviation estimates; 0 for what is no such mean
	Sampling float64 `json:"sampling"`
}

// Total is the standard deviation of one draw. A handful of draws can scatter less by chance than the test inputs alone
// make them; then the latter counts.
func (s Spread) Total() float64 { return max(s.Deviation, s.Sampling) }

// spreadTable is what the study of seeds measured for a problem.
type spreadTable []Spread

// nearest is the spread of a quantity, or else of the one of its kind that is nearest in log m, log n and log grid, and
// whether any of its kind was measured.
func (t spreadTable) nearest(q quantity) (nearest Spread, known bool) {
	best := math.Inf(1)
	for _, s := range t {
		if s.Kind != q.Kind || s.Step != q.Step {
			continue
		}
		d := apart(s.M, q.M) + apart(s.N, q.N) + apart(s.Grid, q.Grid) + apart(s.Test, q.Test)
		if d < best && s.Mean != 0 && s.Own != 0 {
			best, nearest, known = d, s, true
		}
	}
	return nearest, known
}

// apart is |log(a/b)|, for values that may be 0.
func apart(a, b int) float64 { return math.Abs(math.Log(float64(a+1) / float64(b+1))) }
