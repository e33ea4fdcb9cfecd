package configure

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// changes lists the parameters that were changed, with the values of the preset and of the paper.
type changes struct {
	screen *Screen
	at     widget.List
}

func (h *changes) list() *widget.List { return &h.at }

func (h *changes) lines() int { return len(h.changed()) }

// changed returns the keys that match the filter and whose values differ from the preset.
func (h *changes) changed() []config.Key {
	return widget.Chosen(&h.at, h.screen.session.Draft().Changed(), words)
}

func (h *changes) commands() []ui.Command {
	c, list, why := h.screen, h.changed(), ""
	if len(list) == 0 {
		why = "nothing is changed any more"
	}
	moves := h.at.Commands("change", len(list), keys.Up, keys.Down, keys.Filter, keys.First, keys.Last)
	if h.at.Typing() {
		return moves
	}
	commands := append([]ui.Command{{Key: keys.Enter, Word: "go to it", Help: "go to this parameter", Why: why,
		Do: ui.Now(h.open)}}, moves...)
	return append(commands, ui.Command{Key: keys.Reset, Word: "reset", Help: "back to the preset's value", Why: why,
		Do: ui.Now(func() {
			k := list[min(h.at.Line, len(list)-1)]
			c.set(k, k.Text(c.session.Draft().Base))
		})}, c.undo(), c.close())
}

// open selects the parameter in the list behind the panel.
func (h *changes) open() {
	h.screen.panel = nil
	h.screen.visit(h.changed()[h.at.Line].Name)
}

func (h *changes) follow() tea.Cmd {
	h.at.Keep(len(h.changed()))
	return nil
}

// click selects the line under the mouse; on the selected line it opens the parameter.
func (h *changes) click(_, y int) tea.Cmd {
	if h.at.Click(y-changesHead, len(h.changed()), h.screen.room.Height-changesHead) {
		h.open()
	}
	return nil
}

// changesHead is the number of lines above the list.
const changesHead = 2

func (h *changes) render(on look.Look, width, height int) string {
	th := on.Theme
	list, d := h.changed(), h.screen.session.Draft()
	title := fmt.Sprintf(" changed from %s: %d of %d", d.Origin(), len(list), len(d.Config.Keys()))
	lines := []string{th.Title.Render(layout.Cut(title, width))}
	if len(list) == 0 {
		return strings.Join(append(lines, "", th.Muted.Render(" nothing any more")), "\n")
	}
	const name = 20
	value := min(20, (width-name-4)/3-1)
	row := func(key string, values ...string) string {
		text := fmt.Sprintf(" %-*s", name, layout.Cut(key, name))
		for _, v := range values {
			text += fmt.Sprintf(" %-*s", value, layout.Cut(v, value))
		}
		return text
	}
	lines = append(lines, th.Muted.Render(" "+row("", "now", "before", "paper")))
	return strings.Join(append(lines, h.at.Draw(th, len(list), height-changesHead, func(i int) string {
		k := list[i]
		return row(k.Name, cmp.Or(k.Text(d.Config), "none"), cmp.Or(k.Text(d.Base), "none"), k.Paper())
	})...), "\n")
}
