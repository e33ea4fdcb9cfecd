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
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// Screen lists the studies and shows the results of the selected one, page by page.
type Screen struct {
	session *session.Session
	list    []paper.Study
	at      *page.List
	page    page.View
	on      ui.Canvas      // on which the screen is laid out
	above   []string       // lines above the page
	of      string         // the study on the page
	quick   *paper.Session // studies of quick sizes
	full    *paper.Session // studies of the paper's sizes
	whole   bool           // the latter are shown
	dialogs *ui.Dialogs
	left    string // describes the studies that leaving has interrupted, and how to resume them

	all   paper.Progress // of the job
	study paper.Progress // of its current study

	commands []ui.Command
}

// New returns the screen of a session.
func New(s *session.Session, d *ui.Dialogs) *Screen {
	p := &Screen{
		session: s,
		dialogs: d,
		list:    paper.All(),
	}
	p.quick = p.studies(true)
	p.full = p.studies(false)
	count := func() int { return len(p.shown()) }
	p.at = page.NewList("study", d, count)
	p.commands = p.newCommands()
	s.AtEnd(func() (string, bool) { return p.left, p.left != "" })
	return p
}

// studies returns the studies of a size, none of which is computed.
func (p *Screen) studies(quick bool) *paper.Session {
	return paper.NewSession(paper.Options{
		Quick:     quick,
		Seed:      1,
		Workers:   p.session.Runner.Workers(),
		Directory: p.directory(quick),
	})
}

// chosen returns the studies of the chosen size.
func (p *Screen) chosen() *paper.Session {
	if p.whole {
		return p.full
	}
	return p.quick
}

// directory returns the place for the results of studies, beside the stored runs; empty if nothing is stored.
func (p *Screen) directory(quick bool) string {
	runs := p.session.Options().Runs
	if runs == "" {
		return ""
	}
	name := paper.DirectoryName(quick)
	return filepath.Join(runs, name)
}

// job is the name of the job of studies.
const job = "paper"

// Name returns the name of the job that computes studies.
func (p *Screen) Name() string { return job }

// shown returns the studies that match the filter.
func (p *Screen) shown() []paper.Study {
	words := func(s paper.Study) string { return s.Name + " " + s.Title }
	return page.Chosen(p.at, p.list, words)
}

// selected returns the study shown next to the list; the first one of all if none matches the filter.
func (p *Screen) selected() paper.Study {
	list := p.shown()
	if len(list) == 0 {
		return p.list[0]
	}
	last := len(list) - 1
	line := min(p.at.Line, last)
	return list[line]
}

// Commands returns the commands that choose a study, its size and its page, and compute it.
func (p *Screen) Commands() []ui.Command { return p.commands }

// newCommands makes the commands. No other key than the one that runs everything starts a study, and all of them, which
// takes long, only after a question; while something runs that key leads onward.
func (p *Screen) newCommands() []ui.Command {
	compute := ui.Command{
		Key:  ui.KeyRun,
		Word: "compute",
		Help: "compute this study",
		If:   func() bool { return !p.session.Runner.Busy() },
		Why:  p.whyNotCompute,
		Do:   func() tea.Cmd { return p.compute([]paper.Study{p.selected()}) },
	}
	all := ui.Command{
		Key:  ui.KeyAll,
		Word: "all",
		Help: "compute all studies; asks first",
		Why:  p.session.Runner.Occupied,
		Do:   ui.Now(p.askForAll),
	}
	return slices.Concat(
		[]ui.Command{compute},
		p.at.Moves(ui.KeyUp, ui.KeyDown),
		p.at.Filters(),
		p.at.Moves(ui.KeyFirst, ui.KeyLast),
		[]ui.Command{p.otherSize(ui.KeyLeft), p.otherSize(ui.KeyRight), all},
		p.page.Commands(ui.KeyPageUp, ui.KeyPageDown),
	)
}

// otherSize returns the command of a key that changes the size of the studies.
func (p *Screen) otherSize(key ui.Key) ui.Command {
	return ui.Command{
		Key:  key,
		Word: "size",
		Help: "quick size, or the paper's",
		Why:  p.session.Runner.Occupied, // so that the size that is being computed stays in view
		Do:   ui.Now(func() { p.whole = !p.whole }),
	}
}

// whyNotCompute says why the selected study cannot be computed; empty if it can.
func (p *Screen) whyNotCompute() string {
	if len(p.shown()) == 0 {
		return p.at.None()
	}
	return p.session.Runner.Occupied()
}

// askForAll asks whether to compute all studies, and does.
func (p *Screen) askForAll() {
	size := "at quick size"
	if p.whole {
		size = "at the paper's size, which takes long"
	}
	question := ui.Question{
		Text: fmt.Sprintf("Compute all %d studies %s?", len(p.list), size),
		Verb: "compute all",
		Do:   func() tea.Cmd { return p.compute(p.list) },
	}
	question.Ask(p.dialogs)
}

// Update looks for stored results.
func (p *Screen) Update(msg tea.Msg) tea.Cmd {
	p.at.Keep(len(p.shown()))
	of := fmt.Sprint(p.selected().Name, p.whole)
	if of != p.of {
		p.of = of
		p.page.Open() // from its first page on
	}
	_, enters := msg.(ui.Enter)
	if enters {
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

// Arrange lays out the result or the published values of the selected study, beside the list of all.
func (p *Screen) Arrange(c ui.Canvas) {
	p.on = c
	pane := paneOf(c)
	p.above = p.head(pane, p.selected())
	p.page.Arrange(pane, len(p.above), p.made())
}

// View draws the list of studies next to the result or the published values of the selected one.
func (p *Screen) View() string {
	c := p.on
	width := indexWidth(c.Width)
	index := p.index(c.Theme, width, c.Height)
	_, done := p.chosen().Result(p.selected().Name)
	study := p.page.Draw(p.above, p.whole, done)
	return layout.Beside(c.Height, strings.Repeat(" ", gap), index, width, study)
}

// Page returns the page of the selected study.
func (p *Screen) Page() report.Page { return p.page.Page() }

// made returns the result of the selected study, or the published values before it has one.
func (p *Screen) made() report.Page {
	const remedy = "ctrl+r computes this study, A all of them. The command 'rfm reproduce' makes a report of them."
	st := p.selected()
	r, done := p.chosen().Result(st.Name)
	if done {
		return r.Page
	}
	shown := st.Published()
	shown.Name = st.Name
	if p.running() == "" {
		shown.Notes = []string{remedy}
	}
	return shown
}

// head returns the lines above a result: the title, and the progress of the computation that it waits for.
func (p *Screen) head(c ui.Canvas, st paper.Study) []string {
	const margin = " " // as below
	c.Width -= len(margin)
	th := c.Theme
	size := "quick size"
	if p.whole {
		size = "the paper's size"
	}
	title := st.Title
	source := st.Source
	isShort := strings.HasPrefix(source, "Figure") || strings.HasPrefix(source, "Table")
	if isShort {
		title = fmt.Sprintf("%s (%s)", title, source)
		source = ""
	}
	title = th.Title.Render(title)
	source = th.Muted.Render(source)
	size = th.Muted.Render(size)
	head := []string{
		layout.Cut(title, c.Width),
		layout.Opposite(c.Width, source, size),
	}
	_, done := p.chosen().Result(st.Name)
	if p.running() != "" && !done {
		head = append(head, p.working(c)...)
		head = append(head, "")
	}
	for i, line := range head {
		head[i] = margin + line
	}
	return head
}

// working returns the study in progress, a bar over all studies with the remaining time, and in grey the inner step.
func (p *Screen) working(c ui.Canvas) []string {
	study := p.study.Stage
	if p.study.Note != "" {
		study += ", " + p.study.Note
	}
	const least = 8
	cells := max(least, c.Width/3)
	bar := plot.Progress(p.all.Fraction(), cells, c.Theme)
	all := bar + " " + p.all.Line(c.Width)
	step := p.study.Line(c.Width)
	step = c.Theme.Muted.Render(step)
	return []string{
		layout.Cut(study, c.Width),
		layout.Cut(all, c.Width),
		layout.Cut(step, c.Width),
	}
}

// index returns the list of studies with marks for finished ones.
func (p *Screen) index(th theme.Theme, width, height int) string {
	list := p.shown()
	line := func(i int) string { return p.indexLine(th, list[i], width) }
	lines := p.at.Draw(th, len(list), height, line)
	return strings.Join(lines, "\n")
}

// indexLine returns the line of a study in a list of some width.
func (p *Screen) indexLine(th theme.Theme, st paper.Study, width int) string {
	mark := ' '
	_, done := p.chosen().Result(st.Name)
	switch {
	case st.Name == p.running():
		mark = th.Glyphs.Current
	case done:
		mark = th.Glyphs.Check
	}
	name := st.Name
	if width == longIndex {
		name = st.Title
	}
	const around = 4 // cells: the mark, a blank, and the marks of the selected line
	room := width - around
	name = layout.Cut(name, room)
	return fmt.Sprintf("%c %-*s", mark, room, name)
}

// Keep puts a result of the chosen size into the list.
func (p *Screen) Keep(r paper.Result) {
	p.chosen().Keep(r)
}

// storedRead is the message that stored results were read: nothing is to be done but to draw the screen again.
type storedRead struct{}

// load reads stored results of both sizes.
func (p *Screen) load() tea.Cmd {
	return func() tea.Msg {
		p.quick.Stored()
		p.full.Stored()
		return storedRead{}
	}
}

// running returns the name of the study that is being computed; empty if none is.
func (p *Screen) running() string {
	if p.session.Runner.Doing() != job {
		return ""
	}
	return p.study.Stage
}

// compute starts a job for the wanted studies and those that they need. Their results are stored if runs are.
func (p *Screen) compute(wanted []paper.Study) tea.Cmd {
	s := p.chosen()
	quick := !p.whole
	directory := p.directory(quick)
	see := func() { p.all, p.study = s.Progress() }
	work := func(ctx context.Context) error {
		ignore := func(paper.Result, bool) error { return nil }
		return s.Reproduce(ctx, paper.Schedule(wanted), ignore)
	}
	done := func(error) tea.Cmd {
		see()
		isBegun := 0 < p.all.Done && p.all.Done < p.all.Total
		isStored := directory != ""
		if p.session.Runner.Leaving() && isStored && isBegun {
			p.left = interrupted(p.all, directory, quick)
		}
		return nil
	}
	return p.session.Runner.Run(session.Job{
		Name: job,
		Seen: see,
		Work: work,
		Done: done,
	})
}

// interrupted says how far the studies came, and how to compute the rest of them.
func interrupted(all paper.Progress, directory string, quick bool) string {
	command := "rfm reproduce --out " + directory
	if quick {
		command += " --quick"
	}
	const text = "%d of %d parts of studies are done, in %s; the same key computes the others, and so does `%s`"
	return fmt.Sprintf(text, all.Done, all.Total, directory, command)
}
