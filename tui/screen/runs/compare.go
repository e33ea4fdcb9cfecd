package runs

import (
	"strings"

	"rfm/model/show/compare"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/page"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// comparison shows runs next to each other: the table of `rfm show`, and the distributions of the errors.
type comparison struct {
	compare.Comparison
	tabs *page.Tabs
}

func newComparison(of compare.Comparison) *comparison {
	c := &comparison{Comparison: of}
	numbers := &page.Tab{Name: "numbers", Page: c.numbers}
	errors := &page.Tab{Name: "errors", Page: c.errors}
	c.tabs = page.NewTabs(numbers, errors)
	return c
}

// Commands implements over, as do Arrange, View and Page.
func (c *comparison) Commands() []ui.Command {
	return c.tabs.Commands()
}
func (c *comparison) Arrange(on ui.Canvas) { c.tabs.Arrange(on) }
func (c *comparison) View() string         { return c.tabs.Draw() }
func (c *comparison) Page() report.Page    { return c.tabs.Page() }

// numbers returns the table of the runs.
func (c *comparison) numbers(room ui.Canvas) report.Page {
	table, names := words.Comparison(c.Comparison, room.Width)
	p := report.Page{
		Name:    "comparison",
		Heading: strings.Join(names, "  "),
		Tables:  []report.Table{table},
	}
	warning := words.Incomparable(c.Comparison)
	if warning != "" {
		p.Heading = strings.Join(append([]string{warning}, names...), "\n")
	}
	return p
}

// errors returns the distributions of the errors of the runs.
func (c *comparison) errors(ui.Canvas) report.Page {
	p := report.Page{Name: "errors"}
	var curves []report.Curve
	for _, r := range c.Runs {
		curve := report.Distribution(printable.Line(r.Name), r.Errors)
		if len(curve.X) > 0 {
			curves = append(curves, curve)
		}
	}
	if len(curves) == 0 {
		p.Notes = []string{"none of these runs is complete"}
		return p
	}
	p.Figures = []report.Figure{report.Distributions(curves...)}
	return p
}
