package session

import (
	"rfm/config"
	"rfm/model/compare"
)

// A Result is a model that was tested in this session.
type Result struct {
	Config config.Config
	Error  float64 // expected relative test error
}

// record stores the test error of the experiment, once.
func (s *Session) record() {
	if s.experiment == nil || s.experiment.Evaluation() == nil {
		return
	}
	r := Result{s.experiment.Config, s.experiment.Evaluation().Test.ExpectedRelative}
	if n := len(s.results); n == 0 || s.results[n-1] != r {
		s.results = append(s.results, r)
	}
	s.tried.Add(s.experiment.Config, s.experiment.Evaluation())
	s.others = s.tried.Beside(s.experiment.Config, s.experiment.Evaluation())
}

// Others returns the earlier models that were tested on the same pairs as the experiment, the newest first.
func (s *Session) Others() []compare.Other { return s.others }

// Tries returns the models tested since the program began or another problem was tested, in order.
func (s *Session) Tries() []Result {
	first := len(s.results)
	for first > 0 && s.results[first-1].Config.Problem == s.results[len(s.results)-1].Config.Problem {
		first--
	}
	return s.results[first:]
}

// Tested returns the test errors of the experiment and of the model of the same problem tested before it; 0 where there
// is none.
func (s *Session) Tested() (now, before float64) {
	tries := s.Tries()
	n := len(tries)
	if n == 0 || s.experiment == nil || tries[n-1].Config != s.experiment.Config {
		return 0, 0
	}
	if n > 1 {
		before = tries[n-2].Error
	}
	return tries[n-1].Error, before
}
