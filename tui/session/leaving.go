package session

import (
	"fmt"
	"slices"
	"strings"

	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/formula"
)

// Leave stops everything; Close waits for it.
func (s *Session) Leave() { s.Runner.leave() }

// Close stops the job, waits until its state is stored, and closes the run. Call it after the program has ended, also
// by a signal. The error is the error of closing the run.
func (s *Session) Close() error { return s.Runner.close() }

// A Farewell describes unfinished work other than the experiment, and reports whether leaving has interrupted it.
type Farewell func() (text string, interrupted bool)

// AtEnd adds a farewell to the epilogue.
func (s *Session) AtEnd(f Farewell) { s.farewells = append(s.farewells, f) }

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

// leave stops everything.
func (r *Runner) leave() {
	r.leaving = true
	r.Cancel()
}

// close stops the job, waits until its state is stored, and closes the run.
func (r *Runner) close() error {
	r.leave()
	if r.last != nil {
		<-r.last.ended
	}
	if r.job != nil {
		r.finish(r.job)
	}
	return release(r.experiment)
}

// Leaving reports whether everything is stopped because the program ends.
func (r *Runner) Leaving() bool { return r.leaving }

// Lost reports whether leaving has ended a stage of a run that is not stored.
func (r *Runner) Lost() bool { return r.lost }

// outcome returns the result of the experiment, the seed, the directory of the run, and how to resume one.
func (r *Runner) outcome() string {
	e := r.experiment
	switch {
	case e == nil:
		return ""
	case r.reached == Evaluate:
		text := fmt.Sprintf("%s: expected relative test error %s, seed %d", formula.Describe(e.Config),
			report.Error(e.Evaluation().Test.ExpectedRelative, 6), e.Config.Seed)
		verdict := e.Evaluation().Skill.Verdict()
		if verdict != "" {
			text += "; " + verdict
		}
		if r.stored != "" {
			text += "\nstored in " + printable.Line(r.stored)
		}
		if r.stored != "" && verdict == "" {
			text += "\nuse it: " + formula.Use(r.stored)
		}
		return text
	case r.stored == "":
		return ""
	}
	next := r.reached + 1
	text := fmt.Sprintf("%s, seed %d: %s is not complete", formula.Describe(e.Config), e.Config.Seed, next)
	if p := r.Progress(next); p.Total > 0 && p.Stage != "" {
		text += fmt.Sprintf(", %d of %d %s", p.Done, p.Total, p.Unit)
	}
	return fmt.Sprintf("%s\nstored in %s\n`rfm run %s` resumes it", text, printable.Line(r.stored),
		printable.Path(r.stored))
}
