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

// Characters that show two pixels.
const (
	upperHalf = '▀'
	lowerHalf = '▄'
	fullBlock = '█'
)

// halfBlock returns the character for two pixels and the steps of its two colours. They depend on nothing else, so that
// a change of the field changes no other cells, since only changed cells are sent to the terminal. If one step is even
// and the other odd, as in two pixels that differ by one step, the even one is the colour of the glyph: then the next
// cell of a smooth field usually shares a colour with it in the same role, and half as much is written. Two equal steps
// set the unused colour to the step below, for the same reason.
func halfBlock(upper, lower int) (glyph rune, fg, bg int) {
	even := func(step int) bool { return step%2 == 0 }
	if upper == lower {
		if upper == 0 {
			return fullBlock, 0, 1
		}
		if even(upper) {
			return fullBlock, upper, upper - 1
		}
		return ' ', upper - 1, upper
	}
	upperIsGlyph := even(upper)
	if even(upper) == even(lower) {
		upperIsGlyph = upper > lower
	}
	if upperIsGlyph {
		return upperHalf, upper, lower
	}
	return lowerHalf, lower, upper
}

// outside paints a cell of which a pixel is outside of the domain: the other one is half of the cell. It reports whether
// it did.
func (m mosaic) outside(x, y int, upper, lower float64) bool {
	above, below := math.IsNaN(upper), math.IsNaN(lower)
	switch {
	case above && below:
	case above != below && m.halves():
		inside := upper
		half := upperHalf
		if above {
			inside = lower
			half = lowerHalf
		}
		colour := m.fg[level(inside, len(m.fg))]
		m.set(x, y, half, ink{fg: colour})
	default:
		return false
	}
	return true
}

// mosaic is a canvas whose cells are painted in the steps of a scale from low to high. Steps are few, so that
// neighbours of nearly the same value share one and need no escape sequence.
type mosaic struct {
	*canvas
	fg, bg   []string // the colours as parameters of SGR; none without colour
	masked   bool     // pixels that are not finite are outside of the domain, and left blank
	textures []rune   // steps without colour
}

// newMosaic returns a canvas for values, or for signed values with zero in the middle of the middle step.
func newMosaic(c *canvas, signed bool) mosaic {
	m := mosaic{canvas: c, textures: c.theme.Glyphs.Shades}
	if signed {
		m.textures = c.theme.Glyphs.SignedShades
	}
	for _, c := range c.theme.Ramp(signed) {
		m.fg = append(m.fg, strings.Join(ansi.Style{}.ForegroundColor(c), ";"))
		m.bg = append(m.bg, strings.Join(ansi.Style{}.BackgroundColor(c), ";"))
	}
	return m
}

// halves reports whether a cell shows two pixels, one above the other.
func (m mosaic) halves() bool {
	return len(m.fg) > 0 && !m.theme.ASCII
}

// paint draws a cell from two fractions of the scale, NaN for values that are not finite. Without half-blocks both must
// be the same.
func (m mosaic) paint(x, y int, upper, lower float64) {
	if m.masked && m.outside(x, y, upper, lower) {
		return
	}
	if math.IsNaN(upper) || math.IsNaN(lower) {
		m.set(x, y, m.theme.Glyphs.Cross, inkOf(m.theme.Bad))
		return
	}
	colours := len(m.fg)
	if colours == 0 {
		texture := m.textures[level(upper, len(m.textures))]
		m.set(x, y, texture, ink{})
		return
	}
	if !m.halves() {
		step := level(upper, colours)
		m.set(x, y, ' ', ink{bg: m.bg[step]})
		return
	}
	glyph, fg, bg := halfBlock(level(upper, colours), level(lower, colours))
	m.set(x, y, glyph, ink{fg: m.fg[fg], bg: m.bg[bg]})
}
