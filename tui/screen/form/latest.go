// This file computes in the background what is wanted latest, and no longer what was.

package form

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
)

// latest computes values of configurations in the background, one at a time, and tells only of those still wanted.
type latest[T any] struct {
	stop context.CancelFunc // of the computation in progress; nil if there is none
	of   config.Config      // of the latest computation; the zero value if it was stopped
}

// A computed is the message that a computation has ended, with the value of a configuration.
type computed[T any] struct {
	by       *latest[T]
	of       config.Config
	value    T
	panicked any // what the computation has panicked with; nil if it has not
}

// want starts to compute the value of a configuration unless that is the latest, or after it has stopped another
// computation. Its message goes to took.
func (l *latest[T]) want(of config.Config, longest time.Duration, work func(context.Context) T) tea.Cmd {
	switch {
	case l.stop != nil && of != l.of:
		l.cancel()
		return nil // its end asks for this one
	case l.stop != nil || of == l.of:
		return nil
	}
	ctx, stop := context.WithTimeout(context.Background(), longest)
	l.stop = stop
	l.of = of
	return func() (msg tea.Msg) {
		defer stop()
		ended := computed[T]{by: l, of: of}
		defer func() {
			ended.panicked = recover()
			msg = ended
		}()
		ended.value = work(ctx)
		return nil
	}
}

// arrived gives the value of a computation of l to take, if it is still wanted.
func (l *latest[T]) arrived(msg computed[T], take func(T)) tea.Cmd {
	if msg.by != l {
		return nil
	}
	wanted, again := l.took(msg)
	if wanted {
		take(msg.value)
	}
	return again
}

// took notes the end of a computation, and reports whether its value is still wanted. A panic of the computation goes on
// in a command, where all of them are reported.
func (l *latest[T]) took(msg computed[T]) (wanted bool, again tea.Cmd) {
	l.stop = nil
	if msg.panicked != nil {
		return false, func() tea.Msg { panic(msg.panicked) }
	}
	return l.of == msg.of, nil
}

// busy reports whether a computation is in progress.
func (l *latest[T]) busy() bool { return l.stop != nil }

// cancel stops the computation in progress, if there is one.
func (l *latest[T]) cancel() {
	if l.stop != nil {
		l.stop()
		l.of = config.Config{}
	}
}

// inTime returns the error of a computation, in words if it took too long.
func inTime(ctx context.Context, err error, remedy string) error {
	if err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return errors.New("it takes too long for a preview: " + remedy)
}
