package session

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
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
