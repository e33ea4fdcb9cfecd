package widget

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/tui/theme"
	"rfm/tui/ui"
)

// Filters returns the commands that filter the list, or show all again.
func (l *List) Filters() []ui.Command {
	return []ui.Command{
		{
			Key:  ui.KeyFilter,
			Word: "filter",
			Help: "show only " + l.things() + " with some words",
			Do:   ui.Now(func() { l.Seek(ui.KeyFilter) }),
		},
		{
			Key:  ui.KeyCancel,
			Word: "all",
			Help: "show all " + l.things() + " again",
			If:   l.Filtered,
			Do:   ui.Now(l.All),
		},
	}
}

// Seek begins to type the filter, at a key that stands before it.
func (l *List) Seek(prompt ui.Key) {
	l.filter = ui.NewInput(l.filter.Value())
	l.prompt = prompt
	l.typing = newTyping(l)
	l.dialogs.Open(l.typing)
}

// All clears the filter and selects the first line.
func (l *List) All() {
	l.Line = 0
	l.filter = textinput.Model{}
}

// Filtered reports whether the list has a filter, or one is being typed.
func (l *List) Filtered() bool {
	return l.typing != nil || l.filter.Value() != ""
}

// None says that no line has the words of the filter.
func (l *List) None() string { return "no " + l.Thing + " has these words" }

// Words returns the words of the filter, in lower case.
func (l *List) Words() []string {
	return strings.Fields(strings.ToLower(l.filter.Value()))
}

// Chosen returns the elements of a list whose text contains all words of its filter, in any case.
func Chosen[T any](l *List, all []T, text func(T) string) []T {
	words := l.Words()
	lacksOne := func(thing T) bool {
		line := strings.ToLower(text(thing))
		isLacking := func(word string) bool { return !strings.Contains(line, word) }
		return slices.ContainsFunc(words, isLacking)
	}
	return slices.DeleteFunc(slices.Clone(all), lacksOne)
}

// Typed returns the filter as it is typed.
func (l *List) Typed(th theme.Theme) string {
	words := l.filter.Value()
	shown := th.Value.Render(words)
	hint := "  esc shows all"
	if l.typing != nil {
		shown = ui.Typed(l.filter, 0)
		hint = ""
	}
	if words == "" {
		hint = "  type to filter"
	}
	line := " " + th.Key.Render(string(l.prompt)) + shown
	if hint == "" {
		return line
	}
	return line + th.Muted.Render(hint)
}

// typing is the dialog in which the filter of a list is typed. The list draws it.
type typing struct {
	list     *List
	commands []ui.Command
}

func newTyping(l *List) *typing {
	t := &typing{list: l}
	nothing := func() tea.Cmd { return nil }
	below := func(key ui.Key) func() tea.Cmd { // the key of the dialog or the screen below
		return func() tea.Cmd { return l.dialogs.Do(key) }
	}
	keep := ui.Command{
		Key:  ui.KeyEnter,
		Word: "keep the words",
		Do:   t.ending(nothing),
	}
	if l.takes {
		keep.Word = "take it"
		keep.Do = t.ending(below(ui.KeyEnter))
	}
	all := ui.Command{
		Key:  ui.KeyCancel,
		Word: "all",
		Do:   t.ending(ui.Now(l.All)),
	}
	run := ui.Command{Key: ui.KeyRun, Do: t.ending(below(ui.KeyRun))}
	t.commands = []ui.Command{keep, all, run}
	return t
}

// ending returns what ends the typing of the filter, and then does something.
func (t *typing) ending(do func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		t.list.typing = nil
		t.list.dialogs.Close(t)
		return do()
	}
}

// Commands implements ui.Dialog, as do Update and View.
func (t *typing) Commands() []ui.Command { return t.commands }

func (t *typing) Update(msg tea.Msg) tea.Cmd {
	l := t.list
	switch key := pressed(msg); key {
	case ui.KeyUp, ui.KeyDown, ui.KeyPageUp, ui.KeyPageDown:
		l.Walk(key, l.Count())
	default:
		before := l.filter.Value()
		l.filter = ui.Typing(l.filter, msg)
		if l.filter.Value() != before {
			l.Line = 0
		}
	}
	return nil
}

func (t *typing) View(ui.Canvas) string { return "" }

// pressed returns the key of a message; None for a paste. Other names of keys do not count, since they edit the text:
// a letter is typed, and ctrl+u clears the line.
func pressed(msg tea.Msg) ui.Key {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok || press.Text != "" {
		return ui.KeyNone
	}
	return ui.Key(press.String())
}
