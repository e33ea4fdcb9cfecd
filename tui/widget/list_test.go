package widget

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/keys"
	"rfm/tui/theme"
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
			t.Errorf("action %s in line %d of %d leads to %d, want %d", c.action, c.line, c.n, l.Line, c.wants)
		}
	}
}

// A list that does not fit counts its hidden lines, but never in place of the selected line.
func TestListsSayWhatIsBeyond(t *testing.T) {
	const n = 20
	th := theme.New(theme.Options{})
	for rows := 1; rows <= n+1; rows++ {
		for line := range n {
			l := List{Line: line}
			text := ansi.Strip(strings.Join(l.Draw(th, n, rows, func(i int) string { return fmt.Sprintf("line %d.", i) }), "\n"))
			if !strings.Contains(text, fmt.Sprintf("line %d.", line)) {
				t.Fatalf("line %d is not among %d:\n%s", line, rows, text)
			}
			if unseen := n - strings.Count(text, "line"); rows >= 3 && unseen > 0 {
				above, below := 0, 0
				for part := range strings.SplitSeq(text, "\n") {
					fmt.Sscanf(part, " "+string(th.Glyphs.Up)+" %d more above", &above)
					fmt.Sscanf(part, " "+string(th.Glyphs.Down)+" %d more below", &below)
				}
				if above+below != unseen {
					t.Fatalf("%d and %d lines are beyond, %d are not seen:\n%s", above, below, unseen, text)
				}
			}
		}
	}
}
