package widget

import "rfm/tui/keys"

// Walk is the line of a list of n lines after a key: up and down go round, pages stop at the ends. Other keys stay.
func Walk(key keys.Key, line, n int) int {
	switch key {
	case keys.Up:
		return (line + n - 1) % n
	case keys.Down:
		return (line + 1) % n
	case keys.PageUp:
		return max(0, line-page)
	case keys.PageDown:
		return min(n-1, line+page)
	case keys.First:
		return 0
	case keys.Last:
		return n - 1
	}
	return line
}

// page is how many lines a page has.
const page = 10
