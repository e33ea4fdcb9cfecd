package evaluate

import (
	"cmp"
	"fmt"
	"strings"

	"rfm/model/engine"
	"rfm/model/report"
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
		return append(append(v.sideways(), v.turning()), v.browsing()...)
	}
	return v.always()
}

// always is what can be asked of samples of every kind.
func (v *samples) always() []ui.Command {
	list := v.sideways()
	list = append(list, ui.Command{Key: keys.Up, Word: "cut", Help: "the cut moves up",
		Do: ui.Now(func() { v.moveCut(1) })},
		ui.Command{Key: keys.Down, Word: "cut", Help: "the cut moves down", Do: ui.Now(func() { v.moveCut(-1) })},
		v.turning())
	return append(list, v.browsing()...)
}

// turning shows the next page, and after the last one the next channel.
func (v *samples) turning() ui.Command {
	c := ui.Command{Key: keys.View, Word: "view", Help: "next view: other fields, the cut, the error, or the next channel",
		Do: ui.Now(func() {
			pages := v.layout(v.room.Look, v.room.Width, v.room.Height-tabLines-headingLines).pages
			next := pageOf(pages, v.aspect) + 1
			if next == len(pages) {
				next, v.channel = 0, (v.channel+1)%v.channels()
			}
			v.aspect = pages[next]
		})}
	if v.of == nil || v.of.Side == 0 && v.channels() == 1 && v.room.Height-tabLines-headingLines >= chart.LeastTall {
		c.Word, c.Why = "", widget.NoView.Why
	}
	return c
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
	return v.picture.Get(on, width, height, []any{v.of, v.rank, v.cut, v.channel, v.aspect, v.session.Stored()},
		func() string { return v.page(on, width, height) })
}

// page draws the heading of the sample, below it what was asked for, and beside it the tables where there is room.
func (v *samples) page(on look.Look, width, height int) string {
	height -= headingLines
	l := v.layout(on, width, height)
	heading := v.heading(on, "", v.of.Test.Relative[v.sample()])
	if len(l.pages) > 1 {
		heading = layout.Opposite(width, heading, on.Theme.Muted.Render(fmt.Sprintf("v: view %d of %d",
			pageOf(l.pages, v.aspect)+1, len(l.pages))))
	}
	body := v.draw(on, l, l.mainWidth, height)
	if l.side {
		body = layout.Beside(height, strings.Repeat(" ", sideGap), body, l.mainWidth,
			v.sidebar(on, l, width-l.mainWidth-sideGap, height))
	}
	return heading + "\n" + body
}

// draw draws the main part of the page.
func (v *samples) draw(on look.Look, l pageLayout, width, height int) string {
	sample := v.sampleOf(v.of, v.sample())
	switch {
	case v.of.Side == 0 && l.aspect == aspectError:
		return chart.Figure(on, sample.Functions()[1], width, height)
	case v.of.Side == 0:
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
func fieldBlocks(on look.Look, fields []report.Field) []layout.Block {
	var list []layout.Block
	for _, f := range fields {
		list = append(list, chart.FieldPicture(on, f).Draw)
	}
	return list
}

// describe is a sample of an evaluation as data.
func (c *selection) describe(e *engine.Evaluation, i, cut int) (figures []report.Figure, fields []report.Field) {
	sample := c.sampleOf(e, i)
	figures, fields = sample.Functions(), sample.Fields(nil)
	if e.Side > 0 {
		figures = []report.Figure{sample.CutAt(cut)}
	}
	figures[0].Title = strings.TrimSuffix(fmt.Sprintf("test sample %d, error %.4g, %s", i, e.Test.Relative[i],
		figures[0].Title), ", ")
	return figures, fields
}

// Exhibit is the sample on show and the table of errors.
func (v *samples) Exhibit() report.Page {
	figures, fields := v.describe(v.of, v.sample(), v.cut)
	return report.Page{Name: "sample", Tables: []report.Table{v.session.Experiment().ErrorTable(v.of)}, Figures: figures,
		Fields: fields}
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
	return chart.Sample{Side: e.Side, Name: cmp.Or(problem.Input, "input a"), Jumps: problem.Jumps,
		Input: e.TestPairs.Inputs.Of(i, c.channel), Truth: e.TestPairs.Outputs.Of(i, c.channel),
		Prediction: e.Predictions.Of(i, c.channel), Band: e.Band(i, 0.9)}
}

// distribution draws the histogram of the errors with the current sample.
func (c *selection) distribution(on look.Look) layout.Block {
	current := c.of.Test.Relative[c.sample()]
	return func(width, height int) string {
		return plot.Histogram{Values: c.of.Test.Relative, Width: width, Height: height, Log: true, Current: &current,
			CurrentName: fmt.Sprintf("sample %d", c.sample()), XLabel: "relative error", YLabel: "samples", Cursor: on.Cursor,
			Style: on.Theme.Error, Theme: on.Theme}.Render()
	}
}

// An aspect is something to see of a sample. The first four are the maps of a field, in their order; of functions
// of one variable the first shows all.
type aspect int

const (
	aspectInput aspect = iota
	aspectTruth
	aspectPrediction
	aspectError
	aspectCut
)

// pageOf is the index of the page that shows an aspect: pages are named by the first aspect on them.
func pageOf(pages []aspect, a aspect) int {
	at := 0
	for i, first := range pages {
		if first <= a {
			at = i
		}
	}
	return at
}

// pageLayout is how a page of the samples is divided.
type pageLayout struct {
	pages     []aspect     // all there are at this size
	aspect    aspect       // the page on show
	shape     layout.Shape // fields: arrangement of the maps
	side      bool         // the tables stand beside the main part
	mainWidth int
	cutShows  bool // fields: the cut is somewhere on the page
}

// layout divides width x height cells, the heading not counted.
func (v *samples) layout(on look.Look, width, height int) pageLayout {
	const leastCut = 70 // width of a map and a plot of the cut
	narrow := width - sideWidth - sideGap
	l := pageLayout{pages: []aspect{aspectInput}, mainWidth: width, side: narrow >= leastLines}
	if v.of.Side > 0 {
		l.shape, l.side = mapsAndTables(width, narrow, height)
		l.pages = fieldPages(l.shape.Count())
	}
	if v.of.Side == 0 && height < chart.LeastTall {
		l.pages = append(l.pages, aspectError)
	}
	l.aspect = l.pages[pageOf(l.pages, v.aspect)]
	if l.aspect == aspectCut {
		l.side = narrow >= leastCut
	}
	if l.side {
		l.mainWidth = narrow
		if v.of.Side > 0 && l.aspect != aspectCut { // maps are square: what they cannot use is for the plot beside them
			const around = 14 // the bar of a map and its numbers
			l.mainWidth = min(narrow, l.shape.Columns*(2*height/l.shape.Rows+around))
		}
	}
	l.cutShows = v.of.Side > 0 && (l.aspect == aspectCut || l.side && v.plotLines(on, height) > 0)
	return l
}

// mapsAndTables chooses the arrangement of the maps, and whether the tables stand beside them: they do unless two maps
// would become one.
func mapsAndTables(width, narrow, height int) (maps layout.Shape, tables bool) {
	const all = 4
	alone, together := chart.MapShape(width, height, all), chart.MapShape(narrow, height, all)
	if together.Count() >= min(2, alone.Count()) {
		return together, true
	}
	return alone, false
}

// fieldPages are the pages for fields if so many maps are shown at a time.
func fieldPages(maps int) []aspect {
	pages := []aspect{aspectInput}
	switch maps {
	case 1:
		pages = append(pages, aspectTruth, aspectPrediction, aspectError)
	case 2:
		pages = append(pages, aspectTruth, aspectPrediction)
	}
	return append(pages, aspectCut)
}

// plotLines is what the tables leave for a plot below them; 0 if it is too little.
func (v *samples) plotLines(on look.Look, height int) int {
	rest := height - len(v.tables(on, height)) - 1
	if rest < leastPlot {
		return 0
	}
	return rest
}

// tables is what stands beside the samples: the errors, the rivals and the facts, as far as they fit.
func (c *selection) tables(on look.Look, height int) []string {
	lines := c.table(on)
	if rivals := c.rivals(on); len(rivals) > 0 && len(lines)+1+len(rivals) <= height {
		lines = append(append(lines, ""), rivals...)
	}
	if room := height - len(lines) - 1; room > 0 {
		lines = append(append(lines, ""), c.facts(on, room)...)
	}
	return lines
}

// sidebar draws the tables and, if there is room below them, what the page does not show large.
func (v *samples) sidebar(on look.Look, l pageLayout, width, height int) string {
	text := strings.Join(v.tables(on, height), "\n")
	rest := v.plotLines(on, height)
	if rest == 0 {
		return text
	}
	small := v.distribution(on)
	if v.of.Side > 0 && l.aspect != aspectCut {
		small = chart.FigurePicture(on, "cut", v.sampleOf(v.of, v.sample()).CutAt(v.cut)).Draw
	}
	return text + "\n\n" + small(width, rest)
}
