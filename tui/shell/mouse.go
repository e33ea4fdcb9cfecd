package shell

import (
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/tui/keys"
	"rfm/tui/ui"
)

// mouse handles the mouse if Options.Mouse is set: it selects screens and lines, and the wheel acts as the arrow keys.
// An open dialog comes first, as with keys.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.width < MinWidth || m.height < MinHeight {
		return nil
	}
	top := m.dialogs.Top()
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		key, code := keys.Down, tea.KeyDown
		if msg.Button == tea.MouseWheelUp {
			key, code = keys.Up, tea.KeyUp
		}
		if c, ok := ui.Find(m.Commands(), key); top != nil {
			return top.Update(tea.KeyPressMsg{Code: code})
		} else if ok && c.Why == "" {
			return c.Do()
		}
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft {
			return nil
		}
		m.session.Say("")
		at := ui.Click{X: msg.X, Y: msg.Y - m.headerLines()}
		if top != nil {
			return top.Update(at)
		}
		if msg.Y > 0 {
			return m.visible.Update(at)
		}
		if at, ok := m.stepAt(msg.X); ok && m.screens[at].Open() {
			return m.show(m.screens[at].Name())
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
