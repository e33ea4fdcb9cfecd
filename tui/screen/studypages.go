// This file is a study of the paper as a tab of the evaluation: page by page, through compositions of the model for
// example.

package screen

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/model/study"
	"rfm/tui/keys"
)

// studyPages is an item of the paper for the problem of the experiment.
type studyPages struct {
	item string
	list []study.Study
	pane pane
}

func newStudyPages(l *library, item string) *studyPages {
	return &studyPages{item: item, list: study.All(), pane: pane{library: l, hint: "A study of the paper, with data and models of its own. Enter computes it, up and down choose its size."}}
}

// of is the study for the problem at hand, if there is one.
func (p *studyPages) of(s *session) (st study.Study, exists bool) {
	problem := s.experiment.Config.Problem
	i := slices.IndexFunc(p.list, func(st study.Study) bool { return st.Item == p.item && st.Problem == problem })
	if i < 0 {
		return study.Study{}, false
	}
	return p.list[i], true
}

// exists says whether there is a study for the problem at hand. There is none of no item.
func (p *studyPages) exists(s *session) bool {
	if p == nil {
		return false
	}
	_, exists := p.of(s)
	return exists
}

func (p *studyPages) actions(s *session) []keys.Action {
	list := []keys.Action{keys.Left, keys.Right, keys.Up, keys.Down, keys.View}
	if s.job == nil {
		list = append(list, keys.Accept)
	}
	return list
}

func (p *studyPages) means(_ *session, action keys.Action) string {
	switch action {
	case keys.Left, keys.Right:
		return "page"
	case keys.Up, keys.Down:
		return "size"
	case keys.Accept:
		return "compute"
	}
	return ""
}

func (p *studyPages) do(s *session, action keys.Action) tea.Cmd {
	st, exists := p.of(s)
	if !exists {
		return nil
	}
	switch action {
	case keys.Left:
		p.pane.turn(s, st, -1)
	case keys.Right, keys.View:
		p.pane.turn(s, st, 1)
	case keys.Up, keys.Down:
		p.pane.library.resize(s)
		p.pane.page = 0
	}
	return nil
}

func (p *studyPages) render(s *session, width, height int) string {
	st, exists := p.of(s)
	if !exists {
		return ""
	}
	return p.pane.render(s, st, width, height)
}

func (p *studyPages) exhibit(s *session) study.Result {
	st, _ := p.of(s)
	return p.pane.exhibit(s, st)
}
