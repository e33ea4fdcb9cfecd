// Properties of every theme: contrast, distinct series and scales, and meaning without colour.

package theme

import (
	"image/color"
	"reflect"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"
)

// all returns one theme of each kind.
func all() map[string]Theme {
	return map[string]Theme{
		"dark":      New(Options{}),
		"light":     New(Options{Light: true}),
		"no colour": New(Options{NoColor: true}),
		"few":       New(Options{Profile: colorprofile.ASCII}),
		"ASCII":     New(Options{ASCII: true}),
		"plain":     New(Options{NoColor: true, ASCII: true}),
	}
}

// contrast returns the ratio of WCAG 2.1.
func contrast(a, b color.Color) float64 {
	luminance := func(c color.Color) float64 {
		made, _ := colorful.MakeColor(c)
		_, y, _ := made.Xyz()
		return y
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// styles returns every style of a theme by its field name.
func styles(t Theme) map[string]lipgloss.Style {
	out := map[string]lipgloss.Style{}
	v := reflect.ValueOf(t)
	for i := range v.NumField() {
		if s, ok := v.Field(i).Interface().(lipgloss.Style); ok {
			out[v.Type().Field(i).Name] = s
		}
	}
	return out
}

func colored(s lipgloss.Style) bool {
	_, none := s.GetForeground().(lipgloss.NoColor)
	return !none
}

// backgrounds returns black or white and the backgrounds of widespread terminal themes: xterm, VS Code, One Dark,
// Solarized, Gruvbox, Nord, Ubuntu, Dracula, Catppuccin.
func backgrounds(light bool) []string {
	if light {
		return []string{"#ffffff", "#fafafa", "#fdf6e3", "#fbf1c7", "#eeeeee", "#eff1f5"}
	}
	return []string{"#000000", "#1e1e1e", "#282c34", "#002b36", "#282828", "#2e3440", "#300a24", "#282a36"}
}

func TestTextHasContrast(t *testing.T) {
	const least = 4.5 // WCAG 2.1 AA for text
	for name, th := range all() {
		for _, background := range backgrounds(th.Light) {
			for field, s := range styles(th) {
				if !colored(s) {
					continue
				}
				shown := []color.Color{s.GetForeground()}
				if background == backgrounds(th.Light)[0] { // terminals of 256 colours show the nearest of their own
					shown = append(shown, colorprofile.ANSI256.Convert(s.GetForeground()))
				}
				for _, as := range shown {
					if c := contrast(as, lipgloss.Color(background)); c < least {
						t.Errorf("%s, %s on %s: contrast %.2f, want %.1f", name, field, background, c, least)
					}
				}
			}
		}
	}
}

// Text is sent in few bytes: its colours are numbers of the palette, but for the orange of light backgrounds.
func TestColoursOfTextAreNumbersOfThePalette(t *testing.T) {
	for _, light := range []bool{false, true} {
		th := New(Options{Profile: colorprofile.TrueColor, Light: light})
		for field, s := range styles(th) {
			if !colored(s) || light && field == "Prediction" {
				continue
			}
			if _, ok := s.GetForeground().(ansi.IndexedColor); !ok {
				t.Errorf("light %t: %s is sent as %v", light, field, s.GetForeground())
			}
		}
	}
}

// With 16 colours input, truth, prediction, error and published values have one each, which muted text does not use.
func TestSixteenColoursTellSeriesApart(t *testing.T) {
	for _, light := range []bool{false, true} {
		th, seen := New(Options{Profile: colorprofile.ANSI, Light: light}), map[color.Color]bool{}
		series := []lipgloss.Style{th.Input, th.Truth, th.Prediction, th.Error, th.Published, th.Muted}
		for _, s := range series {
			if seen[s.GetForeground()] {
				t.Errorf("light %v: colour %v stands for two things", light, s.GetForeground())
			}
			seen[s.GetForeground()] = true
		}
	}
}

// simulations map linear RGB to the perception of a dichromat: Machado, Oliveira and Fernandes (2009), severity 1.
func simulations() map[string][3][3]float64 {
	return map[string][3][3]float64{
		"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
}

// distance returns CIE76 between two colours after m; 2 is just noticeable.
func distance(a, b color.Color, m [3][3]float64) float64 {
	seen := func(c color.Color) colorful.Color {
		made, _ := colorful.MakeColor(c)
		r, g, b := made.LinearRgb()
		of := func(row [3]float64) float64 { return max(0, row[0]*r+row[1]*g+row[2]*b) }
		return colorful.LinearRgb(of(m[0]), of(m[1]), of(m[2]))
	}
	return 100 * seen(a).DistanceCIE76(seen(b))
}

func TestSeriesDifferForEveryColourVision(t *testing.T) {
	const (
		least     = 10 // thin lines need several times the difference of areas
		leastPair = 60 // truth and prediction lie on top of each other
	)
	for name, th := range all() {
		if th.Plain() {
			continue
		}
		series := []lipgloss.Style{th.Truth, th.Prediction, th.Input, th.Error, th.Published}
		for vision, m := range simulations() {
			for i, a := range series {
				for j, b := range series[:i] {
					want := float64(least)
					if i == 1 && j == 0 {
						want = leastPair
					}
					x, y := a.GetForeground(), b.GetForeground()
					if d := distance(x, y, m); d < want {
						t.Errorf("%s, %s: series %d and %d are %.0f apart, want %.0f", name, vision, j, i, d, want)
					}
					if d := distance(colorprofile.ANSI256.Convert(x), colorprofile.ANSI256.Convert(y), m); d < least {
						t.Errorf("%s, %s, 256 colours: series %d and %d are %.0f apart, want %d", name, vision, j, i, d, least)
					}
				}
			}
		}
	}
}

// The colour of published values, and that of the truth, mean nothing else: neither titles nor warnings have them.
func TestColoursOfPublishedValuesAndOfTheTruthMeanNothingElse(t *testing.T) {
	for _, o := range []Options{{}, {Light: true}, {Profile: colorprofile.ANSI}, {Profile: colorprofile.ANSI, Light: true}} {
		th := New(o)
		for field, s := range styles(th) {
			for reserved, of := range map[string]lipgloss.Style{"Published": th.Published, "Truth": th.Truth} {
				if field != reserved && s.GetForeground() == of.GetForeground() {
					t.Errorf("%+v: %s has the colour of %s", o, field, reserved)
				}
			}
		}
	}
}

func TestNoColourMeansNoColour(t *testing.T) {
	for _, name := range []string{"no colour", "plain"} {
		for field, s := range styles(all()[name]) {
			if colored(s) {
				t.Errorf("%s: %s has a colour", name, field)
			}
		}
	}
}

func TestStateShowsWithoutColour(t *testing.T) {
	th := New(Options{NoColor: true})
	for name, pair := range map[string][2]lipgloss.Style{
		"focus and value": {th.Focus, th.Value}, "focus and label": {th.Focus, th.Label},
		"current and finished step": {th.StepCurrent, th.StepDone}, "finished step and step to come": {th.StepDone, th.StepTodo},
		"good and bad": {th.Good, th.Bad}, "warn and bad": {th.Warn, th.Bad}, "good and warn": {th.Good, th.Warn},
	} {
		if pair[0].Render("x") == pair[1].Render("x") {
			t.Errorf("%s look the same", name)
		}
	}
}

// glyphs returns every glyph of a theme, slices included.
func glyphs(t Theme) (out []rune) {
	v := reflect.ValueOf(t.Glyphs)
	for i := range v.NumField() {
		switch g := v.Field(i).Interface().(type) {
		case rune:
			out = append(out, g)
		case []rune:
			out = append(out, g...)
		}
	}
	return out
}

func TestGlyphsAreOneCell(t *testing.T) {
	for name, th := range all() {
		for _, g := range glyphs(th) {
			if ansi.StringWidth(string(g)) != 1 || th.ASCII && (g < 0x20 || g > 0x7e) {
				t.Errorf("%s: %q is not one cell, or not ASCII", name, g)
			}
		}
		if g := th.Glyphs; g.Done == g.Current || g.Current == g.Todo || g.Done == g.Todo {
			t.Errorf("%s: steps are %q %q %q", name, g.Done, g.Current, g.Todo)
		}
	}
}

// ramps returns the colours of every ramp by a name.
func ramps() map[string][]color.Color {
	dark, few := Options{Profile: colorprofile.TrueColor}, Options{Profile: colorprofile.ANSI256}
	light := Options{Profile: colorprofile.TrueColor, Light: true}
	const pixels = 100
	return map[string][]color.Color{
		"values, dark":  New(dark).Ramp(false, pixels),
		"values, light": New(light).Ramp(false, pixels),
		"values, 256":   New(few).Ramp(false, pixels),
		"signed":        New(dark).Ramp(true, pixels),
		"signed, small": New(dark).Ramp(true, 1),
		"signed, 256":   New(few).Ramp(true, pixels),
	}
}

func TestMapsHaveColoursThatMakeAScale(t *testing.T) {
	for _, c := range []struct {
		of     Options
		pixels int
		want   int
	}{
		{Options{}, 40, 0},
		{Options{Profile: colorprofile.TrueColor}, 40, 32},
		{Options{Profile: colorprofile.TrueColor}, 20, 20},
		{Options{Profile: colorprofile.TrueColor}, 8, 16},
		{Options{Profile: colorprofile.ANSI256}, 40, len(viridis256)},
		{Options{Profile: colorprofile.ANSI}, 40, 0},
		{Options{Profile: colorprofile.ASCII}, 40, 0},
		{Options{Profile: colorprofile.TrueColor, NoColor: true}, 40, 0},
	} {
		if got := len(New(c.of).Ramp(false, c.pixels)); got != c.want {
			t.Errorf("%+v: %d colours, want %d", c.of, got, c.want)
		}
	}
}

func TestLightnessIsMonotoneOnEachArm(t *testing.T) {
	lightness := func(c color.Color) float64 { // CIE L*
		made, _ := colorful.MakeColor(c)
		l, _, _ := made.Lab()
		return 100 * l
	}
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

// A picture is an area, not a text: its edge has to be visible, also when a projector adds light.
func TestPictureStandsOutFromTheBackground(t *testing.T) {
	const least = 1.3 // of a large area; WCAG 2.1 asks 3 of small marks and 4.5 of text
	grounds := map[string][]color.Color{"values, dark": {color.Black}, "values, light": {color.White}}
	for name, colors := range ramps() {
		on := grounds[name]
		if on == nil {
			on = []color.Color{color.Black, color.White}
		}
		for i, c := range colors {
			for _, background := range on {
				if got := contrast(c, background); got < least {
					t.Errorf("%s: step %d has contrast %.2f with %v, want %.1f", name, i, got, background, least)
				}
			}
		}
	}
}

func TestSignsDifferForEveryColourVision(t *testing.T) {
	const least = 20 // CIE76; 2 is just noticeable
	for vision, m := range simulations() {
		for _, name := range []string{"signed", "signed, 256"} {
			colors := ramps()[name]
			for i := range len(colors) * 3 / 8 { // beyond a quarter of the scale
				if d := distance(colors[i], colors[len(colors)-1-i], m); d < least {
					t.Errorf("%s, %s: step %d and its opposite are %.0f apart", name, vision, i, d)
				}
			}
		}
	}
}
