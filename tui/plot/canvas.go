// A rectangle of styled cells that becomes a string of exact size.

package plot

import (
	"fmt"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	lines "rfm/tui/layout"
	"rfm/tui/theme"
)

// canvas is width x height cells, row 0 on top.
type canvas struct {
	*uv.Buffer
	width, height int
	theme         theme.Theme
}

func newCanvas(width, height int, th theme.Theme) *canvas {
	return &canvas{uv.NewBuffer(width, height), width, height, th}
}

// ink is the colours and attributes of a cell.
type ink = uv.Style

// inkOf returns the colour and the attributes of a style of text, not its layout.
func inkOf(s lipgloss.Style) (k ink) {
	if _, none := s.GetForeground().(lipgloss.NoColor); !none {
		k.Fg = s.GetForeground()
	}
	add := func(set bool, attribute uint8) {
		if set {
			k.Attrs |= attribute
		}
	}
	add(s.GetBold(), uv.AttrBold)
	add(s.GetFaint(), uv.AttrFaint)
	add(s.GetReverse(), uv.AttrReverse)
	if s.GetUnderline() {
		k.Underline = uv.UnderlineSingle
	}
	return k
}

// set draws one cell; cells outside the canvas are dropped.
func (c *canvas) set(x, y int, r rune, k ink) {
	c.SetCell(x, y, &uv.Cell{Content: string(r), Style: k, Width: 1})
}

// at returns the character of a cell, 0 outside the canvas.
func (c *canvas) at(x, y int) rune {
	if cell := c.CellAt(x, y); cell != nil {
		r, _ := utf8.DecodeRuneInString(cell.Content)
		return r
	}
	return 0
}

// text draws s from column x on and returns the column after it.
func (c *canvas) text(x, y int, s string, k ink) int {
	for _, r := range printable(s, c.theme.ASCII) {
		c.set(x, y, r, k)
		x++
	}
	return x
}

// printable returns s as runes of one cell each. Wide characters become '?', in ASCII all characters but 0x20 to 0x7e.
func printable(s string, ascii bool) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range ansi.Strip(s) {
		switch narrow := r >= 0x20 && r <= 0x7e; {
		case !narrow && (ascii || ansi.StringWidth(string(r)) > 1):
			out = append(out, '?')
		case narrow || ansi.StringWidth(string(r)) == 1:
			out = append(out, r)
		}
	}
	return out
}

// shorten cuts s to at most width cells, the last one an ellipsis; no number is cut in two.
func (c *canvas) shorten(s string, width int) string {
	r := printable(s, c.theme.ASCII)
	if len(r) <= width {
		return string(r)
	}
	return c.theme.Text(lines.Cut(string(r), width))
}

// String returns height lines of width cells, without a final newline. Every line starts and ends in the terminal's own
// colours.
func (c *canvas) String() string { return c.Render() }

// cellsOf returns the number of cells that s occupies.
func (c *canvas) cellsOf(s string) int { return len(printable(s, c.theme.ASCII)) }

// center writes as much of s as fits in the middle of width x height cells whose upper left cell is (left, top).
func (c *canvas) center(s string, left, top, width, height int, k ink) {
	s = c.shorten(s, width)
	c.text(left+(width-len([]rune(s)))/2, top+(height-1)/2, s, k)
}

// The smallest plot that is drawn rather than refused, in cells.
const (
	minWidth  = 16
	minHeight = 4
)

// tooSmall reports whether a frame is too small for a picture; text is then a message that fits in the frame.
func tooSmall(picture string, width, height int, th theme.Theme) (text string, small bool) {
	if width >= minWidth && height >= minHeight || width <= 0 || height <= 0 {
		return "", width < minWidth || height < minHeight
	}
	c := newCanvas(width, height, th)
	c.center(fmt.Sprintf("%s: %dx%d", picture, minWidth, minHeight), 0, 0, width, height, inkOf(th.Muted))
	return c.String(), true
}
