package study

import "math"

// Spread is the scatter of one quantity over draws.
type Spread struct {
	quantity
	Own       float64 `json:"own"`       // value in the first draw, with the session's seed
	Mean      float64 `json:"mean"`      // over draws of data and features
	Deviation float64 `json:"deviation"` // standard deviation of one draw of both
	// standard error of a mean over the test inputs, a lower bound of Deviation; 0 if the quantity is not such a mean
	Sampling float64 `json:"sampling"`
}

// Total returns the standard deviation of one draw. A few draws can scatter less by chance than the test inputs alone
// make them; then it returns Sampling.
func (s Spread) Total() float64 { return max(s.Deviation, s.Sampling) }

// spreadTable is the measurements of the study of seeds for a problem.
type spreadTable []Spread

// nearest returns the spread of a quantity, or else the spread of its kind that is nearest in log m, log n and log
// grid. known is false if none of its kind was measured.
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

// apart returns |log((a+1)/(b+1))|, which is defined for values that are 0.
func apart(a, b int) float64 { return math.Abs(math.Log(float64(a+1) / float64(b+1))) }
