package page

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

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
	for i, f := range p.Figures {
		switch {
		case f.Below && tall: // drawn in the previous picture
		case tall && i+1 < len(p.Figures) && p.Figures[i+1].Below:
			list = append(list, twoFigures(th, f, p.Figures[i+1]))
		case f.Title == "" && len(f.Curves) > 0:
			list = append(list, FigurePicture(th, f.Curves[0].Name, f))
		default:
			list = append(list, FigurePicture(th, f.Title, f))
		}
	}
	return list
}

// twoFigures returns a figure above another one as one picture.
func twoFigures(th theme.Theme, upper, lower report.Figure) Picture {
	draw := func(width, height int) string {
		above := height * 3 / 5
		return plot.Figure(th, upper, width, above) + "\n" + plot.Figure(th, lower, width, height-above)
	}
	return Picture{Name: upper.Title, Draw: draw}
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
		w := (width - galleryGap*(columns-1)) / columns
		h := height / rows
		if w < least.Width || h < least.Height {
			continue
		}
		relativeWidth := float64(w) / float64(least.Width)
		relativeHeight := float64(h) / float64(least.Height)
		size := min(relativeWidth, relativeHeight)
		if size > most {
			most = size
			best = layout.Shape{Columns: columns, Rows: rows}
		}
	}
	return best, most > 0
}

// Render draws pictures; if not all are visible, a last line tells which are.
func (g *Gallery) Render(th theme.Theme, width, height int, least Size, list []Picture) string {
	if len(list) == 0 {
		return ""
	}
	arrangement := Arrange(width, height, len(list), least)
	shown := min(arrangement.Count(), len(list))
	from := min(g.First, len(list)-shown)
	blocks := make([]layout.Block, shown)
	for i := range blocks {
		blocks[i] = list[from+i].Draw
	}
	for list[from+shown-1].Map && len(blocks)%arrangement.Columns != 0 {
		blocks = append(blocks, func(int, int) string { return "" })
	}
	if shown == len(list) {
		return layout.Tiles(width, height, arrangement.Columns, blocks...)
	}
	tiles := layout.Tiles(width, height-1, arrangement.Columns, blocks...)
	return tiles + "\n" + announced(th, width, from, shown, list)
}

// announced returns the line that counts the pictures and names the next one.
func announced(th theme.Theme, width, from, shown int, list []Picture) string {
	what := fmt.Sprint(from + 1)
	if shown > 1 {
		what = fmt.Sprintf("%d to %d", from+1, from+shown)
	}
	next := list[(from+shown)%len(list)]
	counted := fmt.Sprintf("%s of %d; v", what, len(list))
	text := counted + ": " + next.Name
	if lipgloss.Width(text) > width {
		text = counted
	}
	return th.Muted.Render(fmt.Sprintf("%*s", width, text))
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

// Cache keeps a picture until the values that it depends on change.
type Cache struct {
	key    []any
	text   string
	before string
}

// Get returns a picture that depends on a size, a theme and the values in of. It renders the picture again
// if one of them has changed.
func (c *Cache) Get(th theme.Theme, width, height int, of []any, render func() string) string {
	key := append(append(of, width, height), th.Options)
	if !slices.EqualFunc(c.key, key, same) {
		c.key = key
		c.before = c.text
		c.text = render()
	}
	return c.text
}

// same reports whether two values are known to be equal. Those that cannot be compared, as errors of any kind may be, are
// not: then a picture is drawn again, where == would be a panic.
func same(a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// Size returns the number of bytes of the kept text.
func (c *Cache) Size() int { return len(c.text) }

// Change returns about the number of bytes that the last change of the text writes to a terminal.
func (c *Cache) Change() int { return difference(c.before, c.text) }

// difference returns about the bytes that change one text on the terminal into another: of each run of cells that differ,
// its characters and what moves the cursor there and sets colours, and back.
func difference(before, after string) (bytes int) {
	const move = 24 // bytes
	old := strings.Split(ansi.Strip(before), "\n")
	for i, line := range strings.Split(ansi.Strip(after), "\n") {
		was := []rune{}
		if i < len(old) {
			was = []rune(old[i])
		}
		inRun := false
		for x, r := range []rune(line) {
			same := x < len(was) && was[x] == r
			if !same {
				bytes += len(string(r))
			}
			if !same && !inRun {
				bytes += move
			}
			inRun = !same
		}
	}
	return bytes
}
