package evaluate

import (
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/formula"
	"rfm/tui/ui"
)

// cost compares the model with other solution methods: error against time, time of an evaluation and of training.
func (c *selection) cost(ui.Canvas) report.Page {
	rivals, experiment := c.of.Rivals, c.session.Experiment()
	p := report.Page{Name: "cost"}
	if len(rivals) == 0 {
		p.Notes = []string{"nothing was measured"}
		return p
	}
	p.Notes = append(chart.Star(c.of), c.of.Notes()...)
	if payoff := experiment.Summary().Payoff; payoff != nil {
		p.Notes = append(p.Notes, payoff.Sentences(report.Duration(payoff.Spent))...)
	}
	if figure := chart.Cost(c.of); len(figure.Curves) > 1 {
		p.Figures = []report.Figure{figure}
	}
	p.Tables = []report.Table{chart.CostTable(c.of, 5, "error", "one core", "training")}
	p.Tables[0].Header[0] = "on " + formula.Grid(experiment.Config, c.of.Grid)
	return p
}
