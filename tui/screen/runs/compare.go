package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/compare"
	"rfm/model/engine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/page"
	"rfm/tui/ui"
)

// comparedMsg brings the comparison of the runs in some directories.
type comparedMsg struct {
	compare.Comparison
	err error
}

// compareRuns reads two runs or more, as `rfm show` does.
func compareRuns(paths []string) tea.Cmd {
	paths = slices.Clone(paths)
	return func() tea.Msg {
		c, err := compare.Compare(paths)
		return comparedMsg{c, err}
	}
}

// comparison shows runs next to each other, in tabs.
type comparison struct {
	compare.Comparison
	workers int
	room    ui.Canvas
	tabs    page.Tabs
	tested  []*engine.Evaluation
	asked   bool  // predictions are being read, or have been
	err     error // of reading the predictions
	rank    int   // rank of the sample shown, by the error of the first run
}

const samplesTab = "samples"

func newComparison(of compare.Comparison, workers int) *comparison {
	c := &comparison{Comparison: of, workers: workers}
	c.tabs = page.NewTabs(&page.Tab{Name: "numbers", Page: c.numbers, State: func() []any { return []any{c.room.Width} }},
		&page.Tab{Name: "errors", Page: c.errors}, &page.Tab{Name: samplesTab, Page: c.samples, Commands: c.browsing,
			State: func() []any { return []any{c.tested != nil, c.err} }})
	return c
}

// testedMsg brings the predictions of the models of a comparison.
type testedMsg struct {
	of     *comparison
	tested []*engine.Evaluation
	err    error
}

// read reads predictions when they are first needed.
func (c *comparison) read() tea.Cmd {
	if c.tabs.At() != samplesTab || c.asked {
		return nil
	}
	c.asked = true
	return func() tea.Msg {
		tested, err := c.Evaluations(context.Background(), c.workers)
		return testedMsg{c, tested, err}
	}
}

func (c *comparison) commands() []ui.Command {
	return c.tabs.Commands(c.room.Look, c.room.Width, c.room.Height, "")
}

// browsing returns the keys that choose a sample.
func (c *comparison) browsing() []ui.Command {
	n := 0
	if len(c.tested) > 0 && c.tested[0] != nil {
		n = len(c.tested[0].Test.Relative)
	}
	walk := func(key keys.Key, word, help string, to func() int) ui.Command {
		return ui.Command{Key: key, Word: word, Help: help, Do: ui.Now(func() { c.rank = min(max(to(), 0), n-1) })}.
			When(n > 0, "there are no samples")
	}
	return []ui.Command{
		walk(keys.Left, "sample", "sample with the next smaller error", func() int { return c.rank - 1 }),
		walk(keys.Right, "sample", "sample with the next larger error", func() int { return c.rank + 1 }),
		walk(keys.First, "best", "best sample of the first run", func() int { return 0 }),
		walk(keys.Median, "median", "median sample of the first run", func() int { return n / 2 }),
		walk(keys.Last, "worst", "worst sample of the first run", func() int { return n - 1 })}
}

func (c *comparison) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ui.Follow:
		c.room = msg.Canvas
		return c.read()
	case testedMsg:
		if msg.of == c {
			c.tested, c.err = msg.tested, msg.err
			if len(c.tested) > 0 && c.tested[0] != nil {
				c.rank = len(c.tested[0].Test.Relative) / 2
			}
		}
	}
	return nil
}

func (c *comparison) view(on look.Look, width, height int) string {
	return c.tabs.Bar(on, width) + "\n" + c.tabs.Draw(on, width, height-page.Lines)
}

// Exhibit returns the page of the current tab.
func (c *comparison) Exhibit() report.Page { return c.tabs.Page() }

// numbers returns the table, as `rfm show` prints it.
func (c *comparison) numbers() report.Page {
	t, names := chart.Comparison(c.Comparison, c.room.Width)
	return report.Page{Name: "comparison", Heading: strings.Join(names, "  "), Tables: []report.Table{t}}
}

// errors returns the errors of all runs in one figure.
func (c *comparison) errors() report.Page {
	f := c.Spread()
	for i := range f.Curves {
		f.Curves[i].Name = printable.Line(f.Curves[i].Name)
	}
	if len(f.Curves) == 0 {
		return report.Page{Name: "errors", Notes: []string{"none of these runs is complete"}}
	}
	return report.Page{Name: "errors", Figures: []report.Figure{f}}
}

// samples returns a test input with the predictions of the models.
func (c *comparison) samples() report.Page {
	p := report.Page{Name: "samples"}
	switch {
	case c.err != nil:
		p.Notes = []string{printable.Text(c.err.Error())}
	case c.tested == nil:
		p.Notes = []string{"predictions are being read"}
	case c.tested[0] == nil:
		p.Notes = []string{"the first run is not complete: there is nothing to hold the others against"}
	default:
		p.Heading = fmt.Sprintf("test sample %d, %d of %d by the error of %s", c.at(), c.rank+1,
			len(c.tested[0].Test.Relative), printable.Line(c.Runs[0].Name))
		if others := slices.Index(c.tested, nil); others >= 0 {
			p.Heading += "; " + printable.Line(c.Runs[others].Name) + " was tested on others"
		}
		p.Figures, p.Fields = c.describe()
	}
	return p
}

// at returns the index of the test sample shown.
func (c *comparison) at() int { return c.tested[0].Test.Ranking()[c.rank] }

// describe returns the sample shown for each run that was tested on it, on one scale; fields have the truth first.
func (c *comparison) describe() (figures []report.Figure, fields []report.Field) {
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
		title := fmt.Sprintf("%s, error %s", printable.Line(c.Runs[i].Name), report.FormatValue(e.Test.Relative[at]))
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
