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
	lines := t.progressLines()
	done := make(chan error, 1)
	calls := make(chan func())
	between := func(do func() error) error {
		ended := make(chan error, 1)
		calls <- func() { ended <- do() }
		return <-ended
	}
	go func() { done <- work(between) }()
	ticker := time.NewTicker(lines.period)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			fmt.Fprint(lines.out, lines.begin)
			return err
		case do := <-calls:
			fmt.Fprint(lines.out, lines.begin)
			do()
		case <-ticker.C:
			fmt.Fprint(lines.out, lines.begin+now.line(lines.width()))
		}
	}
}

// progressLines is how lines of progress are written.
type progressLines struct {
	out    io.Writer
	begin  string // of each line
	period time.Duration
	width  func() int // 0 is a line of any width
}

// progressLines returns how lines of progress are written to standard error. Rewriting a line takes control characters,
// which Err would escape, and dumb terminals print.
func (t *Terminal) progressLines() progressLines {
	isRewritten := Is(t.Err.Raw) && t.Environ.Getenv("TERM") != "dumb"
	if !isRewritten {
		return progressLines{
			out:    t.Err,
			period: 5 * time.Second,
			width:  func() int { return 0 },
		}
	}
	return progressLines{
		out:    t.Err.Raw,
		begin:  "\r\x1b[K",
		period: 200 * time.Millisecond, // a slow line gets 400 bytes a second
		width:  func() int { return t.Err.Columns() - 1 },
	}
}
