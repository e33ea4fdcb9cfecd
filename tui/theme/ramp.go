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

// Ramp returns the colours of a scale of values, or of signed values with zero in the middle of the middle colour, for a
// picture that is some pixels high: as many steps as the bar beside it can show. A small picture has fewer, because
// neighbours of the same colour take no bytes. The ramp omits the end of viridis that is hard to see against the
// background, above all on a washed out projector. It is empty for terminals with 16 colours or fewer, which do not make
// a scale.
func (t Theme) Ramp(signed bool, pixels int) (colors []color.Color) {
	const fewest, most = 16, 32
	r := ramp{
		knots:   report.Viridis,
		steps:   max(fewest, min(pixels, most)),
		first:   0.1,
		last:    1,
		palette: viridis256,
	}
	if t.Light {
		r.first = 0
		r.last = 0.92
	}
	if signed {
		r.knots = report.BlueBrown
		r.steps -= 1 - r.steps%2 // so that zero has a colour of its own
		r.first = 0
		r.last = 1
		r.palette = blueBrown256
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
	steps   int     // number of colours
	first   float64 // part of the scale
	last    float64
	palette [11]ansi.IndexedColor // the colours of a terminal that has 256
}
