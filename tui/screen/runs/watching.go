package runs

import (
	"fmt"
	"time"

	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// watching is the page of a run that other processes compute. It locks and writes nothing.
type watching struct {
	screen  *Screen
	now     reading
	newest  *report.Sample // pair of the run; nil before the first
	changed time.Time      // time of newest
	err     error          // of the last reading
	count   int            // of the readings
	page    page.View
}

// reading is the state of a run.
type reading struct {
	run    store.Entry
	newest *report.Sample
	at     time.Time
}

// follows reports whether a run is watched rather than opened: another process, or many workers, compute it.
func follows(s *session.Session, e store.Entry) bool {
	return e.Fault == nil && !e.Run.Complete() && (e.Holder != nil && s.Runner.Stored() != e.Path || e.Run.Split != nil)
}

// Commands implements over, as do View and Exhibit.
func (w *watching) Commands(room ui.Canvas) []ui.Command {
	list := w.page.Commands(room, len(w.head(room)), w.Exhibit(room), keys.Up, keys.Down, keys.PageUp, keys.PageDown)
	return append([]ui.Command{w.open()}, list...)
}

// open returns the command that opens the run, or resumes it.
func (w *watching) open() ui.Command {
	e := w.now.run
	c := opens(w.screen.session, e)
	switch {
	case w.err != nil:
		c.Why = w.err.Error()
	case !e.Run.Complete() && e.Holder != nil:
		c.Why = "it is not complete: " + e.Holder.String() + " computes it"
	}
	return c
}

// take shows a reading, or why there is none.
func (w *watching) take(r reading) {
	w.count++
	if w.err = r.run.Fault; w.err == nil {
		w.now = r
	}
	if r.newest != nil && time.Since(w.changed) >= w.page.Pace(r.newest.Side > 0) {
		w.newest, w.changed = r.newest, time.Now()
	}
}

func (w *watching) View(room ui.Canvas) string {
	return w.page.Draw(room, w.head(room), w.Exhibit(room), w.count)
}

// head returns the lines above the page of a run.
func (w *watching) head(on ui.Canvas) []string {
	m := w.now.run.Run
	stage := m.Next()
	fraction, where := stage.Fraction(), stage.Stage
	if m.Complete() {
		fraction, where = 1, "complete"
	}
	bar := fmt.Sprintf(" %s %s %.0f%%", where, plot.Progress(fraction, max(8, on.Width/3), on.Theme), 100*fraction)
	title := on.Theme.Title.Render(" " + chart.Progress(w.now.run).Title)
	return []string{layout.Cut(title, on.Width), layout.Cut(bar, on.Width)}
}

// Exhibit returns the progress of the run, its state and its newest pair.
func (w *watching) Exhibit(on ui.Canvas) report.Page {
	p := chart.Progress(w.now.run)
	if w.err != nil {
		p.Notes = []string{printable.Text(w.err.Error())}
		return p
	}
	p.Notes = append(w.state(), p.Notes...)
	if s := w.newest; s != nil {
		p.Figures, p.Fields = s.Pair("a pair of the run")
	}
	return p
}

// state describes who computes the run.
func (w *watching) state() (text []string) {
	e, m := w.now.run, w.now.run.Run
	switch {
	case m.Complete() && m.TestError != nil:
		worth := ""
		if m.Useless {
			worth = ", no better than the mean of the outputs"
		}
		return []string{fmt.Sprintf("complete: test error %s%s; enter opens it", report.Error(*m.TestError, 6), worth)}
	case e.Holder != nil:
		text = append(text, "Read only, esc stops nothing: another process computes it.")
	case m.Split == nil && w.count > 0:
		text = append(text, "Nobody works on it now; enter resumes it.")
	}
	if w.count > 0 && !m.Complete() {
		text = append(text, "It was stored "+chart.Age(w.now.at.Sub(m.Updated).Seconds())+" ago.")
	}
	return text
}
