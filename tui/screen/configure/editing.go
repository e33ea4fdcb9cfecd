package configure

import (
	"slices"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/interchange"
	"rfm/tui/keys"
	"rfm/tui/session"
	"rfm/tui/widget"
)

// accept folds a heading or begins to edit a value.
func (c *Screen) accept() {
	e := c.selected()
	if e.isHeading() {
		c.fold(e.group, c.open[e.group])
		return
	}
	input := widget.NewInput(e.key.Text(c.session.Config()))
	c.input, c.fresh, c.wrong, c.typed = &input, e.key.Name != equationText, nil, c.session.Config()
}

// setWidth gives an input its width; longer text scrolls.
func setWidth(input *textinput.Model, width int) {
	if input.Width() != width {
		input.SetWidth(width)
		input.SetCursor(input.Position())
	}
}

// reset restores the selected parameter from the preset or file; on the line of the preset, all of them.
func (c *Screen) reset() {
	e, d := c.selected(), c.session.Draft()
	if e.isPreset() {
		d.Config = d.Base
		c.session.Edit(d)
	} else {
		c.set(*e.key, e.key.Text(d.Base))
	}
}

// set gives a parameter another value, or reports why that is not possible.
func (c *Screen) set(k config.Key, text string) {
	if err := c.session.Set(k, text); err != nil {
		c.session.Complain(err.Error())
	}
}

// change selects the next smaller or larger value of the selected line; a heading folds or opens.
func (c *Screen) change(direction int) {
	switch e := c.selected(); {
	case e.isPreset():
		presets := config.Presets()
		i := slices.IndexFunc(presets, func(p config.Preset) bool { return p.Name == c.session.Draft().Source })
		if i < 0 && direction < 0 {
			i = 0
		}
		p := presets[(i+direction+len(presets))%len(presets)]
		c.session.Edit(session.Preset(p))
	case e.isHeading():
		c.fold(e.group, direction < 0)
	default:
		if text, ok := e.key.Neighbour(c.session.Config(), direction); ok {
			c.set(*e.key, text)
		}
	}
}

// edit handles a key or a paste while the prompt or a value is edited.
func (c *Screen) edit(msg tea.Msg) tea.Cmd {
	switch {
	case c.prompt != nil:
		return c.prompt.edit(c, msg)
	case c.input != nil:
		return c.editValue(msg)
	}
	return nil
}

// editValue handles a key or a paste while a value is edited.
func (c *Screen) editValue(msg tea.Msg) tea.Cmd {
	key := *c.selected().key
	if press, ok := msg.(tea.KeyPressMsg); ok && c.fresh && press.Text != "" {
		c.input.SetValue("")
	}
	switch widget.Type(c.input, msg) {
	case keys.Enter:
		if cmd := c.check(key, true); cmd != nil {
			return cmd
		}
		c.keep(key)
		return nil
	case keys.Cancel:
		c.input, c.wrong = nil, nil
		return nil
	}
	c.fresh = false
	if key.Kind == config.Path {
		return tea.Batch(c.check(key, false), suggest(c.input.Value()))
	}
	return c.check(key, false)
}

// keep takes the typed value if it is valid.
func (c *Screen) keep(key config.Key) {
	if c.wrong == nil {
		c.set(key, c.input.Value())
		c.input = nil
	}
}

// checkedMsg reports whether a file can be found; keep: its name is to become the value then.
type checkedMsg struct {
	name string
	keep bool
	err  error
}

// check records the error of the typed value. The command reports whether a file exists.
func (c *Screen) check(key config.Key, keep bool) tea.Cmd {
	value := c.input.Value()
	c.typed = c.session.Config()
	c.wrong = key.Set(&c.typed, value)
	if c.wrong != nil || key.Kind != config.Path || value == "" {
		return nil
	}
	return func() tea.Msg {
		return checkedMsg{value, keep, interchange.Readable(value)}
	}
}

// checked records whether a file exists, if its name is still the typed one.
func (c *Screen) checked(msg checkedMsg) {
	if c.input == nil || c.input.Value() != msg.name {
		return
	}
	key := *c.selected().key
	if msg.err != nil {
		c.wrong = &config.Error{Key: key.Name, Value: msg.name, Problem: "is no file that can be read",
			Suggestion: "tab completes names"}
	} else if msg.keep {
		c.keep(key)
	}
}

// shown returns the configuration of previews and estimates: with the typed value if it is valid.
func (c *Screen) shown() config.Config {
	if c.input != nil && c.wrong == nil {
		return c.typed
	}
	return c.session.Config()
}
