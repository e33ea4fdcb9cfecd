package runs

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/model/compare"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// The reason why there are no predictions replaces the note that they are being read.
func TestComparisonShowsWhyThereAreNoPredictions(t *testing.T) {
	on := ui.Canvas{Look: look.Look{Theme: theme.New(theme.Options{})}, Width: 80, Height: 20}
	c := newComparison(compare.Comparison{Runs: make([]compare.Compared, 2)}, 1)
	var read tea.Cmd
	for range 2 {
		next, _ := ui.Find(c.Commands(on), keys.NextTab)
		read = next.Do()
	}
	if text := c.View(on); !strings.Contains(text, "being read") {
		t.Fatalf("nothing is said while predictions are read:\n%s", text)
	}
	if read == nil {
		t.Fatal("the tab of the samples reads no predictions")
	}
	c.err = errors.New("the model is of another format")
	if text := c.View(on); !strings.Contains(text, "of another format") {
		t.Errorf("the error is not shown:\n%s", text)
	}
}
