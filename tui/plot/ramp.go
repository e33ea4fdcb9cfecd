// From a value to what a cell shows: colour ramps, textures, and the fewest
// escape sequences that draw them.

package plot

import (
	"strconv"
	"strings"

	"rfm/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// A ColorDepth says which colours a heat map may use.
type ColorDepth uint8

const (
	TrueColor  ColorDepth = iota // 24 bits
	Palette256                   // the 256 colours of xterm; the first 16, which users redefine, are not used
	NoColor                      // characters only, also for terminals of 8 and 16 colours
)

type rgb [3]uint8

// viridis is the colour map of Smith and van der Walt (2015), every tenth of it:
// perceptually uniform, with increasing lightness for all kinds of colour vision.
var viridis = [...]rgb{
	{0x44, 0x01, 0x54}, {0x48, 0x24, 0x75}, {0x41, 0x44, 0x87}, {0x35, 0x5f, 0x8d}, {0x2a, 0x78, 0x8e}, {0x21, 0x91, 0x8c},
	{0x22, 0xa8, 0x84}, {0x44, 0xbf, 0x70}, {0x7a, 0xd1, 0x51}, {0xbd, 0xdf, 0x26}, {0xfd, 0xe7, 0x25},
}

// blueBrown has CIE lightness 33, 46, 60, 74 and 87 on both sides of a grey that
// stands out from white and from black; blue against brown is safe for all
// dichromats.
var blueBrown = [...]rgb{
	{0x00, 0x4f, 0x93}, {0x1b, 0x70, 0xb7}, {0x5c, 0x95, 0xcc}, {0x98, 0xba, 0xd9}, {0xda, 0xda, 0xda},
	{0xd4, 0xaf, 0x89}, {0xc1, 0x84, 0x45}, {0xa4, 0x5a, 0x1f}, {0x7e, 0x3a, 0x11},
}

// The members of xterm's palette close to the ramps above whose lightness is
// monotone on each arm.
var (
	viridis256   = [...]uint8{53, 54, 61, 30, 36, 72, 77, 113, 148, 184, 220}
	blueBrown256 = [...]uint8{25, 67, 74, 110, 152, 253, 187, 180, 172, 130, 94}
)

// A ramp is the steps of a scale from low to high. Steps are few, so that
// neighbours of nearly the same value share one and need no escape sequence.
type ramp struct {
	colors   []string // of the steps, then black and white: SGR parameters without the leading 3 or 4; none without colour
	white    []bool   // of each step: whether text on it is white, else black
	textures []rune   // steps without colour
}

// Colours of text on a ramp, behind its steps in ramp.colors.
const (
	black256 = 16
	white256 = 231
)

// steps is the number of colours of the scale.
func (r ramp) steps() int { return len(r.white) }

// colored reports whether the ramp has colours.
func (r ramp) colored() bool { return len(r.white) > 0 }

// newRamp returns the ramp for values, or for signed values with zero in the
// middle of the middle step.
func newRamp(signed bool, depth ColorDepth, th theme.Theme) ramp {
	r := ramp{textures: th.Glyphs.Shades}
	if signed {
		r.textures = th.Glyphs.SignedShades
	}
	if th.NoColor || depth == NoColor {
		return r
	}
	const lightest = 118 // green under white text; green is most of luminance
	add := func(parameters string, green uint8) {
		r.colors = append(r.colors, parameters)
		r.white = append(r.white, green <= lightest)
	}
	if depth == Palette256 {
		palette := viridis256[:]
		if signed {
			palette = blueBrown256[:]
		}
		for _, c := range palette {
			_, green, _, _ := ansi.IndexedColor(c).RGBA()
			add(indexed(c), uint8(green>>8))
		}
	} else {
		steps := 32
		if signed {
			steps = 31 // zero has one of its own
		}
		for _, c := range gradient(signed, th.Light, steps) {
			add("8;2;"+strconv.Itoa(int(c[0]))+";"+strconv.Itoa(int(c[1]))+";"+strconv.Itoa(int(c[2])), c[1])
		}
	}
	r.colors = append(r.colors, indexed(black256), indexed(white256))
	return r
}

// gradient returns the steps of a ramp in true colour. The end of viridis that
// the background would swallow, on a washed out projector above all, is left out.
func gradient(signed, light bool, steps int) []rgb {
	if signed {
		return interpolated(blueBrown[:], 0, 1, steps)
	}
	if light {
		return interpolated(viridis[:], 0, 0.92, steps)
	}
	return interpolated(viridis[:], 0.1, 1, steps)
}

// interpolated returns n colours of the polygon through knots, equally spaced
// from parameter a to b, where 0 is the first knot and 1 the last.
func interpolated(knots []rgb, a, b float64, n int) []rgb {
	out := make([]rgb, n)
	for i := range out {
		t := (a + (b-a)*float64(i)/float64(n-1)) * float64(len(knots)-1)
		k := min(int(t), len(knots)-2)
		t -= float64(k)
		for c := range out[i] {
			out[i][c] = uint8((1-t)*float64(knots[k][c]) + t*float64(knots[k+1][c]) + 0.5)
		}
	}
	return out
}

// indexed returns the SGR parameters of a colour of xterm's palette.
func indexed(c uint8) string { return "8;5;" + strconv.Itoa(int(c)) }

// level returns the step of n that holds fraction t of a scale; t outside [0,1]
// is clipped. A constant field must not flicker between two steps when sums are
// rounded, hence the shift.
func level(t float64, n int) int {
	const rounding = 1e-9
	return int(max(0, min(t*float64(n)+rounding, float64(n-1))))
}

// A swatch is a coloured cell of a mosaic: colours of the glyph and behind it,
// indices into ramp.colors. No glyph means that the canvas shows.
type swatch struct {
	glyph  rune
	fg, bg uint8
}

// Characters that show two pixels.
const (
	upperHalf = '▀'
	lowerHalf = '▄'
	fullBlock = '█'
)

// halfBlock returns the swatch for two pixels. It depends on nothing else, so that
// a change of the field changes no other cells, which are what goes to the
// terminal. If one step is even and the other odd, as in two pixels that differ
// by one step, the even one is the colour of the glyph: then the next cell of a
// smooth field usually has one of the two colours in the same place, and half as
// much is written. Two equal steps set the colour that they do not show to the step
// below, for the same reason.
func halfBlock(upper, lower uint8) swatch {
	even := func(step uint8) bool { return step%2 == 0 }
	switch {
	case upper == 0 && lower == 0:
		return swatch{fullBlock, 0, 1}
	case upper == lower && even(upper):
		return swatch{fullBlock, upper, upper - 1}
	case upper == lower:
		return swatch{' ', upper - 1, upper}
	case even(upper) && !even(lower), even(upper) == even(lower) && upper > lower:
		return swatch{upperHalf, upper, lower}
	}
	return swatch{lowerHalf, lower, upper}
}

// mosaic is a canvas with a layer of swatches over it.
type mosaic struct {
	*canvas
	ramp     ramp
	swatches []swatch
	cross    rune // what is not finite
	bad      ink
}

func newMosaic(c *canvas, r ramp, th theme.Theme) *mosaic {
	return &mosaic{canvas: c, ramp: r, swatches: make([]swatch, len(c.cells)), cross: th.Glyphs.Cross,
		bad: c.newInk(th.Bad)}
}

// halves reports whether a cell shows two pixels, one above the other.
func (m *mosaic) halves() bool { return m.ramp.colored() && !m.ascii }

// paint draws a cell from two fractions of the scale, NaN for what is not
// finite. Without half-blocks both must be the same.
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
		m.swatches[y*m.width+x] = halfBlock(uint8(level(upper, n)), uint8(level(lower, n)))
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
	m.swatches[y*m.width+x] = swatch{glyph, uint8(text), uint8(step)}
}

// over draws a character on the lower pixel of a cell that shows two.
func (m *mosaic) over(x, y int, glyph rune) {
	switch s := m.swatches[y*m.width+x]; s.glyph {
	case upperHalf, ' ':
		m.write(x, y, glyph, int(s.bg))
	case lowerHalf, fullBlock:
		m.write(x, y, glyph, int(s.fg))
	}
}

// String returns height lines of width cells, without a final newline. Every
// line starts and ends in the terminal's own colours.
func (m *mosaic) String() string {
	var b strings.Builder
	b.Grow(len(m.cells) * 8)
	for y := range m.height {
		if y > 0 {
			b.WriteByte('\n')
		}
		p := newBrush(&b, m.ramp.colors)
		for x := 0; x < m.width; {
			at := y*m.width + x
			if s := m.swatches[at]; s.glyph != 0 {
				p.draw(s)
				x++
				continue
			}
			p.lift()
			k := m.cells[at].ink
			b.WriteString(m.inks[k].before)
			for ; x < m.width && m.cells[at].ink == k && m.swatches[at].glyph == 0; x, at = x+1, at+1 {
				b.WriteRune(m.cells[at].r)
			}
			b.WriteString(m.inks[k].after)
		}
		p.lift()
	}
	return b.String()
}

// brush writes swatches, changing only the colours that differ from the last.
type brush struct {
	b      *strings.Builder
	colors []string
	fg, bg int // in use; unset for the terminal's own
}

const unset = -1

func newBrush(b *strings.Builder, colors []string) brush { return brush{b, colors, unset, unset} }

func (p *brush) draw(s swatch) {
	fg, bg := int(s.fg), int(s.bg)
	start := "\x1b["
	if fg != p.fg {
		p.b.WriteString(start)
		p.b.WriteByte('3')
		p.b.WriteString(p.colors[fg])
		start = ";"
	}
	if bg != p.bg {
		p.b.WriteString(start)
		p.b.WriteByte('4')
		p.b.WriteString(p.colors[bg])
	}
	if fg != p.fg || bg != p.bg {
		p.b.WriteByte('m')
		p.fg, p.bg = fg, bg
	}
	p.b.WriteRune(s.glyph)
}

// lift returns to the terminal's own colours.
func (p *brush) lift() {
	if p.fg != unset || p.bg != unset {
		p.b.WriteString("\x1b[m")
		p.fg, p.bg = unset, unset
	}
}
