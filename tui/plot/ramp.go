// From values to cells: colours, textures, and half-blocks, which show two pixels.

package plot

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// level returns the step of n that holds fraction t of a scale; t outside [0,1] is clipped. The shift keeps a constant
// field from flickering between two steps when sums are rounded.
func level(t float64, n int) int {
	step := t*float64(n) + rounding
	return int(max(0, min(step, float64(n-1))))
}

// outside draws a cell of which a pixel is outside of the domain: the other one, if it is inside, is half of the cell.
func (m mosaic) outside(x, y int, upper, lower float64) {
	inside := upper
	half := upperHalf
	if math.IsNaN(upper) {
		inside = lower
		half = lowerHalf
	}
	if math.IsNaN(inside) || !m.halves() {
		return
	}
	colour := m.fg[level(inside, len(m.fg))]
	m.set(x, y, half, ink{fg: colour})
}

// mosaic is a canvas whose cells are painted in the steps of a scale from low to high. Steps are few, so that
// neighbours of nearly the same value share one and need no escape sequence.
type mosaic struct {
	*canvas
	fg, bg   []string // the colours as parameters of SGR; none without colour
	masked   bool     // pixels that are not finite are outside of the domain, and left blank
	textures []rune   // steps without colour
}

// newMosaic returns a canvas for a picture of some rows of values, or of signed values with zero in the middle of the
// middle step.
func newMosaic(c *canvas, rows int, signed bool) mosaic {
	m := mosaic{canvas: c, textures: c.theme.Glyphs.Shades}
	if signed {
		m.textures = c.theme.Glyphs.SignedShades
	}
	for _, c := range c.theme.Ramp(signed, 2*rows) {
		m.fg = append(m.fg, strings.Join(ansi.Style{}.ForegroundColor(c), ";"))
		m.bg = append(m.bg, strings.Join(ansi.Style{}.BackgroundColor(c), ";"))
	}
	return m
}

// halves reports whether a cell shows two pixels, one above the other.
func (m mosaic) halves() bool {
	return len(m.fg) > 0 && !m.theme.ASCII
}

// row draws cells beside each other, each from two fractions of the scale, NaN for values that are not finite. Without
// half-blocks both must be the same.
func (m mosaic) row(x, y int, upper, lower []float64) {
	begin := 0 // of the cells with two values that are not drawn yet
	for i := range upper {
		if !math.IsNaN(upper[i]) && !math.IsNaN(lower[i]) {
			continue
		}
		m.finite(x+begin, y, upper[begin:i], lower[begin:i])
		m.lacking(x+i, y, upper[i], lower[i])
		begin = i + 1
	}
	m.finite(x+begin, y, upper[begin:], lower[begin:])
}

// lacking draws a cell of which a pixel has no value.
func (m mosaic) lacking(x, y int, upper, lower float64) {
	if m.masked {
		m.outside(x, y, upper, lower)
		return
	}
	m.set(x, y, m.theme.Glyphs.Cross, inkOf(m.theme.Bad))
}

// finite draws cells beside each other from two fractions of the scale.
func (m mosaic) finite(x, y int, upper, lower []float64) {
	colours := len(m.fg)
	switch {
	case colours == 0:
		for i, v := range upper {
			texture := m.textures[level(v, len(m.textures))]
			m.set(x+i, y, texture, ink{})
		}
	case !m.halves():
		for i, v := range upper {
			step := level(v, colours)
			m.set(x+i, y, ' ', ink{bg: m.bg[step]})
		}
	default:
		cells := make([]duo, len(upper))
		for i := range cells {
			cells[i].upper = level(upper[i], colours)
			cells[i].lower = level(lower[i], colours)
		}
		for i, t := range tints(cells) {
			m.set(x+i, y, t.glyph, m.inkOf(t))
		}
	}
}

// inkOf returns the parameters of a tint.
func (m mosaic) inkOf(t tint) ink {
	var k ink
	if t.fg != unset {
		k.fg = m.fg[t.fg]
	}
	if t.bg != unset {
		k.bg = m.bg[t.bg]
	}
	return k
}
