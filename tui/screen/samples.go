// This file is the tab of the samples: test pairs beside their predictions, browsed in the order of their errors.

package screen

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/study"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/widget"
)

// samples browses the test samples.
type samples struct {
	*selection
	aspect  aspect // what was asked for last; a page that shows it is on screen
	cut     int    // fields: the cut is at x2 = cut h
	picture widget.Cache
}

func (v *samples) actions(*session) []keys.Action {
	list := []keys.Action{keys.Left, keys.Right}
	if v.of.Side > 0 {
		list = append(list, keys.Up, keys.Down, keys.View)
	}
	return append(list, browsing()...)
}

func (v *samples) means(_ *session, action keys.Action) string {
	switch action {
	case keys.Left, keys.Right:
		return "sample"
	case keys.Up, keys.Down:
		return "cut"
	}
	return browseMeans(action)
}

func (v *samples) do(s *session, action keys.Action) tea.Cmd {
	switch action {
	case keys.View:
		pages := v.layout(s, s.width, s.height-tabLines-headingLines).pages
		v.aspect = pages[(pageOf(pages, v.aspect)+1)%len(pages)]
	case keys.Up:
		v.moveCut(s, 1)
	case keys.Down:
		v.moveCut(s, -1)
	default:
		v.browse(action)
	}
	return nil
}

// moveCut moves the cut up or down if it is on screen, and else brings it there.
func (v *samples) moveCut(s *session, direction int) {
	if !v.layout(s, s.width, s.height-tabLines-headingLines).cutShows {
		v.aspect = aspectCut
		return
	}
	const moves = 32 // from edge to edge
	step := direction * max(1, (v.of.Side-1)/moves)
	v.cut = min(max(v.cut+step, 0), v.of.Side-1)
}

func (v *samples) render(s *session, width, height int) string {
	type key struct {
		of            *engine.Evaluation
		rank, cut     int
		aspect        aspect
		width, height int
		stored        string
		appearance    look.Appearance
	}
	k := key{v.of, v.rank, v.cut, v.aspect, width, height, s.stored, s.Appearance()}
	return v.picture.Get(k, func() string { return v.page(s, width, height) })
}

// headingLines is the height of the line that names the sample.
const headingLines = 1

// page draws the heading of the sample, below it what was asked for, and beside it the tables where there is room.
func (v *samples) page(s *session, width, height int) string {
	height -= headingLines
	l := v.layout(s, width, height)
	heading := v.heading(s, "", v.of.Test.Relative[v.sample()])
	if len(l.pages) > 1 {
		heading = layout.Opposite(width, heading, s.Theme.Muted.Render(fmt.Sprintf("view %d of %d", pageOf(l.pages, v.aspect)+1, len(l.pages))))
	}
	body := v.draw(s, l, l.mainWidth, height)
	if l.side {
		body = layout.Beside(height, strings.Repeat(" ", sideGap), body, l.mainWidth, v.sidebar(s, l, height))
	}
	return heading + "\n" + body
}

// draw draws the main part of the page.
func (v *samples) draw(s *session, l pageLayout, width, height int) string {
	if v.of.Side == 0 {
		i := v.sample()
		return chart.Sample(s.Look, v.of.TestPairs.Inputs.At(i), v.of.TestPairs.Outputs.At(i), v.of.Predictions.At(i), width, height)
	}
	var mark *int
	if l.cutShows {
		mark = &v.cut
	}
	sample := fieldsOf(v.of, v.sample())
	maps := sample.Maps(s.Look, s.computed(), mark)
	if l.aspect != aspectCut {
		var blocks []layout.Block
		for _, m := range maps[l.aspect:min(int(l.aspect)+l.shape.Count(), len(maps))] {
			blocks = append(blocks, chart.MapBlock(m))
		}
		return layout.Tiles(width, height, min(l.shape.Columns, len(blocks)), blocks...)
	}
	truth, prediction, line := chart.MapBlock(maps[aspectTruth]), chart.MapBlock(maps[aspectPrediction]), sample.CutLine(s.Look, v.cut)
	if l.shape.Count() == len(maps) {
		return layout.Tiles(width, height, 1, func(width, height int) string { return layout.Tiles(width, height, 2, truth, prediction) }, line)
	}
	return mapBeside(width, height, truth, line)
}

// exhibit is the sample on show and the table of errors.
func (v *samples) exhibit(s *session) study.Result {
	return study.Result{Study: "sample", Tables: []study.Table{errorTable(s)}, Figures: sampleFigures(v.of, v.sample(), v.cut), Fields: sampleFields(v.of, v.sample())}
}

// mapBeside draws a map as wide as its height asks for, and something else beside it.
func mapBeside(width, height int, m, other layout.Block) string {
	const around = 2 // margin of a marked map
	left := min(2*height+around, width*2/5)
	return layout.Beside(height, "  ", m(left, height), left, other(width-left-2, height))
}

// fieldsOf is a test sample of an evaluation.
func fieldsOf(e *engine.Evaluation, i int) chart.FieldSample {
	return chart.FieldSample{Side: e.Side, Input: e.TestPairs.Inputs.At(i), Truth: e.TestPairs.Outputs.At(i), Prediction: e.Predictions.At(i)}
}

// distribution draws the histogram of the errors with the current sample.
func (c *selection) distribution(s *session) layout.Block {
	current := c.of.Test.Relative[c.sample()]
	return func(width, height int) string {
		return plot.Histogram{Values: c.of.Test.Relative, Width: width, Height: height, Log: true, Current: &current, CurrentName: fmt.Sprintf("sample %d", c.sample()), XLabel: "relative error", YLabel: "samples",
			Style: s.Theme.Error, Theme: s.Theme}.Render()
	}
}
