package evaluate

import (
	"rfm/model/report"
	"rfm/tui/chart"
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
func (v *coefficients) exists() bool { return v.session.Experiment().Model().Random() }

func (*coefficients) commands() []ui.Command { return nil }

func (v *coefficients) render(on look.Look, width, height int) string {
	solution := v.session.Experiment().Model().Solution()
	return v.picture.Get(on, width, height, []any{&solution.Alpha[0]}, func() string {
		table, figure := chart.Coefficients(solution.Alpha, solution.Rank, solution.Lambda)
		return besidePairs(on, figure, table, width, height)
	})
}

func (v *coefficients) Exhibit() report.Page {
	solution := v.session.Experiment().Model().Solution()
	table, figure := chart.Coefficients(solution.Alpha, solution.Rank, solution.Lambda)
	return report.Page{Name: "coefficients", Tables: []report.Table{table}, Figures: []report.Figure{figure}}
}
