// This file is the configuration screen: every parameter, checked as it is typed, and a preview of what it means.

package screen

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/widget"
)

// configure is the list of parameters beside the previews. A panel or a prompt can lie over it.
type configure struct {
	line     int              // index in entries
	folded   map[string]bool  // groups whose parameters are hidden
	input    *textinput.Model // what is typed as the value of the selected line; nil if nothing is
	fresh    bool             // nothing has been typed yet: the first character replaces the value
	wrong    error            // what is wrong with it
	found    []string         // names of files that begin with it
	trial    config.Config    // the configuration with the typed value, if there is nothing wrong with it
	history  []edition        // what undo goes back to, the newest last
	panel    view             // what lies over the list; nil if nothing does
	prompt   *prompt          // asks for the name of a file; nil if nothing is asked
	previews previews
}

func newConfigure() *configure { return &configure{folded: map[string]bool{}} }

// editing says whether text is typed.
func (c *configure) editing() bool { return c.input != nil || c.prompt != nil }

// accepts says whether the enter key belongs to this screen rather than starting the experiment.
func (c *configure) accepts() bool { return c.line > 0 || c.panel != nil || c.prompt != nil }

// selected is the entry that the list points at.
func (c *configure) selected(s *session) entry {
	list := c.entries(s)
	return list[c.at(list)]
}

// at is the index of the selected entry; the list may have become shorter than it was.
func (c *configure) at(list []entry) int { return min(c.line, len(list)-1) }

// follow keeps the selected line in the list, gives what is typed its room, and draws what a changed configuration means.
func (c *configure) follow(s *session) {
	list := c.entries(s)
	c.line = c.at(list)
	if s.width == 0 {
		return
	}
	if c.input != nil {
		setWidth(c.input, columnsFor(s.config, c.listWidth(s.width)).value-1)
	}
	if c.prompt != nil {
		setWidth(&c.prompt.input, c.explanationWidth(s.width)-promptMargin)
	}
	if f, ok := c.panel.(follower); ok {
		f.follow(s)
		return
	}
	if c.listWidth(s.width) < s.width {
		c.previews.look(c.shown(s))
	}
}

func (c *configure) actions(s *session) []keys.Action {
	switch {
	case c.prompt != nil:
		return c.prompt.actions()
	case c.input != nil && c.selected(s).key.Kind == config.Path:
		return []keys.Action{keys.Accept, keys.NextStep, keys.Cancel}
	case c.input != nil:
		return []keys.Action{keys.Accept, keys.Cancel}
	case c.panel != nil:
		return c.panel.actions(s)
	}
	list := []keys.Action{keys.Up, keys.Down, keys.Left, keys.Right, keys.Presets}
	if c.previewTurns(s) {
		list = append(list, keys.View)
	}
	if s.config != s.base {
		list = append(list, keys.Changes)
	}
	if s.unfinished() != nil {
		list = append(list, keys.Continue)
	}
	if len(s.runs.list) > 0 {
		list = append(list, keys.Runs)
	}
	if s.options.Load != nil {
		list = append(list, keys.Load)
	}
	list = append(list, keys.Save)
	if e := c.selected(s); !e.isHeading() {
		list = append(list, keys.Reset)
	}
	if len(c.history) > 0 {
		list = append(list, keys.Undo)
	}
	return append(list, keys.Fold, keys.PageUp, keys.PageDown, keys.First, keys.Last)
}

func (c *configure) means(s *session, action keys.Action) string {
	if c.panel != nil {
		return c.panel.means(s, action)
	}
	switch action {
	case keys.Up, keys.Down:
		return "line"
	case keys.Left, keys.Right:
		if c.selected(s).isHeading() {
			return "fold"
		}
		return "value"
	case keys.PageUp, keys.PageDown:
		return "page"
	}
	return ""
}

// acceptDesc says what the enter key does here, empty if it starts the experiment.
func (c *configure) acceptDesc(s *session) string {
	switch {
	case c.prompt != nil:
		return c.prompt.verb
	case c.input != nil:
		return "keep"
	case c.panel != nil:
		return c.panel.means(s, keys.Accept)
	case c.line == 0:
		return ""
	case c.selected(s).isHeading():
		return "fold"
	}
	return "edit"
}

func (c *configure) do(s *session, action keys.Action) tea.Cmd {
	if c.panel != nil {
		return c.panel.do(s, action)
	}
	c.line = widget.Walk(action, c.line, len(c.entries(s)))
	switch action {
	case keys.Left:
		c.change(s, -1)
	case keys.Right:
		c.change(s, 1)
	case keys.Fold:
		c.foldAll(s)
	case keys.View:
		width, height := c.previewSize(s)
		c.previews.gallery.Next(width, height, len(c.previews.list(s)), leastPreview)
	case keys.Reset:
		c.reset(s)
	case keys.Undo:
		c.undo(s)
	case keys.Accept:
		c.accept(s)
	case keys.Presets:
		c.panel = newPresetPicker(c, s)
	case keys.Changes:
		c.panel = &changes{configure: c}
	case keys.Runs:
		c.panel = &runList{configure: c}
		return s.listRuns()
	case keys.Continue:
		return openRun(*s.unfinished())
	case keys.Load:
		c.prompt = newLoadPrompt(s)
	case keys.Save:
		name := s.file
		if name == "" {
			name = s.config.Problem + ".toml"
		}
		c.prompt = newSavePrompt(s, name)
	}
	return nil
}

// click selects the line under the mouse; on the selected line it does what the enter key does.
func (c *configure) click(s *session, x, y int) tea.Cmd {
	if c.panel != nil {
		if p, ok := c.panel.(clicker); ok {
			return p.click(s, x, y)
		}
		return nil
	}
	if c.editing() || x >= c.listWidth(s.width) {
		return nil
	}
	_, entryOf := c.list(s, c.listWidth(s.width), c.listHeight(s))
	if y >= len(entryOf) {
		return nil
	}
	if c.line != entryOf[y] {
		c.line = entryOf[y]
	} else if c.line > 0 {
		c.accept(s)
	}
	return nil
}

// besideGap is the gap between the list and what stands beside it.
const besideGap = 2

// listWidth is the width of the list on a screen of this width: all of it where nothing fits beside it.
func (c *configure) listWidth(width int) int {
	const narrow, wide, roomy = 38, 46, 110
	switch {
	case width >= roomy:
		return wide
	case width >= narrow+besideGap+leastPreview.Width:
		return narrow
	}
	return width
}

// previewSize is the room for previews; their width is 0 if there is none.
func (c *configure) previewSize(s *session) (width, height int) {
	width = s.width - c.listWidth(s.width) - besideGap
	if width < leastPreview.Width {
		return 0, 0
	}
	return width, s.height - c.helpLines(s) - 1
}

// previewTurns says whether there are more previews than are on show.
func (c *configure) previewTurns(s *session) bool {
	width, height := c.previewSize(s)
	if width == 0 {
		return false
	}
	return c.previews.gallery.Turns(width, height, len(c.previews.list(s)), leastPreview)
}

// helpLines is the room for the explanation beside the list. It does not depend on the selected line, so that the
// pictures above it stay where they are.
func (c *configure) helpLines(s *session) int {
	const roomy = 30
	if s.height >= roomy {
		return 7
	}
	return 6
}

func (c *configure) render(s *session, width, height int) string {
	if c.panel != nil {
		return c.panel.render(s, width, height)
	}
	listWidth := c.listWidth(width)
	help := c.explanation(s, c.explanationWidth(width))
	if listWidth == width {
		lines, _ := c.list(s, width, height-len(help))
		return lines + "\n" + " " + strings.Join(help, "\n ")
	}
	right := width - listWidth - besideGap
	rows := height - max(len(help), c.helpLines(s)) - 1
	panel := c.previews.render(s, c.shown(s), right, rows) + "\n\n" + strings.Join(help, "\n")
	lines, _ := c.list(s, listWidth, height)
	return layout.Beside(height, strings.Repeat(" ", besideGap), lines, listWidth, panel)
}

// explanationWidth is the width of the explanation: below the list, or beside it.
func (c *configure) explanationWidth(width int) int {
	if list := c.listWidth(width); list < width {
		return width - list - besideGap
	}
	return width - 2
}

// listHeight is the height of the list: what the explanation leaves where it stands below.
func (c *configure) listHeight(s *session) int {
	if c.listWidth(s.width) < s.width {
		return s.height
	}
	return s.height - len(c.explanation(s, c.explanationWidth(s.width)))
}
