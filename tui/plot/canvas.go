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

// canvas is width x height cells, row 0 on top. It has a buffer of its own because the cells of ultraviolet take eight
// times as many allocations.
type canvas struct {
	cells         []cell
	width, height int
	theme         theme.Theme
}

// cell is a character, 0 for a blank, in an ink. A wide character fills its cell and the next one, which is covered.
type cell struct {
	rune
	ink
}

// covered is the rune of a cell that the wide character before it fills.
const covered rune = -1

func newCanvas(width, height int, th theme.Theme) *canvas {
	return &canvas{
		cells:  make([]cell, max(0, width)*max(0, height)),
		width:  width,
		height: height,
		theme:  th,
	}
}

// ink is the parameters of SGR of a cell, empty for the terminal's own: attributes and colour of the character, and the
// colour behind it.
type ink struct{ fg, bg string }

// inkOf returns the colour and the attributes of a style of text, not its layout.
func inkOf(s lipgloss.Style) ink {
	before, _, _ := strings.Cut(s.Render("x"), "x")
	return ink{fg: strings.TrimSuffix(strings.TrimPrefix(before, "\x1b["), "m")}
}

// set draws one cell; cells outside the canvas are dropped. Of a wide character that loses one of its cells the other
// becomes blank.
func (c *canvas) set(x, y int, r rune, k ink) {
	if x < 0 || x >= c.width || y < 0 || y >= c.height {
		return
	}
	row := c.cells[y*c.width : (y+1)*c.width]
	if row[x].rune == covered {
		row[x-1] = cell{}
	}
	if x+1 < c.width && row[x+1].rune == covered {
		row[x+1] = cell{}
	}
	row[x] = cell{r, k}
}

// at returns a cell, a blank outside the canvas.
func (c *canvas) at(x, y int) cell {
	if x >= 0 && x < c.width && y >= 0 && y < c.height {
		return c.cells[y*c.width+x]
	}
	return cell{}
}

// text draws s from column x on and returns the column after it. A wide character that would stick out is left out.
func (c *canvas) text(x, y int, s string, k ink) int {
	for _, r := range printable(s, c.theme.ASCII) {
		wide := ansi.StringWidth(string(r)) > 1
		switch {
		case !wide:
			c.set(x, y, r, k)
			x++
		case x+1 < c.width:
			c.set(x, y, r, k)
			c.set(x+1, y, covered, k)
			x += 2
		}
	}
	return x
}

// printable returns s as runes of one or two cells each: in ASCII other characters than 0x20 to 0x7e become '?', and
// those without a width are left out.
func printable(s string, ascii bool) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range ansi.Strip(s) {
		if r >= 0x20 && r <= 0x7e {
			out = append(out, r)
			continue
		}
		if ascii {
			out = append(out, '?')
			continue
		}
		width := ansi.StringWidth(string(r))
		if width == 1 || width == 2 {
			out = append(out, r)
		}
	}
	return out
}

// shorten cuts s to at most width cells, the last one an ellipsis; no number is cut in two.
func (c *canvas) shorten(s string, width int) string {
	text := string(printable(s, c.theme.ASCII))
	if ansi.StringWidth(text) <= width {
		return text
	}
	return c.theme.Text(lines.Cut(text, max(0, width)))
}

// String returns height lines of width cells, without a final newline. Every line starts and ends in the terminal's own
// colours.
func (c *canvas) String() string {
	var b strings.Builder
	b.Grow(4 * len(c.cells))
	for y := range c.height {
		if y > 0 {
			b.WriteByte('\n')
		}
		pen := ink{}
		row := c.cells[y*c.width : (y+1)*c.width]
		for x, cell := range row {
			if cell.rune == covered {
				continue
			}
			if cell.ink != pen && !pen.returns(row[x:]) {
				pen = cell.ink
				pen.begin(&b)
			}
			b.WriteRune(max(cell.rune, ' '))
		}
		if pen != (ink{}) {
			ink{}.begin(&b)
		}
	}
	return b.String()
}

// returns reports whether the next cells are a few blanks, and then one with this ink. It need not be turned off for them
// if it is a colour of characters alone: twice its sequence is longer than the blanks.
func (k ink) returns(cells []cell) bool {
	const few = 8
	isColour := k.bg == "" && (strings.HasPrefix(k.fg, "3") || strings.HasPrefix(k.fg, "9"))
	if !isColour {
		return false
	}
	for _, next := range cells[:min(few, len(cells))] {
		if next != (cell{}) {
			return next.ink == k
		}
	}
	return false
}

// begin writes the sequence that turns everything off and this ink on.
func (k ink) begin(b *strings.Builder) {
	b.WriteString("\x1b[")
	for _, parameters := range []string{k.fg, k.bg} {
		if parameters != "" {
			b.WriteString(";" + parameters)
		}
	}
	b.WriteByte('m')
}

// cellsOf returns the number of cells that s occupies.
func (c *canvas) cellsOf(s string) int {
	return ansi.StringWidth(string(printable(s, c.theme.ASCII)))
}

// center writes as much of s as fits in the middle of width x height cells whose upper left cell is (left, top).
func (c *canvas) center(s string, left, top, width, height int, k ink) {
	s = c.shorten(s, width)
	column := left + (width-c.cellsOf(s))/2
	row := top + (height-1)/2
	c.text(column, row, s, k)
}

// The smallest plot that is drawn rather than refused, in cells.
const (
	minWidth  = 16
	minHeight = 4
)

// tooSmall reports whether a frame is too small for a picture; text is then a message that fits in the frame.
func tooSmall(picture string, width, height int, th theme.Theme) (text string, small bool) {
	small = width < minWidth || height < minHeight
	if small && width > 0 && height > 0 {
		c := newCanvas(width, height, th)
		c.center(fmt.Sprintf("%s: %dx%d", picture, minWidth, minHeight), 0, 0, width, height, inkOf(th.Muted))
		text = c.String()
	}
	return text, small
}
