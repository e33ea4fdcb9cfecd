package ui

import (
	"github.com/charmbracelet/x/ansi"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/layout"
)

// A Question asks whether to start something large. Any key but the one that runs everything means no.
type Question struct {
	Text, Verb string
	Do         func() tea.Cmd

	dialogs  *Dialogs
	commands []Command
}

// Ask opens the dialog.
func (q Question) Ask(dialogs *Dialogs) {
	q.dialogs = dialogs
	q.commands = []Command{
		{Key: KeyRun, Word: q.Verb, Do: q.yes},
		{Key: "any other key", Word: "does nothing"},
	}
	dialogs.Open(&q)
}

// Commands implements Dialog, as do Update and View.
func (q *Question) Commands() []Command { return q.commands }

// yes starts what was asked for.
func (q *Question) yes() tea.Cmd {
	q.dialogs.Close(q)
	return q.Do()
}

func (q *Question) Update(msg tea.Msg) tea.Cmd {
	_, ok := msg.(tea.KeyPressMsg)
	if ok {
		q.dialogs.Close(q)
	}
	return nil
}

func (q *Question) View(c Canvas) string {
	width := min(c.Width-6, ansi.StringWidth(q.Text))
	lines := layout.Styled(c.Theme.Warn, layout.Wrap(q.Text, width))
	return Box(c.Theme, lines, width)
}
