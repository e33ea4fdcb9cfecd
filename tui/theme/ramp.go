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
	r := ramp{knots: report.Viridis, steps: 32, first: 0.1, last: 1, palette: viridis256}
	if t.Light {
		r.first = 0
		r.last = 0.92
	}
	if signed {
		r = ramp{knots: report.BlueBrown, steps: 31, first: 0, last: 1, palette: blueBrown256}
	}
	switch {
	case t.Plain() || t.Profile < colorprofile.ANSI256:
	case t.Profile == colorprofile.ANSI256 || t.Coarse: // numbers of the palette take half the bytes
		for _, c := range r.palette {
			colors = append(colors, c)
		}
	default:
		length := r.last - r.first
		for i := range r.steps {
			at := r.first + length*float64(i)/float64(r.steps-1)
			colors = append(colors, r.knots.At(at))
		}
	}
	return colors
}

// A ramp is a part of a scale of colours.
type ramp struct {
	knots   report.Ramp
	steps   int     // number of colours; odd where zero has one of its own
	first   float64 // part of the scale
	last    float64
	palette [11]ansi.IndexedColor // the colours of a terminal that has 256
}
