package tune

import (
	"fmt"
	"math"
	"time"

	"rfm/model/show/report"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
	"rfm/tui/words"
)

// figure returns the course of the search.
func (v *Screen) figure() report.Figure {
	last := float64(max(2, v.seen.Evaluations))
	if v.running() { // the axis grows in steps, of which a factor of ten has so many: few cells change
		const steps = 24
		reached := math.Ceil(steps * math.Log10(last))
		last = math.Pow(10, reached/steps)
	}
	return words.Search(v.seen, last)
}

// head returns the time, the progress of the search, and its outcome.
func (v *Screen) head(th theme.Theme, width int) []string {
	title := th.Title.Render(" features adapted to the training data")
	budget := th.Value.Render(budgetText(v.budgets[v.budget]))
	chosen := string(th.Glyphs.FocusLeft) + budget + string(th.Glyphs.FocusRight)
	time := th.Label.Render("time ") + chosen + " "
	return []string{
		layout.Opposite(width, title, time),
		layout.Cut(" "+v.progress(th, width), width),
	}
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
	bar := max(8, width/4)
	switch {
	case r == nil:
		pairs := words.Describe(v.session.Draft.Config())
		return th.Muted.Render("not begun; training pairs: those of " + pairs)
	case v.running() && v.seen == nil:
		made := v.search.Made()
		return plot.Progress(made.Fraction(), bar, th) + " " + made.Line(0)
	case v.seen == nil:
		return th.Warn.Render("stopped before it began")
	}
	elapsed := v.seen.Elapsed.Seconds()
	took := report.Duration(elapsed)
	if v.running() {
		const format = " %s of %s, %d models, %s"
		facts := fmt.Sprintf(format, took, budgetText(r.budget), v.seen.Evaluations, v.seen.Stage)
		return plot.Progress(elapsed/r.budget.Seconds(), bar, th) + facts
	}
	outcome, better := v.seen.Outcome()
	style := th.Warn
	if better {
		style = th.Good
	}
	facts := fmt.Sprintf("; %d models, %s", v.seen.Evaluations, took)
	text := style.Render(outcome) + th.Muted.Render(facts)
	if !r.Ended {
		return th.Warn.Render("stopped: ") + text
	}
	return text
}

// explanation describes a search, and the parameters that it may change.
func (v *Screen) explanation(th theme.Theme) report.Page {
	const (
		what = "ctrl+r searches for parameters of the features with which models of one part of the training pairs predict " +
			"the other part best. Test pairs are never made or read."
		how = "The best few are scored again on fresh draws and other splits, so that luck shows. Esc stops and keeps the " +
			"best so far; f takes it into the configuration."
	)
	c := v.session.Draft.Config()
	p := report.Page{Name: job, Heading: what}
	for _, d := range words.Features(c) {
		text := d[0] + " " + d[1]
		if !th.ASCII {
			text = words.Symbols(text)
		}
		p.Notes = append(p.Notes, text)
	}
	p.Notes = append(p.Notes, how)
	t := report.Table{
		Header: []string{"parameter", "", "value", "meaning"},
		Words:  []int{1, 3},
	}
	for _, k := range c.Keys() {
		if !k.Tuned {
			continue
		}
		row := []string{k.Symbol, k.Short(), k.Rounded(c, 4), k.Help}
		t.Rows = append(t.Rows, row)
	}
	p.Tables = []report.Table{t}
	return p
}
