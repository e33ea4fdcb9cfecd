package ui

import (
	"context"
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

// Drawing the dialog costs as much with 2000 names as with 200, because only some are offered; it says how many more
// there are.
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

// The arrow keys put one name after the other in place of the typed text, which comes back behind the last; below a
// directory that was chosen, tab offers its files.
func TestArrowsChooseNames(t *testing.T) {
	l := offered(t, 3)
	if err := os.Mkdir("plots", 0o700); err != nil {
		t.Fatal(err)
	}
	l.press(t, tea.KeyBackspace)
	for _, want := range []string{"pairs-00000.npy", "pairs-00001.npy", "pairs-00002.npy", "plots/", ""} {
		if l.press(t, tea.KeyDown); l.input.Value() != want {
			t.Errorf("the text is %q, want %q", l.input.Value(), want)
		}
	}
	l.press(t, tea.KeyUp)
	if err := os.WriteFile("plots/first.npy", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l.press(t, tea.KeyTab)
	if l.press(t, tea.KeyDown); l.input.Value() != "plots/first.npy" {
		t.Errorf("the text is %q, not the file in the directory", l.input.Value())
	}
}

// A text with which no name begins is called so where a file is opened, before anybody presses enter.
func TestNoNameBeginsSo(t *testing.T) {
	on := Canvas{Theme: theme.New(theme.Options{}), Width: 80, Height: 40}
	const said = "no file has a name that begins so"
	l := offered(t, 1)
	l.Opens = true
	if text := l.View(on); strings.Contains(text, said) {
		t.Errorf("a name begins with p:\n%s", text)
	}
	l.enter(t, "x")
	if text := l.View(on); !strings.Contains(text, said) {
		t.Errorf("no name begins with px:\n%s", text)
	}
}

// press presses a key, and waits for the names.
func (l *Line) press(t *testing.T, key rune) {
	t.Helper()
	cmd := l.Update(tea.KeyPressMsg{Code: key})
	l.Hear(cmd())
}

// Where a file is opened, the beginning of the only name with it is enough; where one is saved, it is a name itself.
func TestBeginningOfTheOnlyNameIsEnough(t *testing.T) {
	for opens, want := range map[bool]string{true: "pairs-00000.npy", false: "pa"} {
		l := offered(t, 1)
		l.Opens = opens
		got := ""
		l.Try = func(_ context.Context, name string, _ bool) (func() tea.Cmd, error) {
			got = name
			return nil, os.ErrInvalid
		}
		l.enter(t, "a")
		tries := l.take()
		l.Hear(tries())
		if got != want {
			t.Errorf("opens %t: the name is %q, want %q", opens, got, want)
		}
	}
}
