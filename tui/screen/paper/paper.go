// Package paper is the screen of the paper's figures and tables, computed again next to the published numbers.
package paper

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/show/paper"
	"rfm/model/show/report"
	"rfm/tui/dialog"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// Screen lists the studies and shows the results of the selected one, page by page.
type Screen struct {
	session *session.Session
	list    []paper.Study
	at      widget.List
	page    page.View
	of      string                  // the study on the page
	sizes   map[bool]*paper.Session // quick studies, and with true those of the paper's sizes
	whole   bool                    // show the latter
	dialogs *ui.Dialogs
	left    string // describes the studies that leaving has interrupted, and how to resume them

	all, study paper.Progress // of the job, and of its current study
}

// New returns the screen of a session.
func New(s *session.Session, d *ui.Dialogs) *Screen {
	p := &Screen{session: s, dialogs: d, list: paper.All(), sizes: map[bool]*paper.Session{}}
	for _, whole := range []bool{false, true} {
		o := paper.Options{Quick: !whole, Seed: 1, Workers: s.Workers()}
		o.Directory = p.directory(whole)
		p.sizes[whole] = paper.NewSession(o)
	}
	p.at = widget.List{Thing: "study", Dialogs: d, Count: func() int { return len(p.shown()) }}
	s.AtEnd(func() (string, bool) { return p.left, p.left != "" })
	return p
}

// directory returns the place for the results of studies, beside the stored runs; empty if nothing is stored.
func (p *Screen) directory(whole bool) string {
	runs := p.session.Options().Runs
	if runs == "" {
		return ""
	}
	return filepath.Join(runs, paper.DirectoryName(!whole))
}

// job is the name of the job of studies.
const job = "paper"

// Name returns the name of the job that computes studies.
func (p *Screen) Name() string { return job }

// shown returns the studies that match the filter.
func (p *Screen) shown() []paper.Study {
	return widget.Chosen(&p.at, p.list, func(s paper.Study) string { return s.Name + " " + s.Title })
}

// selected returns the study shown next to the list; the first one of all if none matches the filter.
func (p *Screen) selected() paper.Study {
	if list := p.shown(); len(list) > 0 {
		return list[min(p.at.Line, len(list)-1)]
	}
	return p.list[0]
}

// Commands returns the commands that choose a study, its size and its page, and compute it. No other key than the one
// that runs everything starts a study, and all of them, which takes long, only after a question; while something runs
// that key leads onward.
func (p *Screen) Commands(c ui.Canvas) []ui.Command {
	n := len(p.shown())
	moves := slices.Concat(p.at.Moves(keys.Up, keys.Down), p.at.Filters(), p.at.Moves(keys.First, keys.Last))
	why := p.session.Occupied()
	if n == 0 {
		why = p.at.None()
	}
	var list []ui.Command
	if !p.session.Busy() {
		list = []ui.Command{{Key: keys.Run, Word: "compute", Help: "compute this study", Why: why,
			Do: func() tea.Cmd { return p.compute([]paper.Study{p.selected()}) }}}
	}
	list = append(list, moves...)
	for _, key := range []keys.Key{keys.Left, keys.Right} { // the size that is being computed stays in view
		list = append(list, ui.Command{Key: key, Word: "size", Help: "quick size, or the paper's",
			Why: p.session.Occupied(), Do: ui.Now(func() { p.whole = !p.whole })})
	}
	list = append(list, ui.Command{Key: keys.All, Word: "all", Help: "compute all studies; asks first",
		Why: p.session.Occupied(), Do: ui.Now(p.askForAll)})
	c = paneOf(c)
	return append(list, p.page.Commands(c, len(p.head(c, p.selected())), p.Exhibit(c), keys.PageUp, keys.PageDown)...)
}

// askForAll asks whether to compute all studies, and does.
func (p *Screen) askForAll() {
	size := "at quick size"
	if p.whole {
		size = "at the paper's size, which takes long"
	}
	dialog.Question{Text: fmt.Sprintf("Compute all %d studies %s?", len(p.list), size), Verb: "compute all",
		Do: func() tea.Cmd { return p.compute(p.list) }}.Ask(p.dialogs)
}

// Update looks for stored results.
func (p *Screen) Update(msg tea.Msg, _ ui.Canvas) tea.Cmd {
	p.at.Keep(len(p.shown()))
	if of := fmt.Sprint(p.selected().Name, p.whole); of != p.of { // from its first page on
		p.of = of
		p.page.Open()
	}
	if _, enters := msg.(ui.Enter); enters {
		return p.load()
	}
	return nil
}

// indexWidth returns the width of the list on a screen of some width: on a wide one titles fit.
func indexWidth(width int) int {
	if width >= 160 {
		return longIndex
	}
	return 25
}

// longIndex is the width of a list of titles.
const longIndex = 62

// gap is the number of cells between the list and the study.
const gap = 1

// paneOf returns the part of a canvas for the study.
func paneOf(c ui.Canvas) ui.Canvas {
	c.Width -= indexWidth(c.Width) + gap
	return c
}

// View draws the list of studies next to the result or the published values of the selected one.
func (p *Screen) View(c ui.Canvas) string {
	index, st, pane := indexWidth(c.Width), p.selected(), paneOf(c)
	_, done := p.sizes[p.whole].Result(st.Name)
	return layout.Beside(c.Height, strings.Repeat(" ", gap), p.index(c.Theme, index, c.Height), index,
		p.page.Draw(pane, p.head(pane, st), p.Exhibit(pane), p.whole, done))
}

// Exhibit returns the result of the selected study, or the published values before it has one.
func (p *Screen) Exhibit(ui.Canvas) report.Page {
	st := p.selected()
	if r, done := p.sizes[p.whole].Result(st.Name); done {
		return r.Page
	}
	shown := st.Published()
	if shown.Name = st.Name; p.running() == "" {
		shown.Notes = []string{"ctrl+r computes this study, A all of them. The command 'rfm reproduce' makes a report of them."}
	}
	return shown
}

// head returns the lines above a result: the title, and the progress of the computation that it waits for.
func (p *Screen) head(c ui.Canvas, st paper.Study) []string {
	th, width, size := c.Theme, c.Width, "quick size"
	if p.whole {
		size = "the paper's size"
	}
	title, source := st.Title, st.Source
	if strings.HasPrefix(st.Source, "Figure") || strings.HasPrefix(st.Source, "Table") {
		title, source = title+" ("+source+")", ""
	}
	head := []string{layout.Cut(th.Title.Render(title), width),
		layout.Opposite(width, th.Muted.Render(source), th.Muted.Render(size))}
	if _, done := p.sizes[p.whole].Result(st.Name); p.running() != "" && !done {
		head = append(append(head, p.working(c)...), "")
	}
	return head
}

// working returns the study in progress, a bar over all studies with the remaining time, and in grey the inner step.
func (p *Screen) working(c ui.Canvas) []string {
	th, which := c.Theme, p.study.Stage
	if p.study.Note != "" {
		which += ", " + p.study.Note
	}
	return []string{layout.Cut(which, c.Width),
		layout.Cut(plot.Progress(p.all.Fraction(), max(8, c.Width/3), th)+" "+p.all.Line(c.Width), c.Width),
		layout.Cut(th.Muted.Render(p.study.Line(c.Width)), c.Width)}
}

// index returns the list of studies with marks for finished ones.
func (p *Screen) index(th theme.Theme, width, height int) string {
	running, list := p.running(), p.shown()
	return strings.Join(p.at.Draw(th, len(list), height, func(i int) string {
		mark, st := ' ', list[i]
		_, done := p.sizes[p.whole].Result(st.Name)
		switch {
		case st.Name == running:
			mark = th.Glyphs.Current
		case done:
			mark = th.Glyphs.Check
		}
		name := st.Name
		if width == longIndex {
			name = st.Title
		}
		return fmt.Sprintf("%c %-*s", mark, width-4, layout.Cut(name, width-4))
	}), "\n")
}

// Keep puts a result of the chosen size into the list.
func (p *Screen) Keep(r paper.Result) { p.sizes[p.whole].Keep(r) }

// load reads stored results of both sizes.
func (p *Screen) load() tea.Cmd {
	return func() tea.Msg {
		for _, s := range p.sizes {
			s.Stored()
		}
		return func() tea.Cmd { return nil } // draws the screen again
	}
}

// running returns the name of the study that is being computed; empty if none is.
func (p *Screen) running() string {
	if p.session.Doing() != job {
		return ""
	}
	return p.study.Stage
}

// compute starts a job for the wanted studies and those that they need. Their results are stored if runs are.
func (p *Screen) compute(wanted []paper.Study) tea.Cmd {
	s, name := p.sizes[p.whole], p.directory(p.whole)
	see := func() { p.all, p.study = s.Progress() }
	return p.session.Run(session.Job{Name: job, Seen: see,
		Work: func(ctx context.Context) error {
			return s.Reproduce(ctx, paper.Schedule(wanted), func(paper.Result, bool) error { return nil })
		},
		Done: func(error) tea.Cmd {
			see()
			if n := p.all; p.session.Leaving() && name != "" && 0 < n.Done && n.Done < n.Total {
				p.left = fmt.Sprintf("%d of %d parts of studies are done, in %s; the same key computes the others, and so does `rfm "+
					"reproduce --out %s`", n.Done, n.Total, name, name)
				if s == p.sizes[false] {
					p.left = strings.TrimSuffix(p.left, "`") + " --quick`"
				}
			}
			return nil
		}})
}
