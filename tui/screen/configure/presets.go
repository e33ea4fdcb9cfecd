package configure

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/show/report"
	"rfm/tui/chart"
	"rfm/tui/dialog"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// presetPicker is the dialog of the presets, the first page of the program: their costs, known errors, and pictures of
// the selected one; also the runs of before, the user's own data and the tour.
type presetPicker struct {
	screen *Screen
	widget.List
	choices  []choice // the lines that match the filter, as of the last message
	above    int      // number of lines above the presets
	sheet    widget.Cache
	previews *previews
}

// A choice is a line of the list: a preset, or something else to begin with.
type choice struct {
	config.Preset
	title, about string
	do           func() tea.Cmd // nil for a preset
}

// String returns the text that the filter searches.
func (c choice) String() string {
	return strings.Join([]string{c.title, c.about, c.Config.Problem, c.Name, c.Summary, c.Config.Equation.Text}, " ")
}

// choose opens the dialog of the presets.
func (c *Screen) choose() {
	p := &presetPicker{screen: c, List: widget.List{Thing: "preset", Dialogs: c.dialogs},
		previews: &previews{fixed: true, least: leastExample}}
	p.Count, p.Take = func() int { return len(p.choices) }, p.take
	source := c.session.Draft().Source
	p.choices = p.chosen()
	p.above = len(p.before())
	p.Line = p.above + max(0, slices.IndexFunc(config.Presets(), func(p config.Preset) bool { return p.Name == source }))
	c.picker = p
	c.dialogs.Open(p)
}

// before returns the lines above the presets.
func (p *presetPicker) before() (list []choice) {
	s := p.screen.session
	if e := s.Elsewhere(); e != nil {
		list = append(list, choice{title: "follow " + e.Name, about: "another process computes it: " + chart.RunState(*e),
			do: ui.Now(func() { s.Follow(*e) })})
	}
	if e := s.Unfinished(); e != nil {
		list = append(list, choice{title: "resume " + e.Name, about: "it is unfinished: " + chart.RunState(*e),
			do: func() tea.Cmd { return s.Open(*e) }})
	}
	return append(list, choice{title: "your own data", about: "pairs of functions in a file: npz, npy, mat, h5, csv",
		do: func() tea.Cmd { return dialog.Load(s, p.Dialogs) }})
}

// chosen returns the lines that match the filter.
func (p *presetPicker) chosen() []choice {
	all := p.before()
	for _, preset := range config.Presets() {
		all = append(all, choice{Preset: preset})
	}
	all = append(all, choice{title: "guided tour", about: "the method in three minutes, computed while you watch",
		do: p.tour})
	return widget.Chosen(&p.List, all, choice.String)
}

// Commands implements ui.Dialog, as do Update and View.
func (p *presetPicker) Commands() []ui.Command {
	run := ui.Command{Key: keys.Run, Word: "run", Do: func() tea.Cmd {
		if p.Dialogs.Close(p); len(p.choices) > 0 && p.choices[p.Line].do == nil {
			p.take()
		}
		return p.Dialogs.Press(keys.Run)
	}}
	below := func(key keys.Key, word string) ui.Command {
		return ui.Command{Key: key, Word: word, Do: func() tea.Cmd { return p.Dialogs.Press(key) }}
	}
	return append(slices.Insert(p.Offer(p, "take it"), 0, run), below(keys.Help, "help"), below(keys.Quit, "quit"),
		below(keys.Palette, ""), ui.Command{Key: keys.Tour, Do: p.tour})
}

func (p *presetPicker) Update(msg tea.Msg) tea.Cmd { return p.Leave(p, msg) }

// tour shows the tour, after which the first page is opened again.
func (p *presetPicker) tour() tea.Cmd {
	p.Dialogs.Close(p)
	p.screen.picker = nil
	return p.Dialogs.Press(keys.Tour)
}

// take carries out the selected line: a preset becomes the configuration.
func (p *presetPicker) take() tea.Cmd {
	c := p.choices[p.Line]
	p.Dialogs.Close(p)
	if c.do != nil {
		return c.do()
	}
	p.previews.fixed = false
	p.previews.least = leastPreview
	p.screen.session.Edit(session.Preset(c.Preset))
	p.screen.previews, p.screen.at.Line = p.previews, 0
	return nil
}

// follow updates the lines and returns the configuration of the selected preset, for its pictures. A run that was found
// meanwhile moves the selection with its line.
func (p *presetPicker) follow() (selected config.Config) {
	if now := len(p.before()); now != p.above {
		p.Line, p.above = p.Line+now-p.above, now
	}
	p.choices = p.chosen()
	p.Keep(len(p.choices))
	if len(p.choices) == 0 || p.choices[p.Line].do != nil {
		return selected
	}
	return p.choices[p.Line].Config
}

// The lines around the list of presets: title and names of the columns above; a blank and two about the selected below.
const pickerHead, pickerAbout = 2, 3

// pictures returns the number of lines for the pictures of the selected preset; 0 if there is no room. On a line that may
// be slow they are small.
func pictures(on ui.Canvas) int {
	const roomy, share = 19, 0.4
	switch {
	case on.Height < roomy:
		return 0
	case on.Coarse:
		return leastExample.Height
	}
	return max(leastExample.Height, int(share*float64(on.Height)))
}

// lines returns the titles of the columns and a line for each choice, drawn again when they or the estimates change.
func (p *presetPicker) lines(on ui.Canvas) []string {
	s := p.screen.session
	_, known := s.Estimate(config.Presets()[0].Config)
	of := []any{strings.Join(p.Words(), " "), p.above, s.Stock().At, known}
	return strings.Split(p.sheet.Get(on.Theme, on.Width, 0, of, func() string { return p.table(on) }), "\n")
}

func (p *presetPicker) table(on ui.Canvas) string {
	columns := []report.Column{{Words: true, Goes: 4}, {Words: true}, {Goes: 3}, {Goes: 2}, {Goes: 1}, {}, {},
		{Words: true, Least: 40}}
	rows := [][]string{{"problem", "preset", "n", "m", "grid", "time", "error", "equation"}}
	count := func(n int) string { return strings.TrimPrefix(fmt.Sprint(n), "0") } // nothing where it follows from the data
	for i, line := range p.choices {
		c, row := line.Config, make([]string, len(columns))
		if line.do == nil {
			row = []string{"", line.Name, count(c.Data.Train), count(c.Features.Count), count(c.Train.Grid), "", "", ""}
			if i == 0 || p.choices[i-1].Config.Problem != c.Problem {
				row[0] = c.Problem
			}
			row[5] = "      " // so that the columns stay in place when the times are known
			if e, known := p.screen.session.Estimate(c); known {
				row[5] = fmt.Sprintf("%6s", report.Duration(e.Total()))
			}
			if line.Error > 0 {
				row[6] = report.Error(line.Error, 4)
			}
			if write := c.Of().Equation; write != nil {
				row[7] = write(c)
			}
		}
		rows = append(rows, row)
	}
	lines := report.Fit(columns, rows, on.Width-2)
	for i, line := range p.choices {
		if line.do != nil {
			lines[i+1] = line.title + "  " + on.Theme.Muted.Render(line.about)
		}
		lines[i+1] = layout.Fit(lines[i+1], on.Width-2, 1)
	}
	return strings.Join(lines, "\n")
}

func (p *presetPicker) View(on ui.Canvas) string {
	th, width, height, list, lines := on.Theme, on.Width, on.Height, p.choices, p.lines(on)
	const title = " rfm learns solution operators of PDEs: choose an example, or your own data"
	text := []string{th.Title.Render(layout.Cut(title, width)), " " + th.Muted.Render(layout.Cut(lines[0], width-2))}
	rows := min(len(list)+1, height-pickerHead-pickerAbout-pictures(on))
	text = append(text, p.Draw(th, len(list), rows, func(i int) string { return lines[i+1] })...)
	about := ""
	switch {
	case len(list) > 0 && list[p.Line].do != nil:
		about = list[p.Line].about
	case len(list) > 0:
		about = list[p.Line].Summary
	}
	text = append(append(text, ""), layout.Head(layout.Paragraph(th.Muted, about, width), width, pickerAbout-1)...)
	if rest := height - len(text); len(list) > 0 && list[p.Line].do == nil && rest >= leastExample.Height {
		if on.Coarse {
			rest = min(rest, leastExample.Height)
		}
		const margin = " "
		pictures := p.previews.render(on.Theme, width-len(margin), rest, true)
		text = append(text, margin+strings.ReplaceAll(pictures, "\n", "\n"+margin))
	}
	return layout.Fit(strings.Join(text, "\n"), width, height)
}
