package shell

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/solver/printable"
	"rfm/tui/keys"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// press handles a key: first open questions, then typed text, then the commands.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	key := keys.Lookup(msg.String())
	m.notice, m.why = session.Notice{}, ""
	switch key {
	case keys.Kill:
		return m.quit()
	case keys.Suspend:
		return m.suspend()
	}
	m.session.Acknowledge(key == keys.Cancel)
	if m.asking {
		m.asking = false
		switch {
		case key == keys.Quit || msg.String() == "y":
			return m.quit()
		case msg.String() == "b" && m.session.CanLeaveGoing():
			m.background = true
			return m.quit()
		}
		return nil
	}
	switch {
	case m.palette != nil:
		return m.choose(msg)
	case key == keys.Cancel && m.session.State() == session.Preparing:
		m.session.Cancel()
		return nil
	case m.help != nil:
		m.read(msg)
		return nil
	case m.typing():
		return m.visible.Update(msg)
	}
	if key == keys.None && msg.Text != "" {
		m.notice = session.Notice{Text: fmt.Sprintf("%s is no key of the interface; ? lists them", printable.Line(msg.Text)),
			Bad: true}
		return nil
	}
	return m.carryOut(key)
}

// carryOut runs the command of a key, or reports why it is not available.
func (m *Model) carryOut(key keys.Key) tea.Cmd {
	c, ok := ui.Find(m.Commands(), key)
	switch {
	case !ok && key != keys.None:
		m.notice = session.Notice{Text: m.useless(key), Bad: true}
		return nil
	case !ok:
		return nil
	case c.Why != "" && key == keys.Cancel: // the most harmless of all keys
		return nil
	case c.Why != "":
		m.notice, m.refused, m.why = session.Notice{Text: c.Why, Bad: true}, key, c.Why
		return nil
	}
	return c.Do()
}

// suspend stops the program until its parent shell resumes it.
func (m *Model) suspend() tea.Cmd {
	if !m.options.Suspends {
		m.notice = session.Notice{Text: "no shell waits behind this terminal: nothing could resume a suspended program", Bad: true}
		return nil
	}
	return tea.Suspend
}

// touredMsg is the end of the guided tour.
type touredMsg struct{ err error }

// tour gives the terminal to the guided tour.
func (m *Model) tour() tea.Cmd {
	return tea.ExecProcess(m.options.Tour(), func(err error) tea.Msg { return touredMsg{err} })
}

// useless reports that a key does nothing here, and where it does something.
func (m *Model) useless(key keys.Key) string {
	text := fmt.Sprintf("%s does nothing here", key)
	if m.covered() {
		return text + "; esc goes back"
	}
	if c, _ := ui.Find(m.elsewhere(), key); c.Help != "" {
		text += "; on " + c.Help
	}
	return text
}

// typing reports whether keys are text.
func (m *Model) typing() bool {
	t, ok := m.visible.(ui.Typist)
	return ok && t.Typing()
}

// covered reports whether only the screen's own commands count.
func (m *Model) covered() bool {
	c, ok := m.visible.(ui.Cover)
	_, aside := m.visible.(ui.Aside)
	return aside || ok && c.Covered()
}

// Commands returns the commands that count now: of the active screen, then of every screen.
func (m *Model) Commands() []ui.Command {
	own := m.visible.Commands()
	switch {
	case m.typing():
		return own
	case m.covered():
		back, _ := ui.Find(own, keys.Cancel)
		back.Key = keys.Quit
		if _, ok := m.visible.(ui.Exhibitor); ok {
			for _, key := range []keys.Key{keys.Export, keys.Copy} {
				c, _ := ui.Find(m.common(), key)
				own = append(own, c)
			}
		}
		return append(own, m.paletteCommand(), m.helpCommand(), back)
	}
	if _, taken := ui.Find(own, keys.All); !taken {
		own = append(own, m.onward())
	}
	list := append(append(own, m.common()...), m.reading()...)
	if m.look.Cursor.Shown {
		list = append(append(m.reading(), own...), m.common()...)
	}
	list = append(list, ui.Command{Key: keys.Suspend, Help: "suspend; fg resumes", Do: m.suspend}.
		When(m.options.Suspends, "no shell waits behind this terminal"))
	return append(list, ui.Command{Key: keys.Kill, Word: "leave", Help: "leave at once; what runs is cancelled",
		Do: m.quit})
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
		c.Word, c.Help = "correct", "go to what is wrong with the configuration"
	}
	return c
}

// common returns the commands of every screen.
func (m *Model) common() []ui.Command {
	pause := ui.Command{Key: keys.Pause, Word: "pause", Help: "pause the running step, or go on with it",
		Do: ui.Now(m.session.Pause)}
	switch {
	case m.session.CanResume():
		pause.Word, pause.Do = "go on", m.session.Resume
	case !m.session.CanPause():
		pause.Why = "no step of a stored run is running"
	}
	list := []ui.Command{pause,
		ui.Command{Key: keys.Runs, Word: "runs", Help: "stored runs, to look at or to resume",
			Do: func() tea.Cmd { return m.show("runs") }}.When(!m.session.NoneStored(), "no run is stored yet"),
		ui.Command{Key: keys.Cancel, Word: "cancel", Help: "stop what runs", Do: ui.Now(m.session.Cancel)}.
			When(m.session.Working(), "nothing is running"),
		{Key: keys.Export, Word: "export", Help: "write the data on show as CSV and the plots as SVG", Do: m.export},
		{Key: keys.Copy, Word: "copy", Help: "copy the table or the numbers (OSC 52)", Do: m.copyScreen},
		{Key: keys.Log, Word: "log", Help: "logarithmic or linear vertical axis of all plots that allow it",
			Do: ui.Now(func() { m.look.Log = !m.look.Log })},
		ui.Command{Key: keys.Tour, Help: "the demo, a guided tour; then back here", Why: m.session.Occupied(), Do: m.tour}.
			When(m.options.Tour != nil, "no terminal is known that it could use"),
		m.paletteCommand(), m.helpCommand(), {Key: keys.Quit, Word: "quit",
			Help: "leave; asks first while something runs or is not saved",
			Do:   m.leave},
	}
	for i, s := range m.places() {
		show := ui.Command{Key: keys.Screen(i), Help: "show " + s.Name(), Do: func() tea.Cmd { return m.show(s.Name()) }}
		list = append(list, show.When(s.Open(), s.Name()+" has nothing to show yet: a on configure runs all steps"))
	}
	return list
}

// leave quits, or asks first if something would be lost.
func (m *Model) leave() tea.Cmd {
	if m.session.Busy() && m.session.State() == session.Running || m.session.Unsaved() {
		m.asking = true
		return nil
	}
	return m.quit()
}

// places returns the screens that have a place in the header.
func (m *Model) places() []ui.Screen {
	return slices.DeleteFunc(slices.Clone(m.screens), func(s ui.Screen) bool {
		_, aside := s.(ui.Aside)
		return aside
	})
}

// place returns the place in the header of the active screen, or of the one that it returns to.
func (m *Model) place() int {
	name := m.visible.Name()
	if a, ok := m.visible.(ui.Aside); ok {
		name = a.Aside()
	}
	return slices.IndexFunc(m.places(), func(s ui.Screen) bool { return s.Name() == name })
}
