package runs

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/store"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// A run is read again and again while it is shown, and not any more when another screen is.
func TestFollowingEndsWithItsScreen(t *testing.T) {
	l := New(session.New(session.Options{}), &ui.Dialogs{})
	read := l.watch(store.Entry{})
	if again := read().(func() tea.Cmd)(); again == nil {
		t.Fatal("a run on show is not looked at again")
	}
	read = l.read(l.over.(*watching), 0)
	l.Update(ui.Leave{}, ui.Canvas{})
	if read().(func() tea.Cmd)() != nil {
		t.Error("the run is looked at although another screen is on show")
	}
}
