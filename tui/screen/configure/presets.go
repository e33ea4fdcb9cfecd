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
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// presetPicker lists the presets, their costs, and the differences of the selected one from the configuration.
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

func (p *presetPicker) list() *widget.List { return &p.at }

func (p *presetPicker) lines() int { return len(p.shown()) }

// shown returns the presets that match the filter.
func (p *presetPicker) shown() []config.Preset {
	return widget.Chosen(&p.at, p.presets, func(p config.Preset) string {
		return p.Config.Problem + " " + p.Name + " " + p.Summary + " " + p.Config.Equation.Text
	})
}

func (p *presetPicker) commands() []ui.Command {
	n := p.lines()
	list := p.at.Commands("preset", n, keys.Up, keys.Down, keys.Filter, keys.PageUp, keys.PageDown, keys.First, keys.Last)
	if p.at.Typing() {
		return list
	}
	take := ui.Command{Key: keys.Enter, Word: "take it", Help: "take the preset", Do: ui.Now(p.take)}
	return append(append([]ui.Command{take.When(n > 0, "no preset has these words")}, list...), p.screen.close())
}

// close returns the command that closes the panel.
func (c *Screen) close() ui.Command {
	return ui.Command{Key: keys.Cancel, Word: "back", Help: "back to the parameters", Do: ui.Now(func() { c.panel = nil })}
}

func (p *presetPicker) take() {
	p.screen.session.Edit(session.Preset(p.shown()[p.at.Line]))
	p.screen.panel, p.screen.at.Line = nil, 0
}

func (p *presetPicker) follow() tea.Cmd {
	p.at.Keep(p.lines())
	if p.lines() == 0 {
		return nil
	}
	c := p.shown()[p.at.Line].Config
	return tea.Batch(p.previews.solution.Follow(c), p.previews.look(c))
}

// room returns the number of lines of the list between the title and the details of the selected preset.
func (p *presetPicker) room(height int) int { return min(p.lines()+1, height-8) }

// click selects the line under the mouse; on the selected line it takes the preset.
func (p *presetPicker) click(_, y int) tea.Cmd {
	if p.at.Click(y-2, p.lines(), p.room(p.screen.room.Height)) {
		p.take()
	}
	return nil
}

func (p *presetPicker) render(on look.Look, width, height int) string {
	th, list := on.Theme, p.shown()
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
		strings.Join(p.at.Draw(th, len(list), p.room(height), func(i int) string {
			return layout.Fit(lines[i+1]+"  "+equations[i], width-2, 1)
		}), "\n")
	about := "no preset has these words"
	if len(list) > 0 {
		about = p.differences(on, list[p.at.Line])
	}
	text += "\n\n" + strings.Join(layout.Paragraph(th.Muted, about, width), "\n") + "\n"
	if rest := height - lipgloss.Height(text); len(list) > 0 && rest > leastPreview.Height {
		text += "\n" + p.previews.render(on, width, rest)
	}
	return text
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
