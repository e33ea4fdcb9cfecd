// This file runs a step of the experiment, or a study, beside the interface.

package screen

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/experiment"
	"rfm/solver/parallel"
)

// job is work that belongs to a screen. It never touches the model: it ends with a message.
type job struct {
	generation int
	step       step
	cancel     context.CancelFunc
	done       chan struct{}
	result     doneMsg // valid once done is closed
}

// pollMsg asks for a look at the progress.
type pollMsg struct{ generation int }

// doneMsg says how a job ended. An evaluation that is complete but could not be stored has an error and is complete.
type doneMsg struct {
	generation int
	err        error
	complete   bool
	stored     string
}

// pollEvery is the time between two looks at the progress. Numbers change at that rate, plots more slowly.
const pollEvery = 100 * time.Millisecond

func startJob(generation int, which step, work func(context.Context) (stored string, complete bool, err error)) *job {
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{generation: generation, step: which, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(j.done)
		defer cancel()
		defer func() {
			if v := recover(); v != nil {
				j.result = doneMsg{generation: generation, err: &parallel.Panic{Value: v, Stack: string(debug.Stack())}}
			}
		}()
		j.result.generation = generation
		j.result.stored, j.result.complete, j.result.err = work(ctx)
	}()
	return j
}

// stepWork is a step of the experiment; a completed one is stored if runs are.
func stepWork(s *session, which step) func(context.Context) (stored string, complete bool, err error) {
	e, runs, name := s.experiment, s.options.Runs, s.options.Name
	return func(ctx context.Context) (string, bool, error) {
		stage := [steps]func(context.Context) error{generating: e.Generate, training: e.Train, evaluating: e.Evaluate}[which]
		if err := stage(ctx); err != nil {
			return "", false, err
		}
		if which != evaluating || runs == "" {
			return "", true, nil
		}
		stored, err := store(e, runs, name)
		return stored, true, err
	}
}

// store saves a completed experiment and returns where.
func store(e *experiment.Experiment, runs, name string) (string, error) {
	s, err := experiment.CreateStore(runs, name, e.Config, time.Now())
	if err != nil {
		return "", err
	}
	if err := s.Save(e); err != nil {
		return "", err
	}
	return s.Path, nil
}

// poll waits for the next look.
func (j *job) poll() tea.Cmd {
	return tea.Tick(pollEvery, func(time.Time) tea.Msg { return pollMsg{j.generation} })
}

// wait waits for the end.
func (j *job) wait() tea.Cmd {
	return func() tea.Msg {
		<-j.done
		return j.result
	}
}

func isCancelled(err error) bool { return errors.Is(err, context.Canceled) }
