// This file prints pages, and progress on standard error: one line that is rewritten on a terminal, a line now and then
// elsewhere.

package command

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
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
	width, _ := size(stream)
	return cmp.Or(width, helpWidth)
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

// A state returns the activity, the fraction done (negative if unknown), and the progress as text of some width.
type state func() (what string, fraction float64, line func(width int) string)

// line returns the state as a line of some width, with a bar; 0 is a line of any width.
func (now state) line(width int) string {
	what, fraction, line := now()
	switch {
	case width == 0:
		return what + ": " + line(0) + "\n"
	case fraction >= 0:
		what = fmt.Sprintf("%-8s %s", what, plot.Progress(fraction, 20, theme.New(theme.Options{NoColor: true, ASCII: true})))
	default:
		what += ":"
	}
	return ansi.Truncate(printable.Line(what+" "+line(max(1, width-1-ansi.StringWidth(what)))), width, "")
}

// attend runs work and meanwhile writes lines of progress. Between two of them it runs the calls of a.between, which may
// print, and change the state.
func (a *app) attend(work func() error, now state) error {
	if a.quiet {
		a.between = func(do func() error) error { return do() }
		return work()
	}
	var out io.Writer = a.err
	begin, period, width := "", 5*time.Second, func() int { return 0 }
	// rewriting the line takes control characters, which err would escape, and dumb terminals print
	if isTerminal(a.terminal.err) && a.environ.Getenv("TERM") != "dumb" {
		out, begin, period = a.terminal.err, "\r\x1b[K", 200*time.Millisecond // a slow line gets 400 bytes a second
		width = func() int { return columns(out) - 1 }
	}
	done, calls := make(chan error, 1), make(chan func())
	a.between = func(do func() error) error {
		ended := make(chan error, 1)
		calls <- func() { ended <- do() }
		return <-ended
	}
	go func() { done <- work() }()
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
