package widget

import (
	"slices"

	"rfm/tui/look"
)

// Cache keeps a picture until what it depends on changes.
type Cache struct {
	key  []any
	text string
}

// Get returns the picture of a size and a look of what is given, values that can be compared, and renders it if one of
// them is new.
func (c *Cache) Get(on look.Look, width, height int, of []any, render func() string) string {
	if key := append(of, width, height, on.Appearance()); !slices.Equal(c.key, key) {
		c.key, c.text = key, render()
	}
	return c.text
}

// Size returns the number of bytes of the text that was kept last.
func (c *Cache) Size() int { return len(c.text) }
