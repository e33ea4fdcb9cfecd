// This file takes the experiment from one step to the next.

package screen

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"rfm/model/experiment"
)

// start begins a step and shows it.
func (m *Model) start(next step) tea.Cmd {
	s := &m.session
	if s.job != nil {
		return nil
	}
	if next == generating {
		e, err := experiment.New(s.config, experiment.Options{Workers: s.options.Workers})
		if err != nil {
			m.visible, m.auto = configuring, false // that screen says what is wrong
			return nil
		}
		if s.experiment != nil {
			e.Reuse(s.experiment)
		}
		s.experiment, s.reached, s.stored = e, configuring, ""
	}
	return m.begin(next, stepWork(s, next))
}

// begin starts a job and shows its screen.
func (m *Model) begin(which step, work func(context.Context) (stored string, complete bool, err error)) tea.Cmd {
	s := &m.session
	m.visible = which
	s.failure = nil
	m.generation++
	s.job = startJob(m.generation, which, work)
	return tea.Batch(s.job.poll(), s.job.wait())
}

// finish takes note of a job's end and goes on if nobody wants to wait.
func (m *Model) finish(msg doneMsg) tea.Cmd {
	s := &m.session
	done := s.job.step
	s.job = nil
	s.failure = msg.err
	if done == paperStep {
		return nil
	}
	if msg.stored != "" {
		s.stored = msg.stored
		s.options.Name = "" // taken
	}
	if msg.err != nil && !msg.complete {
		m.auto = false
		return nil
	}
	s.reached = done
	if m.auto && done < evaluating {
		return m.start(done + 1)
	}
	m.auto = false
	return nil
}
