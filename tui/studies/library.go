// Package studies keeps the results of the studies of the paper, which its screen and tabs of the evaluation show, and
// computes them.
package studies

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"rfm/tui/keys"
	"rfm/tui/session"
	"rfm/tui/ui"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/study"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/quantity"
	"rfm/tui/widget"
)

// Library is the results of studies, quick ones and those of the paper's sizes.
type Library struct {
	session *session.Session
	whole   bool // the paper's sizes are on show rather than quick ones
	shelves [2]*shelf
}

// shelf keeps the results of one size. A job fills it while the screen reads it.
type shelf struct {
	session *study.Session
	mutex   sync.Mutex
	tally   tally
	results map[string]study.Result
}

// NewLibrary is an empty library.
func NewLibrary(s *session.Session) *Library {
	l := &Library{session: s}
	for i, quick := range []bool{true, false} {
		l.shelves[i] = &shelf{session: study.NewSession(study.Options{Quick: quick, Seed: 1, Workers: s.Workers()}),
			results: map[string]study.Result{}}
	}
	return l
}

// shelf is that of the chosen size.
func (l *Library) shelf() *shelf { return l.of(l.whole) }

// of is the shelf of a size.
func (l *Library) of(whole bool) *shelf {
	if whole {
		return l.shelves[1]
	}
	return l.shelves[0]
}

// tally is how far all studies of a job have come together.
type tally struct {
	wanted      string
	done, total int
	begun       time.Time
}

// count takes note of how many of the studies are done.
func (h *shelf) count(t tally) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.tally = t
}

// overall says which of the studies is computed, for which one that was asked for, since when, and for how long still.
func (h *shelf) overall(width int) string {
	h.mutex.Lock()
	t := h.tally
	h.mutex.Unlock()
	elapsed := time.Since(t.begun).Seconds()
	text := fmt.Sprintf("%s: study %d of %d, %s", t.wanted, min(t.done+1, t.total), t.total, quantity.Duration(elapsed))
	if t.done > 0 {
		text += ", about " + quantity.Duration(elapsed/float64(t.done)*float64(t.total-t.done)) + " left"
	}
	return layout.Cut(text, width)
}

// Keep puts a result of the chosen size into the library.
func (l *Library) Keep(r study.Result) { l.shelf().keep(r) }

// Get is the result of a study in the chosen size, if it is there.
func (l *Library) Get(name string) (r study.Result, done bool) { return l.shelf().get(name) }

// Resize is the command that changes between the two sizes, unless one is being computed: that stays in view.
func (l *Library) Resize(key keys.Key) ui.Command {
	return ui.Command{Key: key, Word: "size", Help: "quick size, or the paper's", Why: l.session.Occupied(),
		Do: ui.Now(func() { l.whole = !l.whole })}
}

// get is the result of a study, if it is there.
func (h *shelf) get(name string) (r study.Result, done bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	r, done = h.results[name]
	return r, done
}

// keep puts a result on the shelf.
func (h *shelf) keep(r study.Result) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.results[r.Study] = r
}

// compute runs the wanted studies, and those that they need, unless they are on the shelf or in the directory. Results
// go to both; an empty name of a directory stands for none.
func (h *shelf) compute(ctx context.Context, wanted []study.Study, directory string) error {
	var missing []study.Study
	for _, st := range study.Schedule(wanted) {
		if _, done := h.get(st.Name); !done {
			missing = append(missing, st)
		}
	}
	now := tally{wanted: "all studies", total: len(missing), begun: time.Now()}
	if len(wanted) == 1 {
		now.wanted = wanted[0].Title
	}
	h.count(now)
	finished := func(r study.Result) {
		h.keep(r)
		now.done++
		h.count(now)
	}
	if directory != "" {
		d, err := study.OpenDirectory(directory)
		if err != nil {
			return err
		}
		return h.session.Reproduce(ctx, missing, d, func(o study.Outcome) error {
			finished(o.Result)
			return nil
		})
	}
	for _, st := range missing {
		r, err := h.session.Run(ctx, st)
		if err != nil {
			return err
		}
		finished(r)
	}
	return nil
}

// loadedMsg brings results of earlier times.
type loadedMsg struct {
	onto    *shelf
	results []study.Result
}

// Load looks for stored results of both sizes where studies keep them. Nothing is read if runs are not stored.
func (l *Library) Load() tea.Cmd {
	if l.session.Directory() == "" {
		return nil
	}
	var all []tea.Cmd
	for _, whole := range []bool{false, true} {
		h := l.of(whole)
		all = append(all, func() tea.Msg {
			directory := study.Directory{Path: study.DirectoryName(!whole)}
			if _, err := os.Stat(directory.Path); err != nil {
				return nil // none was made here
			}
			return loadedMsg{h, h.session.Stored(&directory)}
		})
	}
	return tea.Batch(all...)
}

// Update takes results that were loaded.
func (l *Library) Update(msg tea.Msg) {
	if loaded, ok := msg.(loadedMsg); ok {
		for _, r := range loaded.results {
			loaded.onto.keep(r)
		}
	}
}

// Job is what the work on studies is called.
const Job = "paper"

// Running is the name of the study that is being computed; empty if none is.
func (l *Library) Running() string {
	if !l.session.Runs(Job) {
		return ""
	}
	return l.shelf().session.Progress().Study
}

// Compute computes studies that are not there yet, as a job.
func (l *Library) Compute(wanted []study.Study) tea.Cmd {
	h, directory := l.shelf(), ""
	if l.session.Directory() != "" {
		directory = study.DirectoryName(!l.whole)
	}
	return l.session.Run(session.Job{Name: Job, Work: func(ctx context.Context) error {
		return h.compute(ctx, wanted,
			directory)
	}})
}

// Pane shows a study: a page of its result, its progress, or what it would be.
type Pane struct {
	Library *Library
	Hint    string // what is said about a study that has no result yet
	page    int
	picture widget.Cache
}

// Turn is the command that goes some pages of a study on, or back.
func (p *Pane) Turn(key keys.Key, st study.Study, direction int) ui.Command {
	c := ui.Command{Key: key, Word: "page", Help: "next page", Do: ui.Now(func() {
		if r, done := p.Library.Get(st.Name); done {
			n := len(pages(look.Look{}, r))
			p.page = ((min(p.page, n-1)+direction)%n + n) % n
		}
	})}
	if direction < 0 {
		c.Help = "previous page"
	}
	return c
}

// Open begins with the first page.
func (p *Pane) Open() { p.page = 0 }

// View draws a page of a study, how far it is, or what it would be.
func (p *Pane) View(on look.Look, st study.Study, width, height int) string {
	th := on.Theme
	size := "quick size"
	if p.Library.whole {
		size = "the paper's size"
	}
	r, done := p.Library.Get(st.Name)
	running := p.Library.Running()
	var parts []layout.Block
	page := 0
	if done {
		parts = pages(on, r)
		page = min(p.page, len(parts)-1)
		size += fmt.Sprintf(", page %d of %d", page+1, len(parts))
	}
	head := []string{layout.Cut(th.Title.Render(st.Title), width),
		layout.Opposite(width, th.Muted.Render(st.Source), th.Muted.Render(size))}
	switch {
	case done:
		height -= len(head)
		type key struct {
			name          string
			page          int
			whole         bool
			width, height int
			look          look.Appearance
		}
		picture := p.picture.Get(key{st.Name, page, p.Library.whole, width, height, on.Appearance()},
			func() string { return parts[page](width, height) })
		return strings.Join(head, "\n") + "\n" + picture
	case running != "":
		if now := p.Library.shelf().session.Progress(); now.Draws > 0 {
			running += fmt.Sprintf(", draw %d of %d", now.Draw, now.Draws)
		}
		head = append(head, "", p.Library.shelf().overall(width), "", th.Muted.Render("computing "+running),
			p.Library.progress(on, width))
	default:
		head = append(head, "")
		for line := range strings.SplitSeq(ansi.Wordwrap(p.Hint, width, ""), "\n") {
			head = append(head, th.Muted.Render(line))
		}
	}
	return strings.Join(head, "\n")
}

// Exhibit is the result of a study, or its name if it has none yet.
func (p *Pane) Exhibit(st study.Study) study.Result {
	if r, done := p.Library.Get(st.Name); done {
		return r
	}
	return study.Result{Study: st.Name}
}

// progress is how far the running study has come.
func (l *Library) progress(on look.Look, width int) string {
	now := l.shelf().session.Progress()
	text := now.Activity + " " + quantity.Duration(now.Elapsed.Seconds())
	if now.Total == 0 {
		return text
	}
	bar := plot.Progress(float64(now.Done)/float64(now.Total), max(8, width/3), on.Theme)
	return bar + fmt.Sprintf(" %d of %d\n", now.Done, now.Total) + text
}

// pages are the parts of a result, each drawn to fit.
func pages(on look.Look, r study.Result) []layout.Block {
	th := on.Theme
	var list []layout.Block
	for _, f := range r.Figures {
		list = append(list, chart.FigurePicture(on, f.Title, f).Draw)
	}
	for _, f := range r.Fields {
		list = append(list, chart.FieldPicture(on, f).Draw)
	}
	for _, t := range r.Tables {
		list = append(list, func(width, height int) string {
			return layout.Fit(th.Label.Render(t.Title)+"\n"+chart.Table(t), width, height)
		})
	}
	text := strings.Join(append(r.Notes, chart.Verdicts(r, th)...), "\n")
	if text != "" || len(list) == 0 {
		list = append(list, func(width, height int) string {
			return layout.Fit(ansi.Wordwrap(text, width, ""), width,
				height)
		})
	}
	return list
}
