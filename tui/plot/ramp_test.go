// Colours differ for every eye and on every background.

package plot

import (
	"image/color"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/lucasb-eyer/go-colorful"

	"rfm/tui/theme"
)

// luminance returns the luminance of a colour relative to white.
func luminance(c color.Color) float64 {
	made, _ := colorful.MakeColor(c)
	_, y, _ := made.Xyz()
	return y
}

// lightness returns CIE L*, 0 to 100.
func lightness(c color.Color) float64 {
	made, _ := colorful.MakeColor(c)
	l, _, _ := made.Lab()
	return 100 * l
}

// ramps returns the colours of every ramp by a name.
func ramps() map[string][]color.Color {
	ramp := func(signed bool, o theme.Options) []color.Color { return newRamp(signed, theme.New(o)).colors }
	dark := theme.Options{Profile: colorprofile.TrueColor}
	light := theme.Options{Profile: colorprofile.TrueColor, Light: true}
	few := theme.Options{Profile: colorprofile.ANSI256}
	return map[string][]color.Color{"values, dark": ramp(false, dark), "values, light": ramp(false, light),
		"values, 256": ramp(false, few), "signed": ramp(true, dark), "signed, 256": ramp(true, few)}
}

func TestMapsHaveColoursThatMakeAScale(t *testing.T) {
	for _, c := range []struct {
		of   theme.Options
		want int
	}{
		{theme.Options{}, 0},
		{theme.Options{Profile: colorprofile.TrueColor}, 32},
		{theme.Options{Profile: colorprofile.ANSI256}, len(viridis256)},
		{theme.Options{Profile: colorprofile.ANSI}, 0},
		{theme.Options{Profile: colorprofile.ASCII}, 0},
		{theme.Options{Profile: colorprofile.TrueColor, NoColor: true}, 0},
	} {
		if got := len(newRamp(false, theme.New(c.of)).colors); got != c.want {
			t.Errorf("%+v: %d colours, want %d", c.of, got, c.want)
		}
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

func TestSignsDifferForEveryColourVision(t *testing.T) {
	const least = 20                     // CIE76; 2 is just noticeable
	visions := map[string][3][3]float64{ // Machado, Oliveira and Fernandes (2009), severity 1
		"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
	for vision, m := range visions {
		seen := func(c color.Color) colorful.Color {
			made, _ := colorful.MakeColor(c)
			r, g, b := made.LinearRgb()
			of := func(row [3]float64) float64 { return max(0, row[0]*r+row[1]*g+row[2]*b) }
			return colorful.LinearRgb(of(m[0]), of(m[1]), of(m[2]))
		}
		for _, name := range []string{"signed", "signed, 256"} {
			colors := ramps()[name]
			for i := range len(colors) * 3 / 8 { // beyond a quarter of the scale
				a, b := seen(colors[i]), seen(colors[len(colors)-1-i])
				if d := 100 * a.DistanceCIE76(b); d < least {
					t.Errorf("%s, %s: step %d and its opposite are %.0f apart", name, vision, i, d)
				}
			}
		}
	}
}
