// This file gets hold of experiments: new ones, in a directory of their own, and stored ones.

package screen

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/store"
)

// preparedMsg brings an experiment that can start, or go on, or be looked at.
type preparedMsg struct {
	generation int
	experiment *engine.Experiment
	asked      config.Config // what a new one was made for
	stored     bool          // it was there before
	unwritable bool          // the error is about the place for the run alone
	err        error
}

// preparation is work that gets hold of an experiment. It never touches the model: it ends with a message.
type preparation struct {
	cancel context.CancelFunc
	done   chan struct{}
	result preparedMsg // valid once done is closed
}

// closedMsg says how giving back an experiment that nobody looks at any more went.
type closedMsg struct{ err error }

// prepareNew makes the experiment of the configuration, unless something is wrong with that.
func (m *Model) prepareNew() tea.Cmd {
	s := &m.session
	if s.config.Validate() != nil {
		m.correct(s.config.Validate())
		return nil
	}
	c, runs, name, o := s.config, s.options.Runs, s.options.Name, engine.Options{Workers: s.options.Workers}
	if s.unstored == c {
		runs = ""
	}
	return m.prepare("preparing the experiment", func(ctx context.Context) preparedMsg {
		msg := preparedMsg{asked: c}
		if runs == "" {
			msg.experiment, msg.err = engine.New(ctx, c, o)
		} else {
			msg.experiment, msg.err = engine.Create(ctx, runs, name, c, time.Now(), o)
			if msg.err != nil {
				_, err := engine.New(ctx, c, o)
				msg.unwritable = err == nil // everything else works
			}
		}
		return msg
	})
}

// openStored opens a stored run, to go on with it or to look at it.
func (m *Model) openStored(e store.Entry) tea.Cmd {
	s := &m.session
	switch {
	case s.job != nil || s.preparing != "":
		s.notice = notice{"a step is running: esc on its screen cancels it", true}
		return nil
	case e.Fault != nil:
		s.notice = notice{e.Fault.Error(), true}
		return nil
	}
	o, previous := engine.Options{Workers: s.options.Workers}, s.experiment
	if previous != nil && previous.Directory() == e.Path { // this process has it
		m.configure.panel, m.auto = nil, true
		m.configure.replace(s, edition{s.asked, s.asked, presetOf(s.asked), e.Path})
		if m.next() < steps {
			return m.start(m.next())
		}
		m.visible, m.auto = evaluating, false
		return nil
	}
	return m.prepare("opening "+e.Path, func(ctx context.Context) preparedMsg {
		msg := preparedMsg{stored: true}
		msg.experiment, msg.err = engine.Open(ctx, e.Path, o)
		return msg
	})
}

// prepare gets hold of an experiment in the background. The text says meanwhile what is done.
func (m *Model) prepare(text string, get func(context.Context) preparedMsg) tea.Cmd {
	m.generation++
	ctx, cancel := context.WithCancel(context.Background())
	p := &preparation{cancel: cancel, done: make(chan struct{})}
	m.preparation, m.session.preparing, m.session.failure = p, text, nil
	generation := m.generation
	go func() {
		defer close(p.done)
		defer cancel()
		p.result = get(ctx)
		p.result.generation = generation
	}()
	return func() tea.Msg {
		<-p.done
		return p.result
	}
}

// giveUp no longer waits for an experiment. What comes of it is put away when it arrives.
func (m *Model) giveUp() {
	s := &m.session
	m.preparation.cancel()
	s.notice = notice{text: s.preparing + " was cancelled"}
	m.preparation, s.preparing, m.auto = nil, "", false
	m.generation++
}

// putAway gives back an experiment that was prepared and is not wanted any more, with its directory if that is new.
func (msg preparedMsg) putAway() tea.Msg {
	if msg.experiment == nil {
		return nil
	}
	_, err := msg.experiment.Discard()
	return closedMsg{err}
}

// release gives back an experiment that another one follows.
func release(e *engine.Experiment) error {
	if e == nil {
		return nil
	}
	return e.Close()
}

// prepared takes over an experiment and goes on with it, or shows its result if it is complete.
func (m *Model) prepared(msg preparedMsg) tea.Cmd {
	s := &m.session
	m.preparation, s.preparing = nil, ""
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
	e, previous := msg.experiment, s.experiment
	var seen [steps]engine.Progress
	if previous != nil && !msg.stored && e.Reuse(previous) {
		seen[generating] = s.seen[generating] // what is known about the data stays
	}
	s.experiment, s.stored, s.seen, s.failed = e, e.Directory(), seen, false
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
		return func() tea.Msg { return closedMsg{release(previous)} }
	}
	work := stepWork(e, next)
	return m.begin(next, func(ctx context.Context) error {
		if err := release(previous); err != nil {
			return err
		}
		return work(ctx)
	})
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
