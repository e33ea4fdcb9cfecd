// Package shell is what surrounds the screens: header, messages, footer, help, mouse, export. It knows screens by their
// contract only, see rfm/tui/ui.
package shell

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// Options are how the interface is drawn and asked.
type Options struct {
	Theme theme.Options
	Mouse bool // take the mouse: the terminal's own selection then needs the shift key
	// a shell can resume the program after ctrl+z
	Suspends bool
	// the guided tour as a process, which has the terminal until it ends; nil if there is none
	Tour func() *exec.Cmd
}

// Smallest terminal that can show everything.
const (
	MinWidth  = 60
	MinHeight = 15
)

// Model is the root of the interface.
type Model struct {
	session       *session.Session
	screens       []ui.Screen
	options       Options
	terminal      look.Terminal
	look          look.Look
	width, height int
	visible       ui.Screen
	help          *help    // the help page; nil if it is closed
	palette       *palette // lies over the screen; nil if it does not
	refused       keys.Key // the last key that could not be obeyed, and why
	why           string
	asking        bool // whether to leave although something would be lost
	background    bool // what runs is gone on with by another process
	notice        session.Notice
}

// New makes the interface; it computes nothing yet. The first screen is on show.
func New(s *session.Session, o Options, screens ...ui.Screen) *Model {
	m := &Model{session: s, screens: screens, options: o, visible: screens[0],
		terminal: look.Terminal{Asked: o.Theme}, look: look.Look{Cursor: middle}}
	m.look.Follow(m.terminal)
	return m
}

// Screens returns the screens in their order.
func (m *Model) Screens() []ui.Screen { return m.screens }

// Visible returns the name of the screen on show.
func (m *Model) Visible() string { return m.visible.Name() }

// Session returns what the screens work on.
func (m *Model) Session() *session.Session { return m.session }

// Init asks the terminal for its background, and lets session and screens begin.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.session.Init(), m.tell(ui.Begin{}))
}

// Update handles a message. Only here does anything change: first what the message asks for, then what the session has
// to tell the screens, then all that depends on something else.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.look.Hear(&m.terminal, msg)
	cmds := []tea.Cmd{m.handle(msg), m.deliver()}
	if m.why != "" && m.notice.Text == m.why {
		if c, _ := ui.Find(m.Commands(), m.refused); c.Why != m.why {
			m.notice = session.Notice{} // what stood in the way of the key has ended
		}
	}
	m.session.Observe()
	return m, together(append(cmds, m.tell(ui.Follow{Canvas: m.room()}), m.deliver())...)
}

// together returns commands as one, nil if there are none.
func together(cmds ...tea.Cmd) tea.Cmd {
	switch cmds = slices.DeleteFunc(cmds, func(c tea.Cmd) bool { return c == nil }); len(cmds) {
	case 0:
		return nil
	case 1:
		return cmds[0]
	}
	return tea.Batch(cmds...)
}

// tell has all screens take a message.
func (m *Model) tell(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, s := range m.screens {
		cmds = append(cmds, s.Update(msg))
	}
	return together(cmds...)
}

// deliver hands over what the session has for the screens.
func (m *Model) deliver() tea.Cmd {
	var cmds []tea.Cmd
	for mail := m.session.Mail(); len(mail) > 0; mail = m.session.Mail() {
		for _, msg := range mail {
			switch msg := msg.(type) {
			case session.Show:
				cmds = append(cmds, m.show(string(msg)))
			case session.Notice:
				m.notice = msg
			default:
				cmds = append(cmds, m.tell(msg))
			}
		}
	}
	return together(cmds...)
}

// show goes to a screen.
func (m *Model) show(name string) tea.Cmd {
	for _, s := range m.screens {
		if s.Name() == name && s != m.visible {
			left := m.visible.Update(ui.Leave{})
			m.visible = s
			return together(left, s.Update(ui.Enter{}))
		}
	}
	return nil
}

// handle carries out what a message asks for.
func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		if m.palette != nil {
			m.palette.at.Type(msg, len(m.offers()))
		} else if m.typing() {
			return m.visible.Update(msg)
		}
	case tea.MouseMsg:
		return m.mouse(msg)
	case touredMsg:
		if msg.err != nil {
			m.notice = session.Notice{Text: fmt.Sprintf("the tour has ended: %v", msg.err), Bad: true}
		}
	case exportedMsg:
		m.notice = msg.notice()
	default:
		asking := m.asking && m.session.Busy()
		cmds := []tea.Cmd{m.session.Update(msg), m.tell(msg)}
		if asking && !m.session.Busy() {
			m.asking = false // nothing would be lost any more
		}
		return together(cmds...)
	}
	return nil
}

// room returns what header, messages and footer leave to a screen.
func (m *Model) room() ui.Canvas {
	return ui.Canvas{Look: m.look, Width: m.width, Height: m.bodyHeight() - m.messageLines()}
}

// quit cancels what runs and leaves; Close waits for it.
func (m *Model) quit() tea.Cmd {
	m.session.Leave()
	return tea.Quit
}

// Close cancels what still runs, waits until its state is stored, and gives back the run. Call it after the program has
// ended, which a signal does, too. The error is that of giving back the run.
func (m *Model) Close() error {
	err := m.session.Close()
	m.tell(ui.Follow{Canvas: m.room()})
	return err
}

// Interrupted reports whether leaving has interrupted something that is stored: it can be continued.
func (m *Model) Interrupted() bool {
	return m.session.Interrupted() || slices.ContainsFunc(m.screens, func(s ui.Screen) bool {
		l, ok := s.(ui.Leaver)
		return ok && l.Interrupted()
	})
}

// Background returns the stored run that another process is to go on with; empty if there is none.
func (m *Model) Background() string {
	if !m.background || !m.session.Resumable() {
		return ""
	}
	return m.session.Stored()
}

// Epilogue is what remains to be said on the normal screen after the interface has been left; nothing if nothing was
// computed.
func (m *Model) Epilogue() string {
	text := m.session.Epilogue()
	for _, s := range m.screens {
		if l, ok := s.(ui.Leaver); ok {
			text += "\n" + l.Epilogue()
		}
	}
	return strings.TrimSpace(text)
}
