// This file runs a step of the experiment, or a study, beside the interface.

package screen

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/solver/fault"
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

// doneMsg says how a job ended.
type doneMsg struct {
	generation int
	err        error
}

// pollEvery is the time between two looks at the progress. Numbers change at that rate, plots more slowly.
func (s *session) pollEvery() time.Duration {
	if s.options.Calm {
		return 500 * time.Millisecond
	}
	return 100 * time.Millisecond
}

func startJob(generation int, which step, work func(context.Context) error) *job {
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{generation: generation, step: which, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(j.done)
		defer cancel()
		defer func() {
			if v := recover(); v != nil {
				j.result = doneMsg{generation, fault.Recovered(v)}
			}
		}()
		j.result = doneMsg{generation, work(ctx)}
	}()
	return j
}

// stepWork is a step of the experiment. A complete run is given back, and so is one that a mistake ended before all data
// were there; the error then says what became of it.
func stepWork(e *engine.Experiment, which step) func(context.Context) error {
	return func(ctx context.Context) error {
		stage := [steps]func(context.Context) error{generating: e.Generate, training: e.Train, evaluating: e.Evaluate}[which]
		err := stage(ctx)
		switch {
		case err == nil && which == evaluating:
			err = e.Close()
		case err != nil && which == generating && !isCancelled(err):
			fate, failure := e.Discard()
			if fate != "" {
				err = fmt.Errorf("%w; %s", err, fate)
			}
			err = errors.Join(err, failure)
		}
		return err
	}
}

// poll waits for the next look.
func (j *job) poll(every time.Duration) tea.Cmd {
	return tea.Tick(every, func(time.Time) tea.Msg { return pollMsg{j.generation} })
}

// wait waits for the end.
func (j *job) wait() tea.Cmd {
	return func() tea.Msg {
		<-j.done
		return j.result
	}
}

func isCancelled(err error) bool { return errors.Is(err, context.Canceled) }
