package evaluate

import (
	"rfm/model/report"
	"rfm/tui/chart"
)

// random reports whether the model has features.
func (c *selection) random() bool { return c.session.Experiment().Model().Random() }

// coefficients is how the trained model spreads over its features: |alpha_j| in descending order.
func (c *selection) coefficients() report.Page {
	solution := c.session.Experiment().Model().Solution()
	table, figure := chart.Coefficients(solution.Alpha, solution.Rank, solution.Lambda)
	return report.Page{Name: "coefficients", Tables: []report.Table{table}, Figures: []report.Figure{figure}}
}
