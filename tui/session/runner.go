package session

import (
	"errors"
	"fmt"
	"slices"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/show/compare"
)

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
func (s Stage) String() string {
	return [...]string{"configure", "generate", "train", "evaluate"}[s]
}

// stageOf maps each part of an experiment to its stage.
var stageOf = map[string]Stage{
	engine.Generating: Generate,
	engine.Training:   Train,
	engine.Choosing:   Train,
	engine.Solving:    Train,
	engine.Evaluating: Evaluate,
	engine.Comparing:  Evaluate,
}

// A State is the current activity of a runner, or the outcome of the last one.
type State int

// The states.
const (
	Idle      State = iota
	Running         // a job computes
	Cancelled       // the last job was stopped
	Failed          // the last job has ended with an error
)

// A Runner computes: it has the experiment with its stages, and runs one job at a time in the background. See job.go for
// jobs, and stage.go for the beginning, the stages and the end of the experiment.
type Runner struct {
	front   *Front
	draft   *Draft
	runs    *Runs
	options Options

	state   State
	job     *task
	last    *task // the newest task, ended or not: the next one waits for it
	onward  bool  // continue with the next stage without waiting
	failure error // error of the last job
	about   int   // number of changes of the draft at the end of the last job, which was about that draft

	experiment *engine.Experiment // computed or shown; nil before the first
	// draft of the experiment, whose own configuration has absolute names of files
	asked   config.Config
	reached Stage                         // last stage of experiment that is complete
	seen    [Evaluate + 1]engine.Progress // latest progress of each stage
	broken  bool                          // the experiment failed with an error that a retry does not mend
	notices []string                      // warnings about the results of the experiment
	stored  string                        // directory of the stored run
	results []Result                      // models that were tested in this session, in order

	leaving  bool // everything is stopped because the program ends
	cutShort bool // leaving has interrupted a stage of a stored run
	lost     bool // leaving has ended a stage of a run that is not stored
	stays    bool // runs continue in the background if the terminal is lost
}

// State returns the current activity, or how the last one ended: not if it was about another draft.
func (r *Runner) State() State {
	if r.state >= Cancelled && r.about != r.draft.Changes() {
		return Idle
	}
	return r.state
}

// Failure returns the error behind the state Failed or Cancelled; nil in other states.
func (r *Runner) Failure() error {
	if r.State() != r.state {
		return nil
	}
	return r.failure
}

// settle forgets the outcome of the last job.
func (r *Runner) settle() {
	if r.state >= Cancelled {
		r.state = Idle
		r.failure = nil
	}
}

// Acknowledge forgets that the last job was cancelled or, if everything is set, that it failed.
func (r *Runner) Acknowledge(everything bool) {
	if r.state == Cancelled || everything && r.state == Failed {
		r.settle()
	}
}

// Experiment returns the experiment that is computed or shown; nil before the first.
func (r *Runner) Experiment() *engine.Experiment { return r.experiment }

// Computed returns the configuration of the experiment, or the draft if there is none yet.
func (r *Runner) Computed() config.Config {
	if r.experiment == nil {
		return r.draft.Config()
	}
	return r.experiment.Config
}

// Current reports whether the experiment was made from the draft as it is now.
func (r *Runner) Current() bool {
	return r.experiment != nil && r.asked == r.draft.Config()
}

// Outdated describes how the draft differs from the experiment shown; empty if it does not.
func (r *Runner) Outdated() string {
	now := r.draft.Config()
	switch {
	case r.experiment == nil || r.Current():
		return ""
	case r.asked.Title() != now.Title():
		return fmt.Sprintf("of %s; the configuration is of %s now", r.asked.Title(), now.Title())
	}
	had := config.Differences(r.asked, now)
	has := config.Differences(now, r.asked)
	return fmt.Sprintf("of %s; the configuration has %s now", had, has)
}

// Reached returns the last stage of the experiment that is complete.
func (r *Runner) Reached() Stage { return r.reached }

// Next returns the stage after the last complete one, or the first again if the draft has changed. It is beyond
// Evaluate if all are complete.
func (r *Runner) Next() Stage {
	if !r.Current() {
		return Generate
	}
	return r.reached + 1
}

// Has reports whether a screen has something to show, which the results have after the first test error.
func (r *Runner) Has(screen string) bool {
	return screen != ResultsPage || r.Evaluation() != nil
}

// Evaluation returns the test errors of the experiment, which are known before other methods are compared; nil if there
// are none yet.
func (r *Runner) Evaluation() *engine.Evaluation {
	if r.reached == Evaluate {
		return r.experiment.Evaluation()
	}
	return r.seen[Evaluate].Measured
}

// Stored returns the directory of the run; empty if it is not stored.
func (r *Runner) Stored() string { return r.stored }

// moved follows the run to another directory.
func (r *Runner) moved(from, to string) {
	if r.stored == from {
		r.stored = to
	}
}

// Notices returns the warnings about the results of the experiment.
func (r *Runner) Notices() []string { return r.notices }

// Progress returns the latest progress of a stage of the experiment.
func (r *Runner) Progress(stage Stage) engine.Progress { return r.seen[stage] }

// Workers returns the number of goroutines that compute.
func (r *Runner) Workers() int { return machine.Workers(r.options.Workers) }

// Correct asks for the parameter that is wrong: the first one of the draft, or else the one that an error names.
func (r *Runner) Correct(err error) {
	r.onward = false
	var wrong *config.Error
	first := r.draft.Fault()
	if first != nil {
		wrong = first
	} else if !errors.As(err, &wrong) {
		wrong = &config.Error{}
	}
	r.front.Select(wrong.Key)
}

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

// IsTestedLike reports whether two models were tested on the same pairs.
func (r Result) IsTestedLike(other Result) bool { return r.tests == other.tests }

// Tries returns the models tested since the program began or another problem was tested, in order.
func (r *Runner) Tries() []Result {
	last := len(r.results) - 1
	first := last
	for first > 0 && r.results[first-1].Config.SameProblem(r.results[last].Config) {
		first--
	}
	return r.results[max(0, first):]
}

// Tested returns the test errors of the experiment and of the model of its problem before it; 0 stands for none.
func (r *Runner) Tested() (now, before float64) {
	tries := r.Tries()
	if last := len(tries) - 1; last >= 0 && r.isShown(tries[last]) {
		now = tries[last].Error
		tries = tries[:last]
	}
	if last := len(tries) - 1; last >= 0 {
		of := tries[last].Config
		if of.SameProblem(r.draft.Config()) {
			before = tries[last].Error
		}
	}
	return now, before
}

// isShown reports whether a model is that of the experiment.
func (r *Runner) isShown(tested Result) bool {
	return r.experiment != nil && tested.Config == r.experiment.Config
}
