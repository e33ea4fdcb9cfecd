package runs

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// watching is the page of a run that other processes compute. It locks and writes nothing.
type watching struct {
	screen   *Screen
	now      reading
	newest   *report.Sample // pair of the run; nil before the first
	changed  time.Time      // time of newest
	err      error          // of the last reading
	count    int            // of the readings
	page     page.View
	above    []string // lines above the page
	commands []ui.Command
}

// reading is the state of a run.
type reading struct {
	run    store.Entry
	newest *report.Sample
	at     time.Time
}

// newWatching returns the page of a run.
func newWatching(l *Screen, e store.Entry) *watching {
	w := &watching{screen: l, now: reading{run: e}}
	open := ui.Command{
		Key:  ui.KeyEnter,
		Text: func() (word, help string) { return openText(w.now.run) },
		Why:  w.whyNotOpen,
		Do:   func() tea.Cmd { return l.session.Runner.Open(w.now.run) },
	}
	lead := open
	lead.Key = ui.KeyRun
	lead.If = l.leads
	pages := w.page.Commands(ui.KeyUp, ui.KeyDown, ui.KeyPageUp, ui.KeyPageDown)
	w.commands = append([]ui.Command{open, lead}, pages...)
	return w
}

// follows reports whether a run is watched rather than opened: another process, or many workers, compute it.
func follows(s *session.Session, e store.Entry) bool {
	if e.Fault != nil || e.Run.Complete() {
		return false
	}
	isHeldElsewhere := e.Holder != nil && s.Runner.Stored() != e.Path
	return isHeldElsewhere || e.Run.Split != nil
}

// whyNotOpen says why the run cannot be opened; empty if it can.
func (w *watching) whyNotOpen() string {
	e := w.now.run
	switch {
	case w.err != nil:
		return w.err.Error()
	case !e.Run.Complete() && e.Holder != nil:
		return "it is not complete: " + e.Holder.String() + " computes it"
	}
	return ""
}

// take shows a reading, or why there is none.
func (w *watching) take(r reading) {
	w.count++
	w.err = r.run.Fault
	if w.err == nil {
		w.now = r
	}
	if r.newest == nil {
		return
	}
	isMap := r.newest.Side > 0
	if time.Since(w.changed) >= w.page.Pace(isMap) {
		w.newest = r.newest
		w.changed = time.Now()
	}
}

// Commands implements over, as do Arrange, View and Page.
func (w *watching) Commands() []ui.Command { return w.commands }

func (w *watching) Arrange(on ui.Canvas) {
	w.above = w.head(on)
	w.page.Arrange(on, len(w.above), w.made())
}

func (w *watching) View() string {
	return w.page.Draw(w.above, w.count)
}

func (w *watching) Page() report.Page { return w.page.Page() }

// head returns the lines above the page of a run.
func (w *watching) head(on ui.Canvas) []string {
	m := w.now.run.Run
	next := m.Next()
	fraction := next.Fraction()
	stage := next.Stage
	if m.Complete() {
		fraction = 1
		stage = "complete"
	}
	progress := plot.Progress(fraction, max(8, on.Width/3), on.Theme)
	bar := fmt.Sprintf(" %s %s %.0f%%", stage, progress, 100*fraction)
	title := on.Theme.Title.Render(" " + words.Progress(w.now.run).Title)
	return []string{layout.Cut(title, on.Width), layout.Cut(bar, on.Width)}
}

// made returns the progress of the run, its state and its newest pair.
func (w *watching) made() report.Page {
	p := words.Progress(w.now.run)
	if w.err != nil {
		p.Notes = []string{printable.Text(w.err.Error())}
		return p
	}
	p.Notes = append(w.state(), p.Notes...)
	if w.newest != nil {
		p.Figures, p.Fields = w.newest.Pair("a pair of the run")
	}
	return p
}

// state describes who computes the run.
func (w *watching) state() []string {
	e := w.now.run
	m := e.Run
	if m.Complete() && m.TestError != nil {
		worth := ""
		if m.Useless {
			worth = ", no better than the mean of the outputs"
		}
		wrong := report.Measured(*m.TestError)
		return []string{fmt.Sprintf("complete: test error %s%s; enter opens it", wrong, worth)}
	}
	var text []string
	isRead := w.count > 0
	switch {
	case e.Holder != nil:
		text = append(text, "Read only, esc stops nothing: another process computes it.")
	case m.Split == nil && isRead:
		text = append(text, "Nobody works on it now; enter resumes it.")
	}
	if isRead && !m.Complete() {
		age := words.Age(w.now.at.Sub(m.Updated).Seconds())
		text = append(text, "It was stored "+age+" ago.")
	}
	return text
}
