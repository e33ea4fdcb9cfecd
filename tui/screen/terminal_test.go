// A terminal for tests: a screen of characters in memory.

package screen

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/hinshun/vt10x"
)

// Terminal is a screen of characters. It understands the control sequences of an xterm that concern text. All methods
// may be called from any goroutine.
type Terminal struct {
	mutex sync.Mutex
	vt    vt10x.Terminal
	rest  []byte // an incomplete sequence or character at the end of the input
}

// private matches sequences that vt10x mistakes for others.
var private = regexp.MustCompile(`\x1b\[[<=>][0-9;]*[a-zA-Z]`)

// unfinishedSequence matches an incomplete private sequence at the end of the input.
var unfinishedSequence = regexp.MustCompile(`\x1b(\[([<=>][0-9;]*)?)?$`)

// NewTerminal returns a blank terminal of width x height cells.
func NewTerminal(width, height int) *Terminal {
	return &Terminal{vt: vt10x.New(vt10x.WithSize(width, height))}
}

// Write draws p. It accepts all of it.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	text := append(t.rest, p...)
	t.rest = nil
	if at := unfinishedSequence.FindIndex(text); at != nil {
		text, t.rest = text[:at[0]], bytes.Clone(text[at[0]:])
	}
	_, err := t.vt.Write(private.ReplaceAll(text, nil))
	return len(p), err
}

// String returns the lines of the screen without trailing spaces.
func (t *Terminal) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return unstyled(strings.ReplaceAll(strings.TrimSuffix(t.vt.String(), "\n"), "\x00", " "))
}

// unstyled returns text without styles and trailing blanks.
func unstyled(text string) string {
	lines := strings.Split(ansi.Strip(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}
