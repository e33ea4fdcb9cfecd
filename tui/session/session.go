// Package session holds the state of a session apart from its screens: a Draft is what is being configured, a Runner what
// computes, Runs are what is stored. They say what they did to a Front, which the person has before the eyes. Only methods
// named for it change the state, and only in Update of the program; background work ends with a message, see messages.go.
package session

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
)

// Options are the initial settings of a session.
type Options struct {
	Config  config.Config
	Workers int    // 0 is one for each core
	Runs    string // directory for stored runs; empty if runs are not stored
	Name    string // name of the first stored run; empty for a name made of date and problem

	// reads a preset or a configuration file
	Load func(ctx context.Context, name string) (config.Config, error)
	// between two updates of the progress; 0 is ten times a second. Numbers change at that rate, plots more slowly
	Every time.Duration

	Screen string         // the first one; empty for the configuration
	Start  bool           // nothing was asked for: the first screen lists the examples
	Around func(Job) Work // wraps the work of a job; nil for nothing
}

// Session is the state of the program without the interface.
type Session struct {
	*Front
	Draft  *Draft
	Runner *Runner
	Runs   *Runs

	options   Options
	rates     *engine.Rates // speed of this machine, once measured
	pace      engine.Pace   // of the equation that was drawn last
	farewells []Farewell    // on work of screens, for the epilogue
}

// New returns a session; it computes nothing yet.
func New(o Options) *Session {
	o.Every = cmp.Or(o.Every, 100*time.Millisecond)
	front := newFront(o.Screen)
	draft := newDraft(o.Config)
	runs := &Runs{front: front, root: o.Runs}
	return &Session{
		Front: front,
		Draft: draft,
		Runner: &Runner{
			front:   front,
			draft:   draft,
			runs:    runs,
			options: o,
		},
		Runs:    runs,
		options: o,
	}
}

// Init measures the machine and looks for the runs of earlier sessions.
func (s *Session) Init() tea.Cmd {
	measure := func() tea.Msg { return measured{engine.MeasureRates(s.Runner.Workers())} }
	return tea.Batch(s.Runs.Read(), measure)
}

// Options returns the settings of the session.
func (s *Session) Options() Options { return s.options }

// Unsaved reports whether the draft was changed here and neither saved nor run.
func (s *Session) Unsaved() bool {
	now := s.Draft.Version()
	return now.Config != now.Base && s.Draft.CanUndo() && !s.Runner.Current()
}

// Estimate returns the cost of a valid configuration on this machine, if it is known. It is not before the sizes in
// files are.
func (s *Session) Estimate(c config.Config) (e engine.Estimate, known bool) {
	havePairs := c.Data.Train > 0 && c.Data.Test > 0
	haveGrids := c.Data.Grid > 0 && c.Train.Grid > 0
	if s.rates == nil || !havePairs || !haveGrids {
		return e, false
	}
	return s.rates.Forecast(c, s.Runner.Workers(), s.pace), true
}

// Price returns the time of a whole experiment with the draft in words, as far as it can be promised.
func (s *Session) Price() (text string, known bool) {
	c := s.Draft.Config()
	if s.Draft.Fault() != nil || !s.HasPace(c) {
		return "", false
	}
	e, known := s.Estimate(c)
	return e.Time(), known
}

// HasPace reports whether the speed of the solver of a configuration is known. That of an equation given as text is once
// its first inputs are solved.
func (s *Session) HasPace(c config.Config) bool {
	return c.Problem != config.TextEquation || s.pace.Of(c)
}

// SetPace keeps the pace of the solver on the first inputs of an equation, for estimates.
func (s *Session) SetPace(pace engine.Pace) { s.pace = pace }

// Leave stops everything; Close waits for it.
func (s *Session) Leave() { s.Runner.leave() }

// Close stops the job, waits until its state is stored, and closes the run. Call it after the program has ended, also
// by a signal. The error is the error of closing the run.
func (s *Session) Close() error { return s.Runner.close() }

// A Farewell describes unfinished work other than the experiment, and reports whether leaving has interrupted it.
type Farewell func() (text string, interrupted bool)

// AtEnd adds a farewell to the epilogue.
func (s *Session) AtEnd(f Farewell) {
	s.farewells = append(s.farewells, f)
}

// Interrupted reports whether leaving has interrupted a stored run, search or study, which can be resumed.
func (s *Session) Interrupted() bool {
	return s.Runner.cutShort || slices.ContainsFunc(s.farewells, func(f Farewell) bool {
		_, interrupted := f()
		return interrupted
	})
}

// Epilogue returns the summary for the normal screen: that of the experiment, then the farewells; empty if nothing was
// computed.
func (s *Session) Epilogue() string {
	text := s.Runner.outcome()
	for _, f := range s.farewells {
		more, _ := f()
		text += "\n" + more
	}
	return strings.TrimSpace(text)
}
