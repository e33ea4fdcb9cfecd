// Package theme says how rfm looks: what each kind of text means is a field of
// [Theme], and its colour, weight and glyphs follow from the terminal at hand.
//
// Nothing that matters is said by colour alone. Every state has a glyph or an
// attribute (bold, reverse, underline) too, so that a screen can be read
// without colour, and in plain ASCII.
package theme

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Options describes the terminal a theme is made for.
type Options struct {
	NoColor bool // no colours; emphasis by bold, faint, underline and reverse
	ASCII   bool // glyphs are single bytes 0x20 to 0x7e
	Light   bool // the background is light

	HighContrast bool // colours that a projector in a bright room still shows
	Curves       Curves
}

// Curves are the characters that curves are drawn with.
type Curves uint8

// The zero value is right for every font that has box drawing; a theme for ASCII has curves in ASCII whatever is asked.
const (
	LineCurves    Curves = iota // ╭─╮
	BrailleCurves               // dots, 2 x 4 a cell: the font must have U+2800 to U+28FF
	ASCIICurves                 // .-.
)

// String is the name of the curves, as ParseCurves reads it.
func (c Curves) String() string {
	return [...]string{LineCurves: "line", BrailleCurves: "braille", ASCIICurves: "ascii"}[c]
}

// Next is the curves to change to from these, round about: braille, line, ascii.
func (c Curves) Next() Curves {
	return [...]Curves{BrailleCurves: LineCurves, LineCurves: ASCIICurves, ASCIICurves: BrailleCurves}[c]
}

// ParseCurves is the curves called name: braille, line or ascii.
func ParseCurves(name string) (Curves, bool) {
	c, ok := map[string]Curves{"braille": BrailleCurves, "line": LineCurves, "ascii": ASCIICurves}[name]
	return c, ok
}

// A Theme is the styles and glyphs that all screens share. It
// is a plain value: copy it, do not modify it. The zero Theme has no glyphs
// and cannot be drawn with; use [New].
type Theme struct {
	Options // what the theme was made for

	Title lipgloss.Style // heading of a screen, a panel or a plot

	StepDone    lipgloss.Style // header: a step that is finished
	StepCurrent lipgloss.Style // header: the step on screen
	StepTodo    lipgloss.Style // header: a step still to come

	Key  lipgloss.Style // footer: a key
	Desc lipgloss.Style // footer: what the key does

	Label lipgloss.Style // name of a quantity
	Value lipgloss.Style // its value
	Unit  lipgloss.Style // its unit
	Muted lipgloss.Style // axes, hints, whatever the eye should pass over
	Focus lipgloss.Style // the selected field or row

	Good lipgloss.Style // finished, within tolerance
	Warn lipgloss.Style // works, but look
	Bad  lipgloss.Style // failed, invalid

	Border lipgloss.Style // the lines of a box

	// Series of a plot. The colours differ for dichromats of all three kinds,
	// truth and prediction most; plots add pens and marks.
	Input      lipgloss.Style // input function a
	Truth      lipgloss.Style // solver's output u
	Prediction lipgloss.Style // model's output F(a)
	Error      lipgloss.Style // |u - F(a)|, error norms
	Published  lipgloss.Style // the paper's values

	Glyphs Glyphs
}

// New returns the theme for a terminal described by o. It is a pure function.
func New(o Options) Theme {
	t := Theme{Options: o, Glyphs: unicodeGlyphs()}
	if o.ASCII {
		t.Curves = ASCIICurves
		t.Glyphs = asciiGlyphs()
	}

	plain := lipgloss.NewStyle()
	bold := plain.Bold(true)

	t.Title = bold
	t.StepDone = plain
	t.StepCurrent = bold.Reverse(true)
	t.StepTodo = plain
	t.Key = bold
	t.Desc = plain
	t.Label = plain
	t.Value = bold
	t.Unit = plain
	t.Muted = plain
	t.Focus = bold.Reverse(true)
	t.Good = plain
	t.Warn = bold
	t.Bad = bold.Underline(true)
	t.Border = plain
	t.Input = plain
	t.Truth = plain
	t.Prediction = bold
	t.Error = plain
	t.Published = bold
	if o.NoColor {
		t.StepTodo = plain.Faint(true)
		return t
	}

	c := palette(o)
	paint := func(s *lipgloss.Style, hex string) { *s = s.Foreground(lipgloss.Color(hex)) }
	paint(&t.Title, c.accent)
	paint(&t.StepDone, c.good)
	paint(&t.StepCurrent, c.accent)
	paint(&t.StepTodo, c.muted)
	paint(&t.Key, c.accent)
	paint(&t.Desc, c.muted)
	paint(&t.Unit, c.muted)
	paint(&t.Muted, c.muted)
	paint(&t.Focus, c.accent)
	paint(&t.Good, c.good)
	paint(&t.Warn, c.warn)
	paint(&t.Bad, c.bad)
	paint(&t.Border, c.muted)
	paint(&t.Input, c.input)
	paint(&t.Truth, c.truth)
	paint(&t.Prediction, c.prediction)
	paint(&t.Error, c.failure)
	paint(&t.Published, c.published)
	return t
}

// Text is a text with the ellipsis of the theme for that of Unicode.
func (t Theme) Text(text string) string {
	if !t.ASCII {
		return text
	}
	return strings.ReplaceAll(text, string(unicodeGlyphs().Ellipsis), string(t.Glyphs.Ellipsis))
}

// colours holds sRGB values "#rrggbb" by what they are used for.
type colours struct {
	accent, muted, good, warn, bad string

	input, truth, prediction, failure, published string
}

// palette is the colours for a background. Text has a contrast of at least 4.5:1 with every usual background of its
// kind, with high contrast 7:1 with black or white.
func palette(o Options) colours {
	switch {
	case o.Light && o.HighContrast:
		return lightStrongColours()
	case o.Light:
		return lightColours()
	case o.HighContrast:
		return darkStrongColours()
	}
	return darkColours()
}

// darkColours are for dark backgrounds. The series are the palette of Okabe and Ito (2008): bluish green, sky blue,
// orange, reddish purple, yellow, some of them lighter.
func darkColours() colours {
	return colours{
		accent: "#56b4e9", muted: "#9aa0a6", good: "#2fbf95", warn: "#f0e442", bad: "#ff7442",
		input: "#33d69a", truth: "#56b4e9", prediction: "#e69f00", failure: "#d58ab5", published: "#f0e442",
	}
}

// lightColours are the same hues for light backgrounds: darker.
func lightColours() colours {
	return colours{
		accent: "#005a8f", muted: "#5f6368", good: "#00694d", warn: "#7a5c00", bad: "#a83800",
		input: "#007a59", truth: "#0065a3", prediction: "#b04c00", failure: "#8a2f66", published: "#2b2b2b",
	}
}

// darkStrongColours are the same hues, lighter still.
func darkStrongColours() colours {
	return colours{
		accent: "#8fd0ff", muted: "#d0d4d8", good: "#5ee6bd", warn: "#fff36b", bad: "#ffa07a",
		input: "#2fe0a6", truth: "#8fd0ff", prediction: "#ffb020", failure: "#ffa6d6", published: "#fff36b",
	}
}

// lightStrongColours are darker still, and of the palette of 256 colours, few of which are as dark: other hues.
func lightStrongColours() colours {
	return colours{
		accent: "#003f66", muted: "#3c4043", good: "#004d38", warn: "#574100", bad: "#7d2900",
		input: "#005f00", truth: "#0000af", prediction: "#af0000", failure: "#87005f", published: "#000000",
	}
}
