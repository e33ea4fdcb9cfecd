// Pixels of heat maps: one or two in a cell.

package plot

import "rfm/tui/theme"

// Characters that show two pixels.
const (
	upperHalf = '▀'
	lowerHalf = '▄'
	fullBlock = '█'
)

// ramped returns a character in two colours of a ramp.
func ramped(glyph rune, fg, bg uint8) cell { return cell{r: glyph, fg: fg, bg: bg, ramped: true} }

// halfBlock returns the cell for two pixels. It depends on nothing else, so that a change of the field changes no other
// cells, since only changed cells are sent to the terminal. If one step is even and the other odd, as in two pixels
// that differ by one step, the even one is the colour of the glyph: then the next cell of a smooth field usually shares
// a colour with it in the same role, and half as much is written. Two equal steps set the unused colour to the step
// below, for the same reason.
func halfBlock(upper, lower uint8) cell {
	even := func(step uint8) bool { return step%2 == 0 }
	switch {
	case upper == 0 && lower == 0:
		return ramped(fullBlock, 0, 1)
	case upper == lower && even(upper):
		return ramped(fullBlock, upper, upper-1)
	case upper == lower:
		return ramped(' ', upper-1, upper)
	case even(upper) && !even(lower), even(upper) == even(lower) && upper > lower:
		return ramped(upperHalf, upper, lower)
	}
	return ramped(lowerHalf, lower, upper)
}

// mosaic is a canvas whose cells are painted in the colours of its ramp.
type mosaic struct {
	*canvas
	cross rune // glyph of values that are not finite
	bad   ink
}

func newMosaic(c *canvas, r ramp, th theme.Theme) *mosaic {
	c.ramp = r
	return &mosaic{canvas: c, cross: th.Glyphs.Cross, bad: c.newInk(th.Bad)}
}

// halves reports whether a cell shows two pixels, one above the other.
func (m *mosaic) halves() bool { return m.ramp.colored() && !m.ascii }

// paint draws a cell from two fractions of the scale, NaN for values that are not finite. Without half-blocks both must
// be the same.
func (m *mosaic) paint(x, y int, upper, lower float64) {
	n := m.ramp.steps()
	switch {
	case upper != upper || lower != lower:
		m.set(x, y, m.cross, m.bad)
	case !m.ramp.colored():
		m.set(x, y, m.texture(upper), 0)
	case m.ascii:
		m.write(x, y, m.texture(upper), level(upper, n))
	default:
		m.cells[y*m.width+x] = halfBlock(uint8(level(upper, n)), uint8(level(lower, n)))
	}
}

func (m *mosaic) texture(t float64) rune {
	return m.ramp.textures[level(t, len(m.ramp.textures))]
}

// write draws a character, black or white, on a step of the ramp.
func (m *mosaic) write(x, y int, glyph rune, step int) {
	text := m.ramp.steps()
	if m.ramp.white[step] {
		text++
	}
	m.cells[y*m.width+x] = ramped(glyph, uint8(text), uint8(step))
}

// over draws a character on the lower pixel of a cell that shows two.
func (m *mosaic) over(x, y int, glyph rune) {
	switch s := m.cells[y*m.width+x]; s.r {
	case upperHalf, ' ':
		m.write(x, y, glyph, int(s.bg))
	case lowerHalf, fullBlock:
		m.write(x, y, glyph, int(s.fg))
	}
}
