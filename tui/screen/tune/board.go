package tune

import (
	"fmt"
	"math"
	"time"

	"rfm/model/show/report"
	"rfm/tui/chart"
	"rfm/tui/formula"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// figure returns the course of the search.
func (v *Screen) figure() report.Figure {
	last := float64(max(2, v.seen.Evaluations))
	if v.running() { // the axis grows in steps, of which a factor of ten has so many: few cells change
		const steps = 24
		last = math.Pow(10, math.Ceil(steps*math.Log10(last))/steps)
	}
	return chart.Search(v.seen, last)
}

// head returns the time, the progress of the search, and its outcome.
func (v *Screen) head(th theme.Theme, width int) []string {
	left := th.Title.Render(" features adapted to the training data")
	time := th.Label.Render("time ") + string(th.Glyphs.FocusLeft) + th.Value.Render(budgetText(v.budgets[v.budget])) +
		string(th.Glyphs.FocusRight) + " "
	return []string{layout.Opposite(width, left, time), layout.Cut(" "+v.progress(th, width), width)}
}

// budgetText returns a budget in whole units.
func budgetText(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min", int(d.Minutes()))
}

// progress returns the progress of the search, or how it ended.
func (v *Screen) progress(th theme.Theme, width int) string {
	r := v.search
	switch {
	case r == nil:
		return th.Muted.Render(fmt.Sprintf("not begun; training pairs: those of %s", formula.Describe(v.session.Draft.Config())))
	case v.running() && v.seen == nil:
		made := v.search.Made()
		return plot.Progress(made.Fraction(), max(8, width/4), th) + " " + made.Line(0)
	case v.seen == nil:
		return th.Warn.Render("stopped before it began")
	case v.running():
		facts := fmt.Sprintf(" %s of %s, %d models, %s", report.Duration(v.seen.Elapsed.Seconds()), budgetText(r.budget),
			v.seen.Evaluations, v.seen.Stage)
		return plot.Progress(v.seen.Elapsed.Seconds()/r.budget.Seconds(), max(8, width/4), th) + facts
	}
	text, better := v.seen.Outcome()
	style := th.Warn
	if better {
		style = th.Good
	}
	text = style.Render(text) + th.Muted.Render(fmt.Sprintf("; %d models, %s", v.seen.Evaluations,
		report.Duration(v.seen.Elapsed.Seconds())))
	if !r.Ended {
		return th.Warn.Render("stopped: ") + text
	}
	return text
}

// explanation describes a search, and the parameters that it may change.
func (v *Screen) explanation(th theme.Theme) report.Page {
	c, p := v.session.Draft.Config(), report.Page{
		Name: job,
		Heading: "ctrl+r searches for parameters of the features with " +
			"which models of one part of the training pairs predict the other part best. Test pairs are never made or read.",
	}
	for _, d := range formula.Features(c) {
		text := d[0] + " " + d[1]
		if !th.ASCII {
			text = formula.Symbols(text)
		}
		p.Notes = append(p.Notes, text)
	}
	p.Notes = append(p.Notes, "The best few are scored again on fresh draws and other splits, so that luck shows. Esc "+
		"stops and keeps the best so far; f takes it into the configuration.")
	t := report.Table{
		Header: []string{"parameter", "", "value", "meaning"},
		Words:  []int{1, 3},
	}
	for _, k := range c.Keys() {
		if k.Tuned {
			t.Rows = append(t.Rows, []string{k.Symbol, k.Short(), k.Rounded(c, 4), k.Help})
		}
	}
	p.Tables = []report.Table{t}
	return p
}
