// Package headless is the program without a terminal: it draws on one in memory, a script presses its keys and looks at
// what it shows, and a recording keeps that for later.
package headless

import (
	"bytes"
	"regexp"
	"rfm/tui/layout"
	"strings"
	"sync"
	"time"

	"github.com/hinshun/vt10x"
)

// Terminal is a screen of characters that understands the control sequences of an xterm as far as text goes. All
// methods may be called from any goroutine.
type Terminal struct {
	mutex         sync.Mutex
	vt            vt10x.Terminal
	width, height int
	rest          []byte // the beginning of a sequence or a character whose end has not been written yet
}

// private are sequences that vt10x takes for others.
var private = regexp.MustCompile(`\x1b\[[<=>][0-9;]*[a-zA-Z]`)

// unfinishedSequence is a private sequence without its end, at the end of what was written.
var unfinishedSequence = regexp.MustCompile(`\x1b(\[([<=>][0-9;]*)?)?$`)

// NewTerminal returns a blank terminal of width x height cells.
func NewTerminal(width, height int) *Terminal {
	return &Terminal{vt: vt10x.New(vt10x.WithSize(width, height)), width: width, height: height}
}

// Write draws. It takes everything.
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

// Resize changes the number of cells.
func (t *Terminal) Resize(width, height int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.vt.Resize(width, height)
	t.width, t.height = width, height
}

// Await returns as soon as text is on the screen, or once the time is over; it reports whether text is there.
func (t *Terminal) Await(text string, within time.Duration) bool {
	const between = 5 * time.Millisecond // two looks
	for end := time.Now().Add(within); !strings.Contains(t.String(), text); time.Sleep(between) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// String is the text on the screen: a line for each of its lines, without spaces at their ends.
func (t *Terminal) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return layout.Plain(strings.ReplaceAll(strings.TrimSuffix(t.vt.String(), "\n"), "\x00", " "))
}
