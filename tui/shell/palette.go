package shell

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// A palette lies over a screen: it lists all commands and filters them by words.
type palette struct{ at widget.List }

// An offer is a command of a screen.
type offer struct {
	ui.Command
	screen string // screen of the command; empty for the active one
}

// String returns the text that the filter searches.
func (o offer) String() string { return o.screen + " " + o.Word + " " + o.Help }

// rank orders offers: first available commands whose name matches the words, then those whose help matches, then those
// that are not available.
func (o offer) rank(words []string) int {
	rank := 0
	for _, word := range words {
		switch {
		case slices.Contains(strings.Fields(strings.ToLower(o.Word)), word):
		case slices.Contains(strings.Fields(strings.ToLower(o.Help)), word):
			rank++
		default:
			rank += 2
		}
	}
	if o.Why != "" {
		const disabled = 1000
		rank += disabled
	}
	return rank
}

// offers returns the commands of this and the other screens, except those that only move.
func (m *Model) offers() []offer {
	var list []offer
	seen := map[string]bool{}
	add := func(screen string, commands []ui.Command) {
		for _, c := range commands {
			ends := c.Key == keys.First || c.Key == keys.Last // these have names, as the worst sample
			moves := c.Key >= keys.Up && c.Key <= keys.Last && !ends || c.Key == keys.Palette
			if o := (offer{c, screen}); !moves && c.Help != "" && c.Do != nil && !seen[c.Help] {
				list, seen[c.Help] = append(list, o), true
			}
		}
	}
	add("", m.Commands())
	for _, s := range m.places() {
		if s.Open() && !m.covered() {
			add(s.Name(), s.Commands())
		}
	}
	list = widget.Chosen(&m.palette.at, list, offer.String)
	words := m.palette.at.Words()
	slices.SortStableFunc(list, func(a, b offer) int { return cmp.Compare(a.rank(words), b.rank(words)) })
	return list
}

// paletteCommand opens the palette.
func (m *Model) paletteCommand() ui.Command {
	return ui.Command{Key: keys.Palette, Word: "commands", Help: "all commands, to be found by their words",
		Do: ui.Now(func() { m.palette = &palette{widget.List{Prompt: ":"}}; m.palette.at.Seek() })}
}

// choose handles a key while the palette is open.
func (m *Model) choose(msg tea.KeyPressMsg) tea.Cmd {
	list := m.offers()
	switch keys.Lookup(msg.String()) {
	case keys.Kill:
		return m.quit()
	case keys.Cancel:
		m.palette = nil
	case keys.Enter:
		if len(list) == 0 {
			return nil
		}
		chosen := list[m.palette.at.Line]
		m.palette = nil
		if chosen.screen == "" {
			return m.carryOut(chosen.Key)
		}
		return together(m.show(chosen.screen), m.carryOut(chosen.Key))
	default:
		m.palette.at.Type(msg, len(list))
	}
	return nil
}

// paletteView draws the palette.
func (m *Model) paletteView(width, height int) string {
	th, list := m.look.Theme, m.offers()
	lines := th.Title.Render(" Commands")
	if len(list) == 0 {
		return lines + "\n" + th.Muted.Render(" none has these words") + "\n" + m.palette.at.Typed(th)
	}
	for _, line := range m.palette.at.Draw(th, len(list), height-1, func(i int) string {
		o := list[i]
		text := o.Help
		if o.screen != "" {
			text = o.screen + ": " + text
		}
		if o.Why != "" {
			text = th.Muted.Render(fmt.Sprintf("%s (not now: %s)", text, o.Why))
		}
		return layout.Cut(fmt.Sprintf("%-10s %s", o.Key, text), width-2)
	}) {
		lines += "\n" + line
	}
	return lines
}
