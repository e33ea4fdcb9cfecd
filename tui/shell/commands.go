package shell

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/solver/printable"
	"rfm/tui/dialog"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// press handles a key: an open dialog takes it, else it is a command.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	key := keys.Lookup(msg.String())
	m.session.Say("")
	m.why = ""
	switch key {
	case keys.Kill:
		return m.quit()
	case keys.Suspend:
		return m.suspend()
	}
	m.session.Acknowledge(key == keys.Cancel)
	top := m.dialogs.Top()
	switch {
	case top != nil:
		return top.Update(msg)
	case key == keys.Cancel && m.session.State() == session.Preparing:
		m.session.Cancel()
		return nil
	}
	if key == keys.None && msg.Text != "" {
		m.session.Complain(printable.Line(msg.Text) + ": no action has this key; ? lists the keys")
		return nil
	}
	return m.carryOut(key)
}

// carryOut runs the command of a key, or reports why it is not available.
func (m *Model) carryOut(key keys.Key) tea.Cmd {
	c, ok := ui.Find(m.below(), key)
	switch {
	case !ok && key != keys.None:
		m.session.Complain(m.useless(key))
		return nil
	case !ok:
		return nil
	case c.Why != "" && key == keys.Cancel: // the most harmless of all keys
		return nil
	case c.Why != "":
		m.refused, m.why = key, c.Why
		m.session.Complain(c.Why)
		return nil
	}
	return c.Do()
}

// suspend stops the program until its parent shell resumes it.
func (m *Model) suspend() tea.Cmd {
	if !m.options.Suspends {
		m.session.Complain("no shell waits behind this terminal: nothing could resume a suspended program")
		return nil
	}
	return tea.Suspend
}

// tour is the name of the screen of the guided tour, which has no place in the header.
const tour = "demo"

// useless reports that a key does nothing here, and where it does something.
func (m *Model) useless(key keys.Key) string {
	text := fmt.Sprintf("%s does nothing here", key)
	for _, o := range m.offers() {
		if o.Key == key && o.screen != "" {
			return fmt.Sprintf("%s; on %s: %s", text, o.screen, o.Help)
		}
	}
	return text
}

// Commands returns the commands that count now: of the open dialog, else of the active screen and then of all.
func (m *Model) Commands() []ui.Command {
	if top := m.dialogs.Top(); top != nil {
		return top.Commands()
	}
	return m.below()
}

// below returns the commands without a dialog.
func (m *Model) below() []ui.Command { return append(m.own(), m.common()...) }

// own returns the key that leads onward and the commands of the active screen.
func (m *Model) own() []ui.Command {
	own := m.visible.Commands(m.room())
	if _, taken := ui.Find(own, keys.All); !taken {
		own = append([]ui.Command{m.onward()}, own...)
	}
	return own
}

// nothingYet returns why a screen cannot be shown.
func nothingYet(s ui.Screen) string {
	if s.Name() == "runs" {
		return "no run is stored yet"
	}
	return s.Name() + " has nothing to show yet: a on configure runs all steps"
}

// onward returns the command of the key that leads through the program: it runs the configuration, then shows the
// running stage, the result, and the configuration again.
func (m *Model) onward() ui.Command {
	s := m.session
	c := ui.Command{Key: keys.All, Word: "run", Help: "run all remaining steps",
		Do: func() tea.Cmd { return s.Begin(true) }}
	lead := func(word, help string, to session.Stage) ui.Command {
		c.Word, c.Help, c.Do = word, help, func() tea.Cmd { return m.show(to.String()) }
		return c
	}
	switch running := s.RunningStage(); {
	case running != session.None && m.visible.Name() != running.String():
		return lead("watch", "show the step that runs", running)
	case running != session.None:
		return lead("change", "change the configuration, for another run", session.None)
	case s.Occupied() != "":
		c.Why = s.Occupied()
	case s.Next() > session.Evaluate && m.visible.Name() != session.Evaluate.String():
		return lead("results", "show the results", session.Evaluate)
	case s.Next() > session.Evaluate:
		return lead("change", "change the configuration, for another run", session.None)
	case s.Config().Validate() != nil:
		c.Word, c.Help = "correct", "go to the invalid setting"
	}
	return c
}

// common returns the commands of every screen.
func (m *Model) common() []ui.Command {
	pause := ui.Command{Key: keys.Pause, Word: "pause", Help: "pause the running step, or resume it",
		Do: ui.Now(m.session.Pause)}
	switch {
	case m.session.CanResume():
		pause.Word, pause.Do = "resume", m.session.Resume
	case !m.session.CanPause():
		pause.Why = "no step of a stored run is running"
	}
	list := []ui.Command{pause,
		ui.Command{Key: keys.Cancel, Word: "cancel", Help: "stop the running step", Do: ui.Now(m.session.Cancel)}.
			When(m.session.Working(), "nothing is running"),
		{Key: keys.Export, Word: "export", Help: "write the shown data as CSV and the plots as SVG", Do: m.export},
		{Key: keys.Copy, Word: "copy", Help: "copy the table or the numbers (OSC 52)", Do: m.copyScreen},
		{Key: keys.Log, Word: "log", Help: "logarithmic or linear vertical axis of all plots that allow it",
			Do: ui.Now(func() { m.look.Log = !m.look.Log })},
		{Key: keys.Zoom, Word: "zoom", Help: "one picture fills the screen, v turns to the next; or all",
			Do: ui.Now(func() { m.look.Zoom = !m.look.Zoom })},
		m.helpCommand(keys.Palette, "commands", "find a command by its words"),
		m.helpCommand(keys.Help, "help", "all commands and their keys; tab explains the terms shown"),
		{Key: keys.Quit, Word: "quit", Help: "leave; asks first while something runs or is not saved", Do: m.leave},
	}
	for i, s := range m.screens {
		show := ui.Command{Key: keys.Screen(i), Help: "show " + s.Name(), Do: func() tea.Cmd { return m.show(s.Name()) }}
		if s.Name() == "runs" {
			show.Word, show.Help = "runs", "stored runs, to look at or to resume"
		}
		show = show.When(s.Open(), nothingYet(s))
		if s.Name() == tour {
			show.Key, show.Help, show.Why = keys.Tour, "the demo, a guided tour; then back here", m.session.Occupied()
		}
		list = append(list, show)
	}
	suspend := ui.Command{Key: keys.Suspend, Help: "suspend; fg resumes", Do: m.suspend}
	return append(list, suspend.When(m.options.Suspends, "no shell waits behind this terminal"),
		ui.Command{Key: keys.Kill, Word: "leave", Help: "leave at once and cancel the running step", Do: m.quit})
}

// leave quits, or asks first if something would be lost.
func (m *Model) leave() tea.Cmd {
	if busy := m.session.State() == session.Running && m.session.Busy(); busy || m.session.Unsaved() {
		m.dialogs.OpenOverAll(&leaving{m, busy})
		return nil
	}
	return m.quit()
}

// leaving is the dialog that asks whether to leave although something would be lost.
type leaving struct {
	shell *Model
	busy  bool // a job runs
}

// Commands implements ui.Dialog, as do Update and View.
func (l *leaving) Commands() []ui.Command {
	leave := ui.Command{Key: keys.Quit, Word: "leave"}
	list := []ui.Command{{Show: "any other key", Word: "stays"}, leave}
	if l.busy {
		list[1].Word = "stop and leave"
	}
	if l.shell.session.CanPause() {
		list = append(list, ui.Command{Show: "b", Word: "leave it going"})
	}
	return list
}

func (l *leaving) Update(msg tea.Msg) tea.Cmd {
	s := l.shell.session
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	l.shell.dialogs.Close(l)
	switch key := press.String(); {
	case key == "b" && s.CanPause():
		l.shell.background = true
		return l.shell.quit()
	case key == "y" || keys.Lookup(key) == keys.Quit:
		return l.shell.quit()
	}
	return nil
}

func (l *leaving) View(c ui.Canvas) string {
	text := "The configuration is changed and not saved."
	switch s := l.shell.session; {
	case s.CanPause():
		text = s.Doing() + " is running: stop it, or let another process continue it?"
	case l.busy:
		text = s.Doing() + " is running: stop it?"
	}
	width := min(c.Width-6, ansi.StringWidth(text))
	return dialog.Box(c.Theme, layout.Styled(c.Theme.Warn, ansi.Wrap(text, width, "")), width)
}
