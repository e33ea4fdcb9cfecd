// Package paper is the screen of the paper's figures and tables, computed again next to the published numbers.
package paper

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/paper"
	"rfm/model/report"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/studies"
	"rfm/tui/theme"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// Screen lists the studies and shows the results of the selected one, page by page.
type Screen struct {
	session *session.Session
	dialogs *ui.Dialogs
	list    []paper.Study
	at      widget.List
	pane    studies.Pane
}

// New returns the screen of a session.
func New(s *session.Session, d *ui.Dialogs, l *studies.Library) *Screen {
	return &Screen{session: s, dialogs: d, list: paper.All(), pane: studies.Pane{Library: l,
		Hint: "Enter computes this study, a all of them. The command 'rfm reproduce' makes a report of them."}}
}

// Name returns the name of the job that computes studies.
func (p *Screen) Name() string { return studies.Job }

// Open returns true: studies need no experiment.
func (p *Screen) Open() bool { return true }

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

// Commands returns the commands that choose a study, its size and its page, and compute it.
func (p *Screen) Commands(c ui.Canvas) []ui.Command {
	n := len(p.shown())
	filter := widget.Filter{Dialogs: p.dialogs, List: &p.at, Count: func() int { return len(p.shown()) },
		Changed: p.pane.Open}
	moves := append(p.at.Commands("study", n, keys.Up, keys.Down), filter.Offer("studies")...)
	moves = append(moves, p.at.Commands("study", n, keys.First, keys.Last)...)
	why := p.session.Occupied()
	if n == 0 {
		why = "no study has these words"
	}
	compute := func(key keys.Key, word, help string, wanted ...paper.Study) ui.Command {
		return ui.Command{Key: key, Word: word, Help: help, Why: why,
			Do: func() tea.Cmd { return p.pane.Library.Compute(wanted) }}
	}
	list := []ui.Command{compute(keys.Enter, "compute", "compute this study", p.selected())}
	for _, c := range moves {
		list = append(list, p.turning(c))
	}
	list = append(list, p.turning(p.pane.Library.Resize(keys.Left)), p.turning(p.pane.Library.Resize(keys.Right)))
	list = append(list, p.pane.Commands(paneOf(c), p.selected())...)
	return append(list, compute(keys.All, "run all", "compute all studies", p.list...))
}

// turning returns a command that also shows the result from its first page on.
func (p *Screen) turning(c ui.Command) ui.Command {
	do := c.Do
	c.Do = func() tea.Cmd {
		p.pane.Open()
		return do()
	}
	return c
}

// Update looks for stored results.
func (p *Screen) Update(msg tea.Msg, _ ui.Canvas) tea.Cmd {
	p.at.Keep(len(p.shown()))
	if _, enters := msg.(ui.Enter); enters {
		return p.pane.Library.Load()
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

// View draws the list of studies next to the selected one.
func (p *Screen) View(c ui.Canvas) string {
	index := indexWidth(c.Width)
	return layout.Beside(c.Height, strings.Repeat(" ", gap), p.index(c.Theme, index, c.Height), index,
		p.pane.View(paneOf(c), p.selected()))
}

// index returns the list of studies with marks for finished ones.
func (p *Screen) index(th theme.Theme, width, height int) string {
	running, list := p.pane.Library.Running(), p.shown()
	return strings.Join(p.at.Draw(th, len(list), height, func(i int) string {
		mark, st := ' ', list[i]
		_, done := p.pane.Library.Get(st.Name)
		switch {
		case st.Name == running:
			mark = th.Glyphs.Current
		case done:
			mark = th.Glyphs.Check
		}
		name := st.Short
		if width == longIndex {
			name = st.Title
		}
		return fmt.Sprintf("%c %-*s", mark, width-4, layout.Cut(name, width-4))
	}), "\n")
}

// Exhibit returns the result shown.
func (p *Screen) Exhibit(ui.Canvas) report.Page { return p.pane.Exhibit(p.selected()) }
