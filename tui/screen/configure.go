// This file is the configuration screen: every parameter, checked as it is typed, and a preview of what it means.

package screen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/experiment"
	"rfm/solver/simd"
	"rfm/tui/keys"
	"rfm/tui/quantity"
)

// configure is the list of parameters. Line 0 is the preset, line i > 0 is key i-1 of the problem.
type configure struct {
	line    int
	input   *textinput.Model // what is typed; nil if nothing is edited
	fresh   bool             // nothing has been typed yet: the first character replaces the value
	wrong   error            // what is wrong with it
	shown   int              // number of the preview, modulo how many there are
	seen    experiment.Preview
	seenOf  config.Config // configuration of seen
	picture cache
}

func (c *configure) editing() bool { return c.input != nil }

// acceptEdits says whether the enter key edits the selected line rather than starting the experiment.
func (c *configure) acceptEdits() bool { return c.line > 0 }

// keysOf lists the parameters of the problem.
func keysOf(s *session) []config.Key { return config.Keys(s.config.Problem) }

func (c *configure) selected(s *session) config.Key { return keysOf(s)[c.line-1] }

func (c *configure) actions(s *session) []keys.Action {
	if c.editing() {
		return []keys.Action{keys.Accept, keys.Cancel}
	}
	list := []keys.Action{keys.Up, keys.Down, keys.Left, keys.Right}
	if previewFits(s.width) {
		list = append(list, keys.View)
	}
	if c.line > 0 {
		list = append(list, keys.Reset)
	}
	return append(list, keys.PageUp, keys.PageDown, keys.First, keys.Last)
}

func (c *configure) means(_ *session, action keys.Action) string {
	switch action {
	case keys.Up, keys.Down:
		return "line"
	case keys.Left, keys.Right:
		return "value"
	case keys.PageUp, keys.PageDown:
		return "page"
	}
	return ""
}

func (c *configure) do(s *session, action keys.Action) {
	last := len(keysOf(s))
	switch action {
	case keys.Up:
		c.line = (c.line + last) % (last + 1)
	case keys.Down:
		c.line = (c.line + 1) % (last + 1)
	case keys.PageUp:
		c.line = max(0, c.line-10)
	case keys.PageDown:
		c.line = min(last, c.line+10)
	case keys.First:
		c.line = 0
	case keys.Last:
		c.line = last
	case keys.Left:
		c.change(s, -1)
	case keys.Right:
		c.change(s, 1)
	case keys.View:
		c.shown++
	case keys.Reset:
		c.set(s, c.selected(s).Text(s.base))
	case keys.Accept:
		input := textinput.New()
		input.Prompt = ""
		input.SetVirtualCursor(true)
		input.SetValue(c.selected(s).Text(s.config))
		input.CursorEnd()
		input.Focus()
		c.input, c.fresh, c.wrong = &input, true, nil
	}
}

// set gives the selected line another value, or shows why that is not possible.
func (c *configure) set(s *session, text string) {
	s.failure = c.selected(s).Set(&s.config, text)
	c.follow(s)
}

// follow takes the paper's configuration of another problem for the one that changes are measured against.
func (c *configure) follow(s *session) {
	if s.config.Problem == s.base.Problem {
		return
	}
	for _, p := range config.Presets() {
		if p.Name == s.config.Problem {
			s.source, s.base = p.Name, p.Config
		}
	}
}

// change takes the next smaller or larger value of the selected line.
func (c *configure) change(s *session, direction int) {
	if c.line == 0 {
		presets := config.Presets()
		i := slices.IndexFunc(presets, func(p config.Preset) bool { return p.Name == s.source })
		p := presets[((i+direction)%len(presets)+len(presets))%len(presets)]
		s.source, s.base, s.config = p.Name, p.Config, p.Config
		s.failure = nil
		return
	}
	if text, ok := neighbour(c.selected(s), s.config, direction); ok {
		c.set(s, text)
	}
}

// edit handles a key or a paste while a value is typed.
func (c *configure) edit(s *session, msg tea.Msg) {
	if c.input == nil {
		return
	}
	if press, ok := msg.(tea.KeyPressMsg); ok {
		switch keys.Lookup(press.String()) {
		case keys.Accept:
			if c.wrong = c.selected(s).Set(&s.config, c.input.Value()); c.wrong == nil {
				c.input = nil
				s.failure = nil
				c.follow(s)
			}
			return
		case keys.Cancel:
			c.input, c.wrong = nil, nil
			return
		}
		if c.fresh && press.Text != "" {
			c.input.SetValue("")
		}
	}
	c.fresh = false
	updated, _ := c.input.Update(msg)
	c.input = &updated
	trial := s.config
	c.wrong = c.selected(s).Set(&trial, c.input.Value())
}

const (
	listWidth  = 38
	valueWidth = listWidth - 24
)

// previewFits says whether there is room for a preview beside the list.
func previewFits(width int) bool { return width >= listWidth+30 }

func (c *configure) render(s *session, width, height int) string {
	if !previewFits(width) {
		help := c.explanation(s, width-2)
		rows := height - len(help)
		return c.list(s, width, rows) + "\n" + strings.Join(help, "\n")
	}
	right := width - listWidth - 2
	text := c.explanation(s, right)
	plotHeight := height - len(text) - 1
	panel := c.preview(s, right, plotHeight) + "\n\n" + strings.Join(text, "\n")
	return beside(height, "  ", c.list(s, listWidth, height), listWidth, panel)
}

// list shows as many lines as fit around the selected one.
func (c *configure) list(s *session, width, height int) string {
	th := s.theme
	var lines []string
	at := 0
	preset := s.source
	if preset == "" {
		preset = "custom"
	}
	lines = append(lines, c.row(s, 0, "", "preset", preset, s.config != s.base))
	group := ""
	for i, k := range keysOf(s) {
		if g := k.Group(); g != group {
			group = g
			lines = append(lines, th.Title.Render(" "+group))
		}
		if c.line == i+1 {
			at = len(lines)
		}
		value := k.Text(s.config)
		switch {
		case value == "":
			value = "none"
		case k.Kind == config.Real && len(value) > valueWidth:
			number, _ := strconv.ParseFloat(value, 64)
			value = strconv.FormatFloat(number, 'g', 6, 64)
		}
		lines = append(lines, c.row(s, i+1, k.Symbol, k.Short(), value, !k.Same(s.config, s.base)))
	}
	first := max(0, min(at-height/2, len(lines)-height))
	lines = lines[first:min(len(lines), first+height)]
	if first > 0 {
		lines[0] = th.Muted.Render(fmt.Sprintf(" %c more above", th.Glyphs.Up))
	}
	if first+height < c.lines(s) {
		lines[len(lines)-1] = th.Muted.Render(fmt.Sprintf(" %c more below", th.Glyphs.Down))
	}
	return strings.Join(lines, "\n")
}

// lines is the number of lines of the whole list.
func (c *configure) lines(s *session) int {
	groups := map[string]bool{}
	for _, k := range keysOf(s) {
		groups[k.Group()] = true
	}
	return 1 + len(keysOf(s)) + len(groups)
}

// row is one line of the list: symbol, name, value, a star if it was changed, brackets if it is selected.
func (c *configure) row(s *session, line int, symbol, name, value string, changed bool) string {
	th := s.theme
	star := " "
	if changed {
		star = "*"
	}
	left, right, style := ' ', ' ', th.Value
	if line == c.line {
		left, right, style = th.Glyphs.FocusLeft, th.Glyphs.FocusRight, th.Focus
	}
	if line == c.line && c.editing() {
		c.input.SetWidth(valueWidth - 1)
		value = c.input.View()
	} else {
		if lipgloss.Width(value) > valueWidth {
			value = ansi.TruncateLeft(value, lipgloss.Width(value)-valueWidth+1, string(th.Glyphs.Ellipsis))
		}
		value = style.Render(fmt.Sprintf("%-*s", valueWidth, value))
	}
	return fmt.Sprintf(" %s %s %s%c%s%c", th.Label.Render(fmt.Sprintf("%-6s", symbol)), th.Label.Render(fmt.Sprintf("%-11s", name)), th.Warn.Render(star), left, value, right)
}

// explanation says what the selected line is, what it may be, what is wrong with it, and what the experiment costs.
func (c *configure) explanation(s *session, width int) []string {
	th := s.theme
	var lines []string
	add := func(style lipgloss.Style, text string) {
		for line := range strings.SplitSeq(ansi.Wrap(text, width, ""), "\n") {
			lines = append(lines, style.Render(line))
		}
	}
	if c.line == 0 {
		summary := "the configuration file, or what the command line made of a preset"
		for _, p := range config.Presets() {
			if p.Name == s.source {
				summary = p.Summary
			}
		}
		add(th.Value, summary)
	} else {
		k := c.selected(s)
		text := k.Help
		if k.Symbol != "" {
			text = k.Symbol + ": " + text
		}
		if k.Paper != "" {
			text += ". The paper: " + k.Paper
		}
		add(th.Value, text)
		if c.wrong != nil {
			add(th.Bad, c.wrong.Error())
		} else {
			add(th.Muted, k.Range())
		}
	}
	switch err := s.config.Validate(); {
	case err != nil:
		add(th.Bad, err.Error())
	case s.rates != nil:
		workers := experiment.Workers(s.options.Workers)
		estimate := s.rates.Estimate(s.config, workers)
		add(th.Muted, fmt.Sprintf("about %s, %s; %d workers, %s", quantity.Duration(estimate.Total()), quantity.Bytes(estimate.Bytes), workers, simd.Active()))
	}
	return lines
}
