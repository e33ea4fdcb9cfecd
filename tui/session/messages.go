package session

import (
	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
)

// The messages of a session are all that can happen to it besides the keys that screens turn into calls of its methods.
// Those about a job name the job: once another one has replaced it they are stale, and nothing happens.
type (
	// measured is the speed of this machine.
	measured struct{ rates engine.Rates }

	// progressed asks to copy the progress of a job, again and again until it ends.
	progressed struct{ job *task }

	// jobEnded is the end of a job.
	jobEnded struct{ job *task }

	// runsListed are the stored runs as they were found.
	runsListed struct{ runs Runs }

	// runChanged is the outcome of a change of a stored run.
	runChanged struct {
		change   change
		from, to string // its directory before and after
		err      error
	}

	// released is the end of closing an experiment that another one has replaced.
	released struct{ err error }
)

// Hear handles a message, in Update. It ignores messages of others.
func (s *Session) Hear(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case measured:
		s.rates = &msg.rates
	case progressed:
		return s.copyProgress(msg.job)
	case jobEnded:
		return s.finish(msg.job)
	case runsListed:
		s.runs = msg.runs
	case runChanged:
		return s.runChanged(msg)
	case released:
		if msg.err != nil {
			s.Complain(msg.err.Error())
		}
	}
	return nil
}
