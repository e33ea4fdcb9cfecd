// This file shows progress on standard error: one line that is rewritten on a terminal, a line now and then elsewhere.

package command

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/solver/printable"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// progressLines writes lines of progress.
type progressLines struct {
	mutex   sync.Mutex
	out     io.Writer
	rewrite bool
}

// A state returns the current activity, the fraction done (negative if unknown), and the progress as text.
type state func() (what string, fraction float64, text string)

// show writes the current state, on a terminal with a bar.
func (p *progressLines) show(now state) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	what, fraction, text := now()
	switch {
	case !p.rewrite:
		fmt.Fprintf(p.out, "%s: %s\n", what, text)
		return
	case fraction >= 0:
		what = fmt.Sprintf("%-8s %s", what, plot.Progress(fraction, 20, theme.New(theme.Options{NoColor: true, ASCII: true})))
	default:
		what += ":"
	}
	fmt.Fprintf(p.out, "\r\x1b[K%s", ansi.Truncate(printable.Line(what+" "+text), columns(p.out)-1, ""))
}

// between runs do between two lines: do may print, and change the state.
func (p *progressLines) between(do func() error) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.rewrite {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
	return do()
}

// attend runs work and meanwhile writes lines of progress.
func (a *app) attend(work func() error, now state) error {
	if a.quiet {
		a.between = func(do func() error) error { return do() }
		return work()
	}
	lines, period := progressLines{out: a.err}, 5*time.Second
	if isTerminal(a.terminal.err) { // rewriting the line takes control characters, which err would escape
		lines.out, lines.rewrite, period = a.terminal.err, true, 200*time.Millisecond // a slow line gets 400 bytes a second
	}
	a.between = lines.between
	done := make(chan error, 1)
	go func() { done <- work() }()
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			return lines.between(func() error { return err })
		case <-ticker.C:
			lines.show(now)
		}
	}
}
