// A terminal for tests: a screen of characters in memory.

package shelltest

import (
	"bytes"
	"regexp"
	"rfm/tui/layout"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/hinshun/vt10x"
)

// Terminal is a screen of characters. It understands the control sequences of an xterm that concern text. All methods
// may be called from any goroutine.
type Terminal struct {
	mutex         sync.Mutex
	vt            vt10x.Terminal
	width, height int
	rest          []byte // an incomplete sequence or character at the end of the input
}

// private matches sequences that vt10x mistakes for others.
var private = regexp.MustCompile(`\x1b\[[<=>][0-9;]*[a-zA-Z]`)

// unfinishedSequence matches an incomplete private sequence at the end of the input.
var unfinishedSequence = regexp.MustCompile(`\x1b(\[([<=>][0-9;]*)?)?$`)

// NewTerminal returns a blank terminal of width x height cells.
func NewTerminal(width, height int) *Terminal {
	return &Terminal{vt: vt10x.New(vt10x.WithSize(width, height)), width: width, height: height}
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

// Resize changes the number of cells.
func (t *Terminal) Resize(width, height int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.vt.Resize(width, height)
	t.width, t.height = width, height
}

// Await waits until text is on the screen or the time is over; it reports whether text is there.
func (t *Terminal) Await(text string, within time.Duration) bool {
	const between = 5 * time.Millisecond // two checks
	for end := time.Now().Add(within); !strings.Contains(t.String(), text); time.Sleep(between) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// String returns the lines of the screen without trailing spaces.
func (t *Terminal) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return layout.Plain(strings.ReplaceAll(strings.TrimSuffix(t.vt.String(), "\n"), "\x00", " "))
}

// special maps the names of keys that are not characters.
var special = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "f1": tea.KeyF1,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "home": tea.KeyHome, "end": tea.KeyEnd,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
}

// ParseKey returns the key of a name: a character or one of special, possibly after ctrl+, alt+ or shift+.
func ParseKey(name string) (tea.KeyPressMsg, bool) {
	var k tea.KeyPressMsg
	rest := name
	for {
		before, after, ok := strings.Cut(rest, "+")
		mod, known := map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[before]
		if !ok || !known || after == "" {
			break
		}
		k.Mod |= mod
		rest = after
	}
	if code, ok := special[rest]; ok {
		k.Code = code
		if code == tea.KeySpace && k.Mod == 0 {
			k.Text = " "
		}
		return k, true
	}
	characters := []rune(rest)
	if len(characters) != 1 {
		return k, false
	}
	k.Code = characters[0]
	if k.Mod == 0 {
		k.Text = rest
	}
	return k, true
}
