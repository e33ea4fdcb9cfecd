package session

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/store"
	"rfm/tui/later"
)

// ready is an experiment that can start, resume, or be shown.
type ready struct {
	experiment *engine.Experiment
	asked      config.Config // the draft of a new one
	stored     bool          // it existed before
	err        error
}

// preparation is work that creates or opens an experiment. It ends with a message.
type preparation struct {
	text   string // names the work
	cancel context.CancelFunc
	done   chan struct{}
	result ready // valid once done is closed
}

// closed reports the outcome of closing an experiment that is no longer shown.
func (s *Session) closed(err error) later.Then {
	return func() tea.Cmd {
		if err != nil {
			s.Complain(err.Error())
		}
		return nil
	}
}

// prepareNew creates the experiment of the draft, unless the draft has an error.
func (s *Session) prepareNew() tea.Cmd {
	c, runs, name, o := s.draft.Config, s.options.Runs, s.options.Name, engine.Options{Workers: s.options.Workers}
	if err := c.Validate(); err != nil {
		s.Correct(err)
		return nil
	}
	return s.prepare("preparing the experiment", func(ctx context.Context) ready {
		msg := ready{asked: c}
		if runs == "" {
			msg.experiment, msg.err = engine.New(ctx, c, o)
		} else {
			msg.experiment, msg.err = engine.Create(ctx, runs, name, c, time.Now(), o)
		}
		return msg
	})
}

// Open opens a stored run, to resume it or to show it.
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
	if previous != nil && s.stored == e.Path { // this process has it open
		s.Edit(Draft{s.asked, s.asked, presetOf(s.asked), e.Path})
		if s.Next() <= Evaluate {
			return s.Begin(true)
		}
		s.Show(Evaluate.String())
		return nil
	}
	return s.prepare("opening "+e.Path, func(ctx context.Context) ready {
		msg := ready{stored: true}
		msg.experiment, msg.err = engine.Open(ctx, e.Path, o)
		return msg
	})
}

// prepare gets an experiment in the background. The text describes the work meanwhile.
func (s *Session) prepare(text string, get func(context.Context) ready) tea.Cmd {
	if s.job != nil { // it is a Beside job
		s.job.cancel()
		s.job = nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &preparation{text: text, cancel: cancel, done: make(chan struct{})}
	s.preparing, s.state, s.failure = p, Preparing, nil
	go func() {
		defer close(p.done)
		defer cancel()
		p.result = get(ctx)
	}()
	return func() tea.Msg {
		<-p.done
		return later.Then(func() tea.Cmd {
			if s.preparing == p {
				return s.prepared(p.result)
			}
			return s.putAway(p.result.experiment)
		})
	}
}

// giveUp no longer waits for an experiment, which is put away when it arrives.
func (s *Session) giveUp() {
	s.preparing.cancel()
	s.Say(s.preparing.text + " was cancelled")
	s.preparing, s.state, s.onward = nil, Idle, false
}

// putAway closes an experiment that is no longer wanted, and removes its directory if that is new.
func (s *Session) putAway(e *engine.Experiment) tea.Cmd {
	if e == nil {
		return nil
	}
	return func() tea.Msg {
		_, err := e.Discard()
		return s.closed(err)
	}
}

// release closes an experiment that another one replaces.
func release(e *engine.Experiment) error {
	if e == nil {
		return nil
	}
	return e.Close()
}

// prepared takes over an experiment and resumes it, or shows its result if it is complete.
func (s *Session) prepared(msg ready) tea.Cmd {
	s.preparing, s.state = nil, Idle
	if msg.err != nil {
		s.onward, s.state, s.failure = false, Failed, msg.err
		if !msg.stored {
			s.Correct(msg.err)
		}
		return nil
	}
	e, previous := msg.experiment, s.experiment
	var seen [Evaluate + 1]engine.Progress
	if previous != nil && !msg.stored && e.Reuse(previous) {
		seen[Generate] = s.seen[Generate] // the progress of the data stays
	}
	s.experiment, s.stored, s.seen, s.broken, s.notices = e, e.Directory(), seen, false, e.Notices()
	s.reached = stageOf[e.Reached()]
	if msg.stored {
		s.Edit(Draft{e.Config, e.Config, presetOf(e.Config), e.Directory()})
		s.asked, s.onward = e.Config, true
	} else {
		s.asked, s.options.Name = msg.asked, "" // it is taken
	}
	if s.reached == Evaluate {
		s.record()
		s.onward = false
		s.Show(Evaluate.String())
		s.observe()
		return func() tea.Msg { return s.closed(release(previous)) }
	}
	return s.stage(s.reached+1, previous)
}
