package shell

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/keys"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// middle is where the cursor of the plots is at first.
var middle = plot.Cursor{X: 0.5, Y: 0.5}

// deepest is the strongest zoom, a factor of 2^deepest.
const deepest = 6

// setCursor moves the cursor of the plots on all screens.
func (m *Model) setCursor(c plot.Cursor) {
	m.cursor = c
	m.look.Cursor = c
}

// reading is the commands of the cursor; while it is shown they come first.
func (m *Model) reading() []ui.Command {
	const steps = 64 // from end to end of what is shown
	word := func(w string) string {
		if !m.cursor.Shown {
			return ""
		}
		return w
	}
	move := func(key keys.Key, w, help string, right, up float64) ui.Command {
		return ui.Command{Key: key, Word: word(w), Help: help, Do: ui.Now(func() {
			c := m.cursor
			if c.Shown {
				step := math.Pow(2, -float64(c.Zoom)) / steps
				c.X, c.Y = max(0, min(c.X+right*step, 1)), max(0, min(c.Y+up*step, 1))
			}
			c.Shown = true
			m.setCursor(c)
		})}
	}
	zoom := func(key keys.Key, help string, by int) ui.Command {
		return ui.Command{Key: key, Word: word("zoom"), Help: help, Do: ui.Now(func() {
			c := m.cursor
			c.Shown, c.Zoom = true, max(0, min(c.Zoom+by, deepest))
			m.setCursor(c)
			m.notice = session.Notice{Text: fmt.Sprintf("%d times as large around the cursor", 1<<c.Zoom)}
		})}
	}
	toggle := "read"
	if m.cursor.Shown {
		toggle = "no cursor"
	}
	return []ui.Command{
		{Key: keys.Read, Word: toggle, Help: "a cursor that reads values off the plots, or none", Do: ui.Now(func() {
			c := m.cursor
			c.Shown, c.Zoom = !c.Shown, 0
			m.setCursor(c)
		})},
		move(keys.ReadLeft, "cursor", "the cursor of the plots moves to the left", -1, 0),
		move(keys.ReadRight, "cursor", "the cursor of the plots moves to the right", 1, 0),
		move(keys.ReadUp, "", "the cursor of the maps moves up, and the cut with it", 0, 1),
		move(keys.ReadDown, "", "the cursor of the maps moves down, and the cut with it", 0, -1),
		zoom(keys.ZoomIn, "plots show half as much around the cursor", 1),
		zoom(keys.ZoomOut, "plots show twice as much around the cursor", -1)}
}

// point moves the cursor to the place of a plot that is in a cell of the terminal; it reports whether there is a plot.
func (m *Model) point(x, y int) bool {
	room := m.room()
	room.Cursor.Ruler = true
	lines := strings.Split(m.visible.View(room), "\n")
	if y -= m.headerLines(); y < 0 || y >= min(len(lines), room.Height) {
		return false
	}
	across, up, ok := plot.Under(ansi.Strip(ansi.Cut(lines[y], x, x+1)))
	if !ok {
		return false
	}
	c := m.cursor
	c.Shown, c.X = true, across
	if !math.IsNaN(up) {
		c.Y = up
	}
	m.setCursor(c)
	return true
}
