// This file prints the results of experiments and of studies.

package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// printResult writes the result for a person.
func (a *app) printResult(e *engine.Experiment, s engine.Summary) {
	out := a.out
	th := a.theme()
	features, lambda := "", ""
	if e.Model().Random() {
		features, lambda = fmt.Sprintf("  m=%d", s.M), "  lambda="+report.Lambda(s.Lambda)
	}
	fmt.Fprintln(out, th.Title.Render(fmt.Sprintf("%s  n=%d%s  %s=%d%s  seed=%d", s.Problem, s.N, features,
		e.Config.GridSymbol(), s.Grid, lambda, s.Seed)))
	about := paragraph("", fmt.Sprintf("%s, %s on %s=%d", e.Model().About(),
		printable.Several(e.Config.Data.Test, "test input"), e.Config.GridSymbol(), e.Evaluation().Grid), 2)
	fmt.Fprintf(out, "%s\n\n", strings.Join(layout.Styled(th.Muted, about), "\n"))
	writeTable(out, th, e.Evaluation())
	if s.Paper != nil {
		fmt.Fprintf(out, "%s\n", th.Published.Render(fmt.Sprintf("%-20s %10s  %10s  %s, one draw", "paper", "",
			report.Error(s.Paper.Value, 6), s.Paper.Source)))
	}
	if s.Details != nil {
		fmt.Fprintf(out, "\n%s\n", th.Label.Render(fmt.Sprintf("%-20s %10s  %10s", "relative error, mean", "", "test")))
		for _, d := range s.Details {
			fmt.Fprintf(out, "%-20s %10s  %10s\n", d.Name, "", report.Error(d.Test, 6))
		}
	}
	writeBands(out, th, e.Evaluation().Uncertainty)
	writeRivals(out, th, e.Evaluation())
	if p := s.Payoff; p != nil {
		fmt.Fprintln(out, paragraph("", strings.Join(p.Sentences(report.Duration(p.Spent)), " "), 2))
	}
	fmt.Fprintf(out, "\ngenerate %s   train %s   evaluate %s   %s\n", report.Duration(s.Seconds.Generate),
		report.Duration(s.Seconds.Train), report.Duration(s.Seconds.Evaluate),
		th.Muted.Render(printable.Several(machine.Workers(a.workers), "worker")+", "+machine.Instructions()))
	fmt.Fprintln(out, th.Title.Render(lastLine(s)))
}

// lastLine is what a person looks for at the end: the result, where it is, and what to do with it.
func lastLine(s engine.Summary) string {
	text := "test error " + report.Error(s.Test.ExpectedRelative, 4)
	if s.Run == "" {
		return text + ", not stored"
	}
	return fmt.Sprintf("%s  %s  next: rfm predict %s --in a.npy --out u.npy", text, printable.Line(s.Run),
		printable.Path(s.Run))
}

func writeTable(out io.Writer, th theme.Theme, v *engine.Evaluation) {
	fmt.Fprintln(out, th.Label.Render(fmt.Sprintf("%-20s %10s  %10s", "relative L2 error", "train", "test")))
	for _, r := range v.Rows() {
		fmt.Fprintf(out, "%-20s %10s  %10s\n", r.Name, report.Error(r.Train, 6), report.Error(r.Test, 6))
	}
}

// writeBands says what error bands promise, and what they keep on the test pairs.
func writeBands(out io.Writer, th theme.Theme, u *engine.Uncertainty) {
	if u == nil {
		return
	}
	fmt.Fprintf(out, "\n%s\n", th.Label.Render(fmt.Sprintf("%-20s %10s  %10s  %10s  %10s", "bands promise", "functions",
		"whole", "points", "radius")))
	for _, c := range u.Coverage {
		radius := "unknown"
		if c.Radius > 0 {
			radius = report.Error(c.Radius, 6)
		}
		fmt.Fprintf(out, "%-20s %9.2f%%  %9.2f%%  %9.2f%%  %10s\n", fmt.Sprintf("%g%%", 100*c.Promised), 100*c.Function,
			100*c.Whole, 100*c.Point, radius)
	}
	fmt.Fprintln(out, paragraph("",
		fmt.Sprintf("Calibrated on the %d training pairs. %d test inputs lie outside those of "+
			"the training.", u.Pairs, u.Outside), 2))
}

// writeRivals compares one evaluation of the model with other ways to get at the solution.
func writeRivals(out io.Writer, th theme.Theme, v *engine.Evaluation) {
	fmt.Fprintf(out, "\n%s\n", th.Label.Render(fmt.Sprintf("%-20s %10s %11s  %10s  %10s", "one evaluation",
		"one core", "operations", "test error", "training")))
	better := false
	for i, r := range v.Rivals {
		failing, star := chart.RivalError(v.Rivals, i, 6)
		better = better || star == "*"
		learning, operations := "", ""
		if r.Training > 0 {
			learning = report.Duration(r.Training)
		}
		if r.Operations > 0 {
			operations = report.Count(r.Operations)
		}
		fmt.Fprintf(out, "%-20s %10s %11s  %10s %s%10s\n", r.Name, report.Duration(r.Seconds), operations, failing, star,
			learning)
	}
	if better {
		fmt.Fprintln(out, th.Warn.Render("* better than the trained model"))
	}
	for _, note := range v.Notes() {
		fmt.Fprintln(out, paragraph("", note, 2))
	}
}

// Plots fit the smallest terminal.
const (
	plotWidth  = 76
	plotHeight = 18
)

// pageText is a page for a terminal of 80 columns.
func (a *app) pageText(p report.Page) string {
	var b strings.Builder
	th := a.theme()
	fmt.Fprintf(&b, "%s  %s\n", th.Title.Render(p.Title), th.Muted.Render(p.Source))
	for _, t := range p.Tables {
		fmt.Fprintf(&b, "\n%s\n%s\n", th.Label.Render(t.Title), t.Text())
	}
	for _, picture := range pictures(p, th, a.colorDepth()) {
		fmt.Fprintf(&b, "\n%s\n", picture)
	}
	if len(p.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, note := range p.Notes {
		fmt.Fprintln(&b, ansi.Wordwrap(note, plotWidth, ""))
	}
	return b.String()
}

// pictures are the figures and fields of a page as text.
func pictures(p report.Page, th theme.Theme, colors plot.ColorDepth) []string {
	var all []string
	for _, f := range p.Figures {
		all = append(all, chart.Figure(look.Look{Theme: th}, f, plotWidth, plotHeight))
	}
	for _, f := range p.Fields {
		all = append(all, chart.Field(look.Look{Theme: th, Depth: colors}, f, plotWidth, plotHeight))
	}
	return all
}

// colorDepth is what heat maps on standard output may use.
func (a *app) colorDepth() plot.ColorDepth {
	switch profile := a.profile(a.terminal.out); {
	case profile < colorprofile.ANSI256:
		return plot.NoColor
	case profile == colorprofile.TrueColor:
		return plot.TrueColor
	}
	return plot.Palette256
}
