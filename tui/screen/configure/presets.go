package configure

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/quantity"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// presetPicker lists the presets with what they cost, and how the selected one differs from the configuration.
type presetPicker struct {
	screen   *Screen
	presets  []config.Preset
	at       widget.List
	previews *previews
}

func newPresetPicker(c *Screen) *presetPicker {
	presets := config.Presets()
	at := slices.IndexFunc(presets, func(p config.Preset) bool { return p.Name == c.session.Draft().Source })
	return &presetPicker{screen: c, presets: presets, at: widget.List{Line: max(0, at)}, previews: &previews{}}
}

func (p *presetPicker) commands() []ui.Command {
	list := append([]ui.Command{{Key: keys.Enter, Word: "take it", Help: "take the preset", Do: ui.Now(p.take)}},
		p.at.Commands("preset", len(p.presets), keys.Up, keys.Down, keys.First, keys.Last)...)
	return append(list, p.screen.close())
}

// close goes back to the list of parameters.
func (c *Screen) close() ui.Command {
	return ui.Command{Key: keys.Cancel, Word: "back", Help: "back to the parameters", Do: ui.Now(func() { c.panel = nil })}
}

func (p *presetPicker) take() {
	p.screen.session.Edit(session.Preset(p.presets[p.at.Line]))
	p.screen.panel, p.screen.at.Line = nil, 0
}

func (p *presetPicker) follow() tea.Cmd { return p.previews.look(p.presets[p.at.Line].Config) }

// room is the number of lines of the list: beside it stand the title and what the selected preset changes.
func (p *presetPicker) room(height int) int { return min(len(p.presets), height-7) }

// click selects the line under the mouse, and takes the preset if it is selected.
func (p *presetPicker) click(_, y int) tea.Cmd {
	if p.at.Click(y-1, len(p.presets), p.room(p.screen.room.Height)) {
		p.take()
	}
	return nil
}

func (p *presetPicker) render(on look.Look, width, height int) string {
	th := on.Theme
	name := 0
	for _, preset := range p.presets {
		name = max(name, len(preset.Name))
	}
	lines := []string{th.Title.Render(" presets")}
	lines = append(lines, p.at.Draw(th, len(p.presets), p.room(height), func(i int) string {
		preset, cost := p.presets[i], ""
		if e, known := p.screen.session.Estimate(preset.Config); known {
			cost = "about " + quantity.Duration(e.Total())
		}
		const besides = 6
		about := layout.Cut(preset.Summary, width-name-len(cost)-besides)
		return layout.Opposite(width-2, fmt.Sprintf("%-*s  %s", name, preset.Name, about), cost)
	})...)
	lines = append(lines, "")
	lines = append(lines, " "+strings.Join(layout.Styled(th.Muted, ansi.Wrap(p.differences(on), width-2, "")), "\n "), "")
	text := strings.Join(lines, "\n")
	if rest := height - lipgloss.Height(text); rest > leastPreview.Height {
		text += "\n" + p.previews.render(on, width, rest)
	}
	return text
}

// differences says what taking the selected preset would change.
func (p *presetPicker) differences(on look.Look) string {
	chosen := p.presets[p.at.Line]
	if chosen.Config.Problem != p.screen.session.Config().Problem {
		return fmt.Sprintf("%s; another problem than that of the configuration, %s", chosen.Summary,
			p.screen.session.Config().Problem)
	}
	var parts []string
	for _, k := range chosen.Config.Keys() {
		if !k.Same(chosen.Config, p.screen.session.Config()) {
			parts = append(parts, fmt.Sprintf("%s %s %c %s", k.Name, orNone(k.Text(p.screen.session.Config())),
				on.Theme.Glyphs.Right, orNone(k.Text(chosen.Config))))
		}
	}
	if len(parts) == 0 {
		return chosen.Summary + "; this is the configuration"
	}
	return fmt.Sprintf("%s; would change %s", chosen.Summary, strings.Join(parts, ", "))
}
