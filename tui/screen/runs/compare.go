package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/model/study"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// comparedMsg brings the runs in some directories beside each other.
type comparedMsg struct {
	study.Comparison
	err error
}

// compare reads runs, of which there are at least two, as `rfm show` does.
func compare(paths []string) tea.Cmd {
	paths = slices.Clone(paths)
	return func() tea.Msg {
		c, err := study.Compare(paths)
		return comparedMsg{c, err}
	}
}

// comparison is runs beside each other, in tabs.
type comparison struct {
	study.Comparison
	workers int
	room    ui.Canvas
	tab     int
	top     int // first line of the table on show
	tested  []*engine.Evaluation
	asked   bool  // they are read, or have been
	err     error // why they are not there
	rank    int   // the sample on show, by the error of the first run
	gallery widget.Gallery
	picture widget.Cache
}

// The tabs of a comparison.
const (
	tabTable = iota
	tabErrors
	tabSamples
)

func newComparison(c study.Comparison, workers int) *comparison {
	return &comparison{Comparison: c, workers: workers}
}

// testedMsg brings what the models of a comparison predict.
type testedMsg struct {
	of     *comparison
	tested []*engine.Evaluation
	err    error
}

// samples reads predictions, once they are wanted.
func (c *comparison) samples() tea.Cmd {
	if c.tab != tabSamples || c.asked {
		return nil
	}
	c.asked = true
	return func() tea.Msg {
		tested, err := c.Evaluations(context.Background(), c.workers)
		return testedMsg{c, tested, err}
	}
}

func (c *comparison) commands() []ui.Command {
	turn := func(key keys.Key, help string, direction int) ui.Command {
		return ui.Command{Key: key, Word: "tab", Help: help, Do: func() tea.Cmd {
			c.tab = (c.tab + direction + len(c.bar().Names)) % len(c.bar().Names)
			return c.samples()
		}}
	}
	list := []ui.Command{turn(keys.NextTab, "next tab", 1), turn(keys.PreviousTab, "previous tab", -1)}
	switch c.tab {
	case tabTable:
		scroll := func(key keys.Key, help string, lines int) ui.Command {
			return ui.Command{Key: key, Word: "line", Help: help, Do: ui.Now(func() { c.top += lines; c.keep() })}
		}
		return append(list, scroll(keys.Up, "previous line", -1), scroll(keys.Down, "next line", 1))
	case tabSamples:
		n := 0
		if len(c.tested) > 0 && c.tested[0] != nil {
			n = len(c.tested[0].Test.Relative)
		}
		walk := func(key keys.Key, word, help string, to func() int) ui.Command {
			return ui.Command{Key: key, Word: word, Help: help, Do: ui.Now(func() { c.rank = min(max(to(), 0), n-1) })}.
				When(n > 0, "there are no samples")
		}
		list = append(list, walk(keys.Left, "sample", "sample with the next smaller error", func() int { return c.rank - 1 }),
			walk(keys.Right, "sample", "sample with the next larger error", func() int { return c.rank + 1 }),
			walk(keys.First, "best", "best sample of the first run", func() int { return 0 }),
			walk(keys.Median, "median", "median sample of the first run", func() int { return n / 2 }),
			walk(keys.Last, "worst", "worst sample of the first run", func() int { return n - 1 }))
		return append(list, c.gallery.Command(c.room.Width, c.room.Height-headLines, len(c.pictures(c.room.Look)),
			leastSample))
	}
	return list
}

// keep keeps the table on show in its place.
func (c *comparison) keep() {
	above, _, lines := chart.Comparison(c.Comparison, c.room.Width-1)
	c.top = max(0, min(c.top, len(lines)+len(above)+headLines-c.room.Height))
}

func (c *comparison) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ui.Follow:
		c.room = msg.Canvas
		c.keep()
	case testedMsg:
		if msg.of == c {
			c.tested, c.err = msg.tested, msg.err
			if len(c.tested) > 0 && c.tested[0] != nil {
				c.rank = len(c.tested[0].Test.Relative) / 2
			}
		}
	case ui.Click:
		if msg.Y == 0 {
			c.tab = c.bar().Click(c.room.Theme, c.room.Width, msg.X)
			return c.samples()
		}
	}
	return nil
}

func (c *comparison) bar() widget.Tabs {
	return widget.Tabs{Names: []string{"numbers", "errors", "samples"}, At: c.tab}
}

func (c *comparison) view(on look.Look, width, height int) string {
	const bar = 1
	head := c.bar().Draw(on.Theme, width) + "\n"
	if c.tab == tabTable {
		return head + c.numbers(on, width, height-bar)
	}
	return head + c.picture.Get(on, width, height, []any{c.tab, c.rank, c.gallery.First, c.tested != nil}, func() string {
		if c.tab == tabErrors {
			f := c.errors()
			if len(f.Curves) == 0 {
				return on.Theme.Muted.Render(" none of these runs is complete")
			}
			return chart.Figure(on, f, width, height-bar)
		}
		return c.sample(on, width, height-bar)
	})
}

// numbers is the table, as `rfm show` prints it.
func (c *comparison) numbers(on look.Look, width, height int) string {
	above, head, lines := chart.Comparison(c.Comparison, width-1)
	text := []string{}
	for _, line := range above {
		text = append(text, " "+layout.Cut(line, width-1))
	}
	text = append(text, " "+on.Theme.Label.Render(layout.Cut(head, width-1)))
	for _, line := range lines[min(c.top, len(lines)):] {
		text = append(text, " "+layout.Cut(line, width-1))
	}
	if len(text) > height {
		text = append(text[:height-1], on.Theme.Muted.Render(fmt.Sprintf(" %c more below", on.Theme.Glyphs.Down)))
	}
	return strings.Join(text, "\n")
}

// errors is the errors of all runs in one figure.
func (c *comparison) errors() report.Figure {
	f := c.Spread()
	for i := range f.Curves {
		f.Curves[i].Name = printable.Line(f.Curves[i].Name)
	}
	return f
}

// leastSample is the least size of a run's picture of a sample.
var leastSample = widget.Size{Width: 34, Height: 8}

// sample is a test input with what the models make of it.
func (c *comparison) sample(on look.Look, width, height int) string {
	list := c.pictures(on)
	switch {
	case c.err != nil:
		return on.Theme.Bad.Render(ansi.Wrap(" "+c.err.Error(), width-1, ""))
	case c.tested == nil:
		return on.Theme.Muted.Render(" reading predictions ...")
	case len(list) == 0:
		return on.Theme.Muted.Render(" the first run is not complete: there is nothing to hold the others against")
	}
	heading := fmt.Sprintf(" test sample %d, %d of %d by the error of %s", c.at(), c.rank+1,
		len(c.tested[0].Test.Relative),
		printable.Line(c.Runs[0].Name))
	if others := slices.Index(c.tested, nil); others >= 0 {
		heading += "; " + printable.Line(c.Runs[others].Name) + " was tested on others"
	}
	return layout.Cut(heading, width) + "\n" + c.gallery.Render(on.Theme, width, height-1, leastSample, list)
}

// at is the test sample on show.
func (c *comparison) at() int { return c.tested[0].Test.Ranking()[c.rank] }

// pictures are the sample on show for each run that was tested on it, on one scale; fields have the truth first.
func (c *comparison) pictures(on look.Look) []widget.Picture {
	figures, fields := c.describe()
	return chart.Pictures(on, figures, fields)
}

// describe is the sample on show as data.
func (c *comparison) describe() (figures []report.Figure, fields []report.Field) {
	if len(c.tested) == 0 || c.tested[0] == nil {
		return nil, nil
	}
	at := c.at()
	var all [][]float64
	for _, e := range c.tested {
		if e != nil {
			all = append(all, e.TestPairs.Outputs.Of(at, 0), e.Predictions.Of(at, 0))
		}
	}
	lo, hi := chart.Extent(all...)
	for i, e := range c.tested {
		if e == nil {
			continue
		}
		sample := chart.Sample{Side: e.Side, Input: e.TestPairs.Inputs.Of(at, 0), Truth: e.TestPairs.Outputs.Of(at, 0),
			Prediction: e.Predictions.Of(at, 0)}
		title := fmt.Sprintf("%s, error %s", printable.Line(c.Runs[i].Name), plot.FormatValue(e.Test.Relative[at]))
		if e.Side == 0 {
			f := sample.Functions()[0]
			f.Title, f.Curves = title, f.Curves[1:] // without the input, which has a scale of its own
			f.YMin, f.YMax = &lo, &hi
			figures = append(figures, f)
			continue
		}
		four := sample.Fields(nil)
		if len(fields) == 0 {
			fields = append(fields, four[1])
		}
		four[2].Title = title
		fields = append(fields, four[2])
	}
	for i := range fields {
		fields[i].Min, fields[i].Max = &lo, &hi
	}
	return figures, fields
}

// Exhibit is the numbers, the errors and the sample on show.
func (c *comparison) Exhibit() report.Page {
	header, rows := c.Table()
	figures, fields := c.describe()
	return report.Page{Name: "comparison", Tables: []report.Table{{Title: "comparison", Header: header, Rows: rows}},
		Figures: append([]report.Figure{c.errors()}, figures...), Fields: fields}
}
