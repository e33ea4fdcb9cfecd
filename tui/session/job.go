package session

import (
	"cmp"
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
	"rfm/solver/base/fault"
)

// Work is the computation of a job. It never touches the session or a screen.
type Work func(context.Context) error

// A Job is work in the background. One runs at a time.
type Job struct {
	Name  string              // for people, see Doing; of its screen if Place is empty
	Place string              // name of the screen that shows it
	Work  Work                // runs in a goroutine of its own
	Seen  func()              // copies the progress, in Update, ten times a second and at the end; nil for nothing
	Done  func(error) tea.Cmd // runs in Update after the end; nil for nothing
	// any other job replaces it, only Done handles its failure, and leaving does not ask
	Beside bool

	prepares bool // it creates or opens an experiment
}

// task is a running job.
type task struct {
	Job
	stage  Stage // of the experiment; None for any other job
	cancel context.CancelFunc
	ended  chan struct{}
	err    error // valid once ended is closed
}

// poll copies the progress of a task after a while, again and again until it ends.
func (r *Runner) poll(t *task) tea.Cmd {
	return tea.Tick(r.options.Every, func(time.Time) tea.Msg { return progressed{t} })
}

// copyProgress copies the progress of a task that nothing has replaced.
func (r *Runner) copyProgress(t *task) tea.Cmd {
	if r.job != t {
		return nil
	}
	t.see()
	return r.poll(t)
}

// see copies the progress.
func (t *task) see() {
	if t.Seen != nil {
		t.Seen()
	}
}

// Busy reports whether a job runs that nothing may replace.
func (r *Runner) Busy() bool {
	return r.job != nil && !r.job.Beside
}

// Working reports whether anything runs.
func (r *Runner) Working() bool { return r.job != nil }

// Preparing reports whether an experiment is created or opened.
func (r *Runner) Preparing() bool {
	return r.job != nil && r.job.prepares
}

// Doing returns the name of the job in progress; empty if there is none.
func (r *Runner) Doing() string {
	if r.job == nil {
		return ""
	}
	return r.job.Name
}

// Place returns the name of the screen that shows the job in progress; there must be one.
func (r *Runner) Place() string {
	switch {
	case r.job.stage == Evaluate && r.Evaluation() != nil:
		return ResultsPage
	case r.job.stage != None:
		return RunPage
	}
	return cmp.Or(r.job.Place, r.job.Name)
}

// RunningStage returns the stage of the experiment that runs; None if none does.
func (r *Runner) RunningStage() Stage {
	if r.job == nil {
		return None
	}
	return r.job.stage
}

// Occupied returns the reason why nothing else can be started; empty if something can.
func (r *Runner) Occupied() string {
	if r.Busy() {
		return r.job.Name + " is running: esc stops it"
	}
	return ""
}

// Run starts a job, unless another one runs.
func (r *Runner) Run(j Job) tea.Cmd {
	return r.start(None, j)
}

// start starts a job that may be a stage of the experiment.
func (r *Runner) start(stage Stage, j Job) tea.Cmd {
	if r.Busy() {
		return nil
	}
	if r.job != nil {
		r.job.cancel()
	}
	if !j.Beside {
		r.settle()
		r.state = Running
	}
	ctx, cancel := context.WithCancel(context.Background())
	t := &task{
		Job:    j,
		stage:  stage,
		cancel: cancel,
		ended:  make(chan struct{}),
	}
	before := r.last
	work := j.Work
	if r.options.Around != nil && !j.prepares {
		work = r.options.Around(j)
	}
	go func() {
		defer close(t.ended)
		defer cancel()
		defer func() {
			if v := recover(); v != nil {
				t.err = fault.Recovered(v)
			}
		}()
		if before != nil {
			<-before.ended // the two would count each other's progress
		}
		t.err = work(ctx)
	}()
	r.job = t
	r.last = t
	return tea.Batch(func() tea.Msg {
		<-t.ended
		return jobEnded{t}
	}, r.poll(t))
}

// finish records the end of a task that nothing has replaced.
func (r *Runner) finish(t *task) tea.Cmd {
	if r.job != t {
		return nil
	}
	r.job = nil
	t.see()
	if r.leaving {
		r.cut(t)
	}
	if !t.Beside {
		r.settleWith(t)
	}
	var cmd tea.Cmd
	if t.Done != nil {
		cmd = t.Done(t.err)
	}
	if t.stage == None {
		return cmd
	}
	return r.stageEnded(t.stage, t.err)
}

// cut records what leaving has done to a task.
func (r *Runner) cut(t *task) {
	_, r.cutShort = errors.AsType[*engine.Interrupted](t.err)
	r.onward = false
	r.lost = IsCancelled(t.err) && !r.cutShort && t.stage != None && r.stored == ""
}

// settleWith records how a task ended.
func (r *Runner) settleWith(t *task) {
	r.failure = t.err
	r.about = r.draft.Changes()
	switch {
	case t.err == nil:
		r.state = Idle
	case !IsCancelled(t.err):
		r.state = Failed
	case t.stage == None && !t.prepares:
		r.state = Idle
		r.front.Say(t.Name + " is stopped")
	default:
		r.state = Cancelled
	}
}

// Cancel stops the running job.
func (r *Runner) Cancel() {
	if r.job != nil {
		r.job.cancel()
	}
}

// Drop stops the Beside job of this name: nobody waits for it any more.
func (r *Runner) Drop(name string) {
	if r.Doing() == name && r.job.Beside {
		r.job.cancel()
		r.job = nil
	}
}

// leave stops everything.
func (r *Runner) leave() {
	r.leaving = true
	r.Cancel()
}

// close stops the job, waits until its state is stored, and closes the run.
func (r *Runner) close() error {
	r.leave()
	if r.last != nil {
		<-r.last.ended
	}
	if r.job != nil {
		r.finish(r.job)
	}
	return release(r.experiment)
}

// Leaving reports whether everything is stopped because the program ends.
func (r *Runner) Leaving() bool { return r.leaving }

// Lost reports whether leaving has ended a stage of a run that is not stored.
func (r *Runner) Lost() bool { return r.lost }

// IsCancelled reports whether an error comes from a cancelled context.
func IsCancelled(err error) bool { return errors.Is(err, context.Canceled) }
