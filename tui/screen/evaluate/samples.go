package evaluate

import (
	"cmp"
	"fmt"
	"strings"

	"rfm/model/engine"
	"rfm/model/study"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// samples browses the test samples.
type samples struct {
	*selection
	aspect  aspect // what was asked for last; a page that shows it is on screen
	cut     int    // fields: the cut is at x2 = cut h
	picture widget.Cache
}

func (v *samples) commands() []ui.Command {
	if v.of.Side == 0 {
		return append(v.sideways(), v.browsing()...)
	}
	return v.always()
}

// always is what can be asked of samples of every kind.
func (v *samples) always() []ui.Command {
	list := v.sideways()
	list = append(list, ui.Command{Key: keys.Up, Word: "cut", Help: "the cut moves up", Do: ui.Now(func() { v.moveCut(1) })},
		ui.Command{Key: keys.Down, Word: "cut", Help: "the cut moves down", Do: ui.Now(func() { v.moveCut(-1) })},
		ui.Command{Key: keys.View, Word: "view", Help: "next view: other fields, or the cut", Do: ui.Now(func() {
			pages := v.layout(v.room.Look, v.room.Width, v.room.Height-tabLines-headingLines).pages
			v.aspect = pages[(pageOf(pages, v.aspect)+1)%len(pages)]
		})})
	return append(list, v.browsing()...)
}

// moveCut moves the cut up or down if it is on screen, and else brings it there.
func (v *samples) moveCut(direction int) {
	if !v.layout(v.room.Look, v.room.Width, v.room.Height-tabLines-headingLines).cutShows {
		v.aspect = aspectCut
		return
	}
	const moves = 32 // from edge to edge
	step := direction * max(1, (v.of.Side-1)/moves)
	v.cut = min(max(v.cut+step, 0), v.of.Side-1)
}

func (v *samples) render(on look.Look, width, height int) string {
	type key struct {
		of            *engine.Evaluation
		rank, cut     int
		aspect        aspect
		width, height int
		stored        string
		appearance    look.Appearance
	}
	k := key{v.of, v.rank, v.cut, v.aspect, width, height, v.session.Stored(), on.Appearance()}
	return v.picture.Get(k, func() string { return v.page(on, width, height) })
}

// headingLines is the height of the line that names the sample.
const headingLines = 1

// page draws the heading of the sample, below it what was asked for, and beside it the tables where there is room.
func (v *samples) page(on look.Look, width, height int) string {
	height -= headingLines
	l := v.layout(on, width, height)
	heading := v.heading(on, "", v.of.Test.Relative[v.sample()])
	if len(l.pages) > 1 {
		heading = layout.Opposite(width, heading, on.Theme.Muted.Render(fmt.Sprintf("view %d of %d", pageOf(l.pages, v.aspect)+1, len(l.pages))))
	}
	body := v.draw(on, l, l.mainWidth, height)
	if l.side {
		body = layout.Beside(height, strings.Repeat(" ", sideGap), body, l.mainWidth, v.sidebar(on, l, height))
	}
	return heading + "\n" + body
}

// draw draws the main part of the page.
func (v *samples) draw(on look.Look, l pageLayout, width, height int) string {
	sample := v.sampleOf(v.of, v.sample())
	if v.of.Side == 0 {
		return sample.Tall(on, width, height)
	}
	var mark *int
	if l.cutShows {
		mark = &v.cut
	}
	maps := fieldBlocks(on, sample.Fields(mark))
	if l.aspect != aspectCut {
		blocks := maps[l.aspect:min(int(l.aspect)+l.shape.Count(), len(maps))]
		return layout.Tiles(width, height, min(l.shape.Columns, len(blocks)), blocks...)
	}
	line := chart.FigurePicture(on, "cut", sample.CutAt(v.cut)).Draw
	if l.shape.Count() == len(maps) {
		return layout.Tiles(width, height, 1, func(width, height int) string {
			return layout.Tiles(width, height, 2, maps[aspectTruth], maps[aspectPrediction])
		}, line)
	}
	return mapBeside(width, height, maps[aspectTruth], line)
}

// fieldBlocks draws fields.
func fieldBlocks(on look.Look, fields []study.Field) []layout.Block {
	var list []layout.Block
	for _, f := range fields {
		list = append(list, chart.FieldPicture(on, f).Draw)
	}
	return list
}

// describe is a sample of an evaluation as data.
func (c *selection) describe(e *engine.Evaluation, i, cut int) (figures []study.Figure, fields []study.Field) {
	sample := c.sampleOf(e, i)
	figures, fields = sample.Functions(), sample.Fields(nil)
	if e.Side > 0 {
		figures = []study.Figure{sample.CutAt(cut)}
	}
	figures[0].Title = strings.TrimSuffix(fmt.Sprintf("test sample %d, error %.4g, %s", i, e.Test.Relative[i], figures[0].Title), ", ")
	return figures, fields
}

// Exhibit is the sample on show and the table of errors.
func (v *samples) Exhibit() study.Result {
	figures, fields := v.describe(v.of, v.sample(), v.cut)
	return study.Result{Study: "sample", Tables: []study.Table{errorTable(v.session)}, Figures: figures, Fields: fields}
}

// mapBeside draws a map as wide as its height asks for, and something else beside it.
func mapBeside(width, height int, m, other layout.Block) string {
	const around = 2 // margin of a marked map
	left := min(2*height+around, width*2/5)
	return layout.Beside(height, "  ", m(left, height), left, other(width-left-2, height))
}

// sampleOf is a test sample of an evaluation.
func (c *selection) sampleOf(e *engine.Evaluation, i int) chart.Sample {
	problem := c.session.Computed().Of()
	return chart.Sample{Side: e.Side, Name: cmp.Or(problem.Input, "input a"), Jumps: problem.Jumps, Input: e.TestPairs.Inputs.At(i), Truth: e.TestPairs.Outputs.At(i), Prediction: e.Predictions.At(i)}
}

// distribution draws the histogram of the errors with the current sample.
func (c *selection) distribution(on look.Look) layout.Block {
	current := c.of.Test.Relative[c.sample()]
	return func(width, height int) string {
		return plot.Histogram{Values: c.of.Test.Relative, Width: width, Height: height, Log: true, Current: &current, CurrentName: fmt.Sprintf("sample %d", c.sample()), XLabel: "relative error", YLabel: "samples",
			Style: on.Theme.Error, Theme: on.Theme}.Render()
	}
}
