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
func (s *Session) Leave() {
	s.leaving = true
	s.Cancel()
}

// Close stops the job, waits until its state is stored, and closes the run. Call it after the program has ended, also
// by a signal. The error is the error of closing the run.
func (s *Session) Close() error {
	s.Leave()
	if s.last != nil {
		<-s.last.ended
	}
	if s.job != nil {
		s.finish(s.job)
	}
	return release(s.experiment)
}

// Leaving reports whether everything is stopped because the program ends.
func (s *Session) Leaving() bool { return s.leaving }

// A Farewell describes unfinished work other than the experiment, and reports whether leaving has interrupted it.
type Farewell func() (text string, interrupted bool)

// AtEnd adds a farewell to the epilogue.
func (s *Session) AtEnd(f Farewell) { s.farewells = append(s.farewells, f) }

// Interrupted reports whether leaving has interrupted a stored run, search or study, which can be resumed.
func (s *Session) Interrupted() bool {
	return s.cutShort || slices.ContainsFunc(s.farewells, func(f Farewell) bool {
		_, interrupted := f()
		return interrupted
	})
}

// Resumable reports whether the run is stored and not complete, whether or not a stage of it ran at the end.
func (s *Session) Resumable() bool {
	return s.experiment != nil && s.stored != "" && s.reached < Evaluate
}

// Stay lets stored runs continue in the background if the terminal is lost, or stop again.
func (s *Session) Stay() { s.stays = !s.stays }

// Stays reports whether stored runs continue in the background if the terminal is lost.
func (s *Session) Stays() bool { return s.stays }

// Lost reports whether leaving has ended a stage of a run that is not stored.
func (s *Session) Lost() bool { return s.lost }

// Epilogue returns the summary for the normal screen: that of the experiment, then the farewells; empty if nothing was
// computed.
func (s *Session) Epilogue() string {
	text := s.outcome()
	for _, f := range s.farewells {
		more, _ := f()
		text += "\n" + more
	}
	return strings.TrimSpace(text)
}

// outcome returns the result of the experiment, the seed, the directory of the run, and how to resume one.
func (s *Session) outcome() string {
	e := s.experiment
	switch {
	case e == nil:
		return ""
	case s.reached == Evaluate:
		text := fmt.Sprintf("%s: expected relative test error %s, seed %d", formula.Describe(e.Config),
			report.Error(e.Evaluation().Test.ExpectedRelative, 6), e.Config.Seed)
		verdict := e.Evaluation().Skill.Verdict()
		if verdict != "" {
			text += "; " + verdict
		}
		if s.stored != "" {
			text += "\nstored in " + printable.Line(s.stored)
		}
		if s.stored != "" && verdict == "" {
			text += "\nuse it: " + formula.Use(s.stored)
		}
		return text
	case s.stored == "":
		return ""
	}
	next := s.reached + 1
	text := fmt.Sprintf("%s, seed %d: %s is not complete", formula.Describe(e.Config), e.Config.Seed, next)
	if p := s.Progress(next); p.Total > 0 && p.Stage != "" {
		text += fmt.Sprintf(", %d of %d %s", p.Done, p.Total, p.Unit)
	}
	return fmt.Sprintf("%s\nstored in %s\n`rfm run %s` resumes it", text, printable.Line(s.stored),
		printable.Path(s.stored))
}
