// This file is the picker of presets.

package screen

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
	"rfm/tui/quantity"
	"rfm/tui/widget"
)

// presetPicker lists the presets with what they cost, and how the selected one differs from the configuration.
type presetPicker struct {
	configure *configure
	presets   []config.Preset
	line      int
	previews  previews
}

func newPresetPicker(c *configure, s *session) *presetPicker {
	presets := config.Presets()
	at := slices.IndexFunc(presets, func(p config.Preset) bool { return p.Name == s.source })
	return &presetPicker{configure: c, presets: presets, line: max(0, at)}
}

func (p *presetPicker) actions(*session) []keys.Action {
	return []keys.Action{keys.Accept, keys.Up, keys.Down, keys.First, keys.Last, keys.Cancel}
}

func (p *presetPicker) means(_ *session, action keys.Action) string {
	switch action {
	case keys.Accept:
		return "take it"
	case keys.Up, keys.Down:
		return "preset"
	}
	return ""
}

func (p *presetPicker) do(s *session, action keys.Action) tea.Cmd {
	p.line = widget.Walk(action, p.line, len(p.presets))
	switch action {
	case keys.Accept:
		chosen := p.presets[p.line]
		p.configure.replace(s, edition{chosen.Config, chosen.Config, chosen.Name, ""})
		p.configure.panel, p.configure.line = nil, 0
	case keys.Cancel:
		p.configure.panel = nil
	}
	return nil
}

func (p *presetPicker) follow(*session) { p.previews.look(p.presets[p.line].Config) }

// click selects the line under the mouse, and takes the preset if it is selected.
func (p *presetPicker) click(s *session, _, y int) tea.Cmd {
	switch line := y - 1; {
	case line < 0 || line >= len(p.presets):
		return nil
	case line != p.line:
		p.line = line
		return nil
	}
	return p.do(s, keys.Accept)
}

func (p *presetPicker) render(s *session, width, height int) string {
	th := s.Theme
	name := 0
	for _, preset := range p.presets {
		name = max(name, len(preset.Name))
	}
	lines := []string{th.Title.Render(" presets")}
	room := min(len(p.presets), height-4)
	first := max(0, min(p.line-room/2, len(p.presets)-room))
	for i := first; i < first+room; i++ {
		preset := p.presets[i]
		cost := ""
		if e, known := s.estimate(preset.Config); known {
			cost = "about " + quantity.Duration(e.Total())
		}
		const besides = 6
		about := layout.Cut(preset.Summary, width-name-len(cost)-besides)
		text := layout.Opposite(width-2, fmt.Sprintf("%-*s  %s", name, preset.Name, about), cost)
		if i == p.line {
			lines = append(lines, string(th.Glyphs.FocusLeft)+th.Focus.Render(text)+string(th.Glyphs.FocusRight))
		} else {
			lines = append(lines, " "+th.Value.Render(fmt.Sprintf("%-*s", name, preset.Name))+text[name:])
		}
	}
	lines = append(lines, "")
	lines = append(lines, " "+strings.Join(styled(th.Muted, ansi.Wrap(p.differences(s), width-2, "")), "\n "), "")
	text := strings.Join(lines, "\n")
	if rest := height - lipgloss.Height(text); rest > leastPreview.Height {
		text += "\n" + p.previews.render(s, p.presets[p.line].Config, width, rest)
	}
	return text
}

// differences says what taking the selected preset would change.
func (p *presetPicker) differences(s *session) string {
	chosen := p.presets[p.line]
	if chosen.Config.Problem != s.config.Problem {
		return fmt.Sprintf("%s; another problem than that of the configuration, %s", chosen.Summary, s.config.Problem)
	}
	var parts []string
	for _, k := range chosen.Config.Keys() {
		if !k.Same(chosen.Config, s.config) {
			parts = append(parts, fmt.Sprintf("%s %s %c %s", k.Name, orNone(k.Text(s.config)), s.Theme.Glyphs.Right, orNone(k.Text(chosen.Config))))
		}
	}
	if len(parts) == 0 {
		return chosen.Summary + "; this is the configuration"
	}
	return fmt.Sprintf("%s; would change %s", chosen.Summary, strings.Join(parts, ", "))
}
