// This file gets hold of experiments: new ones, in a directory of their own, and stored ones.

package screen

import (
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/experiment"
	"rfm/model/run"
	"rfm/solver/fault"
)

// preparedMsg brings an experiment that can start, or go on, or be looked at.
type preparedMsg struct {
	generation int
	experiment *experiment.Experiment
	asked      config.Config // what a new one was made for
	stored     bool          // it was there before
	err        error
}

// prepareNew makes the experiment of the configuration, unless something is wrong with that.
func (m *Model) prepareNew() tea.Cmd {
	s := &m.session
	if s.config.Validate() != nil {
		m.visible, m.auto = configuring, false // that screen says what is wrong
		return nil
	}
	c, runs, name, o, previous := s.config, s.options.Runs, s.options.Name, experiment.Options{Workers: s.options.Workers}, s.experiment
	return m.prepare("preparing the experiment", func() preparedMsg {
		msg := preparedMsg{asked: c}
		if runs == "" {
			msg.experiment, msg.err = experiment.New(c, o)
		} else {
			msg.experiment, msg.err = experiment.Create(runs, name, c, time.Now(), o)
		}
		if msg.err == nil && previous != nil {
			msg.experiment.Reuse(previous)
			msg.err = previous.Close()
		}
		return msg
	})
}

// openStored opens a stored run, to go on with it or to look at it.
func (m *Model) openStored(e run.Entry) tea.Cmd {
	s := &m.session
	switch {
	case s.job != nil || s.preparing != "":
		s.notice = notice{"a step is running: esc on its screen cancels it", true}
		return nil
	case e.Fault != nil:
		s.notice = notice{e.Fault.Error(), true}
		return nil
	}
	o, previous := experiment.Options{Workers: s.options.Workers}, s.experiment
	if previous != nil && previous.Directory() == e.Path { // this process has it
		m.configure.panel, m.auto = nil, true
		m.configure.replace(s, edition{s.asked, s.asked, presetOf(s.asked), e.Path})
		if m.next() < steps {
			return m.start(m.next())
		}
		m.visible, m.auto = evaluating, false
		return nil
	}
	return m.prepare("opening "+e.Path, func() preparedMsg {
		msg := preparedMsg{stored: true}
		if msg.experiment, msg.err = experiment.Open(e.Path, o); msg.err == nil && previous != nil {
			msg.err = previous.Close()
		}
		return msg
	})
}

// prepare gets hold of an experiment in the background. The text says meanwhile what is done.
func (m *Model) prepare(text string, get func() preparedMsg) tea.Cmd {
	m.generation++
	m.session.preparing, m.session.failure = text, nil
	generation := m.generation
	return func() tea.Msg {
		msg := get()
		msg.generation = generation
		return msg
	}
}

// prepared takes over an experiment and goes on with it, or shows its result if it is complete.
func (m *Model) prepared(msg preparedMsg) tea.Cmd {
	s := &m.session
	s.preparing = ""
	if msg.err != nil {
		m.auto, s.failure = false, msg.err
		var data *fault.Data
		if !msg.stored && errors.As(msg.err, &data) { // the place cannot be written, but everything else works
			s.options.Runs = ""
			s.notice = notice{msg.err.Error() + "; enter goes on without storing", true}
			s.failure = nil
		}
		return nil
	}
	e := msg.experiment
	s.experiment, s.stored, s.seen, s.failed = e, e.Directory(), [steps]experiment.Progress{}, false
	s.reached = stepOf[e.Reached()]
	switch {
	case msg.stored:
		m.configure.panel = nil
		m.configure.replace(s, edition{e.Config, e.Config, presetOf(e.Config), e.Directory()})
		m.auto = true
		s.asked = e.Config
	default:
		s.asked = msg.asked
		s.options.Name = "" // taken
	}
	next := min(s.reached+1, evaluating)
	m.visible = next
	if s.reached == evaluating {
		m.auto = false
		return nil
	}
	return m.begin(next, stepWork(e, next))
}

// presetOf is the name of the preset that a configuration is; empty if it is none.
func presetOf(c config.Config) string {
	for _, p := range config.Presets() {
		if p.Config == c {
			return p.Name
		}
	}
	return ""
}
