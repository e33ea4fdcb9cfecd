// Package theme defines the appearance of rfm: each field of [Theme] is a kind of text, whose colour, weight and glyphs
// follow from the terminal at hand.
//
// Colour alone never carries information. Every state has a glyph or an attribute (bold, reverse, underline) too, so
// that a screen can be read without colour, and in plain ASCII.
package theme

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Options describe the terminal of a theme, and how its user wants to see pages. They are comparable: equal ones make
// equal pictures.
type Options struct {
	Profile colorprofile.Profile // Unknown before the terminal has reported it
	NoColor bool                 // no colours, whatever the terminal has
	ASCII   bool                 // glyphs are single bytes 0x20 to 0x7e
	Light   bool                 // the background is light
	Fixed   bool                 // somebody has said whether it is light: the terminal's answer does not count
	Coarse  bool                 // the line may be slow: maps have fewer colours, by numbers, and are small
	Lines   bool                 // the font has no Braille: curves are drawn with ASCII

	Log  bool // swap linear and logarithmic vertical axes
	Zoom bool // one picture of a page at a time, without the text
}

// Plain reports whether there are no colours: emphasis is by bold, faint, underline and reverse.
func (o Options) Plain() bool {
	return o.NoColor || o.Profile != colorprofile.Unknown && o.Profile <= colorprofile.ASCII
}

// Dots reports whether curves are drawn with the dots of Braille, 2 x 4 a cell, rather than with ASCII.
func (o Options) Dots() bool { return !o.ASCII && !o.Lines }

// A Theme is the styles and glyphs that all screens share. It is a plain value: copy it, do not modify it. The zero
// Theme has no glyphs and cannot be drawn with; use [New].
type Theme struct {
	Options // the terminal that the theme was made for

	Title lipgloss.Style // heading of a screen, a panel or a plot

	StepDone    lipgloss.Style // header: a step that is finished
	StepCurrent lipgloss.Style // header: the step on screen
	StepTodo    lipgloss.Style // header: a step still to come

	Key  lipgloss.Style // footer: a key
	Desc lipgloss.Style // footer: the action of the key

	Label lipgloss.Style // name of a quantity
	Value lipgloss.Style // its value
	Muted lipgloss.Style // axes, hints and other secondary text
	Focus lipgloss.Style // the selected field or row

	Good lipgloss.Style // finished, within tolerance
	Warn lipgloss.Style // works, but deserves attention
	Bad  lipgloss.Style // failed, invalid

	Border lipgloss.Style // the lines of a box

	// Series of a plot. The colours differ for dichromats of all three kinds, truth and prediction most; plots add pens
	// and marks.
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
		t.Glyphs = asciiGlyphs()
	}

	plain := lipgloss.NewStyle() // as are the styles that are not set here
	bold := plain.Bold(true)
	t.Title = bold
	t.Key = bold
	t.Value = bold
	t.Warn = bold
	t.Published = bold
	t.StepCurrent = bold.Reverse(true)
	t.Focus = bold.Reverse(true)
	t.Bad = bold.Underline(true)
	if o.Plain() {
		t.StepTodo = plain.Faint(true)
		t.Prediction = bold
		return t
	}

	c := dark
	few := o.Profile == colorprofile.ANSI
	switch {
	case few && o.Light:
		c = fewLight
	case few:
		c = fewDark
	case o.Light:
		c = light
	}
	for s, color := range map[*lipgloss.Style]string{
		&t.StepTodo:   c.muted,
		&t.Desc:       c.muted,
		&t.Muted:      c.muted,
		&t.Border:     c.muted,
		&t.StepDone:   c.good,
		&t.Good:       c.good,
		&t.Warn:       c.warn,
		&t.Bad:        c.bad,
		&t.Input:      c.input,
		&t.Truth:      c.truth,
		&t.Prediction: c.prediction,
		&t.Error:      c.failure,
		&t.Published:  c.published,
	} {
		*s = s.Foreground(lipgloss.Color(color))
	}
	return t
}

// Hear returns the theme after a message, which may describe the terminal.
func (t Theme) Hear(msg tea.Msg) Theme {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		if t.Fixed {
			return t
		}
		t.Light = !msg.IsDark()
	case tea.ColorProfileMsg:
		t.Profile = msg.Profile
	default:
		return t
	}
	return New(t.Options)
}

// Text returns text with the theme's ellipsis in place of the Unicode one.
func (t Theme) Text(text string) string {
	if !t.ASCII {
		return text
	}
	return strings.ReplaceAll(text, string(unicodeGlyphs().Ellipsis), string(t.Glyphs.Ellipsis))
}

// colors holds numbers of the palette of 256 colours, or of 16, or sRGB values "#rrggbb", by their uses.
type colors struct {
	muted, good, warn, bad string

	input, truth, prediction, failure, published string
}

// Colours for dark and light backgrounds. Text has a contrast of at least 4.5:1 with every usual background of its
// kind. The series are close to the colours of Okabe and Ito (2008): bluish green, sky blue, orange, reddish purple,
// yellow, some of them lighter, for light backgrounds darker. Titles, keys and the selection have the terminal's own
// colour, so that a colour in a picture means a quantity; yellow, on white black, means a published value.
//
// They are numbers of the palette of xterm, also for terminals with 24 bits, because a number takes half the bytes of
// red, green and blue: half of what a line gets are colours. No number is an orange that is readable on white.
var (
	dark = colors{
		muted:      "247",
		good:       "72",
		warn:       "216",
		bad:        "209",
		input:      "78",
		truth:      "74",
		prediction: "214",
		failure:    "175",
		published:  "227",
	}
	light = colors{
		muted:      "241",
		good:       "22",
		warn:       "94",
		bad:        "124",
		input:      "23",
		truth:      "25",
		prediction: "#b04c00",
		failure:    "90",
		published:  "236",
	}
)

// Colours of terminals that have 16, by their numbers; users choose how these look. Truth, prediction, input, error and
// published values have one each; muted text is grey.
var (
	fewDark = colors{
		muted:      "7",
		good:       "10",
		warn:       "13",
		bad:        "9",
		input:      "10",
		truth:      "14",
		prediction: "9",
		failure:    "13",
		published:  "11",
	}
	fewLight = colors{
		muted:      "8",
		good:       "2",
		warn:       "5",
		bad:        "1",
		input:      "2",
		truth:      "4",
		prediction: "1",
		failure:    "5",
		published:  "3",
	}
)
