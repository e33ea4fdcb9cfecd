package session

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/words"
)

// Begin starts the next stage and shows it; with onward set, all stages after it too. A changed draft starts a new
// experiment, and so does one that failed.
func (r *Runner) Begin(onward bool) tea.Cmd {
	next := r.Next()
	if r.Busy() || next > Evaluate {
		return nil
	}
	r.onward = onward
	if next == Generate && (!r.Current() || r.broken) {
		return r.prepareNew()
	}
	r.front.Show(RunPage)
	return r.stage(next, nil)
}

// stage starts a stage of the current experiment, after closing the previous one unless that is nil.
func (r *Runner) stage(next Stage, previous *engine.Experiment) tea.Cmd {
	reach := stageWork(r.experiment, next)
	work := func(ctx context.Context) error {
		err := release(previous)
		if err != nil {
			return err
		}
		return reach(ctx)
	}
	return r.start(next, Job{
		Name: next.String(),
		Seen: r.observe,
		Work: work,
	})
}

// stageWork returns the work of a stage. It closes a complete run, and discards a run that an error ended before all
// data existed; the error then reports the fate of the run.
func stageWork(e *engine.Experiment, which Stage) Work {
	return func(ctx context.Context) error {
		err := e.Reach(ctx, which.String())
		switch {
		case err == nil && which == Evaluate:
			err = e.Close()
		case err != nil && which == Generate && !IsCancelled(err):
			fate, failure := e.Discard()
			if fate != "" {
				err = fmt.Errorf("%w; %s", err, fate)
			}
			err = errors.Join(err, failure)
		}
		return err
	}
}

// observe copies the progress of the stage that runs or has run last.
func (r *Runner) observe() {
	now := r.experiment.Progress()
	which := stageOf[now.Stage]
	if which == Evaluate && r.RunningStage() == Train { // best compares methods to train one
		which = Train
	}
	if which == None {
		return
	}
	if now.Validation == nil {
		now.Validation = r.seen[which].Validation // because only the sums have one, and it stays while they are solved
	}
	r.seen[which] = now
	r.record()
}

// stageEnded takes over the end of a stage, and starts the next one if it was asked for.
func (r *Runner) stageEnded(which Stage, err error) tea.Cmd {
	r.reached = Stage(r.experiment.Reached())
	r.broken = r.reached < which && !IsCancelled(err)
	if r.onward && err == nil && which < Evaluate {
		return r.stage(which+1, nil)
	}
	r.onward = false
	r.record()
	return r.runs.Read()
}

// Resumable reports whether the run is stored and not complete, whether or not a stage of it ran at the end.
func (r *Runner) Resumable() bool {
	return r.experiment != nil && r.stored != "" && r.reached < Evaluate
}

// Stay lets stored runs continue in the background if the terminal is lost, or stop again.
func (r *Runner) Stay() { r.stays = !r.stays }

// Stays reports whether stored runs continue in the background if the terminal is lost.
func (r *Runner) Stays() bool { return r.stays }

// outcome returns the result of the experiment, the seed, the directory of the run, and how to resume one.
func (r *Runner) outcome() string {
	e := r.experiment
	switch {
	case e == nil:
		return ""
	case r.reached == Evaluate:
		text := fmt.Sprintf("%s: expected relative test error %s, seed %d", words.Describe(e.Config),
			report.Measured(e.Evaluation().Test.ExpectedRelative), e.Config.Seed)
		verdict := e.Evaluation().Skill.Verdict()
		if verdict != "" {
			text += "; " + verdict
		}
		if r.stored != "" {
			text += "\nstored in " + printable.Line(r.stored)
		}
		if r.stored != "" && verdict == "" {
			text += "\nuse it: " + words.Use(r.stored, e.Config)
		}
		return text
	case r.stored == "":
		return ""
	}
	next := r.reached + 1
	text := fmt.Sprintf("%s, seed %d: %s is not complete", words.Describe(e.Config), e.Config.Seed, next)
	p := r.Progress(next)
	if p.Total > 0 && p.Stage != "" {
		text += fmt.Sprintf(", %d of %d %s", p.Done, p.Total, p.Unit)
	}
	return fmt.Sprintf("%s\nstored in %s\n`rfm run %s` resumes it", text, printable.Line(r.stored),
		printable.Path(r.stored))
}

// ready is an experiment that can start, resume, or be shown.
type ready struct {
	experiment *engine.Experiment
	asked      config.Config // the draft of a new one
	stored     bool          // it existed before
}

// prepareNew creates the experiment of the draft, unless the draft has an error.
func (r *Runner) prepareNew() tea.Cmd {
	c := r.draft.Config()
	o := engine.Options{
		Workers: r.options.Workers,
		Runs:    r.options.Runs,
		Name:    r.options.Name,
	}
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
		r.draft.Edit(Version{
			Config: r.asked,
			Base:   r.asked,
			Source: presetOf(r.asked),
			File:   e.Path,
			Read:   r.asked,
		})
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
	return r.Run(Job{
		Name:     text,
		prepares: true,
		Work: func(ctx context.Context) (err error) {
			if got, err = get(ctx); err == nil && ctx.Err() != nil {
				_, err = got.experiment.Discard()
				err = errors.Join(ctx.Err(), err)
			}
			return err
		},
		Done: func(err error) tea.Cmd {
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
		},
	})
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
		r.draft.Edit(Version{
			Config: e.Config,
			Base:   e.Config,
			Source: presetOf(e.Config),
			File:   e.Directory(),
			Read:   e.Config,
		})
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
