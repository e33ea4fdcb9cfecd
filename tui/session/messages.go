package session

import (
	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
	"rfm/model/run/store"
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
	runsListed struct{ runs Listing }

	// runChanged is the outcome of a change of a stored run.
	runChanged struct {
		change   change
		from, to string // its directory before and after
		err      error
	}

	// released is the end of closing an experiment that another one has replaced.
	released struct{ err error }
)

// The messages from a session to screens, which the shell delivers once the screen that they are for is active.
type (
	// Selected asks the configuration to select a parameter; the line of the preset if the name is empty.
	Selected struct{ Parameter string }

	// Followed asks the screen of runs to show the progress of a run of another process.
	Followed struct{ Run store.Entry }
)

// Hear handles a message, in Update. It ignores messages of others.
func (s *Session) Hear(msg tea.Msg) tea.Cmd {
	wasTested := s.Runner.Evaluation() != nil
	cmd := s.hear(msg)
	isTested := s.Runner.Evaluation() != nil
	if isTested && !wasTested && s.Shown() == RunPage {
		s.Show(ResultsPage) // whoever watches the run wants to see its result; others stay where they are
	}
	return cmd
}

func (s *Session) hear(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case measured:
		s.rates = &msg.rates
	case progressed:
		return s.Runner.copyProgress(msg.job)
	case jobEnded:
		return s.Runner.finish(msg.job)
	case runsListed:
		s.Runs.known = msg.runs
	case runChanged:
		if msg.err == nil {
			s.Runner.moved(msg.from, msg.to)
		}
		return s.Runs.changed(msg)
	case released:
		if msg.err != nil {
			s.Complain(msg.err.Error())
		}
	}
	return nil
}
