package session

import (
	"context"
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

// preparation is work that gets hold of an experiment. It ends with a message.
type preparation struct {
	text   string // what is done
	cancel context.CancelFunc
	done   chan struct{}
	result preparedMsg // valid once done is closed
}

// closedMsg says how giving back an experiment that nobody looks at any more went.
type closedMsg struct{ err error }

// prepareNew makes the experiment of the draft, unless something is wrong with that.
func (s *Session) prepareNew() tea.Cmd {
	c, runs, name, o := s.draft.Config, s.options.Runs, s.options.Name, engine.Options{Workers: s.options.Workers}
	if err := c.Validate(); err != nil {
		s.Correct(err)
		return nil
	}
	if s.unstored == c {
		runs = ""
	}
	return s.prepare("preparing the experiment", func(ctx context.Context) preparedMsg {
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

// Open opens a stored run, to go on with it or to look at it.
func (s *Session) Open(e store.Entry) tea.Cmd {
	switch {
	case s.Busy():
		s.Complain("a step is running: esc on its screen cancels it")
		return nil
	case e.Fault != nil:
		s.Complain(e.Fault.Error())
		return nil
	}
	o, previous := engine.Options{Workers: s.options.Workers}, s.experiment
	if previous != nil && s.stored == e.Path { // this process has it
		s.Post(Opened{})
		s.Edit(Draft{s.asked, s.asked, presetOf(s.asked), e.Path})
		if s.Next() <= Evaluate {
			return s.Begin(true)
		}
		s.Post(Show(Evaluate.String()))
		return nil
	}
	return s.prepare("opening "+e.Path, func(ctx context.Context) preparedMsg {
		msg := preparedMsg{stored: true}
		msg.experiment, msg.err = engine.Open(ctx, e.Path, o)
		return msg
	})
}

// prepare gets hold of an experiment in the background. The text says meanwhile what is done.
func (s *Session) prepare(text string, get func(context.Context) preparedMsg) tea.Cmd {
	if s.job != nil { // which gives way
		s.job.cancel()
		s.job = nil
	}
	s.generation++
	ctx, cancel := context.WithCancel(context.Background())
	p := &preparation{text: text, cancel: cancel, done: make(chan struct{})}
	s.preparing, s.state, s.failure = p, Preparing, nil
	generation := s.generation
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
func (s *Session) giveUp() {
	s.preparing.cancel()
	s.Say(s.preparing.text + " was cancelled")
	s.preparing, s.state, s.onward = nil, Idle, false
	s.generation++
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
func (s *Session) prepared(msg preparedMsg) tea.Cmd {
	s.preparing, s.state = nil, Idle
	if msg.err != nil {
		return s.unprepared(msg)
	}
	e, previous := msg.experiment, s.experiment
	var seen [Evaluate + 1]engine.Progress
	if previous != nil && !msg.stored && e.Reuse(previous) {
		seen[Generate] = s.seen[Generate] // what is known about the data stays
	}
	s.experiment, s.stored, s.seen, s.broken, s.notices = e, e.Directory(), seen, false, e.Notices()
	s.reached = stageOf[e.Reached()]
	if msg.stored {
		s.Post(Opened{})
		s.Edit(Draft{e.Config, e.Config, presetOf(e.Config), e.Directory()})
		s.asked, s.onward = e.Config, true
	} else {
		s.asked = msg.asked
		if s.unstored == (config.Config{}) {
			s.options.Name = "" // taken
		}
	}
	s.unstored = config.Config{} // only this time
	if s.reached == Evaluate {
		s.record()
		s.onward = false
		s.Post(Show(Evaluate.String()))
		return func() tea.Msg { return closedMsg{release(previous)} }
	}
	return s.stageAfter(previous, s.reached+1)
}

// unprepared says why there is no experiment.
func (s *Session) unprepared(msg preparedMsg) tea.Cmd {
	s.onward = false
	if msg.unwritable {
		s.unstored = s.draft.Config
		s.Complain(msg.err.Error() + "; enter goes on without storing this run")
		return nil
	}
	s.state, s.failure = Failed, msg.err
	if !msg.stored {
		s.Correct(msg.err)
	}
	return nil
}
