package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/formula"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/ui"
	"rfm/tui/widget"

	"charm.land/lipgloss/v2"
)

// cost compares the rivals of the model.
type cost struct {
	*selection
	picture widget.Cache
}

func (*cost) commands() []ui.Command { return nil }

func (v *cost) render(on look.Look, width, height int) string {
	return v.picture.Get(on, width, height, []any{v.of}, func() string {
		lines := append(v.bars(on, width), "")
		for _, sentence := range v.sentences() {
			lines = append(lines, layout.Paragraph(lipgloss.NewStyle(), sentence, width)...)
		}
		if rest := height - len(lines) - 1; rest >= leastPlot && v.comparable() {
			lines = append(lines, "", chart.Figure(on, v.figure(), width, rest))
		}
		if len(lines) > height && height > 0 {
			lines = append(lines[:height-1], on.Theme.Muted.Render(fmt.Sprintf(" %c e writes all of it",
				on.Theme.Glyphs.Ellipsis)))
		}
		return strings.Join(lines, "\n")
	})
}

// comparable reports whether there is more than one error to draw.
func (v *cost) comparable() bool {
	known := 0
	for _, r := range v.of.Rivals {
		if !math.IsNaN(r.Error) {
			known++
		}
	}
	return known > 1
}

// bars lists the rivals with the time of each as a bar on a logarithmic scale that begins at a tenth of the shortest,
// where there is room for one.
func (v *cost) bars(on look.Look, width int) []string {
	const longest, shortest = sideWidth, 8
	th, rivals := on.Theme, v.of.Rivals
	learned := slices.ContainsFunc(rivals, func(r engine.Rival) bool { return r.Training > 0 })
	row := func(name, deviation, star, seconds, training string) string {
		line := fmt.Sprintf(" %-20s%9s%s%9s", name, deviation, star, seconds)
		if learned {
			line += fmt.Sprintf(" %10s", training)
		}
		return line
	}
	head := row("one evaluation", "error", " ", "1 core", "training")
	lines := []string{layout.Opposite(width, th.Title.Render(head),
		th.Muted.Render("on "+formula.Grid(v.session.Experiment().Config, v.of.Grid)))}
	if len(rivals) == 0 {
		return append(lines, th.Muted.Render(" nothing was measured"))
	}
	lo, hi := math.Inf(1), 0.0
	for _, r := range rivals {
		lo, hi = min(lo, r.Seconds), max(hi, r.Seconds)
	}
	full := min(width-len(head)-3, longest)
	if full >= shortest {
		lines[0] = layout.Opposite(width, th.Title.Render(head)+th.Muted.Render("  log scale"),
			th.Muted.Render("on "+formula.Grid(v.session.Experiment().Config, v.of.Grid)))
	}
	for i, r := range rivals {
		training, style := "", th.Truth
		deviation, star := chart.RivalError(rivals, i, 5)
		if r.Training > 0 {
			training = report.Duration(r.Training)
		}
		if i == 0 {
			style = th.Prediction
		}
		line := row(r.Name, deviation, star, report.Duration(r.Seconds), training)
		if full >= shortest {
			length := float64(full) * (1 + math.Log10(r.Seconds/lo)) / (1 + math.Log10(hi/lo))
			line += "  " + style.Render(strings.Repeat(string(th.Glyphs.Filling[len(th.Glyphs.Filling)-1]),
				int(math.Round(length))))
		}
		lines = append(lines, line)
	}
	return lines
}

// sentences say what the times mean.
func (v *cost) sentences() []string {
	rivals := v.of.Rivals
	if len(rivals) == 0 {
		return nil
	}
	var list []string
	if slices.ContainsFunc(rivals[1:], func(r engine.Rival) bool { return r.Better(rivals[0]) }) {
		list = append(list, "* better than the trained model.")
	}
	list = append(list, v.of.Notes()...)
	if p := v.session.Experiment().Summary().Payoff; p != nil {
		list = append(list, p.Sentences(report.Duration(p.Spent))...)
	}
	return list
}

// figure is the error against the time, a mark for each rival that has an error.
func (v *cost) figure() report.Figure {
	f := report.Figure{Title: "relative error", XLabel: "seconds", LogX: true, LogY: true}
	for i, r := range v.of.Rivals {
		if math.IsNaN(r.Error) {
			continue
		}
		c := report.Curve{Name: r.Name, X: []float64{r.Seconds}, Y: []float64{r.Error}, Points: true}
		if i == 0 {
			c.Role = report.AsPrediction
		}
		f.Curves = append(f.Curves, c)
	}
	return f
}

// Exhibit is the rivals as a table, and their errors against their times.
func (v *cost) Exhibit() report.Page {
	t := report.Table{Header: []string{"one evaluation on one core", "error", "seconds", "seconds of training"}}
	for i, r := range v.of.Rivals {
		training := ""
		deviation, _ := chart.RivalError(v.of.Rivals, i, 6)
		if r.Training > 0 {
			training = fmt.Sprintf("%.4g", r.Training)
		}
		t.Rows = append(t.Rows, []string{r.Name, deviation, fmt.Sprintf("%.4g", r.Seconds), training})
	}
	return report.Page{Name: "cost", Tables: []report.Table{t}, Figures: []report.Figure{v.figure()}}
}
