// Package page draws what a screen consists of, in any size: pages of the report with pictures, and next to or below them the
// text, which scrolls; tabs; and lists, which are walked through and filtered.
package page

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/viewport"
	"charm.land/lipgloss/v2"

	"rfm/model/show/report"
	"rfm/tui/layout"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// View is a page on a canvas, at a position: its first visible picture and first visible line of text.
type View struct {
	gallery Gallery
	top     int

	on      ui.Canvas // below a head
	page    report.Page
	plan    plan // of the page on the canvas
	picture Cache
}

// Open shows the first picture and the first line.
func (v *View) Open() {
	v.gallery.First = 0
	v.top = 0
}

// Arrange lays a page out on a canvas, whose first lines belong to a head. Page, Commands and Draw read the layout.
func (v *View) Arrange(c ui.Canvas, head int, p report.Page) {
	c.Height -= head
	l := v.planned(c.Theme, p, c.Width, c.Height)
	v.on = c
	v.page = p
	v.plan = l
	v.gallery.Arrange(l.width, l.height, len(l.pictures), l.least)
}

// Page returns the page that was laid out last.
func (v *View) Page() report.Page { return v.page }

// Pace returns the time between two pictures of new data. Pictures cost bytes: on a slow line they wait in proportion
// to the size of the last page.
func (v *View) Pace(maps bool) time.Duration {
	const (
		near = 4000 // bytes a second
		far  = 1000 // on a line that may be slow, where what is written waits in the buffers of SSH, and keys wait with it
	)
	least := time.Second
	if maps {
		least = 3 * time.Second
	}
	rate := near
	if v.on.Theme.Coarse {
		rate = far
	}
	transfer := time.Duration(v.picture.Size()) * time.Second / time.Duration(rate)
	return max(least, transfer)
}

// margin is the number of blank cells on the left, below the first letter of headings and other lines.
const margin = 1

// indented returns a text behind the margin.
func indented(text string) string {
	blank := strings.Repeat(" ", margin)
	below := "\n" + blank
	return blank + strings.ReplaceAll(text, "\n", below)
}

// plan is the division of width x height cells.
type plan struct {
	heading []string
	arrangement
	text   viewport.Model
	beside bool // the text stands next to the pictures, not below
}

// least returns the smallest size of a picture on a page.
func least(p report.Page) Size {
	if len(p.Fields) > 0 {
		return Size{
			Width:  26,
			Height: 8,
		}
	}
	return Size{
		Width:  36,
		Height: 9,
	}
}

// heading returns the lines of a heading. The beginning of each of its lines, up to two blanks, is what to look at first.
func heading(th theme.Theme, text string, width int) []string {
	var lines []string
	for part := range strings.SplitSeq(text, "\n") {
		first, rest, _ := strings.Cut(part, "  ")
		paragraph := layout.Paragraph(lipgloss.NewStyle(), part, width)
		for i, line := range paragraph {
			switch {
			case rest == "":
				line = th.Value.Render(line)
			case i == 0:
				behind := strings.TrimPrefix(line, " "+first)
				line = " " + th.Value.Render(first) + behind
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// planned puts the text next to the pictures unless fewer of them fit then, maps shrink, or a table is whole only below.
func (v *View) planned(th theme.Theme, p report.Page, width, height int) plan {
	var l plan
	if p.Heading != "" {
		l.heading = heading(th, p.Heading, width)
		height -= len(l.heading)
	}
	width -= margin
	hasPictures := len(p.Figures)+len(p.Fields) > 0
	switch {
	case !hasPictures:
		whole := text(th, p, width)
		l.text = window(whole, width, height, v.top)
	case th.Zoom:
		l.arrangement = arrange(th, p, width, height)
		l.text = window(nil, width, 0, 0)
	default:
		v.divide(&l, th, p, width, height)
	}
	return l
}

// divide divides width x height cells between the pictures and the text.
func (v *View) divide(l *plan, th theme.Theme, p report.Page, width, height int) {
	const (
		gap       = 2  // cells between pictures and text
		sentences = 36 // cells, enough for sentences
		widest    = 64 // cells of a column of text
	)
	tables := sentences
	for _, t := range p.Tables {
		tables = max(tables, lipgloss.Width(t.Text()))
	}
	column := min(tables, widest)
	narrow := width - column - gap
	textBeside := text(th, p, column)
	beside := arrange(th, p, narrow, height)

	textBelow := text(th, p, width)
	rows := 0 // of the text below
	if len(textBelow) > 0 {
		pictures := max(least(p).Height, height*3/5)
		rows = max(3, min(len(textBelow), height-pictures))
	}
	below := arrange(th, p, width, height-rows)

	hasMaps := len(p.Fields) > 0
	wanted := below.count
	if hasMaps { // two larger maps are worth more than all of them small
		wanted = min(2, wanted)
	}
	fits := narrow >= beside.least.Width && beside.count >= wanted
	mapsShrink := hasMaps && beside.size < below.size
	wholeOnlyBelow := tables > column && tables <= width
	l.beside = len(textBeside) > 0 && fits && !mapsShrink && !wholeOnlyBelow
	if l.beside {
		l.arrangement = beside
		l.text = window(textBeside, column, height, v.top)
		return
	}
	l.arrangement = below
	l.text = window(textBelow, width, rows, v.top)
}

// An arrangement places pictures in width x height cells.
type arrangement struct {
	pictures []Picture
	least    Size // of a picture
	width    int
	height   int
	count    int     // figures and fields visible at a time
	size     float64 // of each, relative to the least
}

// arrange shows as many pictures as fit, a figure above its error if possible.
func arrange(th theme.Theme, p report.Page, width, height int) arrangement {
	a := arrangement{
		pictures: Pictures(th, p, true),
		least:    least(p),
		width:    width,
		height:   height,
	}
	if th.Zoom {
		a.least = Size{Width: width, Height: height}
		return a
	}
	apart := Pictures(th, p, false)
	if len(apart) > len(a.pictures) {
		a.least.Height = leastTall
	}
	shape := Arrange(width, height, len(a.pictures), a.least)
	if height/shape.Rows < leastTall {
		a.pictures = apart
		a.least = least(p)
		shape = Arrange(width, height, len(a.pictures), a.least)
	}
	visible := min(shape.Count(), len(a.pictures))
	a.count = visible * len(apart) / len(a.pictures)
	each := Size{
		Width:  width / shape.Columns,
		Height: height / shape.Rows,
	}
	a.size = each.relativeTo(a.least)
	return a
}

// window returns height lines of a text, from line top.
func window(lines []string, width, height, top int) viewport.Model {
	w := viewport.New(viewport.WithWidth(width), viewport.WithHeight(height))
	w.SetContentLines(lines)
	w.SetYOffset(top)
	return w
}

// text returns the tables and the notes.
func text(th theme.Theme, p report.Page, width int) []string {
	var lines []string
	part := func(more ...string) {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, more...)
	}
	for _, t := range p.Tables {
		part(table(th, t, width)...)
	}
	if len(p.Notes) > 0 {
		notes := strings.Join(p.Notes, "\n")
		notes = layout.Wrap(notes, width)
		part(layout.Styled(th.Muted, notes)...)
	}
	return lines
}

// Commands returns the commands that turn to other pictures and scroll the text by some keys: Up and Down by a line,
// PageUp and PageDown by a page.
func (v *View) Commands(scroll ...ui.Key) []ui.Command {
	list := []ui.Command{v.gallery.Command()}
	for _, key := range scroll {
		help := "scroll the text down"
		if key == ui.KeyUp || key == ui.KeyPageUp {
			help = "scroll the text up"
		}
		list = append(list, ui.Command{
			Key:  key,
			Word: "text",
			Help: help,
			If:   v.scrolls,
			Do:   ui.Now(func() { v.scroll(key) }),
		})
	}
	return list
}

// scrolls reports whether the text has more lines than are visible.
func (v *View) scrolls() bool {
	text := v.plan.text
	return text.TotalLineCount() > text.Height()
}

// scroll moves in the text by a key.
func (v *View) scroll(key ui.Key) {
	text := v.plan.text
	lines := max(1, text.Height()-1)
	if key == ui.KeyUp || key == ui.KeyDown {
		lines = 1
	}
	if key == ui.KeyUp || key == ui.KeyPageUp {
		lines = -lines
	}
	text.SetYOffset(text.YOffset() + lines)
	v.top = text.YOffset()
}

// Draw draws the page below the lines of a head. It draws the page again when the comparable values in of change.
func (v *View) Draw(head []string, of ...any) string {
	state := []any{
		v.page.Name,
		v.page.Heading,
		v.gallery.First,
		v.top,
	}
	state = append(state, of...)
	on := v.on
	body := v.picture.Get(on.Theme, on.Width, on.Height, state, v.draw)
	lines := slices.Clone(head)
	lines = append(lines, body)
	return strings.Join(lines, "\n")
}

// draw draws the heading, the pictures and the visible lines of the text.
func (v *View) draw() string {
	l := v.plan
	body := visible(v.on.Theme, l.text)
	if len(l.pictures) > 0 {
		pictures := v.gallery.Render(v.on.Theme, l.width, l.height, l.least, l.pictures)
		switch {
		case l.beside:
			body = layout.Beside(l.height, "  ", pictures, l.width, body)
		case l.text.Height() > 0:
			body = pictures + "\n" + body
		default:
			body = pictures
		}
	}
	lines := slices.Clone(l.heading)
	lines = append(lines, indented(body))
	return strings.Join(lines, "\n")
}

// visible returns the visible lines of a text. The last one gives way to the number of those that are left, if any are.
func visible(th theme.Theme, text viewport.Model) string {
	lines := strings.Split(text.View(), "\n")
	height := text.Height()
	left := text.TotalLineCount() - text.YOffset() - height
	if left > 0 && height > 1 {
		last := len(lines) - 1
		more := fmt.Sprintf("%c %d more lines", th.Glyphs.Down, left+1)
		lines[last] = th.Muted.Render(more)
	}
	return strings.Join(lines, "\n")
}
