// A rectangle of styled cells that becomes a string of exact size.

package plot

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	lines "rfm/tui/layout"
	"rfm/tui/theme"
)

// ink indexes canvas.inks; 0 is unstyled.
type ink uint16

// cell is a character, in an ink or in two colours of a ramp.
type cell struct {
	r      rune
	ink    ink
	fg, bg uint8 // indices into ramp.colors
	ramped bool
}

// canvas is width x height cells, row 0 on top.
type canvas struct {
	width, height int
	ascii         bool
	ellipsis      rune
	cells         []cell
	inks          []inkCodes
	ramp          ramp // of cells in its colours
}

// inkCodes surround a run of cells of one style. They are computed once per style: lipgloss takes microseconds for a
// Render, and a picture has hundreds of runs.
type inkCodes struct{ before, after string }

func newCanvas(width, height int, th theme.Theme) *canvas {
	c := &canvas{width: width, height: height, ascii: th.ASCII, ellipsis: th.Glyphs.Ellipsis, inks: make([]inkCodes, 1)}
	c.cells = make([]cell, width*height)
	for i := range c.cells {
		c.cells[i].r = ' '
	}
	return c
}

// newInk registers a style of text: colours and attributes, no layout.
func (c *canvas) newInk(s lipgloss.Style) ink {
	const probe = "M"
	before, after, _ := strings.Cut(s.Inline(true).UnsetPadding().UnsetMargins().UnsetWidth().UnsetMaxWidth().UnsetTransform().Render(probe), probe)
	c.inks = append(c.inks, inkCodes{before, after})
	return ink(len(c.inks) - 1)
}

// set draws one cell; cells outside the canvas are dropped.
func (c *canvas) set(x, y int, r rune, k ink) {
	if x < 0 || x >= c.width || y < 0 || y >= c.height {
		return
	}
	c.cells[y*c.width+x] = cell{r: r, ink: k}
}

// at returns the character of a cell, 0 outside the canvas.
func (c *canvas) at(x, y int) rune {
	if x < 0 || x >= c.width || y < 0 || y >= c.height {
		return 0
	}
	return c.cells[y*c.width+x].r
}

// text draws s from column x on and returns the column after it.
func (c *canvas) text(x, y int, s string, k ink) int {
	for _, r := range printable(s, c.ascii) {
		c.set(x, y, r, k)
		x++
	}
	return x
}

// printable returns s as runes of one cell each. Wide characters become '?', in ASCII all characters but 0x20 to 0x7e.
func printable(s string, ascii bool) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range ansi.Strip(s) {
		switch {
		case r >= 0x20 && r <= 0x7e:
			out = append(out, r)
		case ascii:
			out = append(out, '?')
		default:
			switch ansi.StringWidth(string(r)) {
			case 0:
			case 1:
				out = append(out, r)
			default:
				out = append(out, '?')
			}
		}
	}
	return out
}

// shorten cuts s to at most width cells, the last one an ellipsis; no number is cut in two.
func (c *canvas) shorten(s string, width int) string {
	r := printable(s, c.ascii)
	if len(r) <= width {
		return string(r)
	}
	short := []rune(lines.Cut(string(r), width))
	if len(short) > 0 && string(short[len(short)-1]) == lines.Ellipsis {
		short[len(short)-1] = c.ellipsis
	}
	return string(short)
}

// String returns height lines of width cells, without a final newline. Every line starts and ends in the terminal's own
// colours.
func (c *canvas) String() string {
	var b strings.Builder
	b.Grow(len(c.cells)*2 + 64)
	p := brush{&b, c.ramp.colors, unset, unset}
	for y := range c.height {
		if y > 0 {
			b.WriteByte('\n')
		}
		row := c.cells[y*c.width : (y+1)*c.width]
		for i := 0; i < len(row); {
			if row[i].ramped {
				p.draw(row[i].r, int(row[i].fg), int(row[i].bg))
				i++
				continue
			}
			p.lift()
			k := row[i].ink
			b.WriteString(c.inks[k].before)
			for ; i < len(row) && row[i].ink == k && !row[i].ramped; i++ {
				b.WriteRune(row[i].r)
			}
			b.WriteString(c.inks[k].after)
		}
		p.lift()
	}
	return b.String()
}

// cellsOf returns the number of cells that s occupies.
func (c *canvas) cellsOf(s string) int { return len(printable(s, c.ascii)) }

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
	c.center(fmt.Sprintf("%s: %dx%d", picture, minWidth, minHeight), 0, 0, width, height, c.newInk(th.Muted))
	return c.String(), true
}
