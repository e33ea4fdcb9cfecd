package studies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/model/study"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// Pane shows a study on one page: its pictures, and beside or below them its verdict, tables and notes, which scroll.
type Pane struct {
	Library *Library
	Hint    string  // what is said about a study that has no result yet
	now     Overall // last look at what is computed
	gallery widget.Gallery
	top     int // first line of the text on show
	picture widget.Cache
}

// Open begins with the first picture and the first line.
func (p *Pane) Open() { p.gallery, p.top = widget.Gallery{}, 0 }

// Follow takes a new look at what is computed, and keeps the text in its place.
func (p *Pane) Follow(on look.Look, st study.Study, width, height int) {
	if p.Library.Running() != "" {
		p.now = p.Library.shelf().look()
	}
	l := p.layout(on, st, width, height)
	p.top = max(0, min(p.top, len(l.text)-l.rows))
}

// Commands turn to other pictures, and scroll the text.
func (p *Pane) Commands(on look.Look, st study.Study, width, height int) []ui.Command {
	l := p.layout(on, st, width, height)
	list := []ui.Command{p.gallery.Command(l.width, l.height, len(l.pictures), leastPicture)}
	for _, c := range []ui.Command{{Key: keys.PageDown, Word: "text", Help: "the text goes on",
		Do: ui.Now(func() { p.top += l.rows - 1 })}, {Key: keys.PageUp, Word: "text", Help: "the text goes back",
		Do: ui.Now(func() { p.top -= l.rows - 1 })}} {
		if len(l.text) <= l.rows {
			c.Why = "all of the text is on show"
		}
		list = append(list, c)
	}
	return list
}

// leastPicture is the least size of a picture on the page.
var leastPicture = widget.Size{Width: 36, Height: 9}

// pageLayout is how the page of a result is divided.
type pageLayout struct {
	pictures      []widget.Picture
	width, height int // room for the pictures
	text          []string
	rows          int  // of the text on show
	beside        bool // the text stands beside the pictures, not below
}

// layout divides width x height cells, the heading counted; it is empty if there is no result.
func (p *Pane) layout(on look.Look, st study.Study, width, height int) (l pageLayout) {
	r, done := p.Library.Get(st.Name)
	if !done {
		return l
	}
	height -= headLines
	l.pictures = chart.Pictures(on, r.Figures, r.Fields)
	const gap = 2
	narrow := widest(r.Page)
	l.width, l.height = width, height
	switch l.beside = len(l.pictures) > 0 && width-narrow-gap >= 2*leastPicture.Width; {
	case l.beside:
		l.text, l.rows, l.width = text(on, r, narrow), height, width-narrow-gap
	case len(l.pictures) > 0:
		l.text = text(on, r, width)
		l.rows = max(2, min(len(l.text), height-max(leastPicture.Height, height*3/5)))
		l.height = height - l.rows
	default:
		l.text, l.rows = text(on, r, width), height
	}
	return l
}

// widest is the width of the tables of a result, and enough for sentences.
func widest(r report.Page) int {
	w := 40
	for _, t := range r.Tables {
		w = max(w, ansi.StringWidth(strings.SplitN(t.Text(), "\n", 2)[0]))
	}
	return min(w, 64)
}

// text is the verdict, the tables and the notes of a result.
func text(on look.Look, r study.Result, width int) []string {
	th := on.Theme
	var parts [][]string
	if v := chart.Verdicts(r, th); len(v) > 0 {
		parts = append(parts, strings.Split(ansi.Wordwrap(strings.Join(v, "\n"), width, ""), "\n"))
	}
	for _, t := range r.Tables {
		lines := append([]string{th.Label.Render(t.Title)}, strings.Split(t.Text(), "\n")...)
		for i, line := range lines {
			lines[i] = layout.Cut(line, width)
		}
		parts = append(parts, lines)
	}
	if len(r.Notes) > 0 {
		parts = append(parts, layout.Styled(th.Muted, ansi.Wordwrap(strings.Join(r.Notes, "\n"), width, "")))
	}
	return slices.Concat(separated(parts)...)
}

// separated puts a blank line between the parts.
func separated(parts [][]string) [][]string {
	for i := range max(0, len(parts)-1) {
		parts[i] = append(parts[i], "")
	}
	return parts
}

// headLines is the height of what stands above a result.
const headLines = 2

// View draws a study, how far it is, or what it would be.
func (p *Pane) View(on look.Look, st study.Study, width, height int) string {
	th := on.Theme
	size := "quick size"
	if p.Library.whole {
		size = "the paper's size"
	}
	title, source := st.Title, st.Source
	if strings.HasPrefix(st.Source, "Figure") || strings.HasPrefix(st.Source, "Table") {
		title, source = title+" ("+source+")", ""
	}
	head := []string{layout.Cut(th.Title.Render(title), width),
		layout.Opposite(width, th.Muted.Render(source), th.Muted.Render(size))}
	l := p.layout(on, st, width, height)
	switch {
	case len(l.text)+len(l.pictures) > 0:
		return strings.Join(head, "\n") + "\n" + p.picture.Get(on, width, height,
			[]any{st.Name, p.gallery.First, p.top, p.Library.whole}, func() string {
				return p.page(on, l, width, height-headLines)
			})
	case p.Library.Running() != "":
		head = append(append(head, ""), p.now.lines(on, width)...)
	default:
		head = append(append(head, ""), layout.Styled(th.Muted, ansi.Wordwrap(p.Hint, width, ""))...)
	}
	return strings.Join(head, "\n")
}

// page draws the pictures and the text.
func (p *Pane) page(on look.Look, l pageLayout, width, height int) string {
	shown := slices.Clone(l.text[min(p.top, len(l.text)):min(len(l.text), p.top+l.rows)])
	if left := len(l.text) - p.top - l.rows; left > 0 && l.rows > 1 {
		shown[len(shown)-1] = on.Theme.Muted.Render(fmt.Sprintf("%c pgdn: %d more lines", on.Theme.Glyphs.Down, left+1))
	}
	words := strings.Join(shown, "\n")
	if len(l.pictures) == 0 {
		return layout.Fit(words, width, height)
	}
	pictures := p.gallery.Render(on.Theme, l.width, l.height, leastPicture, l.pictures)
	if l.beside {
		return layout.Beside(height, "  ", pictures, l.width, words)
	}
	return pictures + "\n" + words
}

// Exhibit is the page of a study with all its numbers beside the published ones, or its name if it has no result yet.
func (p *Pane) Exhibit(st study.Study) report.Page {
	r, done := p.Library.Get(st.Name)
	if !done {
		return report.Page{Name: st.Name}
	}
	page := r.Page
	if _, judged := r.Tally(); judged > 0 {
		page.Tables = append(slices.Clone(page.Tables), r.Verdicts())
	}
	return page
}
