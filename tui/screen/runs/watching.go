package runs

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/model/sweep"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// watching is the page of a run, or of one of the sweeps, that other processes compute. It locks and writes nothing.
type watching struct {
	screen  *Screen
	paths   []string // of one run, or of the sweeps
	at      int      // index of the path shown
	read    func(path string) (reading, error)
	now     reading
	newest  *engine.Sample // pair of the run; nil before the first
	changed time.Time      // time of newest
	err     error          // of the last reading
	count   int            // of the readings
	page    page.View
}

// reading is the state of a run or a sweep.
type reading struct {
	page   report.Page
	run    *store.Entry   // nil for a sweep
	split  *engine.Shared // nil unless the run is split
	newest *engine.Sample
	done   bool // nothing changes any more
	at     time.Time
}

// follows reports whether a run is watched rather than opened: another process, or many workers, compute it.
func follows(s *session.Session, e store.Entry) bool {
	return e.Fault == nil && !e.Manifest.Complete() && (e.Holder != nil && s.Stored() != e.Path || e.Manifest.Split != nil)
}

// watchRun returns the page of a run.
func watchRun(l *Screen, e store.Entry) *watching {
	return &watching{screen: l, paths: []string{e.Path}, now: reading{page: chart.Progress(e, nil), run: &e},
		read: func(path string) (r reading, err error) {
			run, split, err := engine.Watch(path)
			if err != nil {
				return r, err
			}
			r = reading{page: chart.Progress(run, split), run: &run, split: split, done: run.Manifest.Complete()}
			r.newest, _ = engine.Newest(context.Background(), path) // the progress is worth showing without a picture
			return r, nil
		}}
}

// watchSweeps returns the page of the newest of the sweeps in some directories: the output of `rfm show`.
func watchSweeps(l *Screen, directories []string) *watching {
	return &watching{screen: l, paths: directories, now: reading{page: report.Page{Name: "sweep"}},
		read: func(path string) (r reading, err error) {
			found, err := sweep.Open(path)
			if err != nil {
				return r, err
			}
			outcomes := found.Read()
			r.page, r.done = found.Table(outcomes), sweep.Count(outcomes, sweep.Complete) == len(outcomes)
			r.page.Heading = "sweep " + printable.Line(filepath.Base(path)) + ": " + r.page.Source
			return r, nil
		}}
}

// Commands implements over, as do View and Exhibit.
func (w *watching) Commands(room ui.Canvas) []ui.Command {
	list := w.page.Commands(room, len(w.head(room)), w.Exhibit(room), keys.Up, keys.Down, keys.PageUp, keys.PageDown)
	if w.now.run != nil {
		return append([]ui.Command{w.open()}, list...)
	}
	turn := func(key keys.Key, help string, step int) ui.Command {
		return ui.Command{Key: key, Word: "sweep", Help: help, Do: func() tea.Cmd {
			w.at = (w.at + step + len(w.paths)) % len(w.paths)
			w.now, w.err = reading{page: report.Page{Name: "sweep"}}, nil
			return w.screen.read(w, 0)
		}}.When(len(w.paths) > 1, "there is one sweep")
	}
	return append([]ui.Command{turn(keys.NextTab, "next sweep", 1),
		turn(keys.PreviousTab, "previous sweep", -1)}, list...)
}

// open returns the command that opens the run, or resumes it.
func (w *watching) open() ui.Command {
	e := *w.now.run
	c := opens(w.screen.session, e)
	switch {
	case w.err != nil:
		c.Why = w.err.Error()
	case !e.Manifest.Complete() && e.Holder != nil:
		c.Why = "it is not complete: " + e.Holder.String() + " computes it"
	}
	return c
}

// take shows a reading, or why there is none.
func (w *watching) take(r reading, err error) {
	w.count++
	if w.err = err; err == nil {
		w.now = r
	}
	if r.newest != nil && time.Since(w.changed) >= w.page.Pace(r.newest.Side > 0) {
		w.newest, w.changed = r.newest, time.Now()
	}
}

func (w *watching) View(room ui.Canvas) string {
	return w.page.Draw(room, w.head(room), w.Exhibit(room), w.at, w.count)
}

// head returns the lines above the page of a run.
func (w *watching) head(on ui.Canvas) []string {
	if w.now.run == nil {
		return nil
	}
	m := w.now.run.Manifest
	name, stage := m.Next()
	fraction, where := float64(stage.Done)/float64(max(1, stage.Total)), name
	if p := w.now.split; p != nil {
		fraction, where = 1-float64(p.Left())/float64(max(1, p.Pairs+len(p.Tiles))), "units"
	}
	if m.Complete() {
		fraction, where = 1, "complete"
	}
	bar := fmt.Sprintf(" %s %s %.0f%%", where, plot.Progress(fraction, max(8, on.Width/3), on.Theme), 100*fraction)
	title := on.Theme.Title.Render(" " + w.now.page.Title)
	return []string{layout.Cut(title, on.Width), layout.Cut(bar, on.Width)}
}

// Exhibit returns the tables, and of a run also its state and its newest pair.
func (w *watching) Exhibit(on ui.Canvas) report.Page {
	p := w.now.page
	if w.err != nil {
		p.Notes = []string{printable.Text(w.err.Error())}
		return p
	}
	if w.now.run == nil {
		return p
	}
	p.Notes = append(w.state(), p.Notes...)
	if split := w.now.split; split != nil && split.PairsDone == split.Pairs {
		p.Notes = append(p.Notes, chart.Units(*split, on.Theme)...)
	} else if s := w.newest; s != nil {
		problem := w.now.run.Manifest.Config.Of()
		p.Figures, p.Fields = report.Sample{Side: s.Side, Name: problem.Input, Jumps: problem.Jumps, Input: s.Input,
			Truth: s.Truth}.Pair("a pair of the run")
	}
	return p
}

// state describes who computes the run.
func (w *watching) state() (text []string) {
	e, m := *w.now.run, w.now.run.Manifest
	switch {
	case m.Complete() && m.TestError != nil:
		return []string{fmt.Sprintf("complete: test error %s; enter opens it", report.Error(*m.TestError, 6))}
	case e.Holder != nil:
		text = append(text, "Read only, esc stops nothing: another process computes it.")
	case w.now.split == nil && w.count > 0:
		text = append(text, "Nobody works on it now; enter resumes it.")
	}
	if w.count > 0 && !m.Complete() {
		text = append(text, "It was stored "+chart.Age(w.now.at.Sub(m.Updated))+" ago.")
	}
	return text
}
