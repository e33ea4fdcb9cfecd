package form

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// presetPicker is the dialog of the presets, the first page of the program: their costs, known errors, and pictures of
// the selected one; also the runs of before, the user's own data and the tour.
type presetPicker struct {
	page.Menu
	screen   *Screen
	choices  []choice // the lines that match the filter, as of the last message
	above    int      // number of lines above the presets
	opened   int      // the line that was selected first, as far as lines have not moved
	sheet    page.Cache
	previews *previews
}

// A choice is a line of the list: a preset, or something else to begin with.
type choice struct {
	config.Preset
	title string
	about string
	do    func() tea.Cmd // nil for a preset
}

// String returns the text that the filter searches.
func (c choice) String() string {
	words := []string{
		c.title,
		c.about,
		c.Config.Problem,
		c.Name,
		c.Summary,
		c.Config.Equation.Text,
	}
	return strings.Join(words, " ")
}

// choose opens the dialog of the presets.
func (c *Screen) choose() {
	p := &presetPicker{
		screen:   c,
		previews: newPreviews(c.session, leastExample),
	}
	p.previews.fixed = true
	p.previews.small.alone = true
	count := func() int { return len(p.choices) }
	p.Menu = page.NewMenu(p, "preset", c.dialogs, count)
	run := ui.Command{
		Key:  ui.KeyRun,
		Word: "run",
		Do:   p.run,
	}
	p.Offer([]ui.Command{run}, "select", p.take, []ui.Command{
		{Key: ui.KeyHelp, Word: "help", Do: p.Below(ui.KeyHelp)},
		{Key: ui.KeyQuit, Word: "quit", Do: p.Below(ui.KeyQuit)},
		{Key: ui.KeyPalette, Do: p.Below(ui.KeyPalette)},
		{Key: ui.KeyTour, Do: p.tour},
	})
	p.choices = p.chosen()
	p.above = len(p.before())

	source := c.session.Draft.Version().Source
	isSource := func(preset config.Preset) bool { return preset.Name == source }
	of := slices.IndexFunc(config.Presets(), isSource)
	p.Line = p.above + max(0, of) // the first preset where the draft is none of them
	p.opened = p.Line
	c.picker = p
	c.dialogs.Open(p)
}

// before returns the lines above the presets.
func (p *presetPicker) before() []choice {
	s := p.screen.session
	var list []choice
	if e := s.Runs.Elsewhere(s.Runner.Stored()); e != nil {
		list = append(list, choice{
			title: "follow " + e.Name,
			about: "another process computes it: " + words.RunState(*e),
			do:    ui.Now(func() { s.Follow(*e) }),
		})
	}
	if e := s.Runs.Unfinished(); e != nil {
		list = append(list, choice{
			title: "resume " + e.Name,
			about: "it is unfinished: " + words.RunState(*e),
			do:    func() tea.Cmd { return s.Runner.Open(*e) },
		})
	}
	return append(list, choice{
		title: "your own data",
		about: "pairs of functions in a file: npz, npy, mat, h5, csv",
		do:    p.screen.load,
	})
}

// chosen returns the lines that match the filter.
func (p *presetPicker) chosen() []choice {
	all := p.before()
	for _, preset := range config.Presets() {
		all = append(all, choice{Preset: preset})
	}
	all = append(all, choice{
		title: "guided tour",
		about: "the method in three minutes, computed while you watch",
		do:    p.tour,
	})
	return page.Chosen(p.List, all, choice.String)
}

// run takes the selected line if it is a preset, and runs the configuration.
func (p *presetPicker) run() tea.Cmd {
	p.Close()
	if len(p.choices) > 0 && p.choices[p.Line].do == nil {
		p.take()
	}
	return p.Below(ui.KeyRun)()
}

// tour shows the tour, after which the first page is opened again.
func (p *presetPicker) tour() tea.Cmd {
	p.Close()
	p.screen.picker = nil
	return p.Below(ui.KeyTour)()
}

// take carries out the selected line: a preset becomes the configuration.
func (p *presetPicker) take() tea.Cmd {
	c := p.choices[p.Line]
	p.Close()
	if c.do != nil {
		return c.do()
	}
	p.previews.fixed = false
	p.previews.small.alone = false
	p.previews.least = leastPreview
	p.screen.session.Draft.Edit(session.Preset(c.Preset))
	p.screen.previews = p.previews
	p.screen.begin()
	return nil
}

// begin selects the line with which one begins to change a configuration: a setting that is wrong or has no value yet, the
// file of pairs, the equation, or else the preset. On none of them a digit is a value, so that it shows another screen.
func (c *Screen) begin() {
	c.at.All()
	c.at.Line = 0
	wrong := c.session.Draft.Fault()
	switch {
	case wrong != nil:
		c.visit(wrong.Key)
	case c.find(trainFile) >= 0:
		c.visit(trainFile)
	case c.find(equationText) >= 0:
		c.visit(equationText)
	}
}

// follow updates the lines and returns the configuration of the selected preset, for its pictures. A run to follow or to
// resume that was found meanwhile is selected on the first page, as long as nobody has moved there; else the selection moves
// with its line.
func (p *presetPicker) follow() config.Config {
	above := len(p.before())
	found := above - p.above
	isFirstPage := p.screen.session.Options().Start
	isUntouched := p.Line == p.opened
	p.Line += found
	p.opened += found
	if found > 0 && isFirstPage && isUntouched {
		p.Line = 0
	}
	p.above = above
	p.choices = p.chosen()
	p.Keep(len(p.choices))
	if len(p.choices) == 0 || p.choices[p.Line].do != nil {
		return config.Config{}
	}
	return p.choices[p.Line].Config
}

const (
	pickerHead  = 2 // lines above the list of presets: the title and the names of the columns
	pickerAbout = 3 // lines below it: a blank one and two about the selected line
)

// pictures returns the number of lines for the pictures of the selected preset; 0 if there is no room. On a line that may
// be slow they are small.
func pictures(on ui.Canvas) int {
	const (
		roomy = 19   // lines of a screen with pictures
		share = 0.28 // of the lines, for the pictures
	)
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
	state := []any{strings.Join(p.Words(), " "), p.above, s.Runs.Known().At, known}
	table := p.sheet.Get(on.Theme, on.Width, 0, state, func() string { return p.table(on) })
	return strings.Split(table, "\n")
}

// table writes the titles of the columns and a line for each choice.
func (p *presetPicker) table(on ui.Canvas) string {
	columns := []report.Column{
		{Words: true, Goes: 4},
		{Words: true},
		{Goes: 3},
		{Goes: 2},
		{Goes: 1},
		{},
		{},
		{Words: true, Least: 39, Parts: config.EquationParts},
	}
	rows := [][]string{{"problem", "preset", "n", "m", "grid", "time", "error", "equation"}}
	problem := ""
	for _, line := range p.choices {
		if line.do != nil {
			rows = append(rows, make([]string, len(columns)))
			problem = ""
			continue
		}
		row := p.row(line)
		if line.Config.Problem == problem {
			row[0] = "" // as in the row above
		}
		problem = line.Config.Problem
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

// timeWidth is the width of the column of times, of which many are ranges such as 0.6-14 s.
const timeWidth = 8

// row returns the columns of a preset.
func (p *presetPicker) row(line choice) []string {
	c := line.Config
	time := strings.Repeat(" ", timeWidth) // so that the columns stay in place when the times are known
	e, known := p.screen.session.Estimate(c)
	if known {
		short := strings.Replace(e.Time(), " to ", "-", 1)
		time = fmt.Sprintf("%*s", timeWidth, short)
	}
	knownError := ""
	if line.Error > 0 {
		knownError = report.Error(line.Error, 4)
	}
	equation := ""
	write := c.Of().Equation
	if write != nil {
		equation = write(c)
	}
	return []string{
		c.Problem,
		line.Name,
		countOrBlank(c.Data.Train),
		countOrBlank(c.Features.Count),
		countOrBlank(c.Train.Grid),
		time,
		knownError,
		equation,
	}
}

// countOrBlank writes a number, and nothing for 0, which stands for a number that follows from the data.
func countOrBlank(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Covers implements ui.Covering.
func (p *presetPicker) Covers() {}

// View draws the title, the list, two lines about the selected choice and the pictures of a preset.
func (p *presetPicker) View(on ui.Canvas) string {
	const long = " rfm learns solution operators of PDEs: choose an example, or your own data"
	const short = " rfm: choose an example, or your own data"
	th := on.Theme
	width := on.Width
	title := long
	if len(long) > width {
		title = short
	}
	lines := p.lines(on)
	names := layout.Cut(lines[0], width-2)
	text := []string{
		th.Title.Render(layout.Cut(title, width)),
		" " + th.Muted.Render(names),
	}

	count := len(p.choices)
	rows := min(count+1, on.Height-pickerHead-pickerAbout-pictures(on))
	line := func(i int) string { return lines[i+1] }
	text = append(text, p.Draw(th, count, rows, line)...)

	about := ""
	isPreset := false
	if count > 0 {
		selected := p.choices[p.Line]
		isPreset = selected.do == nil
		about = selected.about
		if isPreset {
			about = selected.Summary
		}
	}
	paragraph := layout.Paragraph(th.Muted, about, width)
	text = append(text, "")
	text = append(text, layout.Head(paragraph, width, pickerAbout-1)...)

	rest := on.Height - pickerHead - rows - pickerAbout // also if the choice has one line, so that pictures stay in place
	if isPreset && rest >= leastExample.Height {
		if on.Coarse {
			rest = min(rest, leastExample.Height)
		}
		const margin = " "
		pictures := p.previews.render(th, width-len(margin), rest, true)
		above := layout.Fit(strings.Join(text, "\n"), width, on.Height-rest)
		text = []string{above, margin + strings.ReplaceAll(pictures, "\n", "\n"+margin)}
	}
	return layout.Fit(strings.Join(text, "\n"), width, on.Height)
}

// load asks for a configuration file or a file of pairs, and makes it the draft.
func (c *Screen) load() tea.Cmd {
	s := c.session
	open := func(ctx context.Context, name string, _ bool) (func() tea.Cmd, error) {
		read, err := s.Options().Load(ctx, name)
		edit := func() {
			s.Draft.Edit(session.Loaded(name, read))
			c.begin()
			s.Say("opened " + printable.Line(name))
		}
		return ui.Now(edit), err
	}
	line := ui.Line{
		Title: "open a configuration, pairs, or inputs and outputs",
		Verb:  "open",
		Files: true,
		Opens: true,
		Try:   open,
	}
	return line.Ask(c.dialogs, s.Draft.Version().File)
}

// saveAs asks for the name of a file for the configuration, and suggests one.
func saveAs(s *session.Session, dialogs *ui.Dialogs) tea.Cmd {
	text := s.Draft.Config().TOML()
	save := func(_ context.Context, name string, force bool) (func() tea.Cmd, error) {
		if _, err := os.Lstat(name); err == nil && !force {
			return nil, fs.ErrExist
		}
		saved := func() {
			s.Draft.Saved(name)
			s.Say("saved as " + printable.Line(name))
		}
		return ui.Now(saved), interchange.Save(name, text, "or give another name")
	}
	line := ui.Line{
		Title: "save the configuration as",
		Verb:  "save",
		Files: true,
		Try:   save,
	}
	suggested := s.Draft.Version().File
	if suggested == "" {
		suggested = s.Draft.Config().Title() + ".toml"
	}
	return line.Ask(dialogs, suggested)
}
