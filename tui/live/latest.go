package live

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/tui/later"
)

// latest computes values of configurations in the background, one at a time, and tells only of those still wanted.
type latest struct {
	stop context.CancelFunc // of the computation in progress; nil if there is none
	of   config.Config      // of the latest computation; the zero value if it was stopped
}

// want starts to compute the value of a configuration unless that is the latest, or after it has stopped another
// computation. The function that work returns takes over the value, in Update.
func (l *latest) want(of config.Config, longest time.Duration, work func(context.Context) (take func())) tea.Cmd {
	switch {
	case l.stop != nil && of != l.of:
		l.cancel()
		return nil // its end asks for this one
	case l.stop != nil || of == l.of:
		return nil
	}
	ctx, stop := context.WithTimeout(context.Background(), longest)
	l.stop, l.of = stop, of
	return func() tea.Msg {
		defer stop()
		take := work(ctx)
		return later.Then(func() tea.Cmd {
			if l.stop = nil; l.of == of {
				take()
			}
			return nil
		})
	}
}

// cancel stops the computation in progress, if there is one.
func (l *latest) cancel() {
	if l.stop != nil {
		l.stop()
		l.of = config.Config{}
	}
}
