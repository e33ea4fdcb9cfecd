package runs

import (
	"errors"
	"strings"
	"testing"

	"rfm/model/compare"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// The reason why there are no predictions replaces the note that they are being read.
func TestComparisonShowsWhyThereAreNoPredictions(t *testing.T) {
	on := look.Look{Theme: theme.New(theme.Options{})}
	c := newComparison(compare.Comparison{Runs: make([]compare.Compared, 2)}, 1)
	c.update(ui.Follow{Canvas: ui.Canvas{Look: on, Width: 80, Height: 20}})
	for range 2 {
		next, _ := ui.Find(c.commands(), keys.NextTab)
		next.Do()
	}
	if text := c.view(on, 80, 20); !strings.Contains(text, "being read") {
		t.Fatalf("nothing is said while predictions are read:\n%s", text)
	}
	c.update(testedMsg{of: c, err: errors.New("the model is of another format")})
	if text := c.view(on, 80, 20); !strings.Contains(text, "of another format") {
		t.Errorf("the error is not shown:\n%s", text)
	}
}
