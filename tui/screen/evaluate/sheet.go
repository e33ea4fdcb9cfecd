package evaluate

import (
	"rfm/model/report"
	"rfm/tui/look"
	"rfm/tui/page"
	"rfm/tui/ui"
)

// A sheet is a tab that shows a page of the report about the experiment.
type sheet struct {
	*selection
	has  func(*selection) bool // there is something to show
	made func(*selection) report.Page
	view page.View
}

func (s *sheet) exists() bool { return s.has(s.selection) }

func (s *sheet) Exhibit() report.Page { return s.made(s.selection) }

func (s *sheet) commands() []ui.Command {
	return s.view.Commands(s.room.Look, s.Exhibit(), s.room.Width, s.room.Height-tabLines)
}

func (s *sheet) render(on look.Look, width, height int) string {
	return s.view.Draw(on, s.Exhibit(), width, height, s.of)
}
