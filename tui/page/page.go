// Package page draws pages of the report in any size: pictures, and next to or below them the text, which scrolls.
package page

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/viewport"
	"charm.land/lipgloss/v2"

	"rfm/model/show/report"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/theme"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// View is the position on a page: its first visible picture and first visible line of text.
type View struct {
	gallery widget.Gallery
	top     int
	picture widget.Cache
}

// Open shows the first picture and the first line.
func (v *View) Open() { v.gallery, v.top = widget.Gallery{}, 0 }

// Pace returns the time between two pictures of new data. Pictures cost bytes: on a slow line they wait in proportion
// to the size of the last page.
func (v *View) Pace(maps bool) time.Duration {
	const rate = 4000 // bytes a second
	least := time.Second
	if maps {
		least = 3 * time.Second
	}
	return max(least, time.Duration(v.picture.Size())*time.Second/rate)
}

// margin is the number of blank cells on the left, below the first letter of headings and other lines.
const margin = 1

// indented returns a text behind the margin.
func indented(text string) string {
	blank := strings.Repeat(" ", margin)
	return blank + strings.ReplaceAll(text, "\n", "\n"+blank)
}

// plan is the division of width x height cells.
type plan struct {
	heading []string
	arrangement
	text   viewport.Model
	beside bool // the text stands next to the pictures, not below
}

// least returns the smallest size of a picture on a page.
func least(p report.Page) widget.Size {
	if len(p.Fields) > 0 {
		return widget.Size{Width: 26, Height: 8}
	}
	return widget.Size{Width: 36, Height: 9}
}

// heading returns the lines of a heading. The beginning of each of its lines, up to two blanks, is what to look at first.
func heading(th theme.Theme, text string, width int) (lines []string) {
	for part := range strings.SplitSeq(text, "\n") {
		first, rest, _ := strings.Cut(part, "  ")
		for i, line := range layout.Paragraph(lipgloss.NewStyle(), part, width) {
			if i == 0 && rest != "" {
				line = " " + th.Value.Render(first) + strings.TrimPrefix(line, " "+first)
			} else if rest == "" {
				line = th.Value.Render(line)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// plan puts the text next to the pictures unless fewer of them fit then, maps shrink, or a table is whole only below.
func (v *View) plan(th theme.Theme, p report.Page, width, height int) (l plan) {
	const gap = 2
	if p.Heading != "" {
		l.heading = heading(th, p.Heading, width)
		height -= len(l.heading)
	}
	width -= margin
	if th.Zoom && len(p.Figures)+len(p.Fields) > 0 {
		l.arrangement, l.text = arrange(th, p, width, height), window(nil, width, 0, 0)
		return l
	}
	tables := 36 // at least enough for sentences
	for _, t := range p.Tables {
		tables = max(tables, lipgloss.Width(t.Text()))
	}
	column := min(tables, 64)
	words, wide := text(th, p, column), text(th, p, width)
	if len(p.Figures)+len(p.Fields) == 0 {
		l.text = window(text(th, p, width), width, height, v.top)
		return l
	}
	narrow, highest := width-column-gap, least(p).Height
	rows := max(3, min(len(wide), height-max(highest, height*3/5)))
	if len(wide) == 0 {
		rows = 0
	}
	beside, below := arrange(th, p, narrow, height), arrange(th, p, width, height-rows)
	wanted := below.count
	if len(p.Fields) > 0 { // two larger maps are worth more than all of them small
		wanted = min(2, wanted)
	}
	l.beside = len(words) > 0 && narrow >= beside.least.Width && beside.count >= wanted &&
		(len(p.Fields) == 0 || beside.size >= below.size) && (tables == column || tables > width)
	if l.beside {
		l.arrangement, l.text = beside, window(words, column, height, v.top)
	} else {
		l.arrangement, l.text = below, window(wide, width, rows, v.top)
	}
	return l
}

// An arrangement places pictures in width x height cells.
type arrangement struct {
	pictures      []widget.Picture
	least         widget.Size // of a picture
	width, height int
	count         int     // figures and fields visible at a time
	size          float64 // of each, relative to the least
}

// arrange shows as many pictures as fit, a figure above its error if possible.
func arrange(th theme.Theme, p report.Page, width, height int) (a arrangement) {
	a = arrangement{pictures: widget.Pictures(th, p, true), least: least(p), width: width, height: height}
	if th.Zoom {
		a.least = widget.Size{Width: width, Height: height}
		return a
	}
	apart := widget.Pictures(th, p, false)
	if len(apart) > len(a.pictures) {
		a.least.Height = widget.LeastTall
	}
	shape := widget.Arrange(width, height, len(a.pictures), a.least)
	if height/shape.Rows < widget.LeastTall {
		a.pictures, a.least = apart, least(p)
		shape = widget.Arrange(width, height, len(a.pictures), a.least)
	}
	a.count = min(shape.Count(), len(a.pictures)) * len(apart) / len(a.pictures)
	a.size = min(float64(width/shape.Columns)/float64(a.least.Width), float64(height/shape.Rows)/float64(a.least.Height))
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
		part(layout.Styled(th.Muted, layout.Wrap(strings.Join(p.Notes, "\n"), width))...)
	}
	return lines
}

// Commands returns the commands that turn to other pictures and scroll the text by some keys: Up and Down by a line,
// PageUp and PageDown by a page. The first lines of the canvas belong to a head.
func (v *View) Commands(c ui.Canvas, head int, p report.Page, scroll ...keys.Key) []ui.Command {
	l := v.plan(c.Theme, p, c.Width, c.Height-head)
	list := []ui.Command{v.gallery.Command(l.width, l.height, len(l.pictures), l.least)}
	if l.text.TotalLineCount() <= l.text.Height() {
		return list
	}
	for _, key := range scroll {
		lines, help := max(1, l.text.Height()-1), "more text is below"
		if key == keys.Up || key == keys.Down {
			lines = 1
		}
		if key == keys.Up || key == keys.PageUp {
			lines, help = -lines, "the text goes back"
		}
		list = append(list, ui.Command{Key: key, Word: "text", Help: help, Do: ui.Now(func() {
			l.text.SetYOffset(l.text.YOffset() + lines)
			v.top = l.text.YOffset()
		})})
	}
	return list
}

// Draw draws a page below the lines of a head. It draws the page again when the comparable values in of change.
func (v *View) Draw(c ui.Canvas, head []string, p report.Page, of ...any) string {
	on, width, height := c.Theme, c.Width, c.Height-len(head)
	body := v.picture.Get(on, width, height, append([]any{p.Name, p.Heading, v.gallery.First, v.top}, of...),
		func() string {
			l := v.plan(on, p, width, height)
			shown := strings.Split(l.text.View(), "\n")
			if left := l.text.TotalLineCount() - l.text.YOffset() - l.text.Height(); left > 0 && l.text.Height() > 1 {
				shown[len(shown)-1] = on.Muted.Render(fmt.Sprintf("%c %d more lines", on.Glyphs.Down, left+1))
			}
			body := strings.Join(shown, "\n")
			if len(l.pictures) > 0 {
				pictures := v.gallery.Render(on, l.width, l.height, l.least, l.pictures)
				switch {
				case l.beside:
					body = layout.Beside(l.height, "  ", pictures, l.width, body)
				case l.text.Height() > 0:
					body = pictures + "\n" + body
				default:
					body = pictures
				}
			}
			return strings.Join(append(slices.Clone(l.heading), indented(body)), "\n")
		})
	return strings.Join(append(slices.Clone(head), body), "\n")
}
