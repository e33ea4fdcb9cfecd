// A terminal for tests: a screen of characters in memory.

package screen

import (
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// Terminal is a screen of characters. All methods may be called from any goroutine.
type Terminal struct {
	mutex    sync.Mutex
	emulator *vt.Emulator
}

// NewTerminal returns a blank terminal of width x height cells for a test.
func NewTerminal(t testing.TB, width, height int) *Terminal {
	e := vt.NewEmulator(width, height)
	answers := make(chan struct{})
	go func() {
		defer close(answers)
		_, _ = io.Copy(io.Discard, e) // to questions of the program, which waits for none of them
	}()
	t.Cleanup(func() {
		_ = e.InputPipe().(io.Closer).Close()
		<-answers
	})
	return &Terminal{emulator: e}
}

// Write draws p. It accepts all of it.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.emulator.Write(p)
}

// String returns the lines of the screen without trailing spaces.
func (t *Terminal) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return unstyled(t.emulator.String())
}

// underCursor returns the text of the line of the cursor before it, and whether the cursor is visible.
func (t *Terminal) underCursor() (before string, visible bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	at := t.emulator.CursorPosition()
	for x := range at.X {
		cell := t.emulator.CellAt(x, at.Y)
		if cell != nil {
			before += cell.Content
		}
	}
	return before, !t.emulator.CursorHidden()
}

// unstyled returns text without styles and trailing blanks.
func unstyled(text string) string {
	lines := strings.Split(ansi.Strip(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}
