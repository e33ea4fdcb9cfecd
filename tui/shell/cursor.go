package shell

import (
	"rfm/tui/keys"
	"rfm/tui/plot"
	"rfm/tui/ui"
)

// middle is the initial place of the cursor of the plots.
var middle = plot.Cursor{X: 0.5, Y: 0.5}

// reading returns the commands of the cursor. While it is shown, it takes the arrow keys.
func (m *Model) reading() []ui.Command {
	const steps = 64 // from end to end
	c := &m.look.Cursor
	if !c.Shown {
		return []ui.Command{{Key: keys.Read, Word: "read", Help: "a cursor that reads values off the plots, or none",
			Do: ui.Now(func() { c.Shown = true })}}
	}
	move := func(key keys.Key, help string, right, up float64) ui.Command {
		return ui.Command{Key: key, Word: "cursor", Help: help, Do: ui.Now(func() {
			c.X, c.Y = max(0, min(c.X+right/steps, 1)), max(0, min(c.Y+up/steps, 1))
		})}
	}
	return []ui.Command{
		{Key: keys.Read, Word: "no cursor", Help: "a cursor that reads values off the plots, or none",
			Do: ui.Now(func() { c.Shown = false })},
		move(keys.Left, "the cursor of the plots moves to the left", -1, 0),
		move(keys.Right, "the cursor of the plots moves to the right", 1, 0),
		move(keys.Up, "the cursor of the maps moves up, and the cut with it", 0, 1),
		move(keys.Down, "the cursor of the maps moves down, and the cut with it", 0, -1)}
}
