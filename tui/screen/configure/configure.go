// Package configure is the configuration screen: every parameter, checked as it is typed, with its explanation and a
// preview.
package configure

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/show/report"
	"rfm/tui/dialog"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// Screen is the list of parameters next to the previews.
type Screen struct {
	session  *session.Session
	dialogs  *ui.Dialogs
	at       widget.List     // position in entries
	filtered string          // the selected parameter while a filter leaves some of them
	open     map[string]bool // groups whose parameters are shown
	editor   *editor         // of a value, see editing; nil before the first
	previews *previews
	picker   *presetPicker // of presets; nil before the first
}

// New returns the screen of a session.
func New(s *session.Session, d *ui.Dialogs) *Screen {
	c := &Screen{session: s, dialogs: d, open: map[string]bool{}, previews: &previews{}}
	c.at = widget.List{Thing: "line", Dialogs: d, Count: c.count}
	if s.Options().Start && s.Shown() == c.Name() {
		c.choose()
	}
	return c
}

// Name returns the name of the stage before the first.
func (c *Screen) Name() string { return session.ConfigurePage }

// selected returns the selected entry.
func (c *Screen) selected() entry {
	list := c.entries()
	return list[c.line(list)]
}

// count returns the number of lines among which keys move: none if a filter leaves none, although the preset is shown
// then.
func (c *Screen) count() int {
	list := c.entries()
	if c.at.Filtered() && list[0].isPreset() {
		return 0
	}
	return len(list)
}

// line returns the index of the selected entry; the list may have become shorter.
func (c *Screen) line(list []entry) int { return min(c.at.Line, len(list)-1) }

// Update selects the parameter that the session asks for, and starts the previews that the view lacks.
func (c *Screen) Update(msg tea.Msg, room ui.Canvas) tea.Cmd {
	if _, enters := msg.(ui.Enter); enters && c.session.Options().Start && c.picker == nil {
		c.choose() // after the tour
	}
	if name, asked := c.session.Wanted(); asked && name == "" {
		c.at.Line = 0
	} else if asked {
		c.visit(name)
	}
	if !c.at.Filtered() && c.filtered != "" {
		c.visit(c.filtered) // the selected parameter stays when all are shown again
	}
	c.at.Keep(len(c.entries()))
	c.filtered = ""
	if c.at.Filtered() {
		c.filtered = c.selected().name()
	}
	_, beside := sides(room.Width)
	p, shown := c.previews, c.shown()
	if c.picker != nil && c.dialogs.Has(c.picker) {
		p, shown, beside = c.picker.previews, c.picker.follow(), room.Width
	}
	if shown == (config.Config{}) {
		return nil
	}
	if pace := p.solution.pace; pace.Of(shown) {
		c.session.SetPace(pace)
	}
	return p.follow(shown, c.editing() != nil, beside > 0, c.session.Working())
}

// Commands returns the commands of the list and of the whole configuration.
func (c *Screen) Commands(room ui.Canvas) []ui.Command {
	var list []ui.Command
	e := c.selected()
	add := func(key keys.Key, word, help string, do func()) {
		list = append(list, ui.Command{Key: key, Word: word, Help: help, Do: ui.Now(do)})
	}
	if c.previews.invalid(c.session.Config()) && !c.session.Busy() {
		add(keys.Run, "correct", "go to the equation, which is invalid", func() { c.session.Select(equationText) })
	}
	left, right, step := "a smaller value", "a larger value", "value"
	switch {
	case e.isPreset():
		left, right = "the preset before", "the next preset"
	case e.isHeading():
		left, right, step = "hide the parameters of the group", "show the parameters of the group", "fold"
		add(keys.Enter, "fold", "hide the parameters of the group, or show them", c.accept)
	default:
		add(keys.Enter, "edit", "type a value", c.accept)
		if e.key.Kind == config.Integer || e.key.Kind == config.Real {
			add(keys.Digit, "", "type a number", c.accept)
		}
	}
	list = append(list, c.at.Moves(keys.Up, keys.Down)...)
	list = append(list, c.at.Filters()...)
	add(keys.Left, step, left, func() { c.change(-1) })
	add(keys.Right, step, right, func() { c.change(1) })
	add(keys.Presets, "presets", "choose a preset", c.choose)
	if _, beside := sides(room.Width); beside > 0 {
		list = append(list, c.previews.gallery.Command(beside, room.Height-helpLines(room.Height)-1,
			len(c.previews.list(room.Theme)), leastPreview))
	}
	list = append(list, ui.Command{Key: keys.Load, Word: "open",
		Help: "open a configuration, pairs, or two files: inputs and outputs",
		Do:   func() tea.Cmd { return dialog.Load(c.session, c.dialogs) }},
		ui.Command{Key: keys.Save, Word: "save", Help: "save the configuration as a file",
			Do: func() tea.Cmd { return dialog.Save(c.session, c.dialogs) }})
	list = append(list, ui.Command{Key: keys.Reset, Word: "reset", Help: "back to the preset's value",
		Do: ui.Now(c.reset)}.When(!e.isHeading(), "a group has no value"),
		ui.Command{Key: keys.Undo, Word: "undo", Help: "take back the last change",
			Do: ui.Now(c.session.Undo)}.When(c.session.CanUndo(), "there is no change to take back"))
	return append(list, c.at.Moves(keys.PageUp, keys.PageDown, keys.First, keys.Last)...)
}

// besideGap is the number of cells between the list and the previews.
const besideGap = 2

// sides returns the widths of the list and of the previews, which is 0 where they do not fit.
func sides(width int) (list, beside int) {
	const narrow, wide, roomy = 38, 46, 110
	switch {
	case width >= roomy:
		return wide, width - wide - besideGap
	case width >= narrow+besideGap+leastPreview.Width:
		return narrow, width - narrow - besideGap
	}
	return width, 0
}

// helpLines returns the number of lines for the explanation next to the list. It does not depend on the selected line,
// so that the pictures above stay in place.
func helpLines(height int) int {
	const roomy = 30
	if height >= roomy {
		return 7
	}
	return 6
}

// View draws the list next to the previews.
func (c *Screen) View(canvas ui.Canvas) string {
	on, width, height := canvas.Theme, canvas.Width, canvas.Height
	left, right := sides(width)
	help := c.explained(on, cmp.Or(right, width-2))
	if right == 0 {
		const most = 6 // lines below the list
		help = layout.Head(help, width-2, most)
		lines := c.list(on, width, height-len(help))
		return lines + "\n" + " " + strings.Join(help, "\n ")
	}
	rows := height - max(len(help), helpLines(height)) - 1
	equation := strings.HasPrefix(c.selected().name(), config.TextEquation)
	panel := c.previews.render(on, right, rows, equation) + "\n\n" + strings.Join(help, "\n")
	lines := c.list(on, left, height)
	return layout.Beside(height, strings.Repeat(" ", besideGap), lines, left, panel)
}

// Exhibit returns the name of the selected parameter as heading; empty on the preset and on headings of groups.
func (c *Screen) Exhibit(ui.Canvas) report.Page {
	return report.Page{Name: c.Name(), Heading: c.selected().parameter()}
}
