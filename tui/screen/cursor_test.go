package screen

import (
	"regexp"
	"slices"
	"testing"

	"rfm/tui/theme"
)

// The cursor is at the same place in all plots of a screen and follows the arrow keys; one key hides it.
func TestCursorIsInStepOnAllPlots(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Press("a")
	p.Resize(120, 40)
	before := p.Screen()
	places := func() []string { return regexp.MustCompile(`▲ x [0-9.]+`).FindAllString(p.Screen(), -1) }
	same := func(when string) {
		t.Helper()
		if at := places(); len(at) != 2 || at[0] != at[1] {
			t.Errorf("%s: the plots are read at %q:\n%s", when, at, p.Screen())
		}
	}
	p.Press("i")
	p.See("▲ x 0.5", "truth ", "prediction ", "difference", "no cursor")
	same("at first")
	first := places()
	p.Press("right", "right")
	same("moved")
	if slices.Equal(first, places()) {
		t.Error("the cursor has not moved")
	}
	p.Press("i")
	if after := p.Screen(); after != before {
		t.Errorf("without the cursor the screen is not as before:\n%s", after)
	}
}

// On maps the cut follows the cursor.
func TestCutFollowsTheCursor(t *testing.T) {
	p := newPerson(t, Options{Config: tinyDarcy(t), Workers: 2, Theme: theme.Options{NoColor: true}})
	p.Press("a")
	p.Resize(120, 40)
	cut := func() string { return regexp.MustCompile(`cut at x2 = [0-9.]+`).FindString(p.Screen()) }
	p.Press("i")
	before := cut()
	for range 12 {
		p.Press("up")
	}
	if after := cut(); before == "" || after == before {
		t.Errorf("the cut was %q and is %q:\n%s", before, after, p.Screen())
	}
}
