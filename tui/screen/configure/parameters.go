package configure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/widget"
)

// equationText is the key of the equation's text, parameterKeys the prefix of the keys of its parameters.
const equationText, parameterKeys = "equation.text", "equation.parameters."

// essentials are the parameters that come first; all others are in groups below them. A name that ends in a point is a
// prefix.
var essentials = []struct {
	name string
	own  bool // for pairs from files
}{
	{"problem", false}, {equationText, false}, {parameterKeys, false}, {"data.train_file", true}, {"data.test_file", true},
	{"data.input", true}, {"data.output", true},
	{"data.train", false}, {"data.test", false}, {"features.count", false}, {"data.grid", false}, {"train.grid", false},
	{"train.lambda", false}, {"train.method", false}, {"seed", false},
}

// labels are the form's words for parameters whose names in configuration files are not clear enough.
var labels = map[string]string{
	equationText: "equation", "data.train_file": "training file", "data.test_file": "test file",
	"data.input":  "input array",
	"data.output": "output array", "data.train": "training pairs", "data.test": "test pairs",
	"features.count": "features", "data.grid": "data grid", "train.grid": "training grid", "evaluation.grid": "test grid",
	"train.lambda": "regularisation", "train.method": "method",
}

// label returns the form's name of a parameter.
func label(k config.Key) string { return cmp.Or(labels[k.Name], k.Short()) }

// words returns the text of a parameter that a filter searches; the word "changed" finds those that differ from the
// preset or file.
func (c *Screen) words(k config.Key) string {
	text := strings.Join([]string{k.Symbol, label(k), k.Name, k.Help}, " ")
	if d := c.session.Draft(); !k.Same(d.Config, d.Base) {
		text += " changed"
	}
	return text
}

// divided returns the essential parameters of a configuration, in their order, and the others.
func divided(c config.Config) (first, rest []config.Key) {
	rest = c.Keys()
	for _, e := range essentials {
		if e.own && !c.Of().Files {
			continue
		}
		here := func(k config.Key) bool {
			return k.Name == e.name || strings.HasSuffix(e.name, ".") && strings.HasPrefix(k.Name, e.name)
		}
		for _, k := range rest {
			if here(k) {
				first = append(first, k)
			}
		}
		rest = slices.DeleteFunc(rest, here)
	}
	return first, rest
}

// An entry is a line of the list that can be selected: the preset, a heading, or a parameter.
type entry struct {
	group string      // empty for the preset and for essentials
	key   *config.Key // nil for the preset and for headings
}

func (e entry) isPreset() bool  { return e.group == "" && e.key == nil }
func (e entry) isHeading() bool { return e.group != "" && e.key == nil }

// entries returns the lines that can be selected: the preset, the essentials, then the groups of all others with the
// parameters of the open ones. A filter leaves the parameters that match it, without headings.
func (c *Screen) entries() []entry {
	of := c.session.Config()
	if typed := c.shown(); typed.Equation.Text != of.Equation.Text {
		of = typed // with the parameters that it names, all of them below it
	}
	first, rest := divided(of)
	list := []entry{{}}
	if c.at.Filtered() {
		found := widget.Chosen(&c.at, append(first, rest...), c.words)
		for _, k := range found {
			list = append(list, entry{key: &k})
		}
		return list[min(1, len(found)):]
	}
	for _, k := range first {
		list = append(list, entry{key: &k})
	}
	group := ""
	for _, k := range rest {
		if g := k.Group(); g != group {
			group = g
			list = append(list, entry{group: g})
		}
		if c.open[group] {
			list = append(list, entry{group, &k})
		}
	}
	return list
}

// name identifies the entry.
func (e entry) name() string { return cmp.Or(e.parameter(), e.group) }

// parameter returns the name of a parameter; empty for the preset and for headings.
func (e entry) parameter() string {
	if e.key == nil {
		return ""
	}
	return e.key.Name
}

// visit selects a parameter, opening its group.
func (c *Screen) visit(name string) {
	k, err := c.session.Config().Lookup(name)
	if err != nil {
		return
	}
	c.at.All()
	if c.find(k.Name) < 0 {
		c.fold(k.Group(), false)
	}
	c.at.Line = c.find(k.Name)
}

// find returns the line of a parameter or a heading; -1 if it is hidden.
func (c *Screen) find(name string) int {
	return slices.IndexFunc(c.entries(), func(e entry) bool { return e.name() == name })
}

// fold hides the parameters of a group, or shows them.
func (c *Screen) fold(group string, hide bool) {
	if hide {
		delete(c.open, group)
	} else {
		c.open[group] = true
	}
}

// list draws as many lines as fit around the selected one.
func (c *Screen) list(th theme.Theme, width, height int) string {
	entries, wrong := c.entries(), map[string]bool{}
	for _, e := range c.faults() {
		wrong[e.Key] = true
	}
	lines := c.at.Lines(th, c.count(), height, func(i int) string {
		e, selected := entries[i], i == c.line(entries)
		if e.isHeading() {
			return c.heading(th, e.group, selected, width)
		}
		return c.row(th, e, selected, wrong[e.parameter()], width)
	})
	return strings.Join(lines, "\n")
}

// heading returns the line of a group; a folded one has a summary.
func (c *Screen) heading(th theme.Theme, group string, selected bool, width int) string {
	mark, about := th.Glyphs.Opened, ""
	if !c.open[group] {
		mark, about = th.Glyphs.Closed, groupSummary(c.session, group)
	}
	title := widget.Marked(th, selected, fmt.Sprintf("%c %s", mark, group))
	if !selected {
		title = th.Title.Render(title) + " "
	}
	return title + " " + th.Muted.Render(layout.Cut(about, width-lipgloss.Width(title)-1))
}

// groupSummary returns the values of a group that have a symbol and are not zero, or else their number, and the number
// of changed ones.
func groupSummary(s *session.Session, group string) string {
	all, changed := 0, 0
	var parts []string
	_, rest := divided(s.Config())
	for _, k := range rest {
		if k.Group() != group {
			continue
		}
		all++
		if !k.Same(s.Config(), s.Draft().Base) {
			changed++
		}
		value := k.Text(s.Config())
		if v, err := strconv.ParseFloat(value, 64); err == nil && k.Kind == config.Real {
			value = strconv.FormatFloat(v, 'g', 4, 64)
		}
		if k.Symbol != "" && value != "" && value != "0" {
			parts = append(parts, k.Symbol+"="+value)
		}
	}
	text := cmp.Or(strings.Join(parts, " "), printable.Several(all, "parameter"))
	if changed > 0 {
		text = fmt.Sprintf("*%d %s", changed, text)
	}
	return text
}

// row draws a line of the list: symbol, name, value, a star if it was changed, a cross if it is wrong, brackets if it
// is selected. The preset and the equation have no symbol, and more room for the value.
func (c *Screen) row(th theme.Theme, e entry, selected, wrong bool, width int) string {
	const around = 6 // margin, gaps, the mark, two brackets
	d := c.session.Draft()
	name, value, changed := "preset", d.Origin(), d.Config != d.Base
	if !e.isPreset() {
		name, changed = label(*e.key), !e.key.Same(d.Config, d.Base)
	}
	head := fmt.Sprintf(" %-8s", name)
	if name != "preset" && name != "equation" {
		head = fmt.Sprintf("%-6s %-14s", e.key.Symbol, layout.Cut(name, 14))
	}
	valueWidth := width - around + 1 - lipgloss.Width(head)
	if !e.isPreset() {
		value = cmp.Or(e.key.Text(d.Config), "none")
		if e.key.Kind == config.Real && len(value) > valueWidth {
			value = e.key.Rounded(d.Config, 6)
		}
	}
	mark := " "
	switch {
	case wrong:
		mark = th.Bad.Render(string(th.Glyphs.Cross))
	case changed:
		mark = th.Warn.Render("*")
	}
	left, right, style := ' ', ' ', th.Value
	if selected {
		left, right, style = th.Glyphs.FocusLeft, th.Glyphs.FocusRight, th.Focus
	}
	if editor := c.editing(); selected && editor != nil {
		value = editor.input.Typed(valueWidth - 1)
	} else {
		if lipgloss.Width(value) > valueWidth {
			value = ansi.TruncateLeft(value, lipgloss.Width(value)-valueWidth+1, string(th.Glyphs.Ellipsis))
		}
		value = style.Render(fmt.Sprintf("%-*s", valueWidth, value))
	}
	return fmt.Sprintf(" %s %s%c%s%c", th.Label.Render(head), mark, left, value, right)
}
