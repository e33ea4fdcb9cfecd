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
func (r *Runner) prepareNew() tea.Cmd {
	c := r.draft.Config()
	o := engine.Options{Workers: r.options.Workers, Runs: r.options.Runs, Name: r.options.Name}
	if err := c.Validate(); err != nil {
		r.Correct(err)
		return nil
	}
	return r.prepare("preparing the experiment", func(ctx context.Context) (ready, error) {
		e, err := engine.New(ctx, c, o)
		return ready{experiment: e, asked: c}, err
	})
}

// Open opens a stored run, to resume it or to show it.
func (r *Runner) Open(e store.Entry) tea.Cmd {
	switch {
	case r.Busy():
		r.front.Complain("a step is running: esc on its screen stops it")
		return nil
	case e.Fault != nil:
		r.front.Complain(e.Fault.Error())
		return nil
	}
	o := engine.Options{Workers: r.options.Workers}
	if r.experiment != nil && r.stored == e.Path { // this process has it open
		r.draft.Edit(Version{Config: r.asked, Base: r.asked, Source: presetOf(r.asked), File: e.Path, Read: r.asked})
		if r.Next() <= Evaluate {
			return r.Begin(true)
		}
		r.front.Show(ResultsPage)
		return nil
	}
	return r.prepare("opening "+e.Path, func(ctx context.Context) (ready, error) {
		opened, err := engine.Open(ctx, e.Path, o)
		return ready{experiment: opened, stored: true}, err
	})
}

// prepare gets an experiment as a job. One that comes after it was cancelled is put away: its directory is removed if
// it is new.
func (r *Runner) prepare(text string, get func(context.Context) (ready, error)) tea.Cmd {
	var got ready
	return r.Run(Job{Name: text, prepares: true, Work: func(ctx context.Context) (err error) {
		if got, err = get(ctx); err == nil && ctx.Err() != nil {
			_, err = got.experiment.Discard()
			err = errors.Join(ctx.Err(), err)
		}
		return err
	}, Done: func(err error) tea.Cmd {
		switch {
		case err == nil && r.leaving: // the end of the program came after that of the job
			_, r.failure = got.experiment.Discard()
		case err == nil:
			return r.take(got)
		case !IsCancelled(err) && !got.stored:
			r.Correct(err)
		}
		r.onward = false
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
func (r *Runner) take(got ready) tea.Cmd {
	e := got.experiment
	previous := r.experiment
	var seen [Evaluate + 1]engine.Progress
	if previous != nil && !got.stored && e.Reuse(previous) {
		seen[Generate] = r.seen[Generate] // the progress of the data stays
	}
	r.experiment = e
	r.stored = e.Directory()
	r.seen = seen
	r.broken = false
	r.notices = e.Notices()
	r.reached = Stage(e.Reached())
	if got.stored {
		r.draft.Edit(Version{Config: e.Config, Base: e.Config, Source: presetOf(e.Config), File: e.Directory(), Read: e.Config})
		r.asked = e.Config
		r.onward = true
	} else {
		r.asked = got.asked
		r.options.Name = "" // it is taken
	}
	if r.reached < Evaluate {
		r.front.Show(RunPage)
		return tea.Batch(r.stage(r.reached+1, previous), r.runs.Read())
	}
	r.front.Show(ResultsPage)
	r.record()
	r.onward = false
	r.observe()
	return func() tea.Msg { return released{release(previous)} }
}
