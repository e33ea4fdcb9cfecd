package evaluate

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/model/study"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/studies"
	"rfm/tui/ui"
)

// studyPages is an item of the paper for the problem of the experiment, as a tab: page by page, through compositions of
// the model for example.
type studyPages struct {
	*selection
	item string
	list []study.Study
	pane studies.Pane
}

func newStudyPages(c *selection, l *studies.Library, item string) *studyPages {
	return &studyPages{selection: c, item: item, list: study.All(),
		pane: studies.Pane{Library: l,
			Hint: "A study of the paper, with data and models of its own. Enter computes it, up and down choose its size."}}
}

// study is the one for the problem at hand, if there is one.
func (p *studyPages) study() (st study.Study, exists bool) {
	problem := p.session.Experiment().Config.Problem
	i := slices.IndexFunc(p.list, func(st study.Study) bool { return st.Item == p.item && st.Problem == problem })
	if i < 0 {
		return study.Study{}, false
	}
	return p.list[i], true
}

// exists reports whether there is a study for the problem at hand. There is none of no item.
func (p *studyPages) exists() bool {
	if p == nil {
		return false
	}
	_, exists := p.study()
	return exists
}

func (p *studyPages) commands() []ui.Command {
	st, _ := p.study()
	size := func(key keys.Key) ui.Command {
		c := p.pane.Library.Resize(key)
		do := c.Do
		c.Do = func() tea.Cmd {
			p.pane.Open()
			return do()
		}
		return c
	}
	return []ui.Command{p.pane.Turn(keys.Left, st, -1), p.pane.Turn(keys.Right, st, 1), size(keys.Up), size(keys.Down),
		p.pane.Turn(keys.View, st, 1),
		{Key: keys.Enter, Word: "compute", Help: "compute this study", Why: p.session.Occupied(),
			Do: func() tea.Cmd { return p.pane.Library.Compute([]study.Study{st}) }}}
}

func (p *studyPages) render(on look.Look, width, height int) string {
	st, exists := p.study()
	if !exists {
		return ""
	}
	return p.pane.View(on, st, width, height)
}

func (p *studyPages) Exhibit() study.Result {
	st, _ := p.study()
	return p.pane.Exhibit(st)
}
