package session

import (
	"slices"

	"rfm/config"
	"rfm/model/show/compare"
)

// A Result is a model that was tested in this session.
type Result struct {
	Config   config.Config
	Error    float64   // expected relative test error
	Relative []float64 // errors of the test inputs
	tests    uint64    // fingerprint of the true outputs
}

// record stores the test errors of the experiment, once.
func (r *Runner) record() {
	c := r.experiment.Config
	v := r.Evaluation()
	n := len(r.results)
	isNew := n == 0 || r.results[n-1].Config != c
	if v == nil || !isNew {
		return
	}
	r.results = append(r.results, Result{
		Config:   c,
		Error:    v.Test.ExpectedRelative,
		Relative: v.Test.Relative,
		tests:    compare.Fingerprint(v.TestPairs.Outputs.Data),
	})
}

// Other returns the newest model other than the last that was tested on the same pairs; nil if there is none.
func (r *Runner) Other() *Result {
	last := r.results[len(r.results)-1]
	for i, other := range slices.Backward(r.results) {
		if other.tests == last.tests && compare.Alone(other.Config) != compare.Alone(last.Config) {
			return &r.results[i]
		}
	}
	return nil
}

// Tries returns the models tested since the program began or another problem was tested, in order.
func (r *Runner) Tries() []Result {
	first := len(r.results)
	for first > 0 && r.results[first-1].Config.Title() == r.results[len(r.results)-1].Config.Title() {
		first--
	}
	return r.results[first:]
}

// Tested returns the test errors of the experiment and of the model of its problem before it; 0 stands for none.
func (r *Runner) Tested() (now, before float64) {
	tries := r.Tries()
	if n := len(tries); n > 0 && r.experiment != nil && tries[n-1].Config == r.experiment.Config {
		now = tries[n-1].Error
		tries = tries[:n-1]
	}
	if n := len(tries); n > 0 && tries[n-1].Config.Title() == r.draft.Config().Title() {
		before = tries[n-1].Error
	}
	return now, before
}
