package widget

import (
	"fmt"

	"rfm/tui/keys"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// List is where somebody is in a list of lines, of which as many are shown as there is room for.
type List struct{ Line int }

// Keep keeps the selected line in a list of n lines.
func (l *List) Keep(n int) { l.Line = max(0, min(l.Line, n-1)) }

// Walk moves in a list of n lines: up and down go round, pages stop at the ends.
func (l *List) Walk(key keys.Key, n int) { l.Line = Walk(key, l.Line, n) }

// Window is the lines on show, of n where there is room for rows: those around the selected one.
func (l *List) Window(n, rows int) (first, last int) {
	first = max(0, min(l.Line-rows/2, n-rows))
	return first, min(n, first+max(0, rows))
}

// Click selects the line in a row on show. Again reports whether it was selected before.
func (l *List) Click(row, n, rows int) (again bool) {
	first, last := l.Window(n, rows)
	line := first + row
	if row < 0 || line >= last {
		return false
	}
	again = line == l.Line
	l.Line = line
	return again
}

// Draw writes the lines on show, the selected one between marks; line is a text as it stands in the list, or more than
// that if it is not selected.
func (l *List) Draw(th theme.Theme, n, rows int, line func(i int) string) []string {
	first, last := l.Window(n, rows)
	var lines []string
	for i := first; i < last; i++ {
		lines = append(lines, Marked(th, i == l.Line, line(i)))
	}
	return lines
}

// Marked is a line of a list.
func Marked(th theme.Theme, selected bool, text string) string {
	if !selected {
		return " " + text
	}
	return string(th.Glyphs.FocusLeft) + th.Focus.Render(text) + string(th.Glyphs.FocusRight)
}

// Commands are the keys that move in a list of n things.
func (l *List) Commands(thing string, n int, list ...keys.Key) []ui.Command {
	why := ""
	if n == 0 {
		why = "there is nothing in the list"
	}
	var commands []ui.Command
	for _, k := range list {
		c := ui.Command{Key: k, Word: thing, Why: why, Do: ui.Now(func() { l.Walk(k, n) })}
		switch k {
		case keys.Up:
			c.Help = "previous " + thing
		case keys.Down:
			c.Help = "next " + thing
		case keys.PageUp:
			c.Word, c.Help = fmt.Sprintf("%d %ss", page, thing), fmt.Sprintf("%d %ss back", page, thing)
		case keys.PageDown:
			c.Word, c.Help = fmt.Sprintf("%d %ss", page, thing), fmt.Sprintf("%d %ss on", page, thing)
		case keys.First:
			c.Word, c.Help = "first", "first "+thing
		case keys.Last:
			c.Word, c.Help = "last", "last "+thing
		}
		commands = append(commands, c)
	}
	return commands
}
