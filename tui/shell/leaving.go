package shell

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// leaving is the dialog that asks whether to leave although something would be lost.
type leaving struct {
	shell    *Model
	busy     bool // a job runs
	commands []ui.Command
}

func newLeaving(m *Model) *leaving {
	l := &leaving{shell: m, busy: m.busy()}
	word := "leave"
	if l.busy {
		word = "stop and leave"
	}
	goesOn := l.leave(ui.KeyStay, "leave it going", true)
	goesOn.If = l.resumes
	l.commands = []ui.Command{
		{Key: "any other key", Word: "stays"},
		l.leave(ui.KeyQuit, word, false),
		l.leave("y", "", false),
		goesOn,
	}
	return l
}

// resumes reports whether a stage runs that another process can resume.
func (l *leaving) resumes() bool {
	r := l.shell.session.Runner
	return r.RunningStage() != session.None && r.Resumable()
}

// Commands implements ui.Dialog, as do Update and View.
func (l *leaving) Commands() []ui.Command { return l.commands }

// leave returns a command that leaves, and lets another process continue the run if it is to go on.
func (l *leaving) leave(key ui.Key, word string, goesOn bool) ui.Command {
	do := func() tea.Cmd {
		l.shell.dialogs.Close(l)
		l.shell.background = goesOn
		return l.shell.quit()
	}
	return ui.Command{
		Key:  key,
		Word: word,
		Do:   do,
	}
}

func (l *leaving) Update(msg tea.Msg) tea.Cmd {
	_, ok := msg.(tea.KeyPressMsg)
	if ok {
		l.shell.dialogs.Close(l)
	}
	return nil
}

func (l *leaving) View(c ui.Canvas) string {
	text := "The configuration is changed and not saved."
	running := l.shell.session.Runner.Doing() + " is running"
	switch {
	case l.resumes():
		text = running + ": stop it, or let another process continue it?"
	case l.busy:
		text = running + ": stop it?"
	}
	width := min(c.Width-6, ansi.StringWidth(text))
	lines := layout.Styled(c.Theme.Warn, layout.Wrap(text, width))
	return ui.Box(c.Theme, lines, width)
}
