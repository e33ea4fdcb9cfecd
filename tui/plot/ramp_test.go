// Colours differ for every eye and on every background.

package plot

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"rfm/tui/theme"
)

// linearLight returns the intensity of a component of sRGB, which has 16 bits.
func linearLight(s uint32) float64 {
	c := float64(s) / 0xffff
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// luminance returns the luminance of a colour relative to white.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return 0.2126*linearLight(r) + 0.7152*linearLight(g) + 0.0722*linearLight(b)
}

// lightness returns CIE L*, 0 to 100.
func lightness(c color.Color) float64 {
	const linearBelow = 216.0 / 24389
	if y := luminance(c); y > linearBelow {
		return 116*math.Cbrt(y) - 16
	} else {
		return y * 24389 / 27
	}
}

// ramps returns the colours of every ramp by a name.
func ramps() map[string][]color.Color {
	dark, light := theme.New(theme.Options{}), theme.New(theme.Options{Light: true})
	return map[string][]color.Color{
		"values, dark": newRamp(false, TrueColor, dark).colors, "values, light": newRamp(false, TrueColor, light).colors,
		"values, 256": newRamp(false, Palette256, dark).colors,
		"signed":      newRamp(true, TrueColor, dark).colors, "signed, 256": newRamp(true, Palette256, dark).colors,
	}
}

func TestLightnessIsMonotoneOnEachArm(t *testing.T) {
	for name, colors := range ramps() {
		top := len(colors) - 1
		if strings.HasPrefix(name, "signed") {
			top = len(colors) / 2
		}
		for i := 1; i < len(colors); i++ {
			if up := lightness(colors[i]) > lightness(colors[i-1]); up != (i <= top) {
				t.Errorf("%s: lightness %.1f after %.1f at step %d", name, lightness(colors[i]), lightness(colors[i-1]), i)
			}
		}
	}
}

// contrast returns the ratio of WCAG 2.1 between two luminances.
func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// A picture is an area, not a text: its edge has to be visible, also when a projector adds light.
func TestPictureStandsOutFromTheBackground(t *testing.T) {
	const least = 1.3 // of a large area; WCAG 2.1 asks 3 of small marks and 4.5 of text
	for _, c := range []struct {
		ramp       string
		background float64
	}{{"values, dark", 0}, {"values, light", 1}, {"signed", 0}, {"signed", 1}, {"values, 256", 0}, {"values, 256", 1},
		{"signed, 256", 0}, {"signed, 256", 1}} {
		for i, color := range ramps()[c.ramp] {
			if got := contrast(luminance(color), c.background); got < least {
				t.Errorf("%s: step %d has contrast %.2f with luminance %g, want %.1f", c.ramp, i, got, c.background, least)
			}
		}
	}
}

func TestTextOnARampHasContrast(t *testing.T) {
	const least = 3.8 // the better of black and white has 4.6 at worst; choosing by green alone loses a little
	for name, colors := range ramps() {
		for i, c := range colors {
			if got := contrast(luminance(onTop(c)), luminance(c)); got < least {
				t.Errorf("%s: text on step %d has contrast %.2f, want %.1f", name, i, got, least)
			}
		}
	}
}

// lab returns CIE L*a*b* (D65) of linear RGB.
func lab(c [3]float64) [3]float64 {
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
	y := f(0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2])
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func TestSignsDifferForEveryColourVision(t *testing.T) {
	const least = 20                     // CIE76; 2 is just noticeable
	visions := map[string][3][3]float64{ // Machado, Oliveira and Fernandes (2009), severity 1
		"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
	for vision, m := range visions {
		seen := func(c color.Color) (d [3]float64) {
			r, g, b, _ := c.RGBA()
			for j := range d {
				for k, s := range []uint32{r, g, b} {
					d[j] += m[j][k] * linearLight(s)
				}
				d[j] = max(0, d[j])
			}
			return lab(d)
		}
		for _, name := range []string{"signed", "signed, 256"} {
			colors := ramps()[name]
			for i := range len(colors) * 3 / 8 { // beyond a quarter of the scale
				a, b := seen(colors[i]), seen(colors[len(colors)-1-i])
				if d := floats.Distance(a[:], b[:], 2); d < least {
					t.Errorf("%s, %s: step %d and its opposite are %.0f apart", name, vision, i, d)
				}
			}
		}
	}
}
