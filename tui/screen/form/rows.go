package form

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/screen/vary"
	"rfm/tui/theme"
)

// form draws the lines of the screen: rows over its whole width, the list beside the pictures, and the closed groups.
type form struct {
	*Screen
	th      theme.Theme
	entries []entry
	line    int                // index of the selected entry
	others  []config.Key       // parameters that are not essential: those of the groups
	faults  map[string]located // by setting
	helps   []string           // settings that would let a solution that ends go on
}

// newForm returns the form as it is now.
func (c *Screen) newForm(th theme.Theme) form {
	entries := c.entries()
	f := form{
		Screen:  c,
		th:      th,
		entries: entries,
		line:    c.line(entries),
		faults:  map[string]located{},
	}
	_, f.others = divided(c.session.Draft.Config())
	for _, e := range c.faults() {
		found := locate(e, c.shown())
		f.faults[found.key] = found
	}
	for _, r := range c.remedies() {
		f.helps = append(f.helps, r.Key)
	}
	return f
}

// brackets returns what stands around the value of an entry, and the style of the value.
func (f form) brackets(i int) (left, right string, style lipgloss.Style) {
	if i != f.line {
		return " ", " ", f.th.Value
	}
	left = string(f.th.Glyphs.FocusLeft)
	right = string(f.th.Glyphs.FocusRight)
	return left, right, f.th.Focus
}

// mark returns the mark of an entry: a cross if it is wrong, an exclamation mark if another value would help, a star if
// it was changed, a question mark if its value is assumed or was chosen.
func (f form) mark(e entry) string {
	_, isWrong := f.faults[e.parameter()]
	switch {
	case isWrong && e.key != nil:
		return f.th.Bad.Render(string(f.th.Glyphs.Cross))
	case slices.Contains(f.helps, e.parameter()):
		return f.th.Warn.Render("!")
	case f.assumes(e), f.isChosen(e):
		return f.th.Warn.Render("?")
	case f.isChanged(e):
		return f.th.Warn.Render("*")
	}
	return " "
}

// isChanged reports whether an entry differs from the preset or file: of a group, one of its parameters.
func (f form) isChanged(e entry) bool {
	now := f.session.Draft.Version()
	switch {
	case e.isPreset():
		return now.Config != now.Base
	case e.isHeading():
		return changes(ofGroup(f.others, e.group), now) > 0
	}
	return !e.key.Same(now.Config, now.Base)
}

// text returns the value of a parameter as the form shows it: several if several were typed.
func (f form) text(k config.Key) string {
	typed := f.varied.Typed(k.Name)
	if typed != "" {
		return typed
	}
	return shownText(k, f.session.Draft.Config())
}

// value returns the text of an entry with the places of cursor and error.
func (f form) value(i int) page.Text {
	const nowhere = -1
	e := f.entries[i]
	t := page.Text{Cursor: nowhere, Wrong: nowhere}
	editor := f.editing()
	switch {
	case e.isPreset():
		t.Text = f.session.Draft.Version().Origin()
		return t
	case editor != nil && i == f.line:
		t.Text = editor.input.Value()
		t.Cursor = editor.input.Position()
	case f.typesEquation():
		t.Text = shownText(*e.key, f.shown()) // with the parameters that the equation names
	default:
		t.Text = f.text(*e.key)
	}
	wrong, isWrong := f.faults[e.parameter()]
	if isWrong {
		t.Wrong = wrong.place
	}
	return t
}

// typesEquation reports whether the text of the equation is being typed.
func (f form) typesEquation() bool {
	editor := f.editing()
	return editor != nil && editor.key.Name == equationText
}

// headLabel is the width of the labels of the rows above the list.
const headLabel = 14

// head returns the rows above the list, width cells wide, among them at most most for one text.
func (f form) head(width, most int) []string {
	var lines []string
	row := func(at place, title string) {
		var chips []string
		for i, e := range f.entries {
			if e.at == at {
				chips = append(chips, f.chip(i, width-headLabel))
			}
		}
		lines = append(lines, f.flow(title, chips, width)...)
	}
	row(first, "")
	for i, e := range f.entries {
		if e.at == wide {
			lines = append(lines, f.wideRow(i, width, most)...)
		}
	}
	row(with, "with")
	return lines
}

// flow puts chips side by side behind a title, in as many rows as they need.
func (f form) flow(title string, chips []string, width int) []string {
	if len(chips) == 0 {
		return nil
	}
	margin := " "
	if title != "" {
		margin = f.title(title)
	}
	lines := []string{margin}
	for _, chip := range chips {
		last := &lines[len(lines)-1]
		if lipgloss.Width(*last)+lipgloss.Width(chip) > width && *last != margin {
			lines = append(lines, strings.Repeat(" ", lipgloss.Width(margin)))
			last = &lines[len(lines)-1]
		}
		*last += chip
	}
	return lines
}

// title returns the label of a row above the list.
func (f form) title(text string) string {
	widest := 0
	for _, e := range f.entries {
		if e.at == wide {
			name := label(*e.key, f.session.Draft.Config())
			widest = max(widest, len(name))
		}
	}
	padded := fmt.Sprintf("%-*s", max(widest, len(text)), text)
	return " " + f.th.Label.Render(padded) + " "
}

// chip returns an entry among others in a row: name, value, mark.
func (f form) chip(i, width int) string {
	e := f.entries[i]
	left, right, style := f.brackets(i)
	if e.isHeading() {
		return f.closed(i)
	}
	name := "preset"
	if !e.isPreset() {
		name = label(*e.key, f.session.Draft.Config())
	}
	t := f.value(i)
	if e.key != nil && e.key.Kind == config.Real && t.Cursor < 0 {
		t.Text = number(t.Text)
	}
	const around = 4 // the brackets, the mark, a gap
	room := max(8, width-around-len(name))
	if t.Cursor < 0 && t.Wrong < 0 {
		const longest = 36 // of a value beside others
		t.Text = beginning(t.Text, min(room, longest))
	}
	value := t.Draw(f.th, style, room, 1)[0]
	chip := f.th.Label.Render(name) + left + value + right + f.mark(e) + " "
	if e.key == nil || !strings.HasPrefix(e.key.Name, parameterKeys) {
		return chip
	}
	const usual = 5 // cells of a value that keys change: 0.012, so that those beside it stay where they are
	return chip + strings.Repeat(" ", max(0, usual-lipgloss.Width(value)))
}

// beginning cuts a text at its end.
func beginning(text string, width int) string {
	return ansi.Truncate(printable.Line(text), width, "…")
}

// closed returns the heading of a group that is not open.
func (f form) closed(i int) string {
	left, right, style := f.brackets(i)
	if i != f.line {
		style = f.th.Muted
	}
	e := f.entries[i]
	title := fmt.Sprintf("%c %s", f.th.Glyphs.Closed, e.group)
	if i != f.line {
		right = f.mark(e)
	}
	return left + style.Render(title) + right
}

// wideRow returns the rows of an entry over the whole width: its name, and its text in at most most rows.
func (f form) wideRow(i, width, most int) []string {
	e := f.entries[i]
	left, right, style := f.brackets(i)
	begin := f.title(label(*e.key, f.session.Draft.Config()))
	mark := f.mark(e)
	if mark == " " {
		mark = ""
	}
	room := width - lipgloss.Width(begin) - lipgloss.Width(left+right) - 1
	lines := f.value(i).Draw(f.th, style, room, most)
	for row, text := range lines {
		if row == 0 {
			lines[row] = begin + left + text
		} else {
			lines[row] = strings.Repeat(" ", lipgloss.Width(begin)+1) + text
		}
	}
	lines[len(lines)-1] += right + mark
	return lines
}

// foot returns the rows with the closed groups.
func (f form) foot(width int) []string {
	var chips []string
	for i, e := range f.entries {
		if e.at == folded {
			chips = append(chips, f.closed(i))
		}
	}
	return f.flow("", chips, width)
}

// list draws as many lines of the list as fit around the selected one.
func (f form) list(width, height int) string {
	var lines []int // indices of entries
	selected := 0
	for i, e := range f.entries {
		if e.at != listed {
			continue
		}
		if i <= f.line {
			selected = len(lines)
		}
		lines = append(lines, i)
	}
	window := *f.at
	window.Line = selected
	count := len(lines)
	if f.counted(f.entries) > 0 {
		count = max(1, count) // a filter may leave only rows above the list
	}
	drawn := window.Lines(f.th, count, height, func(i int) string {
		switch {
		case i >= len(lines):
			return ""
		case f.entries[lines[i]].isHeading():
			return f.heading(lines[i], width)
		}
		return f.row(lines[i], width)
	})
	return strings.Join(drawn, "\n")
}

// heading returns the line of an open group.
func (f form) heading(i, width int) string {
	text := fmt.Sprintf("%c %s", f.th.Glyphs.Opened, f.entries[i].group)
	title := page.Marked(f.th, i == f.line, text)
	if i != f.line {
		title = f.th.Title.Render(title)
	}
	return layout.Cut(title, width)
}

// row draws a line of the list: mark, symbol, name and value, between brackets if it is selected.
func (f form) row(i, width int) string {
	const (
		symbols = 6 // cells
		names   = 14
		around  = 4 // the mark, a blank, two brackets
	)
	e := f.entries[i]
	name := layout.Cut(label(*e.key, f.session.Draft.Config()), names)
	head := fmt.Sprintf("%-*s %-*s", symbols, e.key.Symbol, names, name)
	left, right, style := f.brackets(i)
	room := width - symbols - names - around
	editor := f.editing()
	value := ""
	if editor != nil && i == f.line {
		value = editor.input.Typed(room - 1)
	} else {
		text := fmt.Sprintf("%-*s", room, f.fitted(*e.key, room))
		value = style.Render(text)
	}
	return f.mark(e) + f.th.Label.Render(head) + left + value + right
}

// fitted returns the value of a parameter in a room: a number with fewer digits, another text without its beginning.
func (f form) fitted(k config.Key, room int) string {
	const digits = 4
	text := f.text(k)
	isNumber := k.Kind == config.Real && !vary.Several(k, text)
	if isNumber && len(text) > room {
		text = k.Rounded(f.session.Draft.Config(), digits)
	}
	tooMany := lipgloss.Width(text) - room
	if tooMany > 0 {
		text = ansi.TruncateLeft(text, tooMany+1, string(f.th.Glyphs.Ellipsis))
	}
	return text
}
