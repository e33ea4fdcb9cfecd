// This file prints pages, and progress on standard error: one line that is rewritten on a terminal, a line now and then
// elsewhere.

package command

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// printResult writes the result of a complete experiment.
func (a *app) printResult(e *engine.Experiment, s engine.Summary) error {
	p, end := chart.Result(e, s), ending{"test error " + report.Error(s.Test.ExpectedRelative, 4), "not stored", ""}
	p.Notes = append(p.Notes, fmt.Sprintf("generate %s, train %s, evaluate %s on %s", report.Duration(s.Seconds.Generate),
		report.Duration(s.Seconds.Train), report.Duration(s.Seconds.Evaluate), a.machine()))
	if s.Run != "" {
		end.where, end.next = s.Run, "predict "+printable.Path(s.Run)+" --in a.npy --out u.npy"
	}
	return a.conclude(s, p, end)
}

// An ending is the last line of a command: the result, its location, and the command that uses it.
type ending struct{ result, where, next string }

// conclude writes the outcome of a command: a page and the last line, with --json the value instead.
func (a *app) conclude(value any, p report.Page, end ending) error {
	if a.json {
		return a.encode(value)
	}
	fmt.Fprint(a.out, a.pageText(p))
	text := end.result + "  " + printable.Line(end.where)
	if end.next != "" {
		text += "  next: rfm " + end.next
	}
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintln(a.out, a.theme().Title.Render(text))
	}
	return nil
}

// print writes a page, with --json its parts.
func (a *app) print(p report.Page) error { return a.conclude(p, p, ending{}) }

// machine describes the workers and the instructions of the computation.
func (a *app) machine() string {
	return printable.Several(machine.Workers(a.workers), "worker") + ", " + machine.Instructions()
}

// pageText returns a page as wide as the help. A terminal cuts its tables.
func (a *app) pageText(p report.Page) string {
	th := a.theme()
	th.Profile = a.out.profile() // the colours of maps do not follow from those of text
	return page.Print(th, p, a.width(), room(a.terminal.out))
}

// width returns the width of printed text in columns: helpWidth, or the width of a narrower terminal.
func (a *app) width() int { return min(columns(a.terminal.out), helpWidth) }

// columns returns the current width of a terminal; helpWidth if it is unknown.
func columns(stream any) int {
	if width, _, ok := size(stream); ok {
		return width
	}
	return helpWidth
}

// room returns the width of a terminal; lines of other streams have any length.
func room(stream any) int {
	if isTerminal(stream) {
		return columns(stream)
	}
	return math.MaxInt
}

// remark writes a sentence for a person to standard error; begin is "note", "warning" or the subject.
func (a *app) remark(begin, format string, values ...any) {
	fmt.Fprintln(a.err, layout.Hanging(begin+": ", printable.Line(fmt.Sprintf(format, values...)), 2, a.width()))
}

// progressLines writes lines of progress.
type progressLines struct {
	mutex   sync.Mutex
	out     io.Writer
	rewrite bool
}

// A state returns the activity, the fraction done (negative if unknown), and the progress as text of some width.
type state func() (what string, fraction float64, line func(width int) string)

// show writes the current state, on a terminal with a bar.
func (p *progressLines) show(now state) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	what, fraction, line := now()
	switch {
	case !p.rewrite:
		fmt.Fprintf(p.out, "%s: %s\n", what, line(0))
		return
	case fraction >= 0:
		what = fmt.Sprintf("%-8s %s", what, plot.Progress(fraction, 20, theme.New(theme.Options{NoColor: true, ASCII: true})))
	default:
		what += ":"
	}
	width := columns(p.out) - 1
	text := printable.Line(what + " " + line(max(1, width-1-ansi.StringWidth(what))))
	fmt.Fprint(p.out, "\r\x1b[K"+ansi.Truncate(text, width, ""))
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
	// rewriting the line takes control characters, which err would escape, and dumb terminals print
	if isTerminal(a.terminal.err) && a.environ.Getenv("TERM") != "dumb" {
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
