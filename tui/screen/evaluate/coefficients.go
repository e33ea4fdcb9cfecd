package evaluate

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/study"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// coefficients is the tab that shows how the trained model spreads over its features: |alpha_j| in descending order.
type coefficients struct {
	*selection
	picture widget.Cache
}

// exists if there are features.
func (v *coefficients) exists() bool { return v.session.Experiment().Random() }

func (*coefficients) commands() []ui.Command { return nil }

func (v *coefficients) render(on look.Look, width, height int) string {
	type key struct {
		alpha         *float64
		width, height int
		appearance    look.Appearance
	}
	solution := v.session.Experiment().Solution()
	return v.picture.Get(key{&solution.Alpha[0], width, height, on.Appearance()}, func() string {
		table, figure := chart.Coefficients(solution.Alpha, solution.Rank, solution.Lambda)
		return besidePairs(on, figure, table, width, height)
	})
}

// besidePairs draws a figure beside a table of names and values.
func besidePairs(on look.Look, f study.Figure, t study.Table, width, height int) string {
	narrow := width - sideWidth - sideGap
	return layout.Beside(height, strings.Repeat(" ", sideGap), chart.Figure(on.Theme, f, narrow, height), narrow, strings.Join(pairLines(on, t), "\n"))
}

// pairLines writes a table of names and values in sideWidth cells.
func pairLines(on look.Look, t study.Table) []string {
	lines := []string{on.Theme.Title.Render(t.Header[0])}
	for _, row := range t.Rows {
		lines = append(lines, row[0]+strings.Repeat(" ", max(1, sideWidth-ansi.StringWidth(row[0])-ansi.StringWidth(row[1])))+on.Theme.Value.Render(row[1]))
	}
	return clipped(lines)
}

func (v *coefficients) Exhibit() study.Result {
	solution := v.session.Experiment().Solution()
	table, figure := chart.Coefficients(solution.Alpha, solution.Rank, solution.Lambda)
	return study.Result{Study: "coefficients", Tables: []study.Table{table}, Figures: []study.Figure{figure}}
}
