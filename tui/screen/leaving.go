// This file ends the interface: what still runs is cancelled and stored, and what remains to be said goes to the normal
// screen.

package screen

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/solver/printable"

	"rfm/tui/formula"
)

// quit cancels what runs and leaves; Close waits for it.
func (m *Model) quit() tea.Cmd {
	if m.session.job != nil {
		m.left = true
		m.session.job.cancel()
	}
	if m.preparation != nil {
		m.preparation.cancel()
	}
	return tea.Quit
}

// Close cancels what still runs, waits until its state is stored, and gives back the run. Call it after the program has
// ended, which a signal does, too. The error is that of giving back the run.
func (m *Model) Close() error {
	s := &m.session
	if p := m.preparation; p != nil {
		p.cancel()
		<-p.done
		if e := p.result.experiment; e != nil {
			if _, err := e.Discard(); err != nil {
				return err
			}
		}
	}
	if j := s.job; j != nil {
		j.cancel()
		<-j.done
		m.auto = false
		var interrupted *engine.Interrupted
		m.cutShort = errors.As(j.result.err, &interrupted)
		m.cancelled = isCancelled(j.result.err) && !m.cutShort && j.step < steps && s.stored == ""
		m.finish(j.result)
		if r := m.tuning.search; j.step == tuneStep && r.kept && !r.ended {
			m.cutShort = true
		}
		m.follow()
	}
	if s.experiment == nil {
		return nil
	}
	return s.experiment.Close()
}

// Interrupted says whether leaving has interrupted a run that is stored: it can be continued.
func (m *Model) Interrupted() bool { return m.cutShort }

// Cancelled reports whether leaving has ended a step of a run that is not stored: it is lost.
func (m *Model) Cancelled() bool { return m.cancelled }

// Epilogue is what remains to be said on the normal screen after the interface has been left: the result, the seed, where
// the run is stored, and how to go on with one that is not complete; features that were found and not taken; nothing if
// nothing was computed.
func (m *Model) Epilogue() string {
	return strings.TrimSpace(m.session.epilogue() + "\n" + m.tuning.epilogue(&m.session))
}

// epilogue is the epilogue of the experiment.
func (s *session) epilogue() string {
	e := s.experiment
	switch {
	case e == nil:
		return ""
	case s.reached == evaluating:
		text := fmt.Sprintf("%s: expected relative test error %.6f, seed %d", formula.Describe(e.Config), e.Evaluation().Test.ExpectedRelative, e.Config.Seed)
		if s.stored != "" {
			text += "\nstored in " + printable.Line(s.stored)
		} else if s.storedNowhere() {
			text += "\nnot stored"
		}
		return text
	case s.stored == "":
		return ""
	}
	next := s.reached + 1
	text := fmt.Sprintf("%s, seed %d: %s is not complete", formula.Describe(e.Config), e.Config.Seed, stepNames[next])
	if p := s.progress(next); p.Total > 0 && p.Stage != engine.Idle {
		text += fmt.Sprintf(", %d of %d %s", p.Done, p.Total, p.Unit)
	}
	return fmt.Sprintf("%s\nstored in %s\n`rfm resume %s` goes on", text, printable.Line(s.stored), printable.Path(s.stored))
}
