package evaluate

import (
	"strings"

	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/look"
)

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

// Widths of what stands beside the samples.
const (
	sideWidth = 36
	sideGap   = 2
)

// pageLayout is how a page of the samples is divided.
type pageLayout struct {
	pages     []aspect     // all there are at this size
	aspect    aspect       // the page on show
	shape     layout.Shape // fields: arrangement of the maps
	side      bool         // the tables stand beside the main part
	mainWidth int
	cutShows  bool // fields: the cut is somewhere on the page
}

// leastLines is the width of a plot of functions below which nothing stands beside it.
const leastLines = 38

// layout divides width x height cells, the heading not counted.
func (v *samples) layout(on look.Look, width, height int) pageLayout {
	const leastCut = 70 // width of a map and a plot of the cut
	narrow := width - sideWidth - sideGap
	l := pageLayout{pages: []aspect{aspectInput}, mainWidth: width, side: narrow >= leastLines}
	if v.of.Side > 0 {
		l.shape, l.side = mapsAndTables(width, narrow, height)
		l.pages = fieldPages(l.shape.Count())
	}
	l.aspect = l.pages[pageOf(l.pages, v.aspect)]
	if l.aspect == aspectCut {
		l.side = narrow >= leastCut
	}
	if l.side {
		l.mainWidth = narrow
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

// leastPlot is the number of lines below which a plot under the tables is not worth drawing.
const leastPlot = 8

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
func (v *samples) sidebar(on look.Look, l pageLayout, height int) string {
	text := strings.Join(v.tables(on, height), "\n")
	rest := v.plotLines(on, height)
	if rest == 0 {
		return text
	}
	small := v.distribution(on)
	if v.of.Side > 0 && l.aspect != aspectCut {
		small = chart.FigurePicture(on, "cut", v.sampleOf(v.of, v.sample()).CutAt(v.cut)).Draw
	}
	return text + "\n\n" + small(sideWidth, rest)
}
