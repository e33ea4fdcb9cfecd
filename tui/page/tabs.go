package page

import (
	"slices"

	"rfm/model/report"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// A Tab is a page with a name.
type Tab struct {
	Name     string
	Page     func() report.Page
	State    func() []any           // values that the page depends on, comparable; nil: the heading suffices
	Exists   func() bool            // nil: always
	Commands func() []ui.Command    // of its own, before those of the page; nil: none
	Status   func(look.Look) string // for the end of the bar of names; nil: nothing
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

// Keep returns to the first tab if the current one has nothing to show any more.
func (t *Tabs) Keep() {
	if !slices.Contains(t.open(), t.at) {
		t.First()
	}
}

// First shows the first tab.
func (t *Tabs) First() { t.at = t.all[0] }

// At returns the name of the current tab.
func (t *Tabs) At() string { return t.at.Name }

// Lines is the height of the bar.
const Lines = 1

// Commands returns the commands that change the tab, disabled if why is not empty, and those of the current tab. Width
// and height include the bar.
func (t *Tabs) Commands(on look.Look, width, height int, why string) []ui.Command {
	turn := func(key keys.Key, help string, direction int) ui.Command {
		return ui.Command{Key: key, Word: "tab", Help: help, Why: why, Do: ui.Now(func() {
			open := t.open()
			t.at = open[(slices.Index(open, t.at)+direction+len(open))%len(open)]
		})}
	}
	list := []ui.Command{turn(keys.NextTab, "show the next tab", 1), turn(keys.PreviousTab, "show the previous tab", -1)}
	if t.at.Commands != nil {
		list = append(list, t.at.Commands()...)
	}
	return append(list, t.at.view.Commands(on, t.at.Page(), width, height-Lines, keys.Up, keys.Down, keys.PageUp,
		keys.PageDown)...)
}

// bar returns the bar of the open tabs.
func (t *Tabs) bar() widget.Tabs {
	open := t.open()
	bar := widget.Tabs{At: slices.Index(open, t.at)}
	for _, tab := range open {
		bar.Names = append(bar.Names, tab.Name)
	}
	return bar
}

// Bar draws the names of the tabs and the status of the current one.
func (t *Tabs) Bar(on look.Look, width int) string {
	line := t.bar().Draw(on.Theme, width)
	if t.at.Status != nil {
		line = layout.Opposite(width, line, t.at.Status(on))
	}
	return line
}

// Draw draws the page of the current tab, without the bar.
func (t *Tabs) Draw(on look.Look, width, height int) string {
	of := []any{t.at}
	if t.at.State != nil {
		of = append(of, t.at.State()...)
	}
	return t.at.view.Draw(on, t.at.Page(), width, height, of...)
}

// Page returns the page of the current tab.
func (t *Tabs) Page() report.Page { return t.at.Page() }
