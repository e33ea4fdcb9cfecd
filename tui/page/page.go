// Package page draws pages of the report in any size: their pictures, and beside or below them the text, which scrolls.
package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// View is where somebody is on a page: the first picture and the first line of the text on show.
type View struct {
	gallery widget.Gallery
	top     int
	picture widget.Cache
}

// Open begins with the first picture and the first line.
func (v *View) Open() { v.gallery, v.top = widget.Gallery{}, 0 }

// leastPicture is the least size of a picture on the page.
var leastPicture = widget.Size{Width: 36, Height: 9}

// plan is how width x height cells are divided.
type plan struct {
	pictures      []widget.Picture
	width, height int // room for the pictures
	text          []string
	rows          int  // of the text on show
	beside        bool // the text stands beside the pictures, not below
}

func (v *View) plan(on look.Look, p report.Page, width, height int) (l plan) {
	l.pictures = chart.Pictures(on, p.Figures, p.Fields)
	const gap = 2
	narrow := widest(p)
	l.width, l.height = width, height
	switch l.beside = len(l.pictures) > 0 && width-narrow-gap >= min(2, len(l.pictures))*leastPicture.Width; {
	case l.beside:
		l.text, l.rows, l.width = text(on, p, narrow), height, width-narrow-gap
	case len(l.pictures) > 0:
		l.text = text(on, p, width)
		l.rows = max(2, min(len(l.text), height-max(leastPicture.Height, height*3/5)))
		l.height = height - l.rows
	default:
		l.text, l.rows = text(on, p, width), height
	}
	v.top = max(0, min(v.top, len(l.text)-l.rows))
	return l
}

// widest is the width of the tables of a page, and enough for sentences.
func widest(p report.Page) int {
	w := 36
	for _, t := range p.Tables {
		w = max(w, ansi.StringWidth(strings.SplitN(t.Text(), "\n", 2)[0]))
	}
	return min(w, 64)
}

// text is the heading, the tables and the notes.
func text(on look.Look, p report.Page, width int) []string {
	th := on.Theme
	var lines []string
	part := func(more ...string) {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, more...)
	}
	if p.Heading != "" {
		part(strings.Split(ansi.Wordwrap(p.Heading, width, ""), "\n")...)
	}
	for _, t := range p.Tables {
		table := strings.Split(t.Text(), "\n")
		table[0] = th.Title.Render(table[0])
		if t.Title != "" {
			table = slices.Insert(table, 0, th.Label.Render(t.Title))
		}
		for i, line := range table {
			table[i] = layout.Cut(line, width)
		}
		part(table...)
	}
	if len(p.Notes) > 0 {
		part(layout.Styled(th.Muted, ansi.Wordwrap(strings.Join(p.Notes, "\n"), width, ""))...)
	}
	return lines
}

// Commands turn to other pictures, and scroll the text.
func (v *View) Commands(on look.Look, p report.Page, width, height int) []ui.Command {
	l := v.plan(on, p, width, height)
	list := []ui.Command{v.gallery.Command(l.width, l.height, len(l.pictures), leastPicture)}
	for _, c := range []ui.Command{{Key: keys.PageDown, Word: "text", Help: "the text goes on",
		Do: ui.Now(func() { v.top += l.rows - 1 })}, {Key: keys.PageUp, Word: "text", Help: "the text goes back",
		Do: ui.Now(func() { v.top -= l.rows - 1 })}} {
		if len(l.text) <= l.rows {
			c.Why = "all of the text is on show"
		}
		list = append(list, c)
	}
	return list
}

// Draw draws a page in width x height cells; it is drawn anew when what it is of changes, comparable values.
func (v *View) Draw(on look.Look, p report.Page, width, height int, of ...any) string {
	l := v.plan(on, p, width, height)
	return v.picture.Get(on, width, height, append([]any{p.Name, v.gallery.First, v.top}, of...), func() string {
		shown := slices.Clone(l.text[v.top:min(len(l.text), v.top+l.rows)])
		if left := len(l.text) - v.top - l.rows; left > 0 && l.rows > 1 {
			shown[len(shown)-1] = on.Theme.Muted.Render(fmt.Sprintf("%c pgdn: %d more lines", on.Theme.Glyphs.Down, left+1))
		}
		words := strings.Join(shown, "\n")
		if len(l.pictures) == 0 {
			return layout.Fit(words, width, height)
		}
		pictures := v.gallery.Render(on.Theme, l.width, l.height, leastPicture, l.pictures)
		if l.beside {
			return layout.Beside(height, "  ", pictures, l.width, words)
		}
		return pictures + "\n" + words
	})
}
