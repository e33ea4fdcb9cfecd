package evaluate

import (
	"strconv"

	"rfm/config"
	"rfm/model/report"
	"rfm/tui/ui"
)

// several reports whether more than one model of the problem was tested since the program began.
func (c *selection) several() bool { return len(c.session.Tries()) > 1 }

// sitting compares the models of the problem that were tested since the program began: their errors, and the changes
// from each to the next.
func (c *selection) sitting(ui.Canvas) report.Page {
	tries := c.session.Tries()
	table := report.Table{Header: []string{"model", "test error", "changed"}}
	curve := report.Curve{X: report.Counting(len(tries)), Role: report.AsError, Marked: true}
	for i, r := range tries {
		changed := ""
		if i > 0 {
			changed = config.Differences(r.Config, tries[i-1].Config)
		}
		table.Rows = append(table.Rows, []string{strconv.Itoa(i + 1), report.Error(r.Error, 5), changed})
		curve.Y = append(curve.Y, r.Error)
	}
	return report.Page{Name: "session", Tables: []report.Table{table}, Figures: []report.Figure{{
		Title: "test error of the models of this session", XLabel: "model", LogY: true, Curves: []report.Curve{curve}}}}
}
