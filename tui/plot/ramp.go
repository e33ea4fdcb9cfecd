// From values to cells: colour ramps, textures, and the fewest escape sequences that draw them.

package plot

import (
	"strconv"
	"strings"

	"rfm/model/report"
	"rfm/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// A ColorDepth is the set of colours that a heat map may use.
type ColorDepth uint8

const (
	TrueColor  ColorDepth = iota // 24 bits
	Palette256                   // the 256 colours of xterm; the first 16, which users redefine, are not used
	NoColor                      // characters only, also for terminals of 8 and 16 colours
)

// Colours of xterm's palette close to the ramps above, with monotone lightness on each arm.
var (
	viridis256   = [...]uint8{53, 54, 61, 30, 36, 72, 77, 113, 148, 184, 220}
	blueBrown256 = [...]uint8{25, 67, 74, 110, 152, 253, 187, 180, 172, 130, 94}
)

// A ramp is the steps of a scale from low to high. Steps are few, so that neighbours of nearly the same value share one
// and need no escape sequence.
type ramp struct {
	colors   []string // of the steps, then black and white: SGR parameters without the leading 3 or 4; none without colour
	white    []bool   // for each step: whether text on it is white rather than black
	textures []rune   // steps without colour
}

// Colours of text on a ramp, after its steps in ramp.colors.
const (
	black256 = 16
	white256 = 231
)

// steps returns the number of colours of the scale.
func (r ramp) steps() int { return len(r.white) }

// colored reports whether the ramp has colours.
func (r ramp) colored() bool { return len(r.white) > 0 }

// newRamp returns the ramp for values, or for signed values with zero in the middle of the middle step.
func newRamp(signed bool, depth ColorDepth, th theme.Theme) ramp {
	r := ramp{textures: th.Glyphs.Shades}
	if signed {
		r.textures = th.Glyphs.SignedShades
	}
	if th.NoColor || depth == NoColor {
		return r
	}
	const lightest = 118 // most green under white text; green is most of luminance
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
			steps = 31 // odd, so that zero has a step of its own
		}
		for _, c := range gradient(signed, th.Light, steps) {
			add("8;2;"+strconv.Itoa(int(c[0]))+";"+strconv.Itoa(int(c[1]))+";"+strconv.Itoa(int(c[2])), c[1])
		}
	}
	r.colors = append(r.colors, indexed(black256), indexed(white256))
	return r
}

// gradient returns the steps of a ramp in true colour. It omits the end of viridis that is hard to see against the
// background, above all on a washed out projector.
func gradient(signed, light bool, steps int) []report.RGB {
	if signed {
		return interpolated(report.BlueBrown, 0, 1, steps)
	}
	if light {
		return interpolated(report.Viridis, 0, 0.92, steps)
	}
	return interpolated(report.Viridis, 0.1, 1, steps)
}

// interpolated returns n colours of the polygon through knots, equally spaced from parameter a to b, where 0 is the
// first knot and 1 the last.
func interpolated(knots []report.RGB, a, b float64, n int) []report.RGB {
	out := make([]report.RGB, n)
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

// level returns the step of n that holds fraction t of a scale; t outside [0,1] is clipped. The shift keeps a constant
// field from flickering between two steps when sums are rounded.
func level(t float64, n int) int {
	const rounding = 1e-9
	return int(max(0, min(t*float64(n)+rounding, float64(n-1))))
}

// brush writes cells in the colours of a ramp, changing only the colours that differ from the last.
type brush struct {
	b      *strings.Builder
	colors []string
	fg, bg int // in use; unset for the terminal's own
}

const unset = -1

func (p *brush) draw(glyph rune, fg, bg int) {
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
	p.b.WriteRune(glyph)
}

// lift returns to the terminal's own colours.
func (p *brush) lift() {
	if p.fg != unset || p.bg != unset {
		p.b.WriteString("\x1b[m")
		p.fg, p.bg = unset, unset
	}
}
