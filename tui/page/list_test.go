package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/theme"
	"rfm/tui/ui"
)

func TestListsAreWalked(t *testing.T) {
	for _, c := range []struct {
		action         ui.Key
		line, n, wants int
	}{
		{ui.KeyUp, 0, 5, 4}, {ui.KeyUp, 4, 5, 3}, {ui.KeyDown, 4, 5, 0}, {ui.KeyDown, 0, 5, 1}, {ui.KeyDown, 0, 1, 0},
		{ui.KeyPageUp, 3, 30, 0}, {ui.KeyPageUp, 23, 30, 13}, {ui.KeyPageDown, 3, 30, 13}, {ui.KeyPageDown, 23, 30, 29},
		{ui.KeyFirst, 3, 30, 0}, {ui.KeyLast, 3, 30, 29}, {ui.KeyView, 3, 30, 3},
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
