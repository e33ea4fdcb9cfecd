// The two lines above the pictures: how unlike the training inputs the input is, and how wrong the model.

package draw

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/tui/layout"
	"rfm/tui/theme"
)

// alarm says how unlike the training inputs the input is, in words and on a gauge with a mark at the limit.
func (f *frame) alarm(th theme.Theme, width int) string {
	const (
		noModel   = "The solution of your input. No model yet: ctrl+r trains one, on configure."
		noMeasure = "This model does not know its training inputs: train it again to be warned."
	)
	a := f.answers
	switch {
	case !f.sketch.trial.Predicts():
		text := layout.Cut(noModel, width)
		return th.Muted.Render(text)
	case a.predErr != nil:
		text := fmt.Sprintf("%c no prediction: %v", th.Glyphs.Cross, a.predErr)
		text = layout.Cut(text, width)
		return th.Bad.Render(text)
	case a.answer == nil:
		return th.Muted.Render("predicting " + string(th.Glyphs.Ellipsis))
	}
	likeness := a.answer.Likeness()
	if likeness == engine.Unknown {
		text := layout.Cut(noMeasure, width)
		return th.Muted.Render(text)
	}
	style := th.Good
	text := string(th.Glyphs.Check) + " like the training inputs"
	switch likeness {
	case engine.Unusual:
		style = th.Warn
		text = "! unusual: not like the training inputs"
	case engine.Outside:
		style = th.Bad
		text = string(th.Glyphs.Cross) + " far outside the training inputs"
	}
	const cells = 14
	deviation := a.answer.Deviation
	limit := a.answer.Limit
	words := style.Render(text)
	numbers := fmt.Sprintf(" %.2f, limit %.2f", deviation, limit)
	numbers = th.Muted.Render(numbers)
	bar := gauge(th, style, deviation, limit, cells)
	line := words + "  " + bar + numbers
	if lipgloss.Width(line) > width {
		return words + numbers
	}
	return line
}

// gauge draws a number from 0 to 1 as a bar, with a mark at a limit.
func gauge(th theme.Theme, style lipgloss.Style, value, limit float64, cells int) string {
	filling := th.Glyphs.Filling
	full := filling[len(filling)-1]
	length := float64(cells)
	filled := int(math.Round(value * length))
	mark := min(int(limit*length), cells-1)
	markGlyph := th.Value.Render(string(th.Glyphs.Vertical))
	fullGlyph := style.Render(string(full))
	emptyGlyph := th.Muted.Render(string(th.Glyphs.Unfilled))
	var text strings.Builder
	for i := range cells {
		glyph := emptyGlyph
		if i < filled {
			glyph = fullGlyph
		}
		if i == mark {
			glyph = markGlyph
		}
		text.WriteString(glyph)
	}
	return text.String()
}

// outcome says how wrong the model is here, beside what it is wrong usually.
func (f *frame) outcome(th theme.Theme, width int) string {
	const digits = 4
	a := f.answers
	t := f.sketch.trial
	usual := ""
	if t.Error > 0 {
		usual = "median of the test inputs " + report.Error(t.Error, digits)
	}
	switch {
	case a.solveErr != nil:
		text := "no solution: " + reason(a.solveErr)
		text = layout.Cut(text, width)
		return th.Warn.Render(text)
	case !t.Predicts():
		return ""
	case !t.Solves():
		text := usual + "; there is no solver to compare with"
		text = layout.Cut(text, width)
		return th.Muted.Render(text)
	case math.IsNaN(a.distance):
		return th.Muted.Render("solving " + string(th.Glyphs.Ellipsis))
	case math.IsInf(a.distance, 1):
		return th.Muted.Render("the solution is zero: there is no relative error")
	}
	wrong := report.Error(a.distance, digits)
	if t.Error == 0 {
		return "error " + th.Value.Render(wrong)
	}
	const (
		much = 2  // times the usual error: worth a warning
		far  = 10 // times: the model fails
	)
	factor := a.distance / t.Error
	style := th.Good
	text := "error " + wrong
	switch {
	case factor >= far:
		style = th.Bad
		text = "the model fails: " + text
	case factor >= much:
		style = th.Warn
	}
	rest := fmt.Sprintf(", %.2g times the %s", factor, usual)
	if factor < much {
		rest = ", " + usual
	}
	room := max(0, width-ansi.StringWidth(text))
	rest = layout.Cut(rest, room)
	return style.Render(text) + th.Muted.Render(rest)
}

// reason returns why there is no solution, in a line without the place, which the person has drawn.
func reason(err error) string {
	text := err.Error()
	n, ok := errors.AsType[*fault.Numerical](err)
	if ok {
		text = n.What
	}
	return strings.ReplaceAll(text, "\n", "; ")
}
