package widget

import (
	"testing"

	"rfm/tui/keys"
)

func TestListsAreWalked(t *testing.T) {
	for _, c := range []struct {
		action         keys.Key
		line, n, wants int
	}{
		{keys.Up, 0, 5, 4}, {keys.Up, 4, 5, 3}, {keys.Down, 4, 5, 0}, {keys.Down, 0, 5, 1}, {keys.Down, 0, 1, 0},
		{keys.PageUp, 3, 30, 0}, {keys.PageUp, 23, 30, 13}, {keys.PageDown, 3, 30, 13}, {keys.PageDown, 23, 30, 29},
		{keys.First, 3, 30, 0}, {keys.Last, 3, 30, 29}, {keys.View, 3, 30, 3},
	} {
		l := List{Line: c.line}
		if l.Walk(c.action, c.n); l.Line != c.wants {
			t.Errorf("action %d in line %d of %d leads to %d, want %d", c.action, c.line, c.n, l.Line, c.wants)
		}
	}
}
