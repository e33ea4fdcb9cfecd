package page

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/tui/theme"
	"rfm/tui/ui"
)

// List is the position in a list of lines, of which as many are visible as fit. It may be filtered: then it contains
// only lines with some words.
type List struct {
	Line  int // the selected line
	Thing string
	Count func() int // number of lines that match

	dialogs *ui.Dialogs
	filter  textinput.Model // words that lines must contain
	prompt  ui.Key          // the key that has begun the filter, which stands before it
	typing  *typing         // the dialog in which the filter is typed; nil while it is not
	takes   bool            // enter takes the selected line as soon as words are typed: in a menu
}

// NewList returns a list of things, of which there are as many as count says. Its filter is typed in a dialog.
func NewList(thing string, dialogs *ui.Dialogs, count func() int) *List {
	return &List{
		Thing:   thing,
		Count:   count,
		dialogs: dialogs,
	}
}

// Keep keeps the selected line within a list of n lines.
func (l *List) Keep(n int) {
	l.Line = max(0, min(l.Line, n-1))
}

// page is the number of lines of a page.
const page = 10

// Walk moves in a list of n lines: up and down wrap around, pages stop at the ends. It ignores other keys.
func (l *List) Walk(key ui.Key, n int) {
	if n == 0 {
		return
	}
	switch key {
	case ui.KeyUp:
		l.Line = (l.Line + n - 1) % n
	case ui.KeyDown:
		l.Line = (l.Line + 1) % n
	case ui.KeyPageUp:
		l.Line = max(0, l.Line-page)
	case ui.KeyPageDown:
		l.Line = min(n-1, l.Line+page)
	case ui.KeyFirst:
		l.Line = 0
	case ui.KeyLast:
		l.Line = n - 1
	}
}

// Moves returns the commands of some keys that move in the list.
func (l *List) Moves(list ...ui.Key) []ui.Command {
	var commands []ui.Command
	for _, key := range list {
		word, help := l.move(key)
		command := ui.Command{
			Key:  key,
			Word: word,
			Help: help,
			Do:   ui.Now(func() { l.Walk(key, l.Count()) }),
		}
		hasLines := func() bool { return l.Count() > 0 }
		commands = append(commands, command.When(hasLines, "there is nothing in the list"))
	}
	return commands
}

// move returns the word of a key that moves in the list, and its line in the help.
func (l *List) move(k ui.Key) (word, help string) {
	lines := fmt.Sprintf("%d %s", page, l.things())
	switch k {
	case ui.KeyUp:
		return l.Thing, "previous " + l.Thing
	case ui.KeyDown:
		return l.Thing, "next " + l.Thing
	case ui.KeyPageUp:
		return lines, lines + " back"
	case ui.KeyPageDown:
		return lines, lines + " on"
	case ui.KeyFirst:
		return "first", "first " + l.Thing
	case ui.KeyLast:
		return "last", "last " + l.Thing
	}
	panic("page: " + string(k) + " does not move in a list")
}

// things returns the name of several lines.
func (l *List) things() string {
	before, endsInY := strings.CutSuffix(l.Thing, "y")
	if endsInY {
		return before + "ies"
	}
	return l.Thing + "s"
}

// Draw returns the visible lines, the selected one between marks, and the filter as typed. It says if no line matches.
// A line that is not selected may have more than the text in the list.
func (l *List) Draw(th theme.Theme, n, rows int, line func(i int) string) []string {
	return l.Lines(th, n, rows, func(i int) string { return Marked(th, i == l.Line, line(i)) })
}

// Lines is Draw for lines that mark the selected one themselves.
func (l *List) Lines(th theme.Theme, n, rows int, line func(i int) string) []string {
	if l.Filtered() {
		rows-- // of the filter
	}
	if n == 0 && l.Filtered() {
		none := th.Warn.Render(l.None())
		return []string{" " + none, l.Typed(th)}
	}
	first := max(0, min(l.Line-rows/2, n-rows))
	last := min(n, first+max(0, rows))
	var lines []string
	for i := first; i < last; i++ {
		lines = append(lines, line(i))
	}
	beyond(th, lines, first, n-last)
	if l.Filtered() {
		lines = append(lines, l.Typed(th))
	}
	return lines
}

// beyond replaces the first and the last line of a part of a list by the numbers of lines above and below it. It leaves
// parts of one or two lines as they are.
func beyond(th theme.Theme, lines []string, above, below int) {
	const least = 3 // the selected line is between
	if len(lines) < least {
		return
	}
	if above > 0 {
		text := fmt.Sprintf(" %c %d more above", th.Glyphs.Up, above+1)
		lines[0] = th.Muted.Render(text)
	}
	if below > 0 {
		text := fmt.Sprintf(" %c %d more below", th.Glyphs.Down, below+1)
		lines[len(lines)-1] = th.Muted.Render(text)
	}
}

// Marked returns a line of a list, with marks if it is selected.
func Marked(th theme.Theme, selected bool, text string) string {
	if !selected {
		return " " + text
	}
	left := string(th.Glyphs.FocusLeft)
	right := string(th.Glyphs.FocusRight)
	return left + th.Focus.Render(text) + right
}

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
		keep.Word = "select"
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

// pressed returns the key of a message; KeyNone for a paste. Other names of keys do not count, since they edit the text:
// a letter is typed, and ctrl+u clears the line.
func pressed(msg tea.Msg) ui.Key {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok || press.Text != "" {
		return ui.KeyNone
	}
	return ui.Key(press.String())
}
