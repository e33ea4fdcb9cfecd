package runs

import (
	"strings"

	"rfm/model/show/compare"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/chart"
	"rfm/tui/page"
	"rfm/tui/ui"
)

// comparison shows runs next to each other: the table of `rfm show`, and the distributions of the errors.
type comparison struct {
	compare.Comparison
	tabs page.Tabs
}

func newComparison(of compare.Comparison) *comparison {
	c := &comparison{Comparison: of}
	c.tabs = page.NewTabs(&page.Tab{Name: "numbers", Page: c.numbers}, &page.Tab{Name: "errors", Page: c.errors})
	return c
}

// Commands implements over, as do View and Exhibit.
func (c *comparison) Commands(room ui.Canvas) []ui.Command { return c.tabs.Commands(room) }
func (c *comparison) View(room ui.Canvas) string           { return c.tabs.Draw(room, c.tabs.Bar(room)) }
func (c *comparison) Exhibit(room ui.Canvas) report.Page   { return c.tabs.Page(room) }

func (c *comparison) numbers(room ui.Canvas) report.Page {
	t, names := chart.Comparison(c.Comparison, room.Width)
	p := report.Page{Name: "comparison", Heading: strings.Join(names, "  "), Tables: []report.Table{t}}
	if warning := chart.Incomparable(c.Comparison); warning != "" {
		p.Heading = strings.Join(append([]string{warning}, names...), "\n")
	}
	return p
}

func (c *comparison) errors(ui.Canvas) report.Page {
	var curves []report.Curve
	for _, r := range c.Runs {
		if curve := report.Distribution(printable.Line(r.Name), r.Errors); len(curve.X) > 0 {
			curves = append(curves, curve)
		}
	}
	if len(curves) == 0 {
		return report.Page{Name: "errors", Notes: []string{"none of these runs is complete"}}
	}
	return report.Page{Name: "errors", Figures: []report.Figure{report.Distributions(curves...)}}
}
