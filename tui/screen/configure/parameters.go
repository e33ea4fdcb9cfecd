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
	"rfm/solver/printable"
	"rfm/tui/dialog"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/session"
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

// words returns the text of a parameter that a filter searches.
func words(k config.Key) string {
	return strings.Join([]string{k.Symbol, label(k), k.Name, k.Help}, " ")
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
		found := widget.Chosen(&c.at, append(first, rest...), words)
		for _, k := range found {
			list = append(list, entry{key: &k})
		}
		return list[min(1, len(found)):]
	}
	if c.only {
		first, rest = c.session.Draft().Changed(), nil
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
	if c.only = false; c.find(k.Name) < 0 {
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

// listColumns are the widths in cells of the list's columns: the symbol, the name, the value.
type listColumns struct{ symbol, name, value int }

// besides is the number of cells of a row without text: margin, gaps, the mark, two brackets.
const besides = 6

// columnsFor divides a width among the columns according to the keys of a configuration.
func columnsFor(of config.Config, width int) listColumns {
	const leastValue = 12
	var c listColumns
	for _, k := range of.Keys() {
		c.symbol, c.name = max(c.symbol, lipgloss.Width(k.Symbol)), max(c.name, lipgloss.Width(label(k)))
	}
	c.name = min(c.name, width-besides-c.symbol-leastValue)
	c.value = width - besides - c.symbol - c.name
	return c
}

// columnsOf returns the columns of the row of a key: the equation also takes the column of symbols.
func columnsOf(k config.Key, of config.Config, width int) listColumns {
	if k.Name == equationText {
		return listColumns{name: len(label(k)), value: width - besides - len(label(k))}
	}
	return columnsFor(of, width)
}

// list draws as many lines as fit around the selected one.
func (c *Screen) list(on look.Look, width, height int) string {
	th := on.Theme
	filter := ""
	if c.at.Filtered() {
		filter = "\n" + c.at.Typed(th)
		height--
	}
	wrong := wrongKeys(c.session.Config())
	var lines []string
	add := func(text string) { lines = append(lines, strings.Split(text, "\n")...) }
	at := 0
	entries := c.entries()
	selected := c.line(entries)
	for i, e := range entries {
		if i == selected {
			at = len(lines)
		}
		switch {
		case e.isPreset():
			wide := listColumns{name: len("preset"), value: width - besides - len("preset")}
			add(c.row(on, wide, i, "", "preset", c.session.Draft().Origin(), c.session.Config() != c.session.Draft().Base,
				false))
		case e.isHeading():
			add(c.heading(on, i, e.group, width))
		default:
			cols := columnsOf(*e.key, c.session.Config(), width)
			add(c.row(on, cols, i, e.key.Symbol, label(*e.key), c.valueText(*e.key, cols.value),
				!e.key.Same(c.session.Config(), c.session.Draft().Base), wrong[e.key.Name]))
		}
		var err error
		switch {
		case i == selected && c.editing() != nil && c.editor.wrong != nil:
			err = c.editor.wrong
		case e.parameter() == equationText:
			err = c.previews.wrong(c.shown())
		}
		if err != nil {
			add(th.Bad.Render(indent(fmt.Sprintf("%c ", th.Glyphs.Cross), problem(err, width-4))))
			if i == selected {
				at = min(len(lines)-1, at-1+height/2) // the row stays visible
			}
		}
	}
	first := max(0, min(at-height/2, len(lines)-height))
	last := min(len(lines), first+height)
	shown := slices.Clone(lines[first:last])
	widget.Beyond(th, shown, first, len(lines)-last)
	return strings.Join(shown, "\n") + filter
}

// indent puts a mark before the first line of a text and aligns the others with it.
func indent(mark, text string) string {
	blank := "\n  " + strings.Repeat(" ", lipgloss.Width(mark))
	return "  " + mark + strings.ReplaceAll(text, "\n", blank)
}

// problem returns an error wrapped to a width, without the name of the key, which stands above it. A place marked in
// the line below a text stays below it.
func problem(err error, width int) string {
	text := err.Error()
	if e, ok := err.(*config.Error); ok {
		e = inForm(e)
		text = e.Problem
		if e.Suggestion != "" {
			text += "; " + e.Suggestion
		}
	}
	said, place, marked := strings.Cut(text, "\n")
	if !marked || !strings.HasSuffix(place, "^") {
		return ansi.Wrap(text, width, "")
	}
	line, mark, _ := strings.Cut(place, "\n")
	from := max(0, min(lipgloss.Width(mark)-width/2, lipgloss.Width(line)+1-width))
	return ansi.Wrap(said, width, "") + "\n" + ansi.Cut(line, from, from+width) + "\n" + ansi.Cut(mark, from, from+width)
}

// wrongKeys returns the keys that are not valid, alone or together.
func wrongKeys(c config.Config) map[string]bool {
	keys := map[string]bool{}
	for _, e := range session.Faults(c) {
		keys[e.Key] = true
	}
	return keys
}

// valueText returns the text of a value in the list.
func (c *Screen) valueText(k config.Key, width int) string {
	value := k.Text(c.session.Config())
	if c.only {
		return value + ", was " + cmp.Or(k.Text(c.session.Draft().Base), "none")
	}
	if k.Kind == config.Real && len(value) > width {
		return k.Rounded(c.session.Config(), 6)
	}
	return cmp.Or(value, "none")
}

// heading returns the line of a group; a folded one has a summary.
func (c *Screen) heading(on look.Look, line int, group string, width int) string {
	th := on.Theme
	mark, about := th.Glyphs.Opened, ""
	if !c.open[group] {
		mark, about = th.Glyphs.Closed, groupSummary(c.session, group)
	}
	title := fmt.Sprintf("%c %s", mark, group)
	if line == c.at.Line {
		title = widget.Marked(th, true, title)
	} else {
		title = " " + th.Title.Render(title) + " "
	}
	room := width - lipgloss.Width(title) - 1
	return title + " " + th.Muted.Render(layout.Cut(about, room))
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

// row draws one line of the list: symbol, name, value, a star if it was changed, a cross if it is wrong, brackets if it
// is selected.
func (c *Screen) row(on look.Look, cols listColumns, line int, symbol, name, value string, changed, wrong bool) string {
	th := on.Theme
	mark := " "
	switch {
	case wrong:
		mark = th.Bad.Render(string(th.Glyphs.Cross))
	case changed:
		mark = th.Warn.Render("*")
	}
	left, right, style := ' ', ' ', th.Value
	if line == c.at.Line {
		left, right, style = th.Glyphs.FocusLeft, th.Glyphs.FocusRight, th.Focus
	}
	if e := c.editing(); line == c.at.Line && e != nil {
		input := e.input
		widget.SetWidth(&input, cols.value-1)
		value = dialog.Typed(input)
	} else {
		if lipgloss.Width(value) > cols.value {
			value = ansi.TruncateLeft(value, lipgloss.Width(value)-cols.value+1, string(th.Glyphs.Ellipsis))
		}
		value = style.Render(fmt.Sprintf("%-*s", cols.value, value))
	}
	name = layout.Cut(name, cols.name)
	return fmt.Sprintf(" %s %s %s%c%s%c", th.Label.Render(fmt.Sprintf("%-*s", cols.symbol, symbol)),
		th.Label.Render(fmt.Sprintf("%-*s", cols.name, name)), mark, left, value, right)
}
