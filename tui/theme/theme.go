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
	t.StepDone, t.StepTodo, t.Desc, t.Label, t.Muted, t.Good, t.Border = plain, plain, plain, plain, plain, plain,
		plain
	t.Input, t.Truth, t.Error = plain, plain, plain
	t.Title, t.Key, t.Value, t.Warn, t.Prediction, t.Published = bold, bold, bold, bold, bold, bold
	t.StepCurrent, t.Focus, t.Bad = bold.Reverse(true), bold.Reverse(true), bold.Underline(true)
	if o.NoColor {
		t.StepTodo = plain.Faint(true)
		return t
	}

	c := palettes[[2]bool{o.Light, o.HighContrast}]
	for s, color := range map[*lipgloss.Style]string{&t.Title: c.accent, &t.StepCurrent: c.accent, &t.Key: c.accent,
		&t.Focus: c.accent, &t.StepTodo: c.muted, &t.Desc: c.muted, &t.Muted: c.muted, &t.Border: c.muted,
		&t.StepDone: c.good, &t.Good: c.good, &t.Warn: c.warn, &t.Bad: c.bad, &t.Input: c.input, &t.Truth: c.truth,
		&t.Prediction: c.prediction, &t.Error: c.failure, &t.Published: c.published} {
		*s = s.Foreground(lipgloss.Color(color))
	}
	return t
}

// Text is a text with the ellipsis of the theme for that of Unicode.
func (t Theme) Text(text string) string {
	if !t.ASCII {
		return text
	}
	return strings.ReplaceAll(text, string(unicodeGlyphs().Ellipsis), string(t.Glyphs.Ellipsis))
}

// colors holds sRGB values "#rrggbb" by what they are used for.
type colors struct {
	accent, muted, good, warn, bad string

	input, truth, prediction, failure, published string
}

// palettes are the colours for dark and light backgrounds, usual and with high contrast. Text has a contrast of at
// least 4.5:1 with every usual background of its kind, with high contrast 7:1 with black or white. The series are the
// palette of Okabe and Ito (2008), some of them lighter, bluish green, sky blue, orange, reddish purple, yellow, for
// light backgrounds darker; the last are colours of the palette of 256, few of which are as dark: other hues.
var palettes = map[[2]bool]colors{
	{false, false}: {accent: "#56b4e9", muted: "#9aa0a6", good: "#2fbf95", warn: "#f0e442", bad: "#ff7442",
		input: "#33d69a", truth: "#56b4e9", prediction: "#e69f00", failure: "#d58ab5", published: "#f0e442"},
	{true, false}: {accent: "#005a8f", muted: "#5f6368", good: "#00694d", warn: "#7a5c00", bad: "#a83800",
		input: "#007a59", truth: "#0065a3", prediction: "#b04c00", failure: "#8a2f66", published: "#2b2b2b"},
	{false, true}: {accent: "#8fd0ff", muted: "#d0d4d8", good: "#5ee6bd", warn: "#fff36b", bad: "#ffa07a",
		input: "#2fe0a6", truth: "#8fd0ff", prediction: "#ffb020", failure: "#ffa6d6", published: "#fff36b"},
	{true, true}: {accent: "#003f66", muted: "#3c4043", good: "#004d38", warn: "#574100", bad: "#7d2900",
		input: "#005f00", truth: "#0000af", prediction: "#af0000", failure: "#87005f", published: "#000000"},
}
