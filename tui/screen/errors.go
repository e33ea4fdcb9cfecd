// This file is the tab of the errors: how they are distributed, and their measures beside the published one.

package screen

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/study"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/widget"
)

// errorsTab shows the errors of all test samples.
type errorsTab struct {
	*selection
	picture widget.Cache
}

func (v *errorsTab) actions(*session) []keys.Action {
	return append([]keys.Action{keys.Left, keys.Right}, browsing()...)
}

func (v *errorsTab) means(_ *session, action keys.Action) string {
	if action == keys.Left || action == keys.Right {
		return "sample"
	}
	return browseMeans(action)
}

func (v *errorsTab) do(_ *session, action keys.Action) tea.Cmd {
	v.browse(action)
	return nil
}

func (v *errorsTab) render(s *session, width, height int) string {
	type key struct {
		of            *engine.Evaluation
		rank          int
		width, height int
		stored        string
		appearance    look.Appearance
	}
	return v.picture.Get(key{v.of, v.rank, width, height, s.stored, s.Appearance()}, func() string {
		heading := v.heading(s, "", v.of.Test.Relative[v.sample()])
		height -= headingLines
		narrow := width - sideWidth - sideGap
		histogram := v.distribution(s)(narrow, height)
		return heading + "\n" + layout.Beside(height, strings.Repeat(" ", sideGap), histogram, narrow, strings.Join(v.tables(s, height), "\n"))
	})
}

// exhibit is the table of errors and all errors in ascending order.
func (v *errorsTab) exhibit(s *session) study.Result {
	return study.Result{Study: "errors", Tables: []study.Table{errorTable(s)}, Figures: []study.Figure{rankedErrors(v.of)}}
}
