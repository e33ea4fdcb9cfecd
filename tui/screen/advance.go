// This file takes the experiment from one step to the next.

package screen

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
)

// start begins a step and shows it. A new configuration begins with a new experiment, and so does one that has failed.
func (m *Model) start(next step) tea.Cmd {
	s := &m.session
	if s.job != nil || s.preparing != "" {
		return nil
	}
	if next == generating && (s.experiment == nil || s.asked != s.config || s.failed) {
		return m.prepareNew()
	}
	m.visible = next
	return m.begin(next, stepWork(s.experiment, next))
}

// begin starts a job.
func (m *Model) begin(which step, work func(context.Context) error) tea.Cmd {
	s := &m.session
	s.failure, m.paused = nil, false
	m.generation++
	s.job = startJob(m.generation, which, work)
	return tea.Batch(s.job.poll(s.pollEvery()), s.job.wait())
}

// finish takes note of a job's end and goes on if nobody wants to wait.
func (m *Model) finish(msg doneMsg) tea.Cmd {
	s := &m.session
	done := s.job.step
	s.job, m.asking = nil, false
	s.failure = msg.err
	if done == comparing {
		m.compared()
	}
	if done >= steps {
		return nil
	}
	m.paused = m.paused && isCancelled(msg.err)
	s.look() // the last one
	s.reached = stepOf[s.experiment.Reached()]
	s.failed = s.reached < done && !isCancelled(msg.err)
	if m.auto && msg.err == nil && done < evaluating {
		return m.start(done + 1)
	}
	m.auto = false
	return s.listRuns()
}

// stepOf is the step that a stage belongs to.
var stepOf = [...]step{engine.Idle: configuring, engine.Generating: generating, engine.Training: training, engine.Choosing: training, engine.Solving: training,
	engine.Evaluating: evaluating, engine.Comparing: evaluating}
