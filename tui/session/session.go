// Package session holds the state of a session: the draft of a configuration with its history, the experiment, the
// running job, and the stored runs. It knows nothing of screens, widths and colours. Only the methods named for it
// change the state, and only in Update of the program.
package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/model/show/compare"
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

// A Stage is a part of the experiment. None is before the first.
type Stage int

// The stages, in order.
const (
	None Stage = iota
	Generate
	Train
	Evaluate
)

// String returns the name of a stage; None is that of the configuration.
func (s Stage) String() string { return [...]string{"configure", "generate", "train", "evaluate"}[s] }

// The screens of an experiment.
const (
	ConfigurePage = "configure"
	RunPage       = "run" // stages in progress, and the training
	ResultsPage   = "results"
)

// LastOf returns the last stage that is complete when a screen has all of its content, if it is one of an experiment.
func LastOf(screen string) (Stage, bool) {
	stage, ok := map[string]Stage{ConfigurePage: None, RunPage: Train, ResultsPage: Evaluate}[screen]
	return stage, ok
}

// stageOf maps each part of an experiment to its stage.
var stageOf = map[string]Stage{engine.Generating: Generate, engine.Training: Train, engine.Choosing: Train,
	engine.Solving: Train, engine.Evaluating: Evaluate, engine.Comparing: Evaluate}

// A State is the current activity of a session, or the outcome of the last one.
type State int

// The states.
const (
	Idle      State = iota
	Running         // a job computes
	Cancelled       // the last job was stopped
	Failed          // the last job has ended with an error
)

// Session is the state of the program without the interface.
type Session struct {
	options Options
	draft   Draft
	history []Draft // drafts that Undo restores, the newest last

	state   State
	job     *task
	last    *task // the newest task, ended or not: the next one waits for it
	onward  bool  // continue with the next stage without waiting
	failure error // error of the last job

	experiment *engine.Experiment // computed or shown; nil before the first
	// draft of the experiment, whose own configuration has absolute names of files
	asked    config.Config
	reached  Stage                         // last stage of experiment that is complete
	seen     [Evaluate + 1]engine.Progress // latest progress of each stage
	broken   bool                          // the experiment failed with an error that a retry does not mend
	notices  []string                      // warnings about the results of the experiment
	stored   string                        // directory of the stored run
	leaving  bool                          // everything is stopped because the program ends
	cutShort bool                          // leaving has interrupted a stage of a stored run
	lost     bool                          // leaving has ended a stage of a run that is not stored
	stays    bool                          // runs continue in the background if the terminal is lost

	rates *engine.Rates // speed of this machine, once measured
	pace  engine.Pace   // of the equation that was drawn last
	runs  Runs
	// runs that were deleted here, in order
	deleted []deleted
	results []Result
	// on work of screens, for the epilogue
	farewells []Farewell
	notice    Notice
	shown     string       // name of the active screen
	follow    *store.Entry // run that the screen of runs is to follow
	wanted    *string      // parameter that the configuration screen is to select
}

// New returns a session; it computes nothing yet.
func New(o Options) *Session {
	o.Every = cmp.Or(o.Every, 100*time.Millisecond)
	return &Session{options: o, draft: Draft{Config: o.Config, Base: o.Config, Source: presetOf(o.Config), Read: o.Config},
		shown: cmp.Or(o.Screen, ConfigurePage)}
}

// Init measures the machine and looks for the runs of earlier sessions.
func (s *Session) Init() tea.Cmd {
	return tea.Batch(s.ListRuns(), func() tea.Msg { return measured{engine.MeasureRates()} })
}

// Notice is the outcome of a key press, shown until the next one.
type Notice struct {
	Text string
	Bad  bool // something failed
}

// Say shows a notice.
func (s *Session) Say(text string) { s.notice = Notice{text, false} }

// Complain shows a notice of an error.
func (s *Session) Complain(text string) { s.notice = Notice{text, true} }

// Notice returns the notice shown; without text if there is none.
func (s *Session) Notice() Notice { return s.notice }

// Show makes the screen of this name active.
func (s *Session) Show(screen string) { s.shown = screen }

// Shown returns the name of the active screen.
func (s *Session) Shown() string { return s.shown }

// Select shows the configuration and selects a parameter; the line of the preset if the name is empty.
func (s *Session) Select(parameter string) {
	s.Show(ConfigurePage)
	s.wanted = &parameter
}

// Wanted returns the parameter that Select named, once, and whether there is one.
func (s *Session) Wanted() (parameter string, ok bool) {
	if s.wanted == nil {
		return "", false
	}
	parameter, s.wanted = *s.wanted, nil
	return parameter, true
}

// State returns the current activity, or how the last one ended.
func (s *Session) State() State { return s.state }

// Failure returns the error behind the state Failed or Cancelled; nil in other states.
func (s *Session) Failure() error { return s.failure }

// Experiment returns the experiment that is computed or shown; nil before the first.
func (s *Session) Experiment() *engine.Experiment { return s.experiment }

// Computed returns the configuration of the experiment, or the draft if there is none yet.
func (s *Session) Computed() config.Config {
	if s.experiment == nil {
		return s.draft.Config
	}
	return s.experiment.Config
}

// Current reports whether the experiment was made from the draft as it is now.
func (s *Session) Current() bool { return s.experiment != nil && s.asked == s.draft.Config }

// Outdated describes how the draft differs from the experiment shown; empty if it does not.
func (s *Session) Outdated() string {
	switch {
	case s.experiment == nil || s.Current():
		return ""
	case s.asked.Title() != s.draft.Config.Title():
		return fmt.Sprintf("of %s; the configuration is of %s now", s.asked.Title(), s.draft.Config.Title())
	}
	return fmt.Sprintf("of %s; the configuration has %s now", config.Differences(s.asked, s.draft.Config),
		config.Differences(s.draft.Config, s.asked))
}

// Reached returns the last stage of the experiment that is complete.
func (s *Session) Reached() Stage { return s.reached }

// Next returns the stage after the last complete one, or the first again if the draft has changed. It is beyond
// Evaluate if all are complete.
func (s *Session) Next() Stage {
	if !s.Current() {
		return Generate
	}
	return s.reached + 1
}

// Has reports whether a screen has something to show: that of a run before any test error, that of results after.
func (s *Session) Has(screen string) bool {
	empty := screen == RunPage && s.experiment == nil || screen == ResultsPage && s.Evaluation() == nil
	return !empty
}

// Evaluation returns the test errors of the experiment, which are known before other methods are compared; nil if there
// are none yet.
func (s *Session) Evaluation() *engine.Evaluation {
	if s.reached == Evaluate {
		return s.experiment.Evaluation()
	}
	return s.seen[Evaluate].Measured
}

// Stored returns the directory of the run; empty if it is not stored.
func (s *Session) Stored() string { return s.stored }

// Notices returns the warnings about the results of the experiment.
func (s *Session) Notices() []string { return s.notices }

// Progress returns the latest progress of a stage of the experiment.
func (s *Session) Progress(stage Stage) engine.Progress { return s.seen[stage] }

// observe copies the progress of the stage that runs or has run last.
func (s *Session) observe() {
	now := s.experiment.Progress()
	which := stageOf[now.Stage]
	if which == Evaluate && s.RunningStage() == Train { // best compares methods to train one
		which = Train
	}
	if which == None {
		return
	}
	if now.Validation == nil {
		now.Validation = s.seen[which].Validation // belongs to the sums, not to their solution
	}
	tested := s.Evaluation() != nil
	s.seen[which] = now
	s.record()
	if !tested && s.Evaluation() != nil && s.shown == RunPage {
		s.Show(ResultsPage)
	}
}

// Options returns the settings of the session.
func (s *Session) Options() Options { return s.options }

// Workers returns the number of goroutines that compute.
func (s *Session) Workers() int { return machine.Workers(s.options.Workers) }

// Estimate returns the cost of a valid configuration on this machine, if it is known. It is not before the sizes in
// files are.
func (s *Session) Estimate(c config.Config) (e engine.Estimate, known bool) {
	if s.rates == nil || c.Data.Train == 0 || c.Data.Test == 0 || c.Data.Grid == 0 || c.Train.Grid == 0 {
		return e, false
	}
	return s.rates.Forecast(c, s.Workers(), s.pace), true
}

// Price returns the time of a whole experiment with the draft, as far as it can be promised: the speed of an equation given
// as text is known once its first inputs are solved.
func (s *Session) Price() (seconds float64, known bool) {
	c := s.draft.Config
	if s.Fault() != nil || c.Problem == config.TextEquation && !s.pace.Of(c) {
		return 0, false
	}
	e, known := s.Estimate(c)
	return e.Total(), known
}

// SetPace keeps the pace of the solver on the first inputs of an equation, for estimates.
func (s *Session) SetPace(pace engine.Pace) { s.pace = pace }

// A Result is a model that was tested in this session.
type Result struct {
	Config   config.Config
	Error    float64   // expected relative test error
	Relative []float64 // errors of the test inputs
	tests    uint64    // fingerprint of the true outputs
}

// record stores the test errors of the experiment, once.
func (s *Session) record() {
	c, v := s.experiment.Config, s.Evaluation()
	if n := len(s.results); v != nil && (n == 0 || s.results[n-1].Config != c) {
		s.results = append(s.results, Result{c, v.Test.ExpectedRelative, v.Test.Relative,
			compare.Fingerprint(v.TestPairs.Outputs.Data)})
	}
}

// Other returns the newest model other than the last that was tested on the same pairs; nil if there is none.
func (s *Session) Other() *Result {
	last := s.results[len(s.results)-1]
	for i, r := range slices.Backward(s.results) {
		if r.tests == last.tests && compare.Alone(r.Config) != compare.Alone(last.Config) {
			return &s.results[i]
		}
	}
	return nil
}

// Tries returns the models tested since the program began or another problem was tested, in order.
func (s *Session) Tries() []Result {
	first := len(s.results)
	for first > 0 && s.results[first-1].Config.Title() == s.results[len(s.results)-1].Config.Title() {
		first--
	}
	return s.results[first:]
}

// Tested returns the test errors of the experiment and of the model of its problem before it; 0 stands for none.
func (s *Session) Tested() (now, before float64) {
	tries := s.Tries()
	if n := len(tries); n > 0 && s.experiment != nil && tries[n-1].Config == s.experiment.Config {
		now = tries[n-1].Error
		tries = tries[:n-1]
	}
	if n := len(tries); n > 0 && tries[n-1].Config.Title() == s.Config().Title() {
		before = tries[n-1].Error
	}
	return now, before
}
