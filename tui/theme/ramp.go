package theme

import (
	"image/color"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/show/report"
)

// Colours of xterm's palette close to the ramps of the report, with monotone lightness on each arm; none of the first 16,
// which users redefine.
var (
	viridis256   = [...]ansi.IndexedColor{53, 54, 61, 30, 36, 72, 77, 113, 148, 184, 220}
	blueBrown256 = [...]ansi.IndexedColor{25, 67, 74, 110, 152, 253, 187, 180, 172, 130, 94}
)

// Ramp returns the colours of a scale of values, or of signed values with zero in the middle of the middle colour. It
// omits the end of viridis that is hard to see against the background, above all on a washed out projector. It is empty
// for terminals with 16 colours or fewer, which do not make a scale.
func (t Theme) Ramp(signed bool) (colors []color.Color) {
	knots, steps, lo, hi, palette := report.Viridis, 32, 0.1, 1.0, viridis256
	if t.Light {
		lo, hi = 0, 0.92
	}
	if signed {
		knots, steps, lo, hi, palette = report.BlueBrown, 31, 0, 1, blueBrown256 // odd: zero has a step of its own
	}
	switch {
	case t.Plain() || t.Profile < colorprofile.ANSI256:
	case t.Profile == colorprofile.ANSI256 || t.Coarse: // numbers of the palette take half the bytes
		for _, c := range palette {
			colors = append(colors, c)
		}
	default:
		for i := range steps {
			colors = append(colors, knots.At(lo+(hi-lo)*float64(i)/float64(steps-1)))
		}
	}
	return colors
}
