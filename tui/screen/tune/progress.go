package tune

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"rfm/model/report"
	"rfm/model/tune"
	"rfm/tui/formula"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
)

// head returns the time, the progress of the search, and its outcome.
func (v *Screen) head(on look.Look, width int) []string {
	th := on.Theme
	left := th.Title.Render(" features adapted to the training data")
	time := th.Label.Render("time ") + string(th.Glyphs.FocusLeft) + th.Value.Render(budgetText(v.budgets[v.budget])) +
		string(th.Glyphs.FocusRight) + " "
	return []string{layout.Opposite(width, left, time), layout.Cut(" "+v.progress(on, width), width)}
}

// budgetText returns a budget in whole units.
func budgetText(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min", int(d.Minutes()))
}

// progress returns the progress of the search, or how it ended.
func (v *Screen) progress(on look.Look, width int) string {
	th, r := on.Theme, v.search
	switch {
	case r == nil && v.session.Kept() > 0:
		return th.Warn.Render(fmt.Sprintf("interrupted after %d models; enter resumes", v.session.Kept()))
	case r == nil:
		return th.Muted.Render(fmt.Sprintf("not begun; training pairs: those of %s", formula.Describe(v.session.Config())))
	case v.running() && v.seen == nil:
		made := v.search.Made()
		return plot.Progress(made.Fraction(), max(8, width/4), th) + " " + made.Line(0)
	case v.seen == nil:
		return th.Warn.Render("stopped before it began")
	case v.running():
		facts := fmt.Sprintf(" %s of %s, %d models, %s", report.Duration(v.seen.Elapsed.Seconds()), budgetText(r.budget),
			v.seen.Evaluations, phase(v.seen.Stage))
		return plot.Progress(v.seen.Elapsed.Seconds()/r.budget.Seconds(), max(8, width/4), th) + facts
	}
	text := v.outcome(on) + th.Muted.Render(fmt.Sprintf("; %d models, %s", v.seen.Evaluations,
		report.Duration(v.seen.Elapsed.Seconds())))
	if !r.Ended {
		return th.Warn.Render("stopped: ") + text
	}
	return text
}

// phase returns a stage of the search in a few words.
func phase(stage tune.Stage) string {
	words := map[tune.Stage]string{tune.Start: "the start", tune.Explore: "random parameters",
		tune.Compete: "descent 1 of 3", tune.Converge: "descent 2 of 3", tune.Confirm: "descent 3 of 3"}
	return cmp.Or(words[stage], "fresh draws")
}

// outcome compares the best with the start: on fresh draws, or if there are none on the draws of the search.
func (v *Screen) outcome(on look.Look) string {
	th := on.Theme
	best, start, fresh := v.gain()
	board := v.board()
	switch {
	case math.IsNaN(best) || math.IsNaN(start):
		return th.Muted.Render("nothing to compare yet")
	case best >= start:
		return th.Warn.Render("nothing better than the configuration as it was")
	}
	where := "in the search"
	if fresh {
		where = "on fresh draws"
	}
	text := fmt.Sprintf("error %s %s, %s before", report.Error(best, 4), where, report.Error(start, 4))
	if last := board[len(board)-1]; last.Start && last.Features != board[0].Features {
		text += fmt.Sprintf(", with m=%d", last.Features)
	}
	return th.Good.Render(text)
}

// gain returns the errors of the best line of the leaderboard and of the start, both on fresh draws if both have them;
// NaN if they have no error of the same kind.
func (v *Screen) gain() (best, start float64, fresh bool) {
	best, start = math.NaN(), math.NaN()
	board := v.board()
	fresh = len(board[0].Rescored) > 0
	for _, l := range board {
		e := l.Error
		if fresh {
			e = l.Mean()
		}
		switch {
		case l.Start:
			start = e
		case math.IsNaN(best) && (fresh || l.Features == board[len(board)-1].Features): // the start comes last then
			best = e
		}
	}
	return best, start, fresh
}

// explanation describes a search, and the parameters that it may change.
func (v *Screen) explanation() report.Page {
	c, p := v.session.Config(), report.Page{Name: job, Heading: "Enter searches for parameters of the features with " +
		"which models of one part of the training pairs predict the other part best. Test pairs are never made or read."}
	for _, d := range formula.Features(c) {
		p.Notes = append(p.Notes, d.Symbol+" "+d.Text)
	}
	p.Notes = append(p.Notes, "The best few are scored again on fresh draws and other splits, so that luck shows. Esc "+
		"stops and keeps the best so far; f takes it into the configuration.")
	t := report.Table{Header: []string{"parameter", "", "value", "meaning"}, Words: []int{1, 3}}
	for _, k := range c.Keys() {
		if k.Tuned {
			t.Rows = append(t.Rows, []string{k.Symbol, k.Short(), k.Rounded(c, 4), k.Help})
		}
	}
	p.Tables = []report.Table{t}
	return p
}
