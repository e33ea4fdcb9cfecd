// This file changes the configuration: by steps, by typing, back again.

package screen

import (
	"os"
	"slices"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/tui/keys"
)

// An edition is a configuration with where it comes from.
type edition struct {
	config, base config.Config
	source, file string
}

// accept folds a heading or begins to edit a value.
func (c *configure) accept(s *session) {
	e := c.selected(s)
	if e.isHeading() {
		c.fold(e.group, !c.folded[e.group])
		return
	}
	input := newInput(e.key.Text(s.config))
	c.input, c.fresh, c.wrong, c.trial = &input, true, nil, s.config
}

// newInput is a line of text that is typed.
func newInput(text string) textinput.Model {
	input := textinput.New()
	input.Prompt = ""
	input.SetVirtualCursor(true)
	input.SetValue(text)
	input.CursorEnd()
	input.Focus()
	return input
}

// setWidth gives what is typed its room; what does not fit is scrolled.
func setWidth(input *textinput.Model, width int) {
	if input.Width() != width {
		input.SetWidth(width)
		input.SetCursor(input.Position())
	}
}

// reset takes the value of the preset or file for the selected one, or all of them on the line of the preset.
func (c *configure) reset(s *session) {
	if e := c.selected(s); e.isPreset() {
		c.replace(s, edition{s.base, s.base, s.source, s.file})
	} else {
		c.set(s, *e.key, e.key.Text(s.base))
	}
}

// set gives a parameter another value, or shows why that is not possible.
func (c *configure) set(s *session, k config.Key, text string) {
	next := edition{s.config, s.base, s.source, s.file}
	if s.failure = k.Set(&next.config, text); s.failure == nil {
		c.replace(s, next)
	}
}

// replace takes another configuration and remembers the old one. One of another problem is measured against the paper's.
func (c *configure) replace(s *session, next edition) {
	now := edition{s.config, s.base, s.source, s.file}
	if next.config.Problem != next.base.Problem {
		for _, p := range config.Presets() {
			if p.Name == next.config.Problem {
				next.source, next.file, next.base = p.Name, "", p.Config
			}
		}
	}
	s.failure = nil
	if next == now {
		return
	}
	const most = 100
	c.history = append(c.history, now)
	c.history = c.history[max(0, len(c.history)-most):]
	s.config, s.base, s.source, s.file = next.config, next.base, next.source, next.file
}

// undo takes back the last change.
func (c *configure) undo(s *session) {
	last := len(c.history) - 1
	was := c.history[last]
	c.history = c.history[:last]
	s.config, s.base, s.source, s.file = was.config, was.base, was.source, was.file
	s.failure = nil
}

// change takes the next smaller or larger value of the selected line; a heading folds or opens.
func (c *configure) change(s *session, direction int) {
	switch e := c.selected(s); {
	case e.isPreset():
		presets := config.Presets()
		i := slices.IndexFunc(presets, func(p config.Preset) bool { return p.Name == s.source })
		if i < 0 && direction < 0 {
			i = 0
		}
		p := presets[(i+direction+len(presets))%len(presets)]
		c.replace(s, edition{p.Config, p.Config, p.Name, ""})
	case e.isHeading():
		c.fold(e.group, direction < 0)
	default:
		if text, ok := neighbour(*e.key, s.config, direction); ok {
			c.set(s, *e.key, text)
		}
	}
}

// edit handles a key or a paste while something is typed.
func (c *configure) edit(s *session, msg tea.Msg) tea.Cmd {
	switch {
	case c.prompt != nil:
		return c.prompt.edit(c, msg)
	case c.input != nil:
		return c.editValue(s, msg)
	}
	return nil
}

// editValue handles a key or a paste while a value is typed.
func (c *configure) editValue(s *session, msg tea.Msg) tea.Cmd {
	key := *c.selected(s).key
	c.found = nil
	if press, ok := msg.(tea.KeyPressMsg); ok {
		switch keys.Lookup(press.String()) {
		case keys.Accept:
			if c.check(s, key); c.wrong == nil {
				c.set(s, key, c.input.Value())
				c.input = nil
			}
			return nil
		case keys.Cancel:
			c.input, c.wrong = nil, nil
			return nil
		case keys.NextStep:
			if key.Kind == config.Path {
				return complete(c.input.Value(), func(string) bool { return true })
			}
		}
		if c.fresh && press.Text != "" {
			c.input.SetValue("")
		}
	}
	c.fresh = false
	updated, _ := c.input.Update(msg)
	c.input = &updated
	c.check(s, key)
	return nil
}

// check takes note of what is wrong with what is typed: for a file also that it is not there.
func (c *configure) check(s *session, key config.Key) {
	value := c.input.Value()
	c.trial = s.config
	c.wrong = key.Set(&c.trial, value)
	if c.wrong == nil && key.Kind == config.Path && value != "" {
		if _, err := os.Stat(value); err != nil {
			c.wrong = &config.Error{Key: key.Name, Value: value, Problem: "is no file that can be read", Suggestion: "tab completes names"}
		}
	}
}

// completed extends the name of a file that is typed as a value.
func (c *configure) completed(s *session, found completedMsg) {
	if c.input == nil || c.input.Value() != found.typed {
		return
	}
	if len(found.candidates) == 0 {
		return // the check says so
	}
	c.input.SetValue(found.common())
	c.input.CursorEnd()
	c.fresh = false
	c.check(s, *c.selected(s).key)
	if len(found.candidates) > 1 {
		c.found = found.candidates
	}
}

// shown is the configuration that previews and estimates are about: with the typed value if it is allowed.
func (c *configure) shown(s *session) config.Config {
	if c.input != nil && c.wrong == nil {
		return c.trial
	}
	return s.config
}
