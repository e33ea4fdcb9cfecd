package shell

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// The end of long work is announced if nobody looks: another window has the focus, or no key was pressed for long.
func TestOnlyTheUnseenEndOfLongWorkIsAnnounced(t *testing.T) {
	for _, test := range []struct {
		name         string
		takes, since time.Duration // of the work, and since the last key at its end
		blurred      bool
		want         bool
	}{
		{"short", 5 * time.Second, time.Minute, true, false},
		{"long, nobody there", time.Minute, 30 * time.Second, false, true},
		{"long, somebody types", time.Minute, time.Second, false, false},
		{"long, in another window", time.Minute, time.Second, true, true},
	} {
		var a attention
		now := time.Now()
		a.notice(tea.KeyPressMsg{}, true, now)
		a.notice(tea.KeyPressMsg{}, true, now.Add(test.takes-test.since))
		if test.blurred {
			a.notice(tea.BlurMsg{}, true, now.Add(test.takes-test.since))
		}
		if got := a.notice(nil, false, now.Add(test.takes)); got != test.want {
			t.Errorf("%s: announced %t, want %t", test.name, got, test.want)
		}
		if a.notice(nil, false, now.Add(2*test.takes)) {
			t.Errorf("%s: announced twice", test.name)
		}
	}
}
