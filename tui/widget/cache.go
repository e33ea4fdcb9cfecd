package widget

import (
	"slices"

	"rfm/tui/look"
)

// Cache keeps a picture until the values that it depends on change.
type Cache struct {
	key  []any
	text string
}

// Get returns a picture that depends on a size, a look and the comparable values in of. It renders the picture again if
// one of them has changed.
func (c *Cache) Get(on look.Look, width, height int, of []any, render func() string) string {
	if key := append(append(of, width, height), on.Key()...); !slices.Equal(c.key, key) {
		c.key, c.text = key, render()
	}
	return c.text
}

// Size returns the number of bytes of the kept text.
func (c *Cache) Size() int { return len(c.text) }
