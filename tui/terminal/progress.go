package terminal

import (
	"fmt"
	"io"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/solver/base/printable"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// A State returns the activity, the fraction done (negative if unknown), and the progress as text of some width.
type State func() (what string, fraction float64, line func(width int) string)

// line returns the state as a line of some width, with a bar; 0 is a line of any width.
func (now State) line(width int) string {
	what, fraction, line := now()
	if width == 0 {
		return what + ": " + line(0) + "\n"
	}
	head := what + ":"
	if fraction >= 0 { // the bar leaves room for text
		plain := theme.New(theme.Options{NoColor: true, ASCII: true})
		bar := plot.Progress(fraction, min(20, width/5), plain)
		head = fmt.Sprintf("%-8s %s", what, bar)
	}
	room := width - 1 - ansi.StringWidth(head)
	text := head + " " + line(max(1, room))
	return ansi.Truncate(printable.Line(text), width, "")
}

// Between runs do between two lines of progress: do may print, and change the state.
type Between func(do func() error) error

// Attend runs work and meanwhile, unless it is quiet, writes lines of progress to standard error: one that is rewritten
// on a terminal, one now and then elsewhere.
func (t *Terminal) Attend(quiet bool, work func(Between) error, now State) error {
	if quiet {
		return work(func(do func() error) error { return do() })
	}
	var out io.Writer = t.Err
	begin, period, width := "", 5*time.Second, func() int { return 0 }
	// rewriting the line takes control characters, which Err would escape, and dumb terminals print
	if Is(t.Err.Raw) && t.Environ.Getenv("TERM") != "dumb" {
		out, begin, period = t.Err.Raw, "\r\x1b[K", 200*time.Millisecond // a slow line gets 400 bytes a second
		width = func() int { return t.Err.Columns() - 1 }
	}
	done, calls := make(chan error, 1), make(chan func())
	go func() {
		done <- work(func(do func() error) error {
			ended := make(chan error, 1)
			calls <- func() { ended <- do() }
			return <-ended
		})
	}()
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			fmt.Fprint(out, begin)
			return err
		case do := <-calls:
			fmt.Fprint(out, begin)
			do()
		case <-ticker.C:
			fmt.Fprint(out, begin+now.line(width()))
		}
	}
}
