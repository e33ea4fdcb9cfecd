package screen

// cache keeps a rendered text until what it depends on changes.
type cache struct {
	key  any
	text string
}

// get returns the text for a comparable key, rendering it if the key is new.
func (c *cache) get(key any, render func() string) string {
	if c.key != key {
		c.key, c.text = key, render()
	}
	return c.text
}
