package configure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/report"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// presetPicker is the dialog of the presets: their costs, and the differences of the selected one from the
// configuration.
type presetPicker struct {
	screen *Screen
	widget.Menu
	previews *previews
}

func newPresetPicker(c *Screen) *presetPicker {
	p := &presetPicker{c, widget.NewMenu(c.dialogs, ""), &previews{}}
	source := c.session.Draft().Source
	p.Line = max(0, slices.IndexFunc(config.Presets(), func(p config.Preset) bool { return p.Name == source }))
	return p
}

// shown returns the presets that match the filter.
func (p *presetPicker) shown() []config.Preset {
	return widget.Chosen(&p.List, config.Presets(), func(p config.Preset) string {
		return p.Config.Problem + " " + p.Name + " " + p.Summary + " " + p.Config.Equation.Text
	})
}

// Commands implements ui.Dialog, as do Update and View.
func (p *presetPicker) Commands() []ui.Command { return p.Offer("preset", "take it", len(p.shown())) }

func (p *presetPicker) Update(msg tea.Msg) tea.Cmd {
	n := len(p.shown())
	switch msg := msg.(type) {
	case ui.Follow:
		return p.follow()
	case ui.Click:
		if p.Click(msg.Y-2, n, p.room(p.screen.body.Height)) {
			return p.take()
		}
	case tea.KeyPressMsg, tea.PasteMsg:
		return p.Follow(p, msg, n, p.take)
	}
	return nil
}

// take makes the selected preset the configuration.
func (p *presetPicker) take() tea.Cmd {
	p.screen.session.Edit(session.Preset(p.shown()[p.Line]))
	p.Dialogs.Close(p)
	p.screen.at.Line = 0
	return nil
}

// follow updates the pictures of the selected preset.
func (p *presetPicker) follow() tea.Cmd {
	list := p.shown()
	p.Keep(len(list))
	if len(list) == 0 {
		return nil
	}
	c := list[p.Line].Config
	return tea.Batch(p.previews.solution.Follow(c), p.previews.look(c))
}

// room returns the number of lines of the list between the title and the details of the selected preset.
func (p *presetPicker) room(height int) int { return min(len(p.shown())+1, height-8) }

func (p *presetPicker) View(on ui.Canvas) string {
	th, width, height, list := on.Theme, on.Width, on.Height, p.shown()
	const roomy = 70
	first := func(problem, preset string) string {
		if width < roomy {
			return preset
		}
		return fmt.Sprintf("%-14s %s", problem, preset)
	}
	count := func(n int) string { return strings.TrimPrefix(fmt.Sprint(n), "0") } // nothing where it follows from the data
	table := report.Table{Header: []string{first("problem", "preset"), "n", "m", "grid", "time", "error"}}
	var equations []string
	for i, preset := range list {
		c, problem, took, found := preset.Config, "", "", ""
		if i == 0 || list[i-1].Config.Problem != c.Problem {
			problem = c.Problem
		}
		if e, known := p.screen.session.Estimate(c); known {
			took = report.Duration(e.Total())
		}
		equation := ""
		if write := c.Of().Equation; write != nil {
			equation = write(c)
		}
		if preset.Error > 0 {
			found = report.Error(preset.Error, 4)
		}
		table.Rows = append(table.Rows, []string{first(problem, preset.Name), count(c.Data.Train),
			count(c.Features.Count), count(c.Train.Grid), took, found})
		equations = append(equations, equation)
	}
	lines := strings.Split(table.Text(), "\n")
	text := th.Title.Render(" presets, by problem") + "\n " + th.Muted.Render(layout.Cut(lines[0]+"  equation", width-2)) + "\n" +
		strings.Join(p.Draw(th, len(list), p.room(height), func(i int) string {
			return layout.Fit(lines[i+1]+"  "+equations[i], width-2, 1)
		}), "\n")
	about := "no preset has these words"
	if len(list) > 0 {
		about = p.differences(on.Look, list[p.Line])
	}
	text += "\n\n" + strings.Join(layout.Paragraph(th.Muted, about, width), "\n") + "\n"
	if rest := height - lipgloss.Height(text); len(list) > 0 && rest > leastPreview.Height {
		text += "\n" + p.previews.render(on.Look, width, rest)
	}
	return layout.Fit(text, width, height)
}

// differences describes a preset and the changes that it would make.
func (p *presetPicker) differences(on look.Look, chosen config.Preset) string {
	if chosen.Config.Problem != p.screen.session.Config().Problem {
		return fmt.Sprintf("%s; another problem than that of the configuration, %s", chosen.Summary,
			p.screen.session.Config().Problem)
	}
	var parts []string
	for _, k := range chosen.Config.Keys() {
		if !k.Same(chosen.Config, p.screen.session.Config()) {
			parts = append(parts, fmt.Sprintf("%s %s %c %s", k.Name, cmp.Or(k.Text(p.screen.session.Config()), "none"),
				on.Theme.Glyphs.Right, cmp.Or(k.Text(chosen.Config), "none")))
		}
	}
	if len(parts) == 0 {
		return chosen.Summary + "; this is the configuration"
	}
	return fmt.Sprintf("%s; would change %s", chosen.Summary, strings.Join(parts, ", "))
}
