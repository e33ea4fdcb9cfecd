// Package form is the configuration screen: every parameter, checked as it is typed, with its explanation and a
// preview.
package form

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/screen/draw"
	"rfm/tui/screen/vary"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// Screen is the list of parameters next to the previews.
type Screen struct {
	session  *session.Session
	dialogs  *ui.Dialogs
	at       *page.List      // position in entries
	filtered string          // the selected parameter while a filter leaves some of them
	open     map[string]bool // groups whose parameters are shown
	editor   *editor         // of a value, see editing; nil before the first
	previews *previews
	picker   *presetPicker // of presets; nil before the first
	// parameters of the equation without a value, by their keys, that were given the value 1
	assumed  map[string]bool
	choosing *choosing
	varied   vary.Values

	on       ui.Canvas // on which the screen is laid out
	laid     arrangement
	commands []ui.Command
}

// New returns the screen of a session.
func New(s *session.Session, d *ui.Dialogs) *Screen {
	c := &Screen{
		session:  s,
		dialogs:  d,
		open:     map[string]bool{},
		previews: newPreviews(s, leastPreview),
		assumed:  map[string]bool{},
		choosing: newChoosing(),
	}
	c.at = page.NewList("line", d, func() int { return c.counted(c.seen()) })
	c.commands = c.newCommands()
	if s.Draft.Fault() != nil {
		c.begin()
	}
	if s.Options().Start && s.Shown() == c.Name() {
		c.choose()
	}
	return c
}

// Name returns the name of the stage before the first.
func (c *Screen) Name() string { return session.ConfigurePage }

// selected returns the selected entry.
func (c *Screen) selected() entry {
	list := c.entries()
	return list[c.line(list)]
}

// count returns the number of lines among which keys move: none if a filter leaves none, although the preset is shown
// then.
func (c *Screen) count() int { return c.counted(c.entries()) }

func (c *Screen) counted(list []entry) int {
	if c.at.Filtered() && list[0].isPreset() {
		return 0
	}
	return len(list)
}

// seen returns the entries as they are laid out, which are those of now while no key has been handled. Commands ask for
// them many times for each frame.
func (c *Screen) seen() []entry {
	if len(c.laid.form.entries) == 0 {
		return c.entries()
	}
	return c.laid.form.entries
}

// current returns the entry that is seen to be selected.
func (c *Screen) current() entry {
	list := c.seen()
	return list[c.line(list)]
}

// line returns the index of the selected entry; the list may have become shorter.
func (c *Screen) line(list []entry) int {
	return min(c.at.Line, len(list)-1)
}

// Hear selects the parameter that the session asks for, and takes over previews.
func (c *Screen) Hear(msg tea.Msg) tea.Cmd {
	asked, ok := msg.(session.Selected)
	switch {
	case ok && asked.Parameter == "":
		c.at.Line = 0
	case ok:
		c.visit(asked.Parameter)
	}
	if found, ok := msg.(computed[lasting]); ok {
		return c.choosing.arrived(found, func(value lasting) { c.chose(found.of, value) })
	}
	own := c.previews.hear(msg, c.session)
	if c.picker == nil || c.picker.previews == c.previews {
		return own
	}
	return tea.Batch(own, c.picker.previews.hear(msg, c.session))
}

// Update starts the previews that the view lacks.
func (c *Screen) Update(msg tea.Msg) tea.Cmd {
	_, enters := msg.(ui.Enter)
	if enters && c.session.Options().Start && c.picker == nil {
		c.choose() // after the tour
	}
	c.follow()
	c.varied.Follow(c.session)
	c.Arrange(c.on) // because previews are computed only where they have room
	beside := c.laid.beside
	p := c.previews
	shown := c.shown()
	if c.picker != nil && c.dialogs.Has(c.picker) {
		p = c.picker.previews
		shown = c.picker.follow()
		beside = c.on.Width
	}
	if shown == (config.Config{}) {
		return nil
	}
	var reads tea.Cmd
	if p == c.previews {
		reads = p.account.follow(c.session)
	}
	if p.pace.known.Of(shown) {
		c.session.SetPace(p.pace.known)
	}
	isEdited := c.editing() != nil
	starts := p.follow(shown, isEdited, beside > 0, c.session.Runner.Working())
	isBusy := p != c.previews || isEdited || c.session.Runner.Working() || p.solution.busy()
	chooses := c.choosing.follow(c.session.Draft.Version(), isBusy)
	return tea.Batch(reads, starts, chooses)
}

// follow selects the line that was selected before a filter was taken away.
func (c *Screen) follow() {
	if !c.at.Filtered() && c.filtered != "" {
		c.visit(c.filtered) // the selected parameter stays when all are shown again
	}
	c.at.Keep(len(c.entries()))
	c.filtered = ""
	if c.at.Filtered() {
		c.filtered = c.selected().name()
	}
}

// Commands returns the commands of the list and of the whole configuration.
func (c *Screen) Commands() []ui.Command { return c.commands }

func (c *Screen) newCommands() []ui.Command {
	list := c.onward()
	list = append(list, c.accepting()...)
	list = append(list, c.taking())
	list = append(list, c.at.Moves(ui.KeyUp, ui.KeyDown)...)
	list = append(list, c.at.Filters()...)
	list = append(list,
		command(ui.KeyNextTab, "", "the list of numbers, the groups, or the equation", func() { c.jump(1) }),
		command(ui.KeyPreviousTab, "", "the same, backwards", func() { c.jump(-1) }),
	)
	list = append(list, c.changing()...)
	list = append(list,
		c.presets(),
		draw.Command(c.draw),
		c.turning(),
	)
	list = append(list, c.files()...)
	reset := command(ui.KeyReset, "reset", "back to the preset's value", c.reset)
	undo := command(ui.KeyUndo, "undo", "take back the last change", func() { c.stay(c.session.Draft.Undo) })
	hasValue := func() bool { return !c.current().isHeading() }
	list = append(list,
		reset.When(hasValue, "a group has no value"),
		undo.When(c.session.Draft.CanUndo, "there is no change to take back"),
	)
	return append(list, c.at.Moves(ui.KeyPageUp, ui.KeyPageDown, ui.KeyFirst, ui.KeyLast)...)
}

// command returns a command that changes the screen at once.
func command(key ui.Key, word, help string, do func()) ui.Command {
	return ui.Command{
		Key:  key,
		Word: word,
		Help: help,
		Do:   ui.Now(do),
	}
}

// onward returns the commands of the key that leads through the program, where it does not simply run the configuration.
func (c *Screen) onward() []ui.Command {
	visit := func() { c.session.Select(c.faulty()) }
	correct := command(ui.KeyRun, "correct", "go to the part of the equation that is invalid", visit)
	correct.If = func() bool { return c.isFree() && c.previews.invalid(c.session.Draft.Config()) }
	sweep := ui.Command{
		Key:  ui.KeyRun,
		Text: func() (word, help string) { return c.varied.Word(), "compute a run for each of the values" },
		If:   c.isVaried,
		Do:   c.sweep,
	}
	return []ui.Command{correct, sweep}
}

// isFree reports whether something can be started.
func (c *Screen) isFree() bool { return !c.session.Runner.Busy() }

// isVaried reports whether there are several values of a setting, for a run of each.
func (c *Screen) isVaried() bool {
	draft := c.session.Draft
	return c.isFree() && c.varied.Of(draft.Config()) && draft.Fault() == nil
}

// sweep computes a run for each of the values.
func (c *Screen) sweep() tea.Cmd {
	return vary.Open(c.session, c.dialogs, c.session.Draft.Config(), c.varied.Axes)
}

// accepting returns the commands that open the selected line.
func (c *Screen) accepting() []ui.Command {
	other := command(ui.KeyEnter, "presets", "choose a preset", c.choose)
	other.If = func() bool { return c.current().isPreset() && c.count() > 0 }
	fold := command(ui.KeyEnter, "fold", "hide the parameters of the group, or show them", c.accept)
	fold.If = func() bool { return c.current().isHeading() }
	edit := command(ui.KeyEnter, "edit", "type a value", c.accept)
	edit.If = func() bool { return c.current().key != nil }
	number := command(ui.KeyDigit, "", "type a number; several, as 128,256, are a sweep", c.accept)
	number.If = func() bool { return c.current().isNumber() }
	return []ui.Command{other, fold, edit, number}
}

// changing returns the commands that change the selected line by a step.
func (c *Screen) changing() []ui.Command {
	left := func() (word, help string) {
		e := c.current()
		switch {
		case e.isPreset():
			return "value", "the preset before"
		case e.isHeading():
			return "fold", "hide the parameters of the group"
		}
		return "value", "a smaller value"
	}
	right := func() (word, help string) {
		e := c.current()
		switch {
		case e.isPreset():
			return "value", "the next preset"
		case e.isHeading():
			return "fold", "show the parameters of the group"
		}
		return "value", "a larger value"
	}
	return []ui.Command{
		{
			Key:  ui.KeyLeft,
			Text: left,
			Do:   ui.Now(func() { c.change(-1) }),
		},
		{
			Key:  ui.KeyRight,
			Text: right,
			Do:   ui.Now(func() { c.change(1) }),
		},
	}
}

// taking returns the command that takes the first setting with which the solution of the equation would last.
func (c *Screen) taking() ui.Command {
	text := func() (word, help string) {
		first := c.asRow(c.remedies()[0])
		return "set " + beginning(first, 24), "take the setting with which the solution lasts: " + first
	}
	return ui.Command{
		Key:  ui.KeyTake,
		Text: text,
		If:   func() bool { return len(c.remedies()) > 0 },
		Do:   ui.Now(func() { c.take(c.remedies()[0]) }),
	}
}

// turning returns the command that turns to the hidden previews, where there is room for any.
func (c *Screen) turning() ui.Command {
	turn := ui.Command{
		Key:  ui.KeyView,
		Word: "view",
		Help: "next picture",
		If:   func() bool { return c.laid.beside > 0 },
		Do:   ui.Now(func() { c.previews.gallery.Turn() }),
	}
	hasOthers := func() bool { return c.previews.gallery.HidesSome() }
	return turn.When(hasOthers, "there is no other picture")
}

// presets returns the command that chooses a preset, which the footer offers once.
func (c *Screen) presets() ui.Command {
	text := func() (word, help string) {
		if !c.current().isPreset() {
			word = "presets"
		}
		return word, "choose a preset"
	}
	return ui.Command{
		Key:  ui.KeyPresets,
		Text: text,
		Do:   ui.Now(c.choose),
	}
}

// files returns the commands that read and write files.
func (c *Screen) files() []ui.Command {
	load := ui.Command{
		Key:  ui.KeyLoad,
		Word: "open",
		Help: "open a configuration, pairs, or two files: inputs and outputs",
		Do:   c.load,
	}
	save := ui.Command{
		Key:  ui.KeySave,
		Word: "save",
		Help: "save the configuration as a file",
		Do:   func() tea.Cmd { return saveAs(c.session, c.dialogs) },
	}
	return []ui.Command{load, save}
}

// draw opens the mode in which an input is drawn for the small model, or for the solver alone where no model can be trained
// in a moment.
func (c *Screen) draw() tea.Cmd {
	of := c.session.Draft.Config()
	model, tested := c.previews.small.trained(of)
	trial := func(ctx context.Context) (*engine.Trial, error) {
		return smallTrial(ctx, of, model, tested)
	}
	return draw.Open(c.session, c.dialogs, c.on.Theme.Coarse, trial)
}

// jump goes to the first line of the next or the previous part of the form: the rows above the list, the list, the groups.
func (c *Screen) jump(direction int) {
	list := c.entries()
	at := partOf(list[c.line(list)])
	for range parts {
		at = (at + direction + parts) % parts
		first := slices.IndexFunc(list, func(e entry) bool { return partOf(e) == at })
		if first >= 0 {
			c.at.Line = first
			return
		}
	}
}

// parts is the number of parts of the form, between which jump goes.
const parts = 3

// partOf returns the number of the part of an entry.
func partOf(e entry) int {
	switch e.at {
	case listed:
		return 1
	case folded:
		return 2
	}
	return 0
}

// besideGap is the number of cells between the list and the previews.
const besideGap = 2

// sides returns the widths of the list and of the previews, which is 0 where they do not fit.
func sides(width int) (list, beside int) {
	const (
		narrow = 32  // cells, the width of the list
		wide   = 40  // cells, its width on a roomy screen
		roomy  = 110 // cells of such a screen
	)
	switch {
	case width >= roomy:
		return wide, width - wide - besideGap
	case width >= narrow+besideGap+leastPreview.Width:
		return narrow, width - narrow - besideGap
	}
	return width, 0
}

// helpLines returns the number of lines for the explanation below the list. It does not depend on the selected line, so
// that the pictures stay in place.
func helpLines(height int) int {
	const roomy = 30
	if height < roomy {
		return 4
	}
	return 5
}

// An arrangement is how the parts of the screen share a canvas.
type arrangement struct {
	form   form
	head   []string // rows above the list
	foot   []string // rows below it
	gap    int      // blank lines below the head
	list   int      // width of the list
	beside int      // width of the pictures, which have no room if it is 0
	rows   int      // height of both
	help   int      // height of the explanation
}

// Arrange lays the parts out.
func (c *Screen) Arrange(canvas ui.Canvas) {
	c.on = canvas
	c.laid = c.arranged(canvas)
	p := c.previews
	p.gallery.Arrange(c.laid.beside, c.laid.rows, len(p.list(canvas.Theme)), leastPreview)
}

func (c *Screen) arranged(canvas ui.Canvas) arrangement {
	const (
		roomy         = 19 // lines with room for a blank one
		textShare     = 5  // a fifth of the lines is for the text of an equation
		leastTextRows = 2
	)
	f := c.newForm(canvas.Theme)
	a := arrangement{form: f, help: helpLines(canvas.Height)}
	a.list, a.beside = sides(canvas.Width)
	textRows := max(leastTextRows, canvas.Height/textShare)
	a.head = f.head(canvas.Width, textRows)
	a.foot = f.foot(canvas.Width)
	if canvas.Height >= roomy {
		a.gap = 1
	}
	around := len(a.head) + a.gap + len(a.foot)
	a.rows = max(1, canvas.Height-around-a.help)
	if a.rows < leastPreview.Height {
		a.list = canvas.Width
		a.beside = 0
	}
	if a.beside == 0 && canvas.Height < roomy { // no picture has to stay in place, and settings need the lines
		a.help = c.leastHelp(canvas, a.help)
		a.rows = max(1, canvas.Height-around-a.help)
	}
	return a
}

// leastHelp returns the number of lines, up to most, that the selected line needs for its explanation. What the run costs
// may be left out, because it stands in the key that starts it.
func (c *Screen) leastHelp(canvas ui.Canvas, most int) int {
	const fewest = 3
	meant := c.meant(canvas.Theme, explanationWidth(canvas))
	return min(most, max(fewest, len(meant)))
}

// explanationWidth returns the width of the explanation, which has a margin on both sides.
func explanationWidth(canvas ui.Canvas) int { return canvas.Width - 2 }

// View draws the rows of the equation and its parameters, below them the list next to the previews, the closed groups and
// the explanation.
func (c *Screen) View() string {
	th := c.on.Theme
	a := c.laid
	middle := a.form.list(a.list, a.rows)
	if a.beside > 0 {
		equation := strings.HasPrefix(c.current().name(), config.TextEquation)
		pictures := c.previews.render(th, a.beside, a.rows, equation)
		between := strings.Repeat(" ", besideGap)
		middle = layout.Beside(a.rows, between, middle, a.list, pictures)
	}
	lines := slices.Clone(a.head)
	for range a.gap {
		lines = append(lines, "")
	}
	lines = append(lines, layout.Fit(middle, c.on.Width, a.rows))
	lines = append(lines, a.foot...)
	width := explanationWidth(c.on)
	explained := c.explained(th, width)
	meant := len(c.meant(th, width))
	if meant == a.help { // there is no line for the cost
		explained = explained[:meant]
	}
	explanation := layout.Head(explained, width, a.help)
	for _, line := range explanation {
		lines = append(lines, " "+line)
	}
	return strings.Join(lines, "\n")
}

// Page returns the name of the selected parameter as heading; empty on the preset and on headings of groups.
func (c *Screen) Page() report.Page {
	return report.Page{
		Name:    c.Name(),
		Heading: c.selected().parameter(),
	}
}
