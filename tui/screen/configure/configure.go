// Package configure is the configuration screen: every parameter, checked as it is typed, with its explanation and a
// preview.
package configure

import (
	"cmp"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/live"
	"rfm/tui/look"
	"rfm/tui/session"
	"rfm/tui/stages"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// Screen is the list of parameters next to the previews. A panel or a prompt can lie over it.
type Screen struct {
	session  *session.Session
	room     ui.Canvas        // for the list, or the panel over it
	above    int              // number of lines above it
	at       widget.List      // position in entries
	open     map[string]bool  // groups whose parameters are shown
	input    *textinput.Model // edits the value of the selected line; nil if none is edited
	fresh    bool             // nothing has been typed yet: the first character replaces the value
	wrong    error            // error of the typed value
	typed    config.Config    // the configuration with the typed value, if it is valid
	panel    panel            // lies over the list; nil if there is none
	prompt   *prompt          // asks for the name of a file; nil if there is none
	previews *previews
}

// A panel lies over the list of parameters.
type panel interface {
	list() *widget.List
	lines() int // number of lines of the list
	commands() []ui.Command
	follow() tea.Cmd
	click(x, y int) tea.Cmd
	render(on look.Look, width, height int) string
}

// New returns the screen of a session.
func New(s *session.Session) *Screen {
	return &Screen{session: s, open: map[string]bool{}, previews: &previews{}}
}

// Name returns the name of the stage before the first.
func (c *Screen) Name() string { return session.None.String() }

// Open returns true: there is always a configuration.
func (c *Screen) Open() bool { return true }

// Typing reports whether text is typed.
func (c *Screen) Typing() bool { return c.input != nil || c.prompt != nil || c.onTop().Typing() }

// onTop returns the visible list: of the panel, or of the parameters.
func (c *Screen) onTop() *widget.List {
	if c.panel != nil {
		return c.panel.list()
	}
	return &c.at
}

// lines returns the number of lines of the visible list.
func (c *Screen) lines() int {
	if c.panel != nil {
		return c.panel.lines()
	}
	return len(c.entries())
}

// Covered reports whether a panel lies over the list.
func (c *Screen) Covered() bool { return c.panel != nil }

// selected returns the selected entry.
func (c *Screen) selected() entry {
	list := c.entries()
	return list[c.line(list)]
}

// line returns the index of the selected entry; the list may have become shorter.
func (c *Screen) line(list []entry) int { return min(c.at.Line, len(list)-1) }

// follow keeps the selected line in the list, sets the width of the input, and updates the previews of a changed
// configuration.
func (c *Screen) follow() tea.Cmd {
	c.at.Keep(len(c.entries()))
	if c.room.Width == 0 {
		return nil
	}
	list, beside := sides(c.room.Width)
	if c.input != nil {
		setWidth(c.input, columnsOf(*c.selected().key, c.session.Config(), list).value-1)
	}
	if c.prompt != nil {
		setWidth(&c.prompt.input, explanationWidth(c.room.Width)-promptMargin)
	}
	if c.panel != nil {
		return c.panel.follow()
	}
	p, shown := c.previews, c.shown()
	solve := p.solution.Follow(shown) // also checks the text, for which there is always room
	if beside == 0 {
		return solve
	}
	return tea.Batch(solve, p.look(shown), p.live.Follow(shown, c.session.Working() || p.solution.Computing()))
}

// Commands returns the commands of the topmost part: a prompt, an input, a panel, the list.
func (c *Screen) Commands() []ui.Command {
	switch {
	case c.prompt != nil:
		return c.prompt.commands()
	case c.input != nil:
		list := []ui.Command{{Key: keys.Enter, Word: "keep", Help: "keep the value"}}
		if c.selected().key.Kind == config.Path {
			list = append(list, completes)
		}
		return append(list, ui.Command{Key: keys.Cancel, Word: "cancel", Help: "back to the value before"})
	case c.panel != nil:
		return c.panel.commands()
	case c.at.Typing():
		return c.at.Commands("parameter", len(c.entries()))
	}
	var list []ui.Command
	e, d, n := c.selected(), c.session.Draft(), len(c.entries())
	add := func(key keys.Key, word, help, why string, do func()) {
		list = append(list, ui.Command{Key: key, Word: word, Help: help, Why: why, Do: ui.Now(do)})
	}
	unless := func(ok bool, why string) string {
		if ok {
			return ""
		}
		return why
	}
	left, right, step := "a smaller value", "a larger value", "value"
	switch {
	case e.isPreset():
		left, right = "the preset before", "the next preset"
	case e.isHeading():
		left, right, step = "hide the parameters of the group", "show the parameters of the group", "fold"
		add(keys.Enter, "fold", "hide the parameters of the group, or show them", "", c.accept)
	default:
		add(keys.Enter, "edit", "type a value", "", c.accept)
	}
	list = append(list, c.at.Commands("line", n, keys.Up, keys.Down)...)
	for _, f := range c.at.Commands("parameter", n, keys.Filter) {
		if f.Key == keys.Cancel {
			f.Do = ui.Now(func() { c.at.All(); c.visit(e.name()) })
		}
		list = append(list, f)
	}
	add(keys.Left, step, left, "", func() { c.change(-1) })
	add(keys.Right, step, right, "", func() { c.change(1) })
	add(keys.Presets, "presets", "choose a preset", "", func() { c.panel = newPresetPicker(c) })
	if _, beside := sides(c.room.Width); beside > 0 {
		list = append(list, c.previews.gallery.Command(beside, c.room.Height-c.helpLines()-1,
			len(c.previews.list(c.room.Look)), leastPreview))
	}
	add(keys.Changes, "changes", "what differs from the preset or file", unless(d.Config != d.Base, "nothing is changed"),
		func() { c.panel = &changes{screen: c} })
	list = append(list, ui.Command{Key: keys.Load, Word: "open",
		Help: "open a configuration file, or a file of pairs to learn from", Do: func() tea.Cmd {
			c.prompt = newLoadPrompt(c.session)
			return suggest(c.prompt.input.Value())
		}}.When(c.session.Load() != nil, "nothing can be loaded here"))
	add(keys.Save, "save", "save the configuration as a file", "",
		func() { c.prompt = newSavePrompt(c.session, cmp.Or(d.File, d.Config.Problem+".toml")) })
	add(keys.Reset, "reset", "back to the preset's value", unless(!e.isHeading(), "a group has no value"), c.reset)
	list = append(list, c.undo())
	return stages.With(c.session, c.Name(), append(list, c.at.Commands("line", n, keys.PageUp, keys.PageDown, keys.First,
		keys.Last)...))
}

// undo returns the command that undoes a change.
func (c *Screen) undo() ui.Command {
	return ui.Command{Key: keys.Undo, Word: "undo", Help: "take back the last change", Do: ui.Now(c.session.Undo)}.
		When(c.session.CanUndo(), "there is no change to take back")
}

// completes is the command that completes the name of a file.
var completes = ui.Command{Key: keys.NextTab, Word: "complete", Help: "complete the name of the file"}

// Update handles typed text, results of commands, and messages of the session.
func (c *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ui.Follow:
		c.room = msg.Canvas
		c.above = len(c.introduction(msg.Canvas))
		c.room.Height -= c.above
		return c.follow()
	case ui.Click:
		return c.click(msg.X, msg.Y-c.above)
	case tea.KeyPressMsg, tea.PasteMsg:
		if l := c.onTop(); l.Typing() {
			c.seek(l, msg)
			return nil
		}
		return c.edit(msg)
	case session.Wrong:
		c.panel = nil
		c.visit(msg.Key)
	case session.Opened:
		c.panel = nil
	case session.Taken:
		c.at.Line = 0
	case session.SaveAs:
		c.prompt = newSavePrompt(c.session, string(msg))
	case live.Msg:
		msg.Arrive()
	case live.SolutionMsg:
		msg.Arrive()
	case previewMsg:
		msg.to.arrive(msg)
	default:
		return c.receive(msg)
	}
	return nil
}

// seek edits a filter; the selected parameter stays when all are shown again.
func (c *Screen) seek(l *widget.List, msg tea.Msg) {
	name := c.selected().name()
	if l.Type(msg, c.lines()); !l.Filtered() && c.panel == nil {
		c.visit(name)
	}
}

// View draws the list next to the previews, or the panel over it; above them an introduction until something has been
// computed.
func (c *Screen) View(on ui.Canvas) string {
	head := c.introduction(on)
	return strings.Join(append(head, c.render(on.Look, on.Width, on.Height-len(head))), "\n")
}

// click selects the line under the mouse; on the selected line it acts as the enter key.
func (c *Screen) click(x, y int) tea.Cmd {
	if c.panel != nil {
		return c.panel.click(x, y)
	}
	list, beside := sides(c.room.Width)
	if c.Typing() || x >= list {
		return nil
	}
	rows := c.room.Height
	if beside == 0 { // the explanation stands below
		rows -= len(c.explanation(c.room.Look, explanationWidth(c.room.Width)))
	}
	_, entryOf := c.list(c.room.Look, list, rows)
	switch {
	case y >= len(entryOf):
	case c.at.Line != entryOf[y]:
		c.at.Line = entryOf[y]
	case !c.selected().isPreset():
		c.accept()
	}
	return nil
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
func (c *Screen) helpLines() int {
	const roomy = 30
	if c.room.Height >= roomy {
		return 7
	}
	return 6
}

func (c *Screen) render(on look.Look, width, height int) string {
	if c.panel != nil {
		return c.panel.render(on, width, height)
	}
	left, right := sides(width)
	help := c.explanation(on, explanationWidth(width))
	if right == 0 {
		lines, _ := c.list(on, width, height-len(help))
		return lines + "\n" + " " + strings.Join(help, "\n ")
	}
	rows := height - max(len(help), c.helpLines()) - 1
	panel := c.previews.render(on, right, rows) + "\n\n" + strings.Join(help, "\n")
	lines, _ := c.list(on, left, height)
	return layout.Beside(height, strings.Repeat(" ", besideGap), lines, left, panel)
}

// explanationWidth returns the width of the explanation, next to the list or below it.
func explanationWidth(width int) int {
	_, beside := sides(width)
	return cmp.Or(beside, width-2)
}

// Selected returns the name of the selected parameter; empty on the preset and on headings.
func (c *Screen) Selected() string { return c.selected().parameter() }
