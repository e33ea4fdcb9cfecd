package configure

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// changes is the dialog of the parameters that were changed, with the values of the preset and of the paper.
type changes struct {
	screen *Screen
	widget.Menu
}

// changed returns the keys that match the filter and whose values differ from the preset.
func (h *changes) changed() []config.Key {
	return widget.Chosen(&h.List, h.screen.session.Draft().Changed(), words)
}

// Commands implements ui.Dialog, as do Update and View.
func (h *changes) Commands() []ui.Command {
	return append(h.Offer("change", "go to it", len(h.changed())),
		ui.Command{Key: keys.Reset, Word: "reset", Help: "back to the preset's value"})
}

func (h *changes) Update(msg tea.Msg) tea.Cmd {
	list := h.changed()
	switch msg := msg.(type) {
	case ui.Follow:
		h.Keep(len(list))
	case ui.Click:
		if h.Click(msg.Y-changesHead, len(list), h.screen.room.Height-changesHead) {
			return h.open()
		}
	case tea.KeyPressMsg:
		if keys.Lookup(msg.String()) == keys.Reset && len(h.Words()) == 0 && len(list) > 0 {
			k := list[min(h.Line, len(list)-1)]
			h.screen.set(k, k.Text(h.screen.session.Draft().Base))
			return nil
		}
		return h.Follow(h, msg, len(list), h.open)
	case tea.PasteMsg:
		return h.Follow(h, msg, len(list), h.open)
	}
	return nil
}

// open selects the parameter in the list below the dialog.
func (h *changes) open() tea.Cmd {
	h.Dialogs.Close(h)
	h.screen.visit(h.changed()[h.Line].Name)
	return nil
}

// changesHead is the number of lines above the list.
const changesHead = 2

func (h *changes) View(c ui.Canvas) string {
	th, width, height := c.Theme, c.Width, c.Height
	list, d := h.changed(), h.screen.session.Draft()
	title := fmt.Sprintf(" changed from %s: %d of %d", d.Origin(), len(list), len(d.Config.Keys()))
	lines := []string{th.Title.Render(layout.Cut(title, width))}
	if len(list) == 0 {
		lines = append(lines, "", th.Muted.Render(" nothing any more"), h.Typed(th))
		return layout.Fit(strings.Join(lines, "\n"), width, height)
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
	return layout.Fit(strings.Join(append(lines, h.Draw(th, len(list), height-changesHead, func(i int) string {
		k := list[i]
		return row(k.Name, cmp.Or(k.Text(d.Config), "none"), cmp.Or(k.Text(d.Base), "none"), k.Paper())
	})...), "\n"), width, height)
}
