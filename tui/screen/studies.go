// This file is the screen of the paper: its figures and tables, computed anew beside the published numbers.

package screen

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/study"
	"rfm/tui/keys"
	"rfm/tui/plot"
	"rfm/tui/quantity"
	"rfm/tui/report"
)

// studies lists the studies and shows the results of the selected one, page by page.
type studies struct {
	list    []study.Study
	line    int
	page    int
	whole   bool // the paper's sizes rather than quick ones
	shelves [2]*shelf
	picture cache
}

func newStudies() *studies { return &studies{list: study.All()} }

// shelf keeps the results of one size. A job fills it while the screen reads it.
type shelf struct {
	session *study.Session
	mutex   sync.Mutex
	results map[string]study.Result
}

// shelf is that of the chosen size.
func (p *studies) shelf(s *session) *shelf {
	i := 0
	if p.whole {
		i = 1
	}
	if p.shelves[i] == nil {
		p.shelves[i] = &shelf{session: study.NewSession(study.Options{Quick: !p.whole, Seed: 1, Workers: s.options.Workers}), results: map[string]study.Result{}}
	}
	return p.shelves[i]
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
	if directory != "" {
		d, err := study.OpenDirectory(directory)
		if err != nil {
			return err
		}
		return h.session.Reproduce(ctx, missing, d, func(o study.Outcome) error {
			h.keep(o.Result)
			return nil
		})
	}
	for _, st := range missing {
		r, err := h.session.Run(ctx, st)
		if err != nil {
			return err
		}
		h.keep(r)
	}
	return nil
}

// running is the name of the study that is being computed; empty if none is.
func (p *studies) running(s *session) string {
	if s.job == nil || s.job.step != paperStep {
		return ""
	}
	return p.shelf(s).session.Progress().Study
}

func (p *studies) selected() study.Study { return p.list[p.line] }

// work is the selected study, or all of them, as a job.
func (p *studies) work(s *session, all bool) func(context.Context) (string, bool, error) {
	h, wanted := p.shelf(s), []study.Study{p.selected()}
	if all {
		wanted = p.list
	}
	directory := ""
	if s.options.Runs != "" {
		directory = study.DirectoryName(!p.whole)
	}
	return func(ctx context.Context) (string, bool, error) {
		err := h.compute(ctx, wanted, directory)
		return "", err == nil, err
	}
}

func (p *studies) actions(*session) []keys.Action {
	return []keys.Action{keys.Up, keys.Down, keys.Left, keys.Right, keys.View, keys.First, keys.Last}
}

func (p *studies) means(_ *session, action keys.Action) string {
	switch action {
	case keys.Up, keys.Down:
		return "study"
	case keys.Left, keys.Right:
		return "size"
	case keys.View:
		return "page"
	}
	return ""
}

func (p *studies) do(s *session, action keys.Action) {
	n := len(p.list)
	switch action {
	case keys.Up:
		p.line, p.page = (p.line+n-1)%n, 0
	case keys.Down:
		p.line, p.page = (p.line+1)%n, 0
	case keys.First:
		p.line, p.page = 0, 0
	case keys.Last:
		p.line, p.page = n-1, 0
	case keys.Left, keys.Right:
		if s.job == nil { // the running size stays in view
			p.whole, p.page = !p.whole, 0
		}
	case keys.View:
		if r, done := p.shelf(s).get(p.selected().Name); done {
			p.page = (p.page + 1) % len(p.pages(s, r))
		}
	}
}

const studyWidth = 23

func (p *studies) render(s *session, width, height int) string {
	const gap = 1
	return beside(height, strings.Repeat(" ", gap), p.index(s, height), studyWidth, p.result(s, width-studyWidth-gap, height))
}

// index is the list of studies with what is done.
func (p *studies) index(s *session, height int) string {
	th, h, running := s.theme, p.shelf(s), p.running(s)
	var lines []string
	for i, st := range p.list {
		_, done := h.get(st.Name)
		mark := ' '
		switch {
		case st.Name == running:
			mark = th.Glyphs.Current
		case done:
			mark = th.Glyphs.Check
		}
		line := fmt.Sprintf("%c %-*s", mark, studyWidth-4, st.Name)
		if i == p.line {
			line = string(th.Glyphs.FocusLeft) + th.Focus.Render(line) + string(th.Glyphs.FocusRight)
		} else {
			line = " " + line
		}
		lines = append(lines, line)
	}
	first := max(0, min(p.line-height/2, len(lines)-height))
	return strings.Join(lines[first:min(len(lines), first+height)], "\n")
}

// result is the selected study: a page of its result, its progress, or what it would be.
func (p *studies) result(s *session, width, height int) string {
	th, st := s.theme, p.selected()
	size := "quick size"
	if p.whole {
		size = "the paper's size"
	}
	r, done := p.shelf(s).get(st.Name)
	running := p.running(s)
	var pages []block
	if done {
		pages = p.pages(s, r)
		size += fmt.Sprintf(", page %d of %d", p.page+1, len(pages))
	}
	head := []string{ansi.Truncate(th.Title.Render(st.Title), width, string(th.Glyphs.Ellipsis)), opposite(width, th.Muted.Render(st.Source), th.Muted.Render(size))}
	switch {
	case done:
		height -= len(head)
		type key struct {
			name          string
			page          int
			whole         bool
			width, height int
			look          appearance
		}
		picture := p.picture.get(key{st.Name, p.page, p.whole, width, height, s.appearance()}, func() string { return pages[p.page](width, height) })
		return strings.Join(head, "\n") + "\n" + picture
	case running != "":
		head = append(head, "", "computing "+running, p.progress(s, width))
	default:
		head = append(head, "")
		hint := ansi.Wordwrap("Enter computes this study, a all of them. The command 'rfm reproduce' makes a report of them.", width, "")
		for line := range strings.SplitSeq(hint, "\n") {
			head = append(head, th.Muted.Render(line))
		}
	}
	return strings.Join(head, "\n")
}

// progress is how far the running study has come.
func (p *studies) progress(s *session, width int) string {
	now := p.shelf(s).session.Progress()
	text := now.Activity + " " + quantity.Duration(now.Elapsed.Seconds())
	if now.Total == 0 {
		return text
	}
	bar := plot.Progress(float64(now.Done)/float64(now.Total), max(8, width/3), s.theme)
	return bar + fmt.Sprintf(" %d of %d\n", now.Done, now.Total) + text
}

// pages are the parts of a result, each drawn to fit.
func (p *studies) pages(s *session, r study.Result) []block {
	th := s.theme
	var list []block
	for _, f := range r.Figures {
		list = append(list, func(width, height int) string { return report.Plot(f, width, height, th) })
	}
	for _, f := range r.Fields {
		list = append(list, func(width, height int) string { return report.Map(f, width, height, th, s.depth) })
	}
	for _, t := range r.Tables {
		list = append(list, func(width, height int) string {
			return fit(th.Label.Render(t.Title)+"\n"+report.Table(t), width, height)
		})
	}
	text := strings.Join(append(r.Notes, report.Verdicts(r, th)...), "\n")
	if text != "" || len(list) == 0 {
		list = append(list, func(width, height int) string { return fit(ansi.Wordwrap(text, width, ""), width, height) })
	}
	return list
}
