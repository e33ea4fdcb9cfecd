package session

import (
	"rfm/config"
	"rfm/model/run/engine"
)

// Estimate returns the cost of a valid configuration on this machine, if it is known. It is not before the sizes in
// files are.
func (s *Session) Estimate(c config.Config) (e engine.Estimate, known bool) {
	haveSizes := c.Data.Train > 0 && c.Data.Test > 0 && c.Data.Grid > 0 && c.Train.Grid > 0
	if s.rates == nil || !haveSizes {
		return e, false
	}
	return s.rates.Forecast(c, s.Runner.Workers(), s.pace), true
}

// Price returns the time of a whole experiment with the draft, as far as it can be promised: the speed of an equation given
// as text is known once its first inputs are solved.
func (s *Session) Price() (seconds float64, known bool) {
	c := s.Draft.Config()
	hasPace := c.Problem != config.TextEquation || s.pace.Of(c)
	if s.Draft.Fault() != nil || !hasPace {
		return 0, false
	}
	e, known := s.Estimate(c)
	return e.Total(), known
}

// SetPace keeps the pace of the solver on the first inputs of an equation, for estimates.
func (s *Session) SetPace(pace engine.Pace) { s.pace = pace }
