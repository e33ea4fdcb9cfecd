package widget

// Cache keeps a rendered text until what it depends on changes.
type Cache struct {
	key  any
	text string
}

// Get returns the text for a comparable key, rendering it if the key is new.
func (c *Cache) Get(key any, render func() string) string {
	if c.key != key {
		c.key, c.text = key, render()
	}
	return c.text
}

// Size is the number of bytes of the text that was kept last.
func (c *Cache) Size() int { return len(c.text) }
