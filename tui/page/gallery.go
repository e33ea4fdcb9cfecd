package page

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"rfm/model/show/report"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// A Picture is a block with a name, by which the last line of a gallery announces it.
type Picture struct {
	Name string
	Draw layout.Block
	Map  bool // as wide as its neighbours
}

// FigurePicture returns a figure as a picture of a gallery.
func FigurePicture(th theme.Theme, name string, f report.Figure) Picture {
	return Picture{
		Name: name,
		Draw: func(width, height int) string { return plot.Figure(th, f, width, height) },
	}
}

// FieldPicture returns a field as a picture of a gallery.
func FieldPicture(th theme.Theme, f report.Field) Picture {
	return Picture{
		Name: f.Title,
		Map:  true,
		Draw: func(width, height int) string {
			return plot.Field(th, f, width, height)
		},
	}
}

// Pictures returns the fields of a page and then its figures, by their titles, for a gallery. If tall is set, a figure
// below another one is part of the other's picture.
func Pictures(th theme.Theme, p report.Page, tall bool) []Picture {
	var list []Picture
	for _, f := range p.Fields {
		list = append(list, FieldPicture(th, f))
	}
	last := len(p.Figures) - 1
	for i, f := range p.Figures {
		if tall && f.Below { // drawn in the previous picture
			continue
		}
		if tall && i < last {
			next := p.Figures[i+1]
			if next.Below {
				list = append(list, twoFigures(th, f, next))
				continue
			}
		}
		name := f.Title
		if name == "" && len(f.Curves) > 0 {
			name = f.Curves[0].Name
		}
		list = append(list, FigurePicture(th, name, f))
	}
	return list
}

// twoFigures returns a figure above another one as one picture.
func twoFigures(th theme.Theme, upper, lower report.Figure) Picture {
	draw := func(width, height int) string {
		above := height * 3 / 5
		first := plot.Figure(th, upper, width, above)
		second := plot.Figure(th, lower, width, height-above)
		return first + "\n" + second
	}
	return Picture{
		Name: upper.Title,
		Draw: draw,
	}
}

// leastTall is the number of lines below which a figure and the one below it are not worth drawing in one picture.
const leastTall = 14

// Gallery is a place for pictures. First is the index of the first visible one.
type Gallery struct {
	First int
	shown int // at a time
	count int
}

// Size is the smallest useful size of a picture.
type Size struct{ Width, Height int }

// relativeTo returns how often another size fits along the narrower side.
func (s Size) relativeTo(least Size) float64 {
	width := float64(s.Width) / float64(least.Width)
	height := float64(s.Height) / float64(least.Height)
	return min(width, height)
}

// galleryGap is the number of cells between two pictures.
const galleryGap = 2

// Arrange returns the arrangement with the most pictures, at most count, none smaller than least; among those the one
// with the largest pictures. One picture is always shown.
func Arrange(width, height, count int, least Size) layout.Shape {
	for n := count; n > 1; n-- {
		shape, fits := largest(width, height, n, least)
		if fits {
			return shape
		}
	}
	return layout.Shape{Columns: 1, Rows: 1}
}

// largest returns the arrangement of count pictures in which they are largest, and false if they are smaller than least in
// each.
func largest(width, height, count int, least Size) (best layout.Shape, fits bool) {
	most := 0.0
	for columns := 1; columns <= count; columns++ {
		rows := (count + columns - 1) / columns
		gaps := galleryGap * (columns - 1)
		w := (width - gaps) / columns
		h := height / rows
		if w < least.Width || h < least.Height {
			continue
		}
		each := Size{Width: w, Height: h}
		size := each.relativeTo(least)
		if size > most {
			most = size
			best = layout.Shape{
				Columns: columns,
				Rows:    rows,
			}
		}
	}
	return best, most > 0
}

// Render draws pictures; if not all are visible, a last line tells which are.
func (g *Gallery) Render(th theme.Theme, width, height int, least Size, list []Picture) string {
	if len(list) == 0 {
		return ""
	}
	count := len(list)
	arrangement := Arrange(width, height, count, least)
	columns := arrangement.Columns
	shown := min(arrangement.Count(), count)
	from := min(g.First, count-shown)
	visible := list[from : from+shown]
	var blocks []layout.Block
	for _, picture := range visible {
		blocks = append(blocks, picture.Draw)
	}
	blank := func(int, int) string { return "" }
	lastIsMap := visible[shown-1].Map // no wider than the others
	for lastIsMap && len(blocks)%columns != 0 {
		blocks = append(blocks, blank)
	}
	if shown == count {
		return layout.Tiles(width, height, columns, blocks...)
	}
	tiles := layout.Tiles(width, height-1, columns, blocks...)
	return tiles + "\n" + announced(th, width, from, shown, list)
}

// announced returns the line that counts the pictures and names the next one.
func announced(th theme.Theme, width, from, shown int, list []Picture) string {
	count := len(list)
	first := from + 1
	last := from + shown
	what := fmt.Sprintf("picture %d", first)
	switch {
	case shown == 2:
		what = fmt.Sprintf("pictures %d and %d", first, last)
	case shown > 2:
		what = fmt.Sprintf("pictures %d to %d", first, last)
	}
	next := list[last%count]
	text := fmt.Sprintf("%s of %d; %s shows %s", what, count, ui.KeyView, next.Name)
	if lipgloss.Width(text) > width {
		text = fmt.Sprintf("%s of %d; %s: more", what, count, ui.KeyView)
	}
	text = fmt.Sprintf("%*s", width, text)
	return th.Muted.Render(text)
}

// Arrange notes how many of count pictures are shown at a time, none smaller than least.
func (g *Gallery) Arrange(width, height, count int, least Size) {
	g.shown = Arrange(width, height, count, least).Count()
	g.count = count
}

// Command returns the command that turns to the hidden pictures.
func (g *Gallery) Command() ui.Command {
	turn := ui.Command{
		Key:  ui.KeyView,
		Word: "view",
		Help: "next picture",
		Do:   ui.Now(g.Turn),
	}
	return turn.When(g.HidesSome, "there is no other picture")
}

// HidesSome reports whether not all pictures are shown.
func (g *Gallery) HidesSome() bool { return g.shown < g.count }

// Turn turns to the hidden pictures, and after the last one to the first.
func (g *Gallery) Turn() {
	g.First += g.shown
	if g.First >= g.count {
		g.First = 0
	}
}
