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
	"rfm/tui/later"
	"rfm/tui/page"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// comparison shows runs next to each other, in tabs, as `rfm show` does.
type comparison struct {
	compare.Comparison
	workers int
	tabs    page.Tabs
	tested  []*engine.Evaluation
	asked   bool        // predictions are being read, or have been
	err     error       // of reading the predictions
	rank    widget.Rank // of the sample shown, by the error of the first run
}

const samplesTab = "samples"

func newComparison(of compare.Comparison, workers int) *comparison {
	c := &comparison{Comparison: of, workers: workers}
	c.tabs = page.NewTabs(&page.Tab{Name: "numbers", Page: c.numbers}, &page.Tab{Name: "errors", Page: c.errors},
		&page.Tab{Name: samplesTab, Page: c.samples, Commands: c.browsing,
			State: func() []any { return []any{c.tested != nil, c.err, c.rank} }})
	return c
}

// read reads the predictions of the models when they are first needed.
func (c *comparison) read() tea.Cmd {
	if c.tabs.At() != samplesTab || c.asked {
		return nil
	}
	c.asked = true
	return func() tea.Msg {
		tested, err := c.Evaluations(context.Background(), c.workers)
		return later.Then(func() tea.Cmd {
			c.tested, c.err = tested, err
			c.rank = widget.Median(c.samplesOfFirst())
			return nil
		})
	}
}

// samplesOfFirst returns the number of test samples of the first run; 0 if there are no predictions of it.
func (c *comparison) samplesOfFirst() int {
	if len(c.tested) == 0 || c.tested[0] == nil {
		return 0
	}
	return len(c.tested[0].Test.Relative)
}

// Commands implements over, as do View and Exhibit.
func (c *comparison) Commands(room ui.Canvas) []ui.Command {
	list := c.tabs.Commands(room, "")
	for i, turn := range list {
		if turn.Key == keys.NextTab || turn.Key == keys.PreviousTab {
			list[i].Do = func() tea.Cmd { return tea.Batch(turn.Do(), c.read()) }
		}
	}
	return list
}

// browsing returns the keys that choose a sample.
func (c *comparison) browsing() []ui.Command { return c.rank.Commands(c.samplesOfFirst()) }

func (c *comparison) View(room ui.Canvas) string { return c.tabs.Draw(room, c.tabs.Bar(room)) }

func (c *comparison) Exhibit(room ui.Canvas) report.Page { return c.tabs.Page(room) }

// numbers returns the table, as `rfm show` prints it.
func (c *comparison) numbers(room ui.Canvas) report.Page {
	t, names := chart.Comparison(c.Comparison, room.Width)
	return report.Page{Name: "comparison", Heading: strings.Join(names, "  "), Tables: []report.Table{t}}
}

// errors returns the errors of all runs in one figure.
func (c *comparison) errors(ui.Canvas) report.Page {
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
func (c *comparison) samples(ui.Canvas) report.Page {
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
	lo, hi := report.Extent(all...)
	for i, e := range c.tested {
		if e == nil {
			continue
		}
		sample := report.Sample{Side: e.Side, Input: e.TestPairs.Inputs.Of(at, 0), Truth: e.TestPairs.Outputs.Of(at, 0),
			Prediction: e.Predictions.Of(at, 0)}
		title := fmt.Sprintf("%s, error %s", printable.Line(c.Runs[i].Name), report.FormatValue(e.Test.Relative[at]))
		if e.Side == 0 {
			f := sample.Functions()[0]
			f.Title, f.Curves = title, f.Curves[1:] // without the input, which has a scale of its own
			f.YMin, f.YMax = &lo, &hi
			figures = append(figures, f)
			continue
		}
		four := sample.Fields()
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
