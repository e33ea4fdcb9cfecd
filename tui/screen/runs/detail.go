package runs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/model/show/compare"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/chart"
	"rfm/tui/formula"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

// wanted names the run whose details are wanted, and the one below it, by their paths; below is empty if there is none.
type wanted struct {
	of, below string
}

// detail is what is read of a complete run while it is selected: a sample, and the comparison with the run below it.
type detail struct {
	wanted
	sample    *report.Sample // nil if it cannot be read
	deviation float64        // of the sample
	gain      *compare.Gain  // over the run below; nil if they were not tested on the same pairs
}

// look reads the details of the selected run, once it has been selected for a moment: somebody who passes by does not
// wait for files.
func (l *Screen) look() tea.Cmd {
	const moment = 150 * time.Millisecond
	if len(l.shown) == 0 {
		return nil
	}
	e := l.selected()
	on := wanted{of: e.Path, below: l.below().Path}
	if l.asked == on {
		return nil
	}
	l.asked = on
	if e.Fault != nil || !e.Run.Complete() {
		return nil
	}
	return tea.Tick(moment, func(time.Time) tea.Msg { return lingered{on} })
}

// lingered begins to read the details of a run that is still wanted.
func (l *Screen) lingered(msg lingered) tea.Cmd {
	if l.asked != msg.on || l.session.Shown() != l.Name() {
		return nil
	}
	return func() tea.Msg { return looked{on: msg.on, found: msg.on.read()} }
}

// looked takes over the details of a run that is still wanted.
func (l *Screen) looked(msg looked) {
	if l.asked == msg.on {
		l.detail = &msg.found
		l.reads++
	}
}

// read returns the details that the files have. What cannot be read is left out: opening the run tells why.
func (w wanted) read() detail {
	d := detail{wanted: w}
	paths := []string{d.of}
	if d.below != "" {
		paths = []string{d.below, d.of}
	}
	c, err := compare.Compare(context.Background(), paths) // the end of the program does not wait for it
	if err != nil {
		c, err = compare.Compare(context.Background(), paths[len(paths)-1:])
	}
	if err != nil {
		return d
	}
	run := c.Runs[len(c.Runs)-1]
	d.gain = run.Gain
	if sample, at := engine.Typical(context.Background(), d.of, run.Errors); sample != nil {
		d.sample = sample
		d.deviation = run.Errors[at]
	}
	return d
}

// below returns the next complete run in the list after the selected one; the zero value if there is none.
func (l *Screen) below() store.Entry {
	for _, e := range l.shown[min(l.at.Line, len(l.shown)-1)+1:] {
		if e.Fault == nil && e.Run.Complete() {
			return e
		}
	}
	return store.Entry{}
}

// about describes the selected run beside the one below it: differences in the settings, and in the errors.
func (l *Screen) about() (lines []string) {
	e, below := l.selected(), l.below()
	if below.Path == "" || e.Fault != nil {
		return nil
	}
	if differs := config.Differences(e.Run.Config, below.Run.Config); differs != "" {
		lines = append(lines, "unlike "+printable.Line(below.Name)+": "+differs)
	} else {
		lines = append(lines, "the settings of "+printable.Line(below.Name))
	}
	own, other := e.Run.TestError, below.Run.TestError
	d := l.detail
	if own == nil || other == nil || d == nil || d.of != e.Path || d.below != below.Path {
		return lines
	}
	if d.gain == nil {
		return append(lines, "tested on other pairs than that run: the errors cannot be compared")
	}
	if *own == *other {
		return append(lines, "the same errors")
	}
	change := "less"
	if *own > *other {
		change = "more"
	}
	return append(lines, fmt.Sprintf("error %.0f%% %s; better on %.0f%% of the same test pairs",
		100*math.Abs(*own / *other - 1), change, 100*float64(d.gain.Better)/float64(d.gain.Of)))
}

// panel draws the selected run: its result, how it differs from the run below, a sample, and the command that uses it.
func (l *Screen) panel(th theme.Theme, width, height int) string {
	e := l.selected()
	lines := []string{layout.Cut(th.Title.Render(printable.Line(e.Name))+"  "+th.Value.Render(chart.RunState(e)), width)}
	add := func(text string, most int) {
		if text != "" {
			lines = append(lines, layout.Head(layout.Styled(th.Muted, layout.Wrap(text, width)), width, most)...)
		}
	}
	const low = 16 // lines, of which most belong to the picture
	most := 3
	if height < low {
		most = 1
	}
	add(facts(e), most)
	for _, text := range l.about() {
		add(text, most)
	}
	if e.Fault == nil && e.Run.Complete() {
		add(formula.Use(e.Path), most)
	}
	rest := height - len(lines)
	const least = 6 // lines of a picture
	if d := l.detail; rest >= least && d != nil && d.of == e.Path && d.sample != nil {
		lines = append(lines, picture(th, d, width, rest))
	}
	return layout.Fit(strings.Join(lines, "\n"), width, height)
}

// picture draws the sample of a run, of a field its truth and its prediction.
func picture(th theme.Theme, d *detail, width, height int) string {
	title := "typical sample: " + report.Significant(d.deviation, 2)
	f, fields := d.sample.Compared()
	if fields == nil {
		f.Title = title
		return plot.Figure(th, f, width, height)
	}
	fields[0].Title = "truth"
	fields[1].Title = title
	half := func(f report.Field) layout.Block {
		return func(width, height int) string { return plot.Field(th, f, width, height) }
	}
	return layout.Tiles(width, height, 2, half(fields[0]), half(fields[1]))
}

// errorsFigure returns the errors of the listed runs in the order of their age, the oldest first, with the selected and
// the marked ones marked; ok is false if there are fewer than two.
func (l *Screen) errorsFigure() (f report.Figure, ok bool) {
	list := slices.Clone(l.shown)
	store.Sort(list, "when")
	slices.Reverse(list)
	all := report.Curve{Role: report.AsError, Marked: true}
	chosen := report.Curve{
		Name:   "selected, marked",
		Role:   report.AsPrediction,
		Points: true,
	}
	for _, e := range list {
		if e.Fault != nil || e.Run.TestError == nil {
			continue
		}
		all.X = append(all.X, float64(len(all.X)+1))
		all.Y = append(all.Y, *e.Run.TestError)
		if e.Path == l.selected().Path || slices.Contains(l.marked, e.Path) {
			chosen.X = append(chosen.X, all.X[len(all.X)-1])
			chosen.Y = append(chosen.Y, *e.Run.TestError)
		}
	}
	f = report.Figure{
		Title:  "test errors",
		XLabel: "complete runs, the oldest first",
		LogY:   true,
		Curves: []report.Curve{all},
	}
	if len(chosen.X) > 0 {
		f.Curves = append(f.Curves, chosen)
	}
	return f, len(all.X) > 1
}
