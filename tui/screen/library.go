// This file keeps the results of studies, which the screen of the paper and tabs of the evaluation show, and computes them.

package screen

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

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

// library is the results of studies, quick ones and those of the paper's sizes.
type library struct {
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

func newLibrary(o Options) *library {
	l := &library{}
	for i, quick := range []bool{true, false} {
		l.shelves[i] = &shelf{session: study.NewSession(study.Options{Quick: quick, Seed: 1, Workers: o.Workers}), results: map[string]study.Result{}}
	}
	return l
}

// shelf is that of the chosen size.
func (l *library) shelf() *shelf { return l.of(l.whole) }

// of is the shelf of a size.
func (l *library) of(whole bool) *shelf {
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

// resize changes between the two sizes, unless one is being computed: that stays in view.
func (l *library) resize(s *session) {
	if s.job == nil {
		l.whole = !l.whole
	}
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

// compute runs the wanted studies, and those that they need, unless they are on the shelf or in the directory. Results go
// to both; an empty name of a directory stands for none.
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

// load looks for stored results of both sizes where studies keep them. Nothing is read if runs are not stored.
func (l *library) load(s *session) tea.Cmd {
	if s.options.Runs == "" {
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

// running is the name of the study that is being computed; empty if none is.
func (l *library) running(s *session) string {
	if s.job == nil || s.job.step != paperStep {
		return ""
	}
	return l.shelf().session.Progress().Study
}

// work is studies as a job.
func (l *library) work(s *session, wanted []study.Study) func(context.Context) error {
	h := l.shelf()
	directory := ""
	if s.options.Runs != "" {
		directory = study.DirectoryName(!l.whole)
	}
	return func(ctx context.Context) error { return h.compute(ctx, wanted, directory) }
}

// pane shows a study: a page of its result, its progress, or what it would be.
type pane struct {
	library *library
	hint    string // what is said about a study that has no result yet
	page    int
	picture widget.Cache
}

// turn goes some pages on, or back.
func (p *pane) turn(s *session, st study.Study, direction int) {
	if r, done := p.library.shelf().get(st.Name); done {
		n := len(resultPages(s, r))
		p.page = ((min(p.page, n-1)+direction)%n + n) % n
	}
}

func (p *pane) render(s *session, st study.Study, width, height int) string {
	th := s.Theme
	size := "quick size"
	if p.library.whole {
		size = "the paper's size"
	}
	r, done := p.library.shelf().get(st.Name)
	running := p.library.running(s)
	var pages []layout.Block
	page := 0
	if done {
		pages = resultPages(s, r)
		page = min(p.page, len(pages)-1)
		size += fmt.Sprintf(", page %d of %d", page+1, len(pages))
	}
	head := []string{layout.Cut(th.Title.Render(st.Title), width), layout.Opposite(width, th.Muted.Render(st.Source), th.Muted.Render(size))}
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
		picture := p.picture.Get(key{st.Name, page, p.library.whole, width, height, s.Appearance()}, func() string { return pages[page](width, height) })
		return strings.Join(head, "\n") + "\n" + picture
	case running != "":
		if now := p.library.shelf().session.Progress(); now.Draws > 0 {
			running += fmt.Sprintf(", draw %d of %d", now.Draw, now.Draws)
		}
		head = append(head, "", p.library.shelf().overall(width), "", th.Muted.Render("computing "+running), p.library.progress(s, width))
	default:
		head = append(head, "")
		for line := range strings.SplitSeq(ansi.Wordwrap(p.hint, width, ""), "\n") {
			head = append(head, th.Muted.Render(line))
		}
	}
	return strings.Join(head, "\n")
}

// exhibit is the result of a study, or its name if it has none yet.
func (p *pane) exhibit(s *session, st study.Study) study.Result {
	if r, done := p.library.shelf().get(st.Name); done {
		return r
	}
	return study.Result{Study: st.Name}
}

// progress is how far the running study has come.
func (l *library) progress(s *session, width int) string {
	now := l.shelf().session.Progress()
	text := now.Activity + " " + quantity.Duration(now.Elapsed.Seconds())
	if now.Total == 0 {
		return text
	}
	bar := plot.Progress(float64(now.Done)/float64(now.Total), max(8, width/3), s.Theme)
	return bar + fmt.Sprintf(" %d of %d\n", now.Done, now.Total) + text
}

// resultPages are the parts of a result, each drawn to fit.
func resultPages(s *session, r study.Result) []layout.Block {
	th := s.Theme
	var list []layout.Block
	for _, f := range r.Figures {
		list = append(list, func(width, height int) string { return chart.Plot(f, width, height, th) })
	}
	for _, f := range r.Fields {
		list = append(list, func(width, height int) string { return chart.Map(f, width, height, th, s.Depth) })
	}
	for _, t := range r.Tables {
		list = append(list, func(width, height int) string {
			return layout.Fit(th.Label.Render(t.Title)+"\n"+chart.Table(t), width, height)
		})
	}
	text := strings.Join(append(r.Notes, chart.Verdicts(r, th)...), "\n")
	if text != "" || len(list) == 0 {
		list = append(list, func(width, height int) string { return layout.Fit(ansi.Wordwrap(text, width, ""), width, height) })
	}
	return list
}
