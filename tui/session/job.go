package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
func (s *Session) poll(t *task) tea.Cmd {
	return tea.Tick(s.options.Every, func(time.Time) tea.Msg { return progressed{t} })
}

// copyProgress copies the progress of a task that nothing has replaced.
func (s *Session) copyProgress(t *task) tea.Cmd {
	if s.job != t {
		return nil
	}
	t.see()
	return s.poll(t)
}

// see copies the progress.
func (t *task) see() {
	if t.Seen != nil {
		t.Seen()
	}
}

// Busy reports whether a job runs that nothing may replace.
func (s *Session) Busy() bool { return s.job != nil && !s.job.Beside }

// Working reports whether anything runs.
func (s *Session) Working() bool { return s.job != nil }

// Preparing reports whether an experiment is created or opened.
func (s *Session) Preparing() bool { return s.job != nil && s.job.prepares }

// Doing returns the name of the job in progress; empty if there is none.
func (s *Session) Doing() string {
	if s.job == nil {
		return ""
	}
	return s.job.Name
}

// Place returns the name of the screen that shows the job in progress; there must be one.
func (s *Session) Place() string {
	switch {
	case s.job.stage == Evaluate && s.Evaluation() != nil:
		return ResultsPage
	case s.job.stage != None:
		return RunPage
	}
	return cmp.Or(s.job.Place, s.job.Name)
}

// RunningStage returns the stage of the experiment that runs; None if none does.
func (s *Session) RunningStage() Stage {
	if s.job == nil {
		return None
	}
	return s.job.stage
}

// Occupied returns the reason why nothing else can be started; empty if something can.
func (s *Session) Occupied() string {
	if s.Busy() {
		return s.job.Name + " is running: esc stops it"
	}
	return ""
}

// Run starts a job, unless another one runs.
func (s *Session) Run(j Job) tea.Cmd { return s.start(None, j) }

// start starts a job that may be a stage of the experiment.
func (s *Session) start(stage Stage, j Job) tea.Cmd {
	if s.Busy() {
		return nil
	}
	if s.job != nil {
		s.job.cancel()
	}
	if !j.Beside {
		s.settle()
		s.state = Running
	}
	ctx, cancel := context.WithCancel(context.Background())
	t := &task{Job: j, stage: stage, cancel: cancel, ended: make(chan struct{})}
	before := s.last
	work := j.Work
	if s.options.Around != nil && !j.prepares {
		work = s.options.Around(j)
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
	s.job = t
	s.last = t
	return tea.Batch(func() tea.Msg {
		<-t.ended
		return jobEnded{t}
	}, s.poll(t))
}

// finish records the end of a task that nothing has replaced, and starts the next stage if it was asked for.
func (s *Session) finish(t *task) tea.Cmd {
	if s.job != t {
		return nil
	}
	err := t.err
	s.job = nil
	t.see()
	if s.leaving {
		_, s.cutShort = errors.AsType[*engine.Interrupted](err)
		s.onward = false
		s.lost = IsCancelled(err) && !s.cutShort && t.stage != None && s.stored == ""
	}
	if !t.Beside {
		s.failure = err
		switch {
		case err == nil:
			s.state = Idle
		case !IsCancelled(err):
			s.state = Failed
		case t.stage == None && !t.prepares:
			s.state = Idle
			s.Say(t.Name + " is stopped")
		default:
			s.state = Cancelled
		}
	}
	var cmd tea.Cmd
	if t.Done != nil {
		cmd = t.Done(err)
	}
	if t.stage == None {
		return cmd
	}
	s.reached = Stage(s.experiment.Reached())
	s.broken = s.reached < t.stage && !IsCancelled(err)
	if s.onward && err == nil && t.stage < Evaluate {
		return s.stage(t.stage+1, nil)
	}
	s.onward = false
	s.record()
	return s.ListRuns()
}

// Begin starts the next stage and shows it; with onward set, all stages after it too. A changed draft starts a new
// experiment, and so does one that failed.
func (s *Session) Begin(onward bool) tea.Cmd {
	next := s.Next()
	if s.Busy() || next > Evaluate {
		return nil
	}
	s.onward = onward
	if next == Generate && (!s.Current() || s.broken) {
		return s.prepareNew()
	}
	s.Show(RunPage)
	return s.stage(next, nil)
}

// stage starts a stage of the current experiment, after closing the previous one unless that is nil.
func (s *Session) stage(next Stage, previous *engine.Experiment) tea.Cmd {
	work := stageWork(s.experiment, next)
	return s.start(next, Job{Name: next.String(), Seen: s.observe, Work: func(ctx context.Context) error {
		if err := release(previous); err != nil {
			return err
		}
		return work(ctx)
	}})
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

// Cancel stops the running job.
func (s *Session) Cancel() {
	if s.job != nil {
		s.job.cancel()
	}
}

// Drop stops the Beside job of this name: nobody waits for it any more.
func (s *Session) Drop(name string) {
	if s.Doing() == name && s.job.Beside {
		s.job.cancel()
		s.job = nil
	}
}

// IsCancelled reports whether an error comes from a cancelled context.
func IsCancelled(err error) bool { return errors.Is(err, context.Canceled) }
