package page

import (
	"reflect"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/theme"
)

// Cache keeps a picture until the values that it depends on change.
type Cache struct {
	key    []any
	text   string
	before string
}

// Get returns a picture that depends on a size, a theme and the values in of. It renders the picture again
// if one of them has changed.
func (c *Cache) Get(th theme.Theme, width, height int, of []any, render func() string) string {
	key := append(append(of, width, height), th.Options)
	if !slices.EqualFunc(c.key, key, same) {
		c.key = key
		c.before = c.text
		c.text = render()
	}
	return c.text
}

// same reports whether two values are known to be equal. Those that cannot be compared, as errors of any kind may be, are
// not: then a picture is drawn again, where == would be a panic.
func same(a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// Size returns the number of bytes of the kept text.
func (c *Cache) Size() int { return len(c.text) }

// Change returns about the number of bytes that the last change of the text writes to a terminal.
func (c *Cache) Change() int { return difference(c.before, c.text) }

// difference returns about the bytes that change one text on the terminal into another: of each run of cells that differ,
// its characters and what moves the cursor there and sets colours, and back.
func difference(before, after string) (bytes int) {
	const move = 24 // bytes
	old := strings.Split(ansi.Strip(before), "\n")
	for i, line := range strings.Split(ansi.Strip(after), "\n") {
		was := []rune{}
		if i < len(old) {
			was = []rune(old[i])
		}
		inRun := false
		for x, r := range []rune(line) {
			same := x < len(was) && was[x] == r
			if !same {
				bytes += len(string(r))
			}
			if !same && !inRun {
				bytes += move
			}
			inRun = !same
		}
	}
	return bytes
}
