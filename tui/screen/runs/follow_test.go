package runs

import (
	"testing"

	"rfm/model/run/store"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// A run is read again and again while it is shown, and not any more when another screen is.
func TestFollowingEndsWithItsScreen(t *testing.T) {
	l := New(session.New(session.Options{}), &ui.Dialogs{})
	read := l.watch(store.Entry{})
	if again := l.Hear(read()); again == nil {
		t.Fatal("a run on show is not looked at again")
	}
	read = l.read(l.over.(*watching), 0)
	l.Update(ui.Leave{})
	if l.Hear(read()) != nil {
		t.Error("the run is looked at although another screen is on show")
	}
}
