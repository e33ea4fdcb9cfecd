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
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
	"rfm/tui/words"
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
	sample, at := engine.Typical(context.Background(), d.of, run.Errors)
	if sample != nil {
		d.sample = sample
		d.deviation = run.Errors[at]
	}
	return d
}

// below returns the next complete run of the same equation or file in the list after the selected one; the zero value if
// there is none.
func (l *Screen) below() store.Entry {
	selected := min(l.at.Line, len(l.shown)-1)
	own := l.shown[selected].Run.Config
	for _, e := range l.shown[selected+1:] {
		if e.Fault == nil && e.Run.Complete() && e.Run.Config.SameProblem(own) {
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
	name := printable.Line(below.Name)
	differs := config.Differences(e.Run.Config, below.Run.Config)
	if differs != "" {
		lines = append(lines, "unlike "+name+": "+differs)
	} else {
		lines = append(lines, "the settings of "+name)
	}
	d := l.detail
	isRead := d != nil && d.of == e.Path && d.below == below.Path
	if !isRead || e.Run.TestError == nil || below.Run.TestError == nil {
		return lines
	}
	return append(lines, change(*e.Run.TestError, *below.Run.TestError, d.gain))
}

// change compares the error of a run with that of another one, over which it has a gain; nil if they were not tested on
// the same pairs.
func change(own, other float64, gain *compare.Gain) string {
	switch {
	case gain == nil:
		return "tested on other pairs than that run: the errors cannot be compared"
	case own == other:
		return "the same errors"
	}
	direction := "less"
	if own > other {
		direction = "more"
	}
	percent := 100 * math.Abs(own/other-1)
	better := 100 * float64(gain.Better) / float64(gain.Of)
	return fmt.Sprintf("error %.0f%% %s; better on %.0f%% of the same test pairs", percent, direction, better)
}

// panel draws the selected run: its result, how it differs from the run below, a sample, and the command that uses it.
func (l *Screen) panel(th theme.Theme, width, height int) string {
	const (
		low   = 16 // lines, of which most belong to the picture
		least = 6  // lines of a picture
	)
	e := l.selected()
	name := th.Title.Render(printable.Line(e.Name))
	state := th.Value.Render(words.RunState(e))
	lines := []string{layout.Cut(name+"  "+state, width)}

	texts := append([]string{facts(e)}, l.about()...)
	if e.Fault == nil && e.Run.Complete() {
		texts = append(texts, words.Use(e.Path, e.Run.Config))
	}
	most := 3 // lines of a text
	if height < low {
		most = 1
	}
	for _, text := range texts {
		wrapped := layout.Styled(th.Muted, layout.Wrap(text, width))
		lines = append(lines, layout.Head(wrapped, width, most)...)
	}

	rest := height - len(lines)
	d := l.detail
	hasSample := d != nil && d.of == e.Path && d.sample != nil
	if hasSample && rest >= least {
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
		isChosen := e.Path == l.selected().Path || slices.Contains(l.marked, e.Path)
		if isChosen {
			chosen.X = append(chosen.X, float64(len(all.X)))
			chosen.Y = append(chosen.Y, *e.Run.TestError)
		}
	}
	f = report.Figure{
		Title:   "test errors",
		XLabel:  "complete runs, the oldest first",
		Counted: true,
		LogY:    true,
		Curves:  []report.Curve{all},
	}
	if len(chosen.X) > 0 {
		f.Curves = append(f.Curves, chosen)
	}
	return f, len(all.X) > 1
}
