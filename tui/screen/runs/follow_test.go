package runs

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/model/store"
	"rfm/tui/screen/configure"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/shell/shelltest"
	"rfm/tui/ui"
)

// A run is read again and again while it is shown, and not any more when another screen is.
func TestFollowingEndsWithItsScreen(t *testing.T) {
	var l *Screen
	p := shelltest.New(t, session.Options{Config: shelltest.Tiny(t), Workers: 1}, shell.Options{},
		func(s *session.Session, d *ui.Dialogs) []ui.Screen {
			l = New(s, d)
			return []ui.Screen{configure.New(s, d), l}
		})
	show := func(name string) {
		p.S.Show(name)
		p.Send(nil)
	}
	show(l.Name())
	read := l.watch(store.Entry{})
	if again := read().(func() tea.Cmd)(); again == nil {
		t.Fatal("a run on show is not looked at again")
	}
	read = l.read(l.over.(*watching), 0)
	show(session.None.String())
	if read().(func() tea.Cmd)() != nil {
		t.Error("the run is looked at although another screen is on show")
	}
}
