// This file is the mouse, for those who ask for it: it selects steps and lines, and the wheel moves as the arrow keys do.

package screen

import (
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/tui/keys"
)

// A clicker is a screen, or a panel, with something to click on. x and y count from its upper left corner.
type clicker interface {
	click(s *session, x, y int) tea.Cmd
}

// mouse handles the mouse: what is asked or typed comes first, as with keys.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.asking || m.width < MinWidth || m.height < MinHeight {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		action := keys.Down
		if msg.Button == tea.MouseWheelUp {
			action = keys.Up
		}
		switch {
		case m.help:
			m.scrollHelp(action)
		case !m.typing() && m.valid(action):
			return m.do(action)
		}
	case tea.MouseClickMsg:
		if !m.help && msg.Button == tea.MouseLeft {
			m.session.notice = notice{}
			return m.click(msg.X, msg.Y)
		}
	}
	return nil
}

// click is a click on the header, or on a screen.
func (m *Model) click(x, y int) tea.Cmd {
	if y == 0 {
		if at, ok := m.stepAt(x); ok && m.open(at) && !m.typing() {
			m.visible = at
		}
		return nil
	}
	if v, ok := m.views[m.visible].(clicker); ok {
		return v.click(&m.session, x, y-m.headerLines())
	}
	return nil
}

// stepAt is the step whose name in the header is at column x.
func (m *Model) stepAt(x int) (step, bool) {
	_, parts, gap := m.headerLine()
	left := 1
	for i, part := range parts {
		right := left + lipgloss.Width(part)
		if left <= x && x < right {
			return step(i), true
		}
		left = right + gap
	}
	return 0, false
}
