package form

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/sweep"
	"rfm/model/show/interchange"
	"rfm/tui/screen/vary"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// editor is the dialog in which a value is typed; the list draws it.
type editor struct {
	screen *Screen
	key    config.Key
	input  ui.FileInput
	fresh  bool          // nothing has been typed yet: the first character replaces the value
	runs   bool          // the configuration is to run once the value is kept
	wrong  error         // error of the typed value
	typed  config.Config // the configuration with the typed value, if it is valid
	// parameters that the typed equation names and that have no value, by their keys: they count as 1
	assumed []string
	axis    *sweep.Axis // the values that are typed, if there are several

	commands []ui.Command
}

// accept folds a heading or begins to edit a value.
func (c *Screen) accept() {
	e := c.selected()
	if e.isHeading() {
		c.fold(e.group, c.open[e.group])
		return
	}
	now := c.session.Draft.Config()
	c.editor = &editor{
		screen: c,
		key:    *e.key,
		input:  ui.NewFileInput(e.key.Text(now)),
		fresh:  e.key.Name != equationText,
		typed:  now,
	}
	c.editor.commands = c.editor.newCommands()
	c.dialogs.Open(c.editor)
}

// editing returns the open editor; nil if no value is typed.
func (c *Screen) editing() *editor {
	if c.editor == nil || !c.dialogs.Has(c.editor) {
		return nil
	}
	return c.editor
}

// newCommands makes the commands of the editor. Those that would not do anything have no word in the footer.
func (e *editor) newCommands() []ui.Command {
	run := ui.Command{
		Key: ui.KeyRun,
		Text: func() (word, help string) {
			if e.wrong != nil || e.screen.previews.invalid(e.typed) {
				return "", ""
			}
			return "run", ""
		},
		Do: func() tea.Cmd { return e.end(true) },
	}
	keep := ui.Command{
		Key: ui.KeyEnter,
		Text: func() (word, help string) {
			if e.wrong != nil {
				return "", ""
			}
			return "keep", ""
		},
		Do: func() tea.Cmd { return e.end(false) },
	}
	isFile := func() bool { return e.key.Kind == config.Path }
	cancel := ui.Command{
		Key:  ui.KeyCancel,
		Word: "cancel",
		Do:   ui.Now(func() { e.screen.dialogs.Close(e) }),
	}
	return slices.Concat([]ui.Command{run, keep}, ui.Completes(isFile), []ui.Command{cancel})
}

// end keeps the value, once it is known to be valid, and then runs the configuration if that is asked for.
func (e *editor) end(runs bool) tea.Cmd {
	e.runs = runs
	checks := e.check(true)
	if checks != nil {
		return checks
	}
	return e.keep()
}

// Commands implements ui.Dialog, as do Update and View.
func (e *editor) Commands() []ui.Command { return e.commands }

// leaves reports whether a key goes to the line above or below, which keeps the value of a number; in other texts these keys
// choose names of files. Letters that move elsewhere are typed here.
func (e *editor) leaves(msg tea.Msg) bool {
	press, ok := msg.(tea.KeyPressMsg)
	return ok && vary.Numeric(e.key) && (press.Code == tea.KeyUp || press.Code == tea.KeyDown)
}

func (e *editor) View(ui.Canvas) string { return "" }

// reset restores the selected parameter from the preset or file; on the line of the preset, all of them.
func (c *Screen) reset() {
	e := c.selected()
	now := c.session.Draft.Version()
	if e.isPreset() {
		now.Config = now.Base
		c.session.Draft.Edit(now)
		return
	}
	c.set(*e.key, e.key.Text(now.Base))
}

// set gives a parameter another value, or reports why that is not possible.
func (c *Screen) set(k config.Key, text string) {
	c.stay(func() {
		if err := c.session.Draft.Set(k, text); err != nil {
			c.session.Complain(err.Error())
			return
		}
		delete(c.assumed, k.Name)
		c.varied.Drop(k.Name)
	})
}

// stay carries out a change, after which the same line is selected: conditions at the ends have other places in the form
// when they are not empty.
func (c *Screen) stay(change func()) {
	before := c.selected()
	change()
	at := c.find(before.name())
	if at >= 0 {
		c.at.Line = at
	}
}

// remedies returns the settings with which the solution of the equation would last; none if it lasts.
func (c *Screen) remedies() []engine.Remedy {
	if c.previews.solution.of != c.shown().DataOnly() {
		return nil
	}
	return c.previews.solution.helps
}

// take takes a remedy.
func (c *Screen) take(r engine.Remedy) {
	k, err := c.session.Draft.Config().Lookup(r.Key)
	if err != nil {
		c.session.Complain(err.Error())
		return
	}
	c.set(k, r.Value)
	c.session.Say(c.asRow(r) + "; u takes it back")
}

// chose gives the settings that were found to the draft, unless that has changed meanwhile, and says so.
func (c *Screen) chose(of config.Config, found lasting) {
	c.choosing.asked[of] = true
	next := c.session.Draft.Version()
	if len(found.settings) == 0 || c.editing() != nil || next.Config.DataOnly() != of {
		return
	}
	var words []string
	for _, r := range found.settings {
		words = append(words, c.asRow(r))
		if config.Assign(&next.Config, r.Key+"="+r.Value) != nil {
			return
		}
	}
	c.session.Draft.Edit(next)
	for _, r := range found.settings {
		c.choosing.chosen[r.Key] = r.Value
	}
	c.session.Say(fmt.Sprintf("chosen: %s; u takes it back", strings.Join(words, ", ")))
	c.choosing.why = found.why
}

// isChosen reports whether the value of an entry was chosen and has not changed since.
func (c *Screen) isChosen(e entry) bool {
	return e.key != nil && c.choosing.has(*e.key, c.session.Draft.Config())
}

// assumes reports whether an entry is a parameter whose value is assumed.
func (c *Screen) assumes(e entry) bool {
	if e.key == nil {
		return false
	}
	editor := c.editing()
	if editor != nil && slices.Contains(editor.assumed, e.key.Name) {
		return true
	}
	return c.assumed[e.key.Name] && e.key.Text(c.session.Draft.Config()) == config.AssumedValue
}

// assumptions returns the parameters of the equation whose values are assumed, with these.
func (c *Screen) assumptions() []string {
	var list []string
	for _, e := range c.seen() {
		if c.assumes(e) {
			list = append(list, e.key.Short()+" = "+config.AssumedValue)
		}
	}
	return list
}

// change selects the next smaller or larger value of the selected line; a heading folds or opens.
func (c *Screen) change(direction int) {
	e := c.selected()
	switch {
	case e.isPreset():
		presets := config.Presets()
		source := c.session.Draft.Version().Source
		i := slices.IndexFunc(presets, func(p config.Preset) bool { return p.Name == source })
		if i < 0 && direction < 0 {
			i = 0
		}
		next := presets[(i+direction+len(presets))%len(presets)]
		c.session.Draft.Edit(session.Preset(next))
	case e.isHeading():
		c.fold(e.group, direction < 0)
	default:
		text, ok := e.key.Neighbour(c.session.Draft.Config(), direction)
		if ok {
			c.set(*e.key, text)
		}
	}
}

func (e *editor) Update(msg tea.Msg) tea.Cmd {
	if e.leaves(msg) {
		kept := e.keep()
		if e.wrong == nil {
			press := msg.(tea.KeyPressMsg)
			e.screen.at.Walk(ui.Key(press.String()), e.screen.count())
		}
		return kept
	}
	if e.fresh && isText(msg) {
		e.input.SetValue("")
	}
	e.input.Update(msg)
	e.fresh = false
	if e.key.Kind == config.Path {
		return tea.Batch(e.check(false), e.input.Suggest())
	}
	return e.check(false)
}

// isText reports whether a message is a character or a paste rather than a key that moves or deletes.
func isText(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		return msg.Content != ""
	case tea.KeyPressMsg:
		return msg.Text != ""
	}
	return false
}

// keep takes the typed value if it is valid, and then runs the configuration if that was asked for.
func (e *editor) keep() tea.Cmd {
	if e.wrong != nil {
		return nil
	}
	switch {
	case e.key.Name == equationText:
		next := e.screen.session.Draft.Version()
		next.Config = e.typed
		e.screen.session.Draft.Edit(next)
	case e.axis != nil:
		e.screen.set(e.key, e.axis.Values[0])
		e.screen.varied.Add(*e.axis, e.input.Value())
		e.screen.varied.Follow(e.screen.session)
	default:
		e.screen.set(e.key, e.input.Value())
	}
	for _, name := range e.assumed {
		e.screen.assumed[name] = true
	}
	e.screen.dialogs.Close(e)
	if e.runs {
		return e.screen.dialogs.Press(ui.KeyRun)
	}
	return nil
}

// check records the error of the typed value. The command finds out whether a file exists; with keep set, its name
// becomes the value then.
func (e *editor) check(keep bool) tea.Cmd {
	value := e.input.Value()
	e.typed = e.screen.session.Draft.Config()
	e.assumed = nil
	e.axis = nil
	if vary.Several(e.key, value) {
		e.axis, e.wrong = vary.AxisOf(e.typed, e.key, value)
		if e.wrong != nil {
			return nil
		}
		value = e.axis.Values[0]
	}
	e.wrong = e.key.Set(&e.typed, value)
	if e.wrong == nil && e.key.Name == equationText {
		e.assumed = e.typed.Assume()
	}
	if e.wrong != nil || e.key.Kind != config.Path || value == "" {
		return nil
	}
	return func() tea.Msg {
		return checked{
			editor: e,
			value:  value,
			keep:   keep,
			err:    interchange.Readable(value),
		}
	}
}

// A checked is the message that the name of a file that is typed can be read, or why it cannot.
type checked struct {
	editor *editor
	value  string
	keep   bool // it becomes the value then
	err    error
}

// Hear offers names of files, and takes over whether the typed one can be read.
func (e *editor) Hear(msg tea.Msg) tea.Cmd {
	e.input.Hear(msg)
	found, ok := msg.(checked)
	isStale := !ok || found.editor != e || found.value != e.input.Value() // it was typed over
	switch {
	case isStale:
	case found.err != nil:
		e.wrong = &config.Error{
			Key:        e.key.Name,
			Value:      found.value,
			Problem:    "cannot be read",
			Suggestion: "tab completes names",
		}
	case found.keep:
		return e.keep()
	}
	return nil
}

// shown returns the configuration of previews and estimates: with the typed value if it is valid.
func (c *Screen) shown() config.Config {
	e := c.editing()
	if e != nil && e.wrong == nil {
		return e.typed
	}
	return c.session.Draft.Config()
}
