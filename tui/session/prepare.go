package session

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/store"
)

// ready is an experiment that can start, resume, or be shown.
type ready struct {
	experiment *engine.Experiment
	asked      config.Config // the draft of a new one
	stored     bool          // it existed before
}

// prepareNew creates the experiment of the draft, unless the draft has an error.
func (s *Session) prepareNew() tea.Cmd {
	c := s.draft.Config
	o := engine.Options{Workers: s.options.Workers, Runs: s.options.Runs, Name: s.options.Name}
	if err := c.Validate(); err != nil {
		s.Correct(err)
		return nil
	}
	return s.prepare("preparing the experiment", func(ctx context.Context) (ready, error) {
		e, err := engine.New(ctx, c, o)
		return ready{experiment: e, asked: c}, err
	})
}

// Open opens a stored run, to resume it or to show it.
func (s *Session) Open(e store.Entry) tea.Cmd {
	switch {
	case s.Busy():
		s.Complain("a step is running: esc on its screen stops it")
		return nil
	case e.Fault != nil:
		s.Complain(e.Fault.Error())
		return nil
	}
	o := engine.Options{Workers: s.options.Workers}
	if s.experiment != nil && s.stored == e.Path { // this process has it open
		s.Edit(Draft{Config: s.asked, Base: s.asked, Source: presetOf(s.asked), File: e.Path, Read: s.asked})
		if s.Next() <= Evaluate {
			return s.Begin(true)
		}
		s.Show(ResultsPage)
		return nil
	}
	return s.prepare("opening "+e.Path, func(ctx context.Context) (ready, error) {
		opened, err := engine.Open(ctx, e.Path, o)
		return ready{experiment: opened, stored: true}, err
	})
}

// prepare gets an experiment as a job. One that comes after it was cancelled is put away: its directory is removed if
// it is new.
func (s *Session) prepare(text string, get func(context.Context) (ready, error)) tea.Cmd {
	var got ready
	return s.Run(Job{Name: text, prepares: true, Work: func(ctx context.Context) (err error) {
		if got, err = get(ctx); err == nil && ctx.Err() != nil {
			_, err = got.experiment.Discard()
			err = errors.Join(ctx.Err(), err)
		}
		return err
	}, Done: func(err error) tea.Cmd {
		switch {
		case err == nil && s.leaving: // the end of the program came after that of the job
			_, s.failure = got.experiment.Discard()
		case err == nil:
			return s.take(got)
		case !IsCancelled(err) && !got.stored:
			s.Correct(err)
		}
		s.onward = false
		return nil
	}})
}

// release closes an experiment that another one replaces, if there is one.
func release(e *engine.Experiment) error {
	if e == nil {
		return nil
	}
	return e.Close()
}

// take takes over an experiment and resumes it, or shows its result if it is complete.
func (s *Session) take(got ready) tea.Cmd {
	e := got.experiment
	previous := s.experiment
	var seen [Evaluate + 1]engine.Progress
	if previous != nil && !got.stored && e.Reuse(previous) {
		seen[Generate] = s.seen[Generate] // the progress of the data stays
	}
	s.experiment = e
	s.stored = e.Directory()
	s.seen = seen
	s.broken = false
	s.notices = e.Notices()
	s.reached = Stage(e.Reached())
	if got.stored {
		s.Edit(Draft{Config: e.Config, Base: e.Config, Source: presetOf(e.Config), File: e.Directory(), Read: e.Config})
		s.asked = e.Config
		s.onward = true
	} else {
		s.asked = got.asked
		s.options.Name = "" // it is taken
	}
	if s.reached < Evaluate {
		s.Show(RunPage)
		return tea.Batch(s.stage(s.reached+1, previous), s.ListRuns())
	}
	s.Show(ResultsPage)
	s.record()
	s.onward = false
	s.observe()
	return func() tea.Msg { return released{release(previous)} }
}
