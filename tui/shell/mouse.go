package shell

import (
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/tui/keys"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// mouse handles the mouse if Options.Mouse is set: it selects screens and lines, and the wheel acts as the arrow keys.
// Questions and typed text come first, as with keys.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.asking || m.palette != nil || m.width < MinWidth || m.height < MinHeight {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		key := keys.Down
		if msg.Button == tea.MouseWheelUp {
			key = keys.Up
		}
		if c, ok := ui.Find(m.Commands(), key); m.help != nil {
			m.scrollHelp(key)
		} else if ok && c.Why == "" && !m.typing() {
			return c.Do()
		}
	case tea.MouseClickMsg:
		if m.help == nil && msg.Button == tea.MouseLeft {
			m.notice = session.Notice{}
			return m.click(msg.X, msg.Y)
		}
	}
	return nil
}

// click handles a click on the header, or on a screen.
func (m *Model) click(x, y int) tea.Cmd {
	if y > 0 {
		return m.visible.Update(ui.Click{X: x, Y: y - m.headerLines()})
	}
	if at, ok := m.stepAt(x); ok && !m.typing() {
		if s := m.places()[at]; s.Open() {
			return m.show(s.Name())
		}
	}
	return nil
}

// stepAt returns the place of the screen whose name in the header is at column x.
func (m *Model) stepAt(x int) (int, bool) {
	_, parts, gap := m.headerLine()
	left := 1
	for i, part := range parts {
		right := left + lipgloss.Width(part)
		if left <= x && x < right {
			return i, true
		}
		left = right + gap
	}
	return 0, false
}
