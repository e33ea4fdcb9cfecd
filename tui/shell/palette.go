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

// A palette is the dialog that lists all commands.
type palette struct {
	shell *Model
	widget.List
}

// An offer is a command of a screen.
type offer struct {
	ui.Command
	screen string // screen of the command; empty for the active one
}

// String returns the text that the filter searches.
func (o offer) String() string { return o.screen + " " + o.Word + " " + o.Help }

// rank orders offers: commands whose name matches the words come first, then those whose help matches; of equal ones
// those that are available. So enter never takes a command that only mentions the name of another one.
func (o offer) rank(words []string) int {
	rank := 0
	for _, word := range words {
		switch {
		case slices.Contains(strings.Fields(strings.ToLower(o.Word)), word):
		case slices.Contains(strings.Fields(strings.ToLower(o.Help)), word):
			rank += 2
		default:
			rank += 4
		}
	}
	if o.Why != "" {
		rank++
	}
	return rank
}

// offers returns the commands of this and the other screens, except those that only move.
func (p *palette) offers() []offer {
	m := p.shell
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
	add("", m.below())
	for _, s := range m.screens {
		if s.Open() {
			add(s.Name(), s.Commands(m.room()))
		}
	}
	list = widget.Chosen(&p.List, list, offer.String)
	words := p.Words()
	slices.SortStableFunc(list, func(a, b offer) int { return cmp.Compare(a.rank(words), b.rank(words)) })
	return list
}

// paletteCommand opens the palette.
func (m *Model) paletteCommand() ui.Command {
	return ui.Command{Key: keys.Palette, Word: "commands", Help: "all commands, to be found by their words",
		Do: ui.Now(func() {
			p := &palette{shell: m, List: widget.List{Thing: "command", Prompt: ":", Dialogs: m.dialogs}}
			p.Count = func() int { return len(p.offers()) }
			p.Seek()
			m.dialogs.OpenOverAll(p)
		})}
}

// Commands implements ui.Dialog, as do Update and View.
func (p *palette) Commands() []ui.Command { return p.Offer("do it") }

func (p *palette) Update(msg tea.Msg) tea.Cmd {
	return p.Follow(p, msg, p.take)
}

// take runs the selected command on its screen.
func (p *palette) take() tea.Cmd {
	chosen := p.offers()[p.Line]
	p.Dialogs.Close(p)
	if chosen.screen == "" {
		return p.shell.carryOut(chosen.Key)
	}
	return tea.Batch(p.shell.show(chosen.screen), p.shell.carryOut(chosen.Key))
}

func (p *palette) View(c ui.Canvas) string {
	th, list := c.Theme, p.offers()
	lines := []string{th.Title.Render(" Commands")}
	if len(list) == 0 {
		lines = append(lines, th.Muted.Render(" none has these words"), p.Typed(th))
	} else {
		lines = append(lines, p.Draw(th, len(list), c.Height-1, func(i int) string {
			o := list[i]
			text := o.Help
			if o.screen != "" {
				text = o.screen + ": " + text
			}
			if o.Why != "" {
				text = th.Muted.Render(fmt.Sprintf("%s (not now: %s)", text, o.Why))
			}
			return layout.Cut(fmt.Sprintf("%-10s %s", o.Key, text), c.Width-2)
		})...)
	}
	return layout.Fit(strings.Join(lines, "\n"), c.Width, c.Height)
}
