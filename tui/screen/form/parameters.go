package form

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rfm/config"
	"rfm/solver/base/printable"
	"rfm/tui/page"
	"rfm/tui/screen/vary"
	"rfm/tui/session"
)

// A place is where a line of the form stands.
type place int

// The places, from the top of the screen to its bottom.
const (
	first  place = iota // one of several in the first row: the preset and the problem
	wide                // a row of its own over the whole width
	with                // one of several in the rows below: values that change at once what is seen
	listed              // a line of the list beside the pictures
	folded              // a group that is not open, one of several in the last row
)

// essential is a parameter that comes first; all others are in groups below them.
type essential struct {
	name string // one that ends in a point is a prefix
	at   place
	own  bool // for pairs from files
}

var essentials = []essential{
	{name: "problem", at: first},
	{name: equationText, at: wide},
	{name: "equation.left", at: wide},
	{name: "equation.right", at: wide},
	{name: "equation.bottom", at: wide},
	{name: "equation.top", at: wide},
	{name: parameterKeys, at: with},
	{name: "equation.initial", at: with},
	{name: "equation.time", at: with},
	{name: "equation.length", at: with},
	{name: outputField, at: with},
	{name: trainFile, at: wide, own: true},
	{name: "data.input", at: with, own: true},
	{name: "data.output", at: with, own: true},
	{name: "data.axes", at: with, own: true},
	{name: "data.test_file", at: with, own: true},
	{name: "data.train", at: listed},
	{name: "data.test", at: listed},
	{name: "features.count", at: listed},
	{name: "train.grid", at: listed},
	{name: "data.grid", at: listed},
	{name: "train.lambda", at: listed},
	{name: "train.method", at: listed},
	{name: "seed", at: listed},
}

// names reports whether an essential parameter is the one of a key.
func (e essential) names(key string) bool {
	if strings.HasSuffix(e.name, ".") {
		return strings.HasPrefix(key, e.name)
	}
	return key == e.name
}

// idle reports whether a parameter of an equation says nothing: which of one field is the output, what holds at sides that
// an interval does not have, and the time of a steady state. It stays in its group.
func (e essential) idle(c config.Config) bool {
	switch e.name {
	case outputField:
		return len(config.Lines(c.Equation.Text)) < 2
	case "equation.bottom", "equation.top":
		return c.Dims() == 1
	case "equation.time":
		return c.Equation.Steady()
	}
	return false
}

// absent are the form's words for texts that are empty, where "none" is not what that means.
var absent = map[string]string{
	"equation.initial": "a",
	"data.axes":        "as in the file",
	"equation.left":    "periodic",
	"equation.right":   "periodic",
	"equation.bottom":  "periodic",
	"equation.top":     "periodic",
}

// shownText returns the value of a parameter as the form shows it.
func shownText(k config.Key, of config.Config) string {
	text := k.Text(of)
	switch {
	case text != "":
		return text
	case k.Name == outputField:
		return of.Equation.OutputField()
	case k.Name == "equation.initial" && of.Equation.AssumedInitial() != "":
		return of.Equation.AssumedInitial()
	}
	return cmp.Or(absent[k.Name], "none")
}

// words returns the text of a parameter that a filter searches; the word "changed" finds those that differ from the
// preset or file.
func (c *Screen) words(k config.Key) string {
	d := c.session.Draft.Version()
	words := []string{k.Symbol, label(k, d.Config), k.Name, k.Help}
	if !k.Same(d.Config, d.Base) {
		words = append(words, "changed")
	}
	return strings.Join(words, " ")
}

// divided returns the essential parameters of a configuration with their places, in their order, and the others.
// Conditions at the ends are where they are looked for, but an interval without them takes no rows for them.
func divided(c config.Config) (lines []entry, rest []config.Key) {
	keys := c.Keys()
	essential := make([]bool, len(keys))
	var ends []entry // without conditions
	for _, e := range essentials {
		if e.own && !c.Of().Files || e.idle(c) {
			continue
		}
		for i := range keys {
			k := &keys[i] // not a copy, because keys are large and the form asks at every event
			if essential[i] || !e.names(k.Name) {
				continue
			}
			essential[i] = true
			if e.at == wide && k.Kind == config.Text && k.Text(c) == "" {
				ends = append(ends, entry{at: with, key: k})
			} else {
				lines = append(lines, entry{at: e.at, key: k})
			}
		}
	}
	for i, k := range keys {
		if !essential[i] {
			rest = append(rest, k)
		}
	}
	at := slices.IndexFunc(lines, func(e entry) bool { return e.at == listed })
	return slices.Insert(lines, max(0, at), ends...), rest
}

// An entry is a line of the form that can be selected: the preset, a heading, or a parameter. Several may share a row.
type entry struct {
	at    place
	group string      // empty for the preset and for essentials
	key   *config.Key // nil for the preset and for headings
}

func (e entry) isPreset() bool  { return e.group == "" && e.key == nil }
func (e entry) isHeading() bool { return e.group != "" && e.key == nil }

// isNumber reports whether the value of the entry is a number, or of an equation's parameter, which mostly is one.
func (e entry) isNumber() bool { return e.key != nil && vary.Numeric(*e.key) }

// entries returns the lines that can be selected, in the order of the screen: the preset, the essentials, the open groups
// of all others with their parameters, and the closed groups. A filter leaves the parameters that match it, without
// headings.
func (c *Screen) entries() []entry {
	of := c.session.Draft.Config()
	typed := c.shown()
	if typed.Equation.Text != of.Equation.Text {
		of = typed // with the parameters that it names, all of them below it
	}
	list := []entry{{at: first}}
	essential, rest := divided(of)
	if c.at.Filtered() {
		for _, k := range rest {
			essential = append(essential, entry{at: listed, key: &k})
		}
		found := page.Chosen(c.at, essential, func(e entry) string { return c.words(*e.key) })
		if len(found) == 0 {
			return list
		}
		return found
	}
	list = append(list, essential...)
	var closed []entry
	group := ""
	for _, k := range rest {
		isNew := k.Group() != group
		group = k.Group()
		if !c.open[group] {
			if isNew {
				closed = append(closed, entry{at: folded, group: group})
			}
			continue
		}
		if isNew {
			list = append(list, entry{at: listed, group: group})
		}
		list = append(list, entry{
			at:    listed,
			group: group,
			key:   &k,
		})
	}
	return append(list, closed...)
}

// name identifies the entry.
func (e entry) name() string {
	return cmp.Or(e.parameter(), e.group)
}

// parameter returns the name of a parameter; empty for the preset and for headings.
func (e entry) parameter() string {
	if e.key == nil {
		return ""
	}
	return e.key.Name
}

// visit selects a parameter, opening its group.
func (c *Screen) visit(name string) {
	k, err := c.session.Draft.Config().Lookup(name)
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

// fold hides the parameters of a group, or shows them. Its heading moves, and stays selected if it is.
func (c *Screen) fold(group string, hide bool) {
	before := c.selected()
	if hide {
		delete(c.open, group)
	} else {
		c.open[group] = true
	}
	at := c.find(before.name())
	if at >= 0 {
		c.at.Line = at
	}
}

// groupSummary returns the values of a group that have a symbol and are not zero, or else their number, and the number
// of changed ones.
func groupSummary(s *session.Session, group string) string {
	var parts []string
	now := s.Draft.Version()
	_, others := divided(now.Config)
	all := ofGroup(others, group)
	for _, k := range all {
		value := k.Text(s.Draft.Config())
		if k.Kind == config.Real {
			value = number(value)
		}
		if k.Symbol != "" && value != "" && value != "0" {
			parts = append(parts, k.Symbol+"="+value)
		}
	}
	text := cmp.Or(strings.Join(parts, " "), printable.Several(len(all), "parameter"))
	changed := changes(all, now)
	if changed > 0 {
		text = fmt.Sprintf("*%d %s", changed, text)
	}
	return text
}

// ofGroup returns the parameters of a group.
func ofGroup(list []config.Key, group string) []config.Key {
	isOther := func(k config.Key) bool { return k.Group() != group }
	return slices.DeleteFunc(slices.Clone(list), isOther)
}

// changes returns how many of some parameters differ from the preset or file.
func changes(list []config.Key, now session.Version) int {
	count := 0
	for _, k := range list {
		if !k.Same(now.Config, now.Base) {
			count++
		}
	}
	return count
}

// number writes a number as the form shows it: with few digits.
func number(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
