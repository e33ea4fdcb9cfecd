// This file is the screen of the paper: its figures and tables, computed anew beside the published numbers.

package screen

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/study"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/widget"
)

// studies lists the studies and shows the results of the selected one, page by page.
type studies struct {
	list []study.Study
	line int
	pane pane
}

func newStudies(l *library) *studies {
	return &studies{list: study.All(), pane: pane{library: l, hint: "Enter computes this study, a all of them. The command 'rfm reproduce' makes a report of them."}}
}

func (p *studies) selected() study.Study { return p.list[p.line] }

// work is the selected study, or all of them, as a job.
func (p *studies) work(s *session, all bool) func(context.Context) error {
	wanted := []study.Study{p.selected()}
	if all {
		wanted = p.list
	}
	return p.pane.library.work(s, wanted)
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

func (p *studies) do(s *session, action keys.Action) tea.Cmd {
	switch action {
	case keys.Up, keys.Down, keys.First, keys.Last:
		p.choose(widget.Walk(action, p.line, len(p.list)))
	case keys.Left, keys.Right:
		p.pane.library.resize(s)
		p.pane.page = 0
	case keys.View:
		p.pane.turn(s, p.selected(), 1)
	}
	return nil
}

// choose selects a study.
func (p *studies) choose(line int) { p.line, p.pane.page = line, 0 }

func (p *studies) receive(_ *session, msg tea.Msg) tea.Cmd {
	if loaded, ok := msg.(loadedMsg); ok {
		for _, r := range loaded.results {
			loaded.onto.keep(r)
		}
	}
	return nil
}

const studyWidth = 23

func (p *studies) render(s *session, width, height int) string {
	const gap = 1
	return layout.Beside(height, strings.Repeat(" ", gap), p.index(s, height), studyWidth, p.pane.render(s, p.selected(), width-studyWidth-gap, height))
}

func (p *studies) exhibit(s *session) study.Result { return p.pane.exhibit(s, p.selected()) }

// index is the list of studies with what is done.
func (p *studies) index(s *session, height int) string {
	th, h, running := s.Theme, p.pane.library.shelf(), p.pane.library.running(s)
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
	first := p.first(height)
	return strings.Join(lines[first:min(len(lines), first+height)], "\n")
}

// first is the study at the top of the list, which is cut to height lines around the selected one.
func (p *studies) first(height int) int {
	return max(0, min(p.line-height/2, len(p.list)-height))
}

// click selects a study.
func (p *studies) click(s *session, x, y int) tea.Cmd {
	if i := p.first(s.height) + y; x < studyWidth && i < len(p.list) {
		p.choose(i)
	}
	return nil
}
