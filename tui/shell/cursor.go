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

// reading is the commands of the cursor; while it is shown they come first.
func (m *Model) reading() []ui.Command {
	const steps = 64 // from end to end of what is shown
	c := &m.look.Cursor
	toggle, moves, zooms := "read", "", ""
	if c.Shown {
		toggle, moves, zooms = "no cursor", "cursor", "zoom"
	}
	move := func(key keys.Key, word, help string, right, up float64) ui.Command {
		return ui.Command{Key: key, Word: word, Help: help, Do: ui.Now(func() {
			if c.Shown {
				step := math.Pow(2, -float64(c.Zoom)) / steps
				c.X, c.Y = max(0, min(c.X+right*step, 1)), max(0, min(c.Y+up*step, 1))
			}
			c.Shown = true
		})}
	}
	zoom := func(key keys.Key, help string, by int) ui.Command {
		return ui.Command{Key: key, Word: zooms, Help: help, Do: ui.Now(func() {
			c.Shown, c.Zoom = true, max(0, min(c.Zoom+by, deepest))
			m.notice = session.Notice{Text: fmt.Sprintf("%d times as large around the cursor", 1<<c.Zoom)}
		})}
	}
	return []ui.Command{
		{Key: keys.Read, Word: toggle, Help: "a cursor that reads values off the plots, or none",
			Do: ui.Now(func() { c.Shown, c.Zoom = !c.Shown, 0 })},
		move(keys.ReadLeft, moves, "the cursor of the plots moves to the left", -1, 0),
		move(keys.ReadRight, moves, "the cursor of the plots moves to the right", 1, 0),
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
	c := &m.look.Cursor
	c.Shown, c.X = true, across
	if !math.IsNaN(up) {
		c.Y = up
	}
	return true
}
