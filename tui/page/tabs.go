package page

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/show/report"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// A Tab is a page with a name.
type Tab struct {
	Name     string
	Page     func(ui.Canvas) report.Page
	State    func() []any             // values that the page depends on, comparable; nil: the heading suffices
	Exists   func() bool              // nil: always
	Pending  func() bool              // more of it is being computed, which a mark at the name says; nil: never
	Commands func() []ui.Command      // of its own, before those of the page; nil: none
	Status   func(theme.Theme) string // for the end of the bar of names; nil: nothing
	view     View
}

// Tabs are pages, of which one is shown below a bar with the names of all.
type Tabs struct {
	all []*Tab
	at  *Tab
}

// NewTabs returns tabs and shows the first.
func NewTabs(all ...*Tab) Tabs { return Tabs{all, all[0]} }

// open returns the tabs that have something to show.
func (t *Tabs) open() []*Tab {
	return slices.DeleteFunc(slices.Clone(t.all), func(tab *Tab) bool { return tab.Exists != nil && !tab.Exists() })
}

// current returns the tab shown: the first if the chosen one has nothing to show any more.
func (t *Tabs) current() *Tab {
	if !slices.Contains(t.open(), t.at) {
		return t.all[0]
	}
	return t.at
}

// lines is the height of the bar.
const lines = 1

// Shown returns the name of the current tab.
func (t *Tabs) Shown() string { return t.current().Name }

// Show shows the tab of a name, once it has something to show.
func (t *Tabs) Show(name string) {
	for _, tab := range t.all {
		if tab.Name == name {
			t.at = tab
		}
	}
}

// Commands returns the commands that change the tab and those of the current tab. The canvas includes the bar.
func (t *Tabs) Commands(c ui.Canvas) []ui.Command {
	at := t.current()
	turn := func(key keys.Key, word, help string, direction int) ui.Command {
		return ui.Command{Key: key, Word: word, Help: help, Do: ui.Now(func() {
			open := t.open()
			t.at = open[(slices.Index(open, at)+direction+len(open))%len(open)]
		})}
	}
	list := []ui.Command{turn(keys.NextTab, "next", "show the next tab", 1),
		turn(keys.PreviousTab, "", "show the previous tab", -1)} // the footer has room for the commands of the tab
	if at.Commands != nil {
		list = append(list, at.Commands()...)
	}
	return append(list, at.view.Commands(c, lines, at.Page(c), keys.Up, keys.Down, keys.PageUp, keys.PageDown)...)
}

// Bar draws the names of the tabs, close to each other if there is little room, and the status of the current one.
func (t *Tabs) Bar(c ui.Canvas) string {
	line := t.names(c.Theme, 2)
	if lipgloss.Width(line) > c.Width {
		line = t.names(c.Theme, 1)
	}
	if line = layout.Cut(line, c.Width); t.current().Status != nil {
		line = layout.Opposite(c.Width, line, t.current().Status(c.Theme))
	}
	return line
}

// names returns the names of the tabs with gaps of some cells, which the brackets around the current one shorten.
func (t *Tabs) names(th theme.Theme, gap int) string {
	line, space := "", " "
	for _, tab := range t.open() {
		name := tab.Name
		if tab.Pending != nil && tab.Pending() {
			name += " " + string(th.Glyphs.Ellipsis)
		}
		if tab == t.current() {
			line += strings.Repeat(" ", len(space)-1) + th.Key.Render(string(th.Glyphs.FocusLeft)) +
				th.StepCurrent.Render(name) + th.Key.Render(string(th.Glyphs.FocusRight))
			space = strings.Repeat(" ", gap-1)
			continue
		}
		line += space + th.Muted.Render(name)
		space = strings.Repeat(" ", gap)
	}
	return line + space
}

// Draw draws the page of the current tab below a line, usually the bar.
func (t *Tabs) Draw(c ui.Canvas, line string) string {
	at := t.current()
	of := []any{at}
	if at.State != nil {
		of = append(of, at.State()...)
	}
	return at.view.Draw(c, []string{line}, at.Page(c), of...)
}

// Page returns the page of the current tab.
func (t *Tabs) Page(c ui.Canvas) report.Page { return t.current().Page(c) }
