// Package shell surrounds the screens: header, messages, footer, help, export. It knows screens only by the
// contract in rfm/tui/ui.
package shell

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/solver/base/fault"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// Options set how the interface is drawn and controlled.
type Options struct {
	Theme theme.Options
	// a shell can resume the program after ctrl+z
	Suspends bool
}

// Model is the root of the interface.
type Model struct {
	Screens       []ui.Screen // in the order of the header
	session       *session.Session
	options       Options
	theme         theme.Theme
	width, height int
	visible       ui.Screen
	dialogs       *ui.Dialogs
	leads         []ui.Command // that lead onward, unless the screen has their keys
	common        []ui.Command // of every screen
	refused       ui.Offer     // the last one that was not available
	canvas        ui.Canvas    // on which the screen is laid out
	attention     attention
	background    bool // another process resumes the running stage
	opening       bool // nothing works before the first frame is on the terminal
}

// New returns the interface with the first screen active; it computes nothing yet. The screens open dialogs in d.
func New(s *session.Session, d *ui.Dialogs, o Options, screens ...ui.Screen) *Model {
	m := &Model{
		session: s,
		Screens: screens,
		dialogs: d,
		options: o,
		visible: screens[0],
		theme:   theme.New(o.Theme),
	}
	m.leads = m.newLeads()
	m.common = m.newCommon()
	d.Press = m.carryOut
	return m
}

// Session returns the session of the screens.
func (m *Model) Session() *session.Session { return m.session }

// Init asks the terminal for its background. It initializes session and screens after the first frame, which their work
// would delay.
func (m *Model) Init() tea.Cmd {
	const frame = 40 * time.Millisecond
	m.opening = true
	drawn := tea.Tick(frame, func(time.Time) tea.Msg { return opened{} })
	return guarded(tea.Batch(tea.RequestBackgroundColor, m.turn(), drawn))
}

// Update handles a message. State changes only here: first by the message itself, then in the active screen, which is laid
// out in the end.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.theme = m.theme.Hear(msg)
	cmds := []tea.Cmd{m.handle(msg), m.turn()}
	l, asks := m.dialogs.Top().(*leaving)
	if asks && l.busy && !m.session.Runner.Busy() {
		m.dialogs.Close(l) // nothing would be lost any more
	}
	if !m.opening {
		cmds = append(cmds, m.visible.Update(msg), m.turn())
	}
	m.takeBack()
	m.arrange()
	if m.attention.notice(msg, m.session.Runner.Busy(), time.Now()) {
		cmds = append(cmds, bell())
	}
	return m, guarded(tea.Batch(cmds...))
}

// takeBack removes the reason why a command was refused from the screen once it does not hold any more.
func (m *Model) takeBack() {
	isShown := m.refused.Why != "" && m.session.Notice().Text == m.refused.Why
	if !isShown {
		return
	}
	now, isThere := ui.Find(m.below(), m.refused.Key)
	isUnknown := m.refused.Do == nil // the key did nothing, and does nothing on this screen
	holds := now.Why == m.refused.Why || isUnknown && !isThere
	if !holds {
		m.session.Say("")
	}
}

// arrange lays the active screen out, and lets dialogs that list what is below them look at it again.
func (m *Model) arrange() {
	m.canvas = m.room()
	m.visible.Arrange(m.canvas)
	if !layout.TooSmall(m.width, m.height) { // else nothing is shown that a dialog could be about
		m.dialogs.Follow()
	}
}

// guarded returns a command whose panic is a notice instead of the end of the program, as that of a job is.
func guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = panicked{fault.Recovered(v)}
			}
		}()
		msg = cmd()
		list, several := msg.(tea.BatchMsg)
		if several {
			for i, one := range list {
				list[i] = guarded(one)
			}
		}
		return msg
	}
}

// turn makes the screen active that the session shows, once no dialog is open, and then tells it what the session asks for.
func (m *Model) turn() tea.Cmd {
	var cmds []tea.Cmd
	shown := m.session.Shown()
	next := m.screen(shown)
	if next != nil && next != m.visible && m.dialogs.Top() == nil {
		cmds = append(cmds, m.visible.Update(ui.Leave{}))
		m.visible = next
		next.Arrange(m.room())
		cmds = append(cmds, next.Update(ui.Enter{}))
	}
	if m.visible.Name() == shown {
		for _, request := range m.session.Requests() {
			cmds = append(cmds, m.tell(request))
		}
	}
	return tea.Batch(cmds...)
}

// screen returns the screen of a name; nil if there is none.
func (m *Model) screen(name string) ui.Screen {
	for _, s := range m.Screens {
		if s.Name() == name {
			return s
		}
	}
	return nil
}

// tell gives a message to the screens that handle messages.
func (m *Model) tell(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, s := range m.Screens {
		h, ok := s.(ui.Hearer)
		if ok {
			cmds = append(cmds, h.Hear(msg))
		}
	}
	return tea.Batch(cmds...)
}

// show makes a screen active.
func (m *Model) show(name string) tea.Cmd {
	m.session.Show(name)
	return m.turn()
}

// handle acts on a message.
func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width = msg.Width
		m.height = msg.Height
		m.arrange() // because the screen looks for what it has room for
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		top := m.dialogs.Top()
		if top != nil && !layout.TooSmall(m.width, m.height) {
			return top.Update(msg)
		}
	case tea.MouseMsg:
		return m.point(msg)
	case opened:
		m.opening = false
		return m.session.Init()
	case ui.Prepared:
		return m.openPrepared(msg)
	case exported:
		m.tellExported(msg)
	case panicked:
		m.session.Complain(msg.err.Error())
	}
	return tea.Batch(m.session.Hear(msg), m.dialogs.Hear(msg), m.tell(msg))
}

// openPrepared opens a dialog that was prepared in the background, unless another one was opened meanwhile.
func (m *Model) openPrepared(p ui.Prepared) tea.Cmd {
	switch {
	case p.Err != nil:
		m.session.Complain(p.Err.Error())
		return nil
	case m.dialogs.Top() != nil:
		return nil
	}
	m.dialogs.Open(p.Dialog)
	return p.Dialog.Begin()
}

// pointed returns the open dialog that is pointed at with the mouse; nil if none is.
func (m *Model) pointed() ui.Pointed {
	d, ok := m.dialogs.Top().(ui.Pointed)
	if !ok || !d.Mouse() || layout.TooSmall(m.width, m.height) {
		return nil
	}
	return d
}

// point gives an event of the mouse to the dialog that it points at.
func (m *Model) point(msg tea.MouseMsg) tea.Cmd {
	d := m.pointed()
	if d == nil {
		return nil
	}
	event := msg.Mouse()
	p := ui.Pointer{
		X:     event.X,
		Y:     event.Y - m.headerLines(),
		Picks: event.Button == tea.MouseRight,
	}
	switch msg.(type) {
	case tea.MouseClickMsg:
		p.Kind = ui.Pressed
	case tea.MouseMotionMsg:
		p.Kind = ui.Dragged
	case tea.MouseReleaseMsg:
		p.Kind = ui.Released
	default: // the wheel
		return nil
	}
	return d.Point(p, m.canvas)
}

// room returns the canvas between header, messages and footer. It is never smaller than on the smallest terminal that is
// drawn on, so that screens and dialogs need not deal with less. A line is kept free for messages, and a longer one covers
// the end of the screen, so that no picture changes its scale when a message comes or goes. A low terminal has no line to
// spare, and a dialog may need the lines that would be covered.
func (m *Model) room() ui.Canvas {
	c := ui.Canvas{
		Theme:  m.theme,
		Width:  max(m.width, layout.MinWidth),
		Height: m.bodyHeight(),
	}
	kept := 0 // lines for messages, also if there is none
	if m.height >= roomy && !m.dialogs.Cover() {
		kept = 1
	}
	c.Height -= kept
	message := m.message()
	liesOver := kept > 0 && m.dialogs.Top() == nil // a longer message hides lines of the screen, so that nothing moves
	if message != "" && !liesOver {
		c.Height -= lipgloss.Height(message) - kept
	}
	return c
}

// quit cancels the job and leaves; Close waits for it.
func (m *Model) quit() tea.Cmd {
	m.session.Leave()
	return tea.Quit
}

// Close cancels the running job, waits until its state is stored, and closes the run. Call it after the program has
// ended, also by a signal. The error is the error of closing the run.
func (m *Model) Close() error {
	return m.session.Close()
}

// Background returns the stored run that another process is to resume; empty if there is none. The program has ended
// because its terminal was lost, or for other reasons.
func (m *Model) Background(lost bool) string {
	r := m.session.Runner
	goesOn := m.background || lost && r.Stays()
	if !goesOn || !r.Resumable() {
		return ""
	}
	return m.session.Runner.Stored()
}
