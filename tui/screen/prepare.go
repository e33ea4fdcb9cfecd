// This file gets hold of experiments: new ones, in a directory of their own, and stored ones.

package screen

import (
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/experiment"
	"rfm/model/run"
)

// preparedMsg brings an experiment that can start, or go on, or be looked at.
type preparedMsg struct {
	generation int
	experiment *experiment.Experiment
	asked      config.Config // what a new one was made for
	stored     bool          // it was there before
	unwritable bool          // the error is about the place for the run alone
	err        error
}

// prepareNew makes the experiment of the configuration, unless something is wrong with that.
func (m *Model) prepareNew() tea.Cmd {
	s := &m.session
	if s.config.Validate() != nil {
		m.correct(s.config.Validate())
		return nil
	}
	c, runs, name, o, previous := s.config, s.options.Runs, s.options.Name, experiment.Options{Workers: s.options.Workers}, s.experiment
	if s.unstored == c {
		runs = ""
	}
	return m.prepare("preparing the experiment", func() preparedMsg {
		msg := preparedMsg{asked: c}
		if runs == "" {
			msg.experiment, msg.err = experiment.New(c, o)
		} else {
			msg.experiment, msg.err = experiment.Create(runs, name, c, time.Now(), o)
			if msg.err != nil {
				_, err := experiment.New(c, o)
				msg.unwritable = err == nil // everything else works
			}
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
		switch {
		case msg.stored:
		case msg.unwritable:
			s.unstored, s.failure = s.config, nil
			s.notice = notice{msg.err.Error() + "; enter goes on without storing this run", true}
		default:
			m.correct(msg.err)
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
		if s.unstored == (config.Config{}) {
			s.options.Name = "" // taken
		}
	}
	s.unstored = config.Config{} // only this time
	next := min(s.reached+1, evaluating)
	m.visible = next
	if s.reached == evaluating {
		m.auto = false
		return nil
	}
	return m.begin(next, stepWork(e, next))
}

// correct goes to the parameter that an error of the configuration, or of its data, is about.
func (m *Model) correct(err error) {
	m.visible, m.auto = configuring, false
	m.configure.panel = nil
	if name := faultyKey(m.session.config, err); name != "" {
		m.configure.visit(&m.session, name)
	}
}

// faultyKey is the name of the parameter that an error is about: the one that the error names, or else the one whose file
// it is about; empty if there is none.
func faultyKey(c config.Config, err error) string {
	if list := faults(c); len(list) > 0 {
		return list[0].Key
	}
	var wrong *config.Error
	if errors.As(err, &wrong) {
		return wrong.Key
	}
	text, file := err.Error(), ""
	for _, k := range c.Keys() {
		if strings.Contains(text, k.Name) {
			return k.Name
		}
		if value := k.Text(c); k.Kind == config.Path && value != "" && file == "" && strings.Contains(text, value) {
			file = k.Name
		}
	}
	return file
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
