package page

import (
	tea "charm.land/bubbletea/v2"

	"rfm/tui/ui"
)

// A Menu is a list in a dialog over the whole screen, of which a line is taken: the examples, the commands. A key that is
// not among its commands leaves it, and is carried out below. A dialog embeds it and draws it.
type Menu struct {
	*List
	dialogs  *ui.Dialogs
	itself   ui.Dialog // that embeds the menu
	commands []ui.Command
}

// NewMenu returns the menu of a dialog, a list of things, of which there are as many as count says. Offer sets its commands.
func NewMenu(itself ui.Dialog, thing string, dialogs *ui.Dialogs, count func() int) Menu {
	list := NewList(thing, dialogs, count)
	list.takes = true
	return Menu{
		List:    list,
		dialogs: dialogs,
		itself:  itself,
	}
}

// Offer sets the commands of the menu: some that are first, those of all menus, in which enter takes the selected line, and
// some that are last.
func (m *Menu) Offer(first []ui.Command, verb string, take func() tea.Cmd, last []ui.Command) {
	hasLines := func() bool { return m.Count() > 0 }
	enter := ui.Command{
		Key:  ui.KeyEnter,
		Word: verb,
		Do:   take,
	}
	back := ui.Command{
		Key:  ui.KeyCancel,
		Word: "back",
		Do:   ui.Now(m.Close),
	}
	list := append(first, enter.When(hasLines, m.None()))
	list = append(list, m.Moves(ui.KeyUp, ui.KeyDown)...)
	list = append(list, m.Filters()...)
	list = append(list, m.Moves(ui.KeyPageUp, ui.KeyPageDown, ui.KeyFirst, ui.KeyLast)...)
	list = append(list, back) // behind the filters, because the first command of a key counts: esc shows all of a filtered list
	m.commands = append(list, last...)
}

// Close closes the dialog.
func (m *Menu) Close() { m.dialogs.Close(m.itself) }

// Below returns what carries out a key below the menu, which stays open.
func (m *Menu) Below(key ui.Key) func() tea.Cmd {
	return func() tea.Cmd { return m.dialogs.Press(key) }
}

// Commands implements ui.Dialog, as does Update.
func (m *Menu) Commands() []ui.Command { return m.commands }

// Update leaves the menu, and carries out a key below it: one that is not among its commands.
func (m *Menu) Update(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	m.Close()
	return m.dialogs.Press(ui.LookupKey(press.String()))
}
