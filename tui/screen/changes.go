// This file shows how the configuration differs from the preset or file that it comes from.

package screen

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/widget"
)

// changes lists the parameters that were changed, with the values of the preset and of the paper.
type changes struct {
	configure *configure
	line      int
}

// changed are the keys with other values than the preset has.
func changed(s *session) []config.Key {
	var list []config.Key
	for _, k := range s.config.Keys() {
		if !k.Same(s.config, s.base) {
			list = append(list, k)
		}
	}
	return list
}

func (h *changes) actions(s *session) []keys.Action {
	list := []keys.Action{keys.Cancel}
	if len(h.configure.history) > 0 {
		list = append([]keys.Action{keys.Undo}, list...)
	}
	if len(changed(s)) > 0 {
		list = append([]keys.Action{keys.Accept, keys.Up, keys.Down, keys.Reset}, list...)
	}
	return list
}

func (h *changes) means(_ *session, action keys.Action) string {
	switch action {
	case keys.Accept:
		return "go to it"
	case keys.Up, keys.Down:
		return "line"
	}
	return ""
}

func (h *changes) do(s *session, action keys.Action) tea.Cmd {
	c, list := h.configure, changed(s)
	h.line = widget.Walk(action, h.line, len(list))
	switch action {
	case keys.Reset:
		k := list[min(h.line, len(list)-1)]
		c.set(s, k, k.Text(s.base))
	case keys.Undo:
		c.undo(s)
	case keys.Accept:
		c.panel = nil
		c.visit(s, list[min(h.line, len(list)-1)].Name)
	case keys.Cancel:
		c.panel = nil
	}
	return nil
}

func (h *changes) follow(s *session) { h.line = max(0, min(h.line, len(changed(s))-1)) }

// click selects the line under the mouse, and goes to it if it is selected.
func (h *changes) click(s *session, _, y int) tea.Cmd {
	list := changed(s)
	switch line := y - changesHead; {
	case line < 0 || line >= len(list):
		return nil
	case line != h.line:
		h.line = line
		return nil
	}
	return h.do(s, keys.Accept)
}

// changesHead is the number of lines above the list.
const changesHead = 2

func (h *changes) render(s *session, width, height int) string {
	th := s.Theme
	list := changed(s)
	title := fmt.Sprintf(" changed from %s: %d of %d", s.origin(), len(list), len(s.config.Keys()))
	lines := []string{th.Title.Render(layout.Cut(title, width))}
	if len(list) == 0 {
		return strings.Join(append(lines, "", th.Muted.Render(" nothing any more")), "\n")
	}
	const name = 20
	value := min(20, (width-name-4)/3-1)
	row := func(a, b, c, d string) string {
		text := ""
		for _, part := range []struct {
			text  string
			width int
		}{{a, name}, {b, value}, {c, value}, {d, value}} {
			text += fmt.Sprintf(" %-*s", part.width, layout.Cut(part.text, part.width))
		}
		return text
	}
	lines = append(lines, th.Muted.Render(" "+row("", "now", "before", "paper")))
	room := height - changesHead
	first := max(0, min(h.line-room/2, len(list)-room))
	for i := first; i < min(len(list), first+room); i++ {
		k := list[i]
		text := row(k.Name, orNone(k.Text(s.config)), orNone(k.Text(s.base)), k.Paper)
		if i == h.line {
			lines = append(lines, string(th.Glyphs.FocusLeft)+th.Focus.Render(text)+string(th.Glyphs.FocusRight))
		} else {
			lines = append(lines, " "+text)
		}
	}
	return strings.Join(lines, "\n")
}

// orNone is text, or a word for an empty one.
func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
