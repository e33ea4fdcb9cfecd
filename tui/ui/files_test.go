package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/theme"
)

// offered returns a dialog for the name of a file in a directory of count files, with their names.
func offered(t *testing.T, count int) *Line {
	t.Helper()
	directory := t.TempDir()
	for i := range count {
		if err := os.WriteFile(filepath.Join(directory, fmt.Sprintf("pairs-%05d.npy", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(directory)
	var d Dialogs
	suggest := Line{Title: "open", Files: true}.Ask(&d, "")
	l := d.Top().(*Line)
	l.Hear(suggest())
	l.enter(t, "p")
	return l
}

// enter types a text, and waits for the names.
func (l *Line) enter(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		cmd := l.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		l.Hear(cmd())
	}
}

// A frame of the dialog takes as much with 2000 names as with 200: only some are offered, and how many are not is said.
func TestFrameDoesNotDependOnTheNumberOfNames(t *testing.T) {
	on := Canvas{Theme: theme.New(theme.Options{}), Width: 80, Height: 40}
	cost := func(l *Line) float64 { return testing.AllocsPerRun(5, func() { l.View(on) }) }
	const many = 2000
	few, all := offered(t, 200), offered(t, many)
	if a, b := cost(few), cost(all); b > 1.1*a+10 {
		t.Errorf("%g allocations for a frame with 200 names, %g with %d", a, b, many)
	}
	if text := all.input.Names(on.Theme); !strings.Contains(text, fmt.Sprintf("and %d more", many-mostOffered)) {
		t.Errorf("names are left out in silence:\n%s", text)
	}
	all.enter(t, "airs-01999")
	if text := all.View(on); !strings.Contains(text, "pairs-01999.npy") {
		t.Errorf("the name is not found:\n%s", text)
	}
}

// Keys that choose among names do nothing where there are none, or fewer than before.
func TestNamesAreChosenWhereThereAreNone(t *testing.T) {
	on := Canvas{Theme: theme.New(theme.Options{}), Width: 80, Height: 40}
	for _, count := range []int{0, 1, 3} {
		l := offered(t, count)
		for _, key := range []tea.Key{{Code: tea.KeyUp}, {Code: tea.KeyUp}, {Code: 'x', Text: "x"}, {Code: tea.KeyUp},
			{Code: tea.KeyDown}, {Code: tea.KeyBackspace}, {Code: tea.KeyBackspace}, {Code: tea.KeyUp}, {Code: tea.KeyTab}} {
			cmd := l.Update(tea.KeyPressMsg(key))
			l.View(on)
			l.Hear(cmd())
			l.View(on)
		}
	}
}
