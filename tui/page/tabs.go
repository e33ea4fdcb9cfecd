package page

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/show/report"
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
	Commands []ui.Command             // of its own, before those of the page
	Status   func(theme.Theme) string // for the end of the bar of names; nil: nothing

	view View
	all  []ui.Command // its own and those of the page
}

// Tabs are pages, of which one is shown below a bar with the names of all.
type Tabs struct {
	all   []*Tab
	at    *Tab
	turns []ui.Command
	on    ui.Canvas
}

// NewTabs returns tabs and shows the first.
func NewTabs(all ...*Tab) *Tabs {
	t := &Tabs{all: all, at: all[0]}
	for _, tab := range all {
		own := slices.Clone(tab.Commands)
		tab.all = append(own, tab.view.Commands(ui.KeyUp, ui.KeyDown, ui.KeyPageUp, ui.KeyPageDown)...)
	}
	next := ui.Command{
		Key:  ui.KeyNextTab,
		Word: "next",
		Help: "show the next tab",
		Do:   ui.Now(func() { t.turn(1) }),
	}
	previous := ui.Command{ // without a word, so that the footer has room for the commands of the tab
		Key:  ui.KeyPreviousTab,
		Help: "show the previous tab",
		Do:   ui.Now(func() { t.turn(-1) }),
	}
	t.turns = []ui.Command{next, previous}
	return t
}

// turn shows the tab some steps further.
func (t *Tabs) turn(direction int) {
	open := t.open()
	at := slices.Index(open, t.current())
	t.at = open[(at+direction+len(open))%len(open)]
}

// open returns the tabs that have something to show.
func (t *Tabs) open() []*Tab {
	isEmpty := func(tab *Tab) bool { return tab.Exists != nil && !tab.Exists() }
	return slices.DeleteFunc(slices.Clone(t.all), isEmpty)
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

// Arrange lays the page of the current tab out on a canvas, below the bar.
func (t *Tabs) Arrange(c ui.Canvas) {
	t.on = c
	at := t.current()
	at.view.Arrange(c, lines, at.Page(c))
}

// Commands returns the commands that change the tab and those of the current tab.
func (t *Tabs) Commands() []ui.Command {
	return slices.Concat(t.turns, t.current().all)
}

// Draw draws the bar, and below it the page of the current tab.
func (t *Tabs) Draw() string {
	at := t.current()
	state := []any{at}
	if at.State != nil {
		state = append(state, at.State()...)
	}
	return at.view.Draw([]string{t.bar()}, state...)
}

// Page returns the page of the current tab.
func (t *Tabs) Page() report.Page {
	return t.current().view.Page()
}

// bar draws the names of the tabs, close to each other if there is little room, and the status of the current one.
func (t *Tabs) bar() string {
	th := t.on.Theme
	width := t.on.Width
	line := t.names(th, 2)
	if lipgloss.Width(line) > width {
		line = t.names(th, 1)
	}
	line = layout.Cut(line, width)
	status := t.current().Status
	if status == nil {
		return line
	}
	return layout.Opposite(width, line, status(th))
}

// names returns the names of the tabs with gaps of some cells, which the brackets around the current one shorten.
func (t *Tabs) names(th theme.Theme, gap int) string {
	line := ""
	space := " "
	for _, tab := range t.open() {
		name := tab.Name
		if tab.Pending != nil && tab.Pending() {
			name += " " + string(th.Glyphs.Ellipsis)
		}
		if tab != t.current() {
			line += space + th.Muted.Render(name)
			space = strings.Repeat(" ", gap)
			continue
		}
		left := th.Key.Render(string(th.Glyphs.FocusLeft))
		right := th.Key.Render(string(th.Glyphs.FocusRight))
		line += space[1:] + left + th.StepCurrent.Render(name) + right
		space = strings.Repeat(" ", gap-1)
	}
	return line + space
}
