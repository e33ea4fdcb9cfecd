package widget

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// List is the position in a list of lines, of which as many are visible as fit. It may be filtered: then it contains
// only lines with some words. As a dialog it takes the keys while its filter is typed.
type List struct {
	Line    int
	Thing   string // name of a line: "run"
	Dialogs *ui.Dialogs
	Count   func() int      // number of lines that match
	Take    func() tea.Cmd  // carries out the selected line, for a dialog that lists them; nil on a screen
	filter  textinput.Model // words that lines must contain
	typing  bool            // the filter is being typed
	prompt  keys.Key        // the key that has begun the filter, which stands before it
}

// Seek begins to type the filter, at a key that stands before it.
func (l *List) Seek(prompt keys.Key) {
	l.filter = NewInput(l.filter.Value())
	l.typing = true
	l.prompt = prompt
	l.Dialogs.Open(l)
}

// Commands implements ui.Dialog, as do Update and View.
func (l *List) Commands() []ui.Command {
	nothing := ui.Now(func() {})
	below := func(key keys.Key) func() tea.Cmd { // the key of the dialog or the screen below
		return func() tea.Cmd { return l.Dialogs.Do(key) }
	}
	enter := ui.Command{Key: keys.Enter, Word: "keep the words", Do: l.ending(nothing)}
	if l.Take != nil {
		enter = ui.Command{Key: keys.Enter, Word: "take it", Do: l.ending(below(keys.Enter))}
	}
	return []ui.Command{
		enter,
		{Key: keys.Cancel, Word: "all", Do: l.ending(ui.Now(l.All))},
		{Key: keys.Run, Do: l.ending(below(keys.Run))},
	}
}

// ending returns what ends the typing of the filter, and then does something.
func (l *List) ending(do func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		l.typing = false
		l.Dialogs.Close(l)
		return do()
	}
}

func (l *List) Update(msg tea.Msg) tea.Cmd {
	switch key := pressed(msg); key {
	case keys.Up, keys.Down, keys.PageUp, keys.PageDown:
		l.Walk(key, l.Count())
	default:
		before := l.filter.Value()
		l.filter = Typing(l.filter, msg)
		if l.filter.Value() != before {
			l.Line = 0
		}
	}
	return nil
}

func (l *List) View(ui.Canvas) string { return "" }

// pressed returns the key of a message; None for a paste. Other names of keys do not count, since they edit the text:
// a letter is typed, and ctrl+u clears the line.
func pressed(msg tea.Msg) keys.Key {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok || press.Text != "" {
		return keys.None
	}
	return keys.Key(press.String())
}

// Keep keeps the selected line within a list of n lines.
func (l *List) Keep(n int) { l.Line = max(0, min(l.Line, n-1)) }

// page is the number of lines of a page.
const page = 10

// Walk moves in a list of n lines: up and down wrap around, pages stop at the ends. It ignores other keys.
func (l *List) Walk(key keys.Key, n int) {
	if n == 0 {
		return
	}
	switch key {
	case keys.Up:
		l.Line = (l.Line + n - 1) % n
	case keys.Down:
		l.Line = (l.Line + 1) % n
	case keys.PageUp:
		l.Line = max(0, l.Line-page)
	case keys.PageDown:
		l.Line = min(n-1, l.Line+page)
	case keys.First:
		l.Line = 0
	case keys.Last:
		l.Line = n - 1
	}
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
		return []string{" " + th.Warn.Render(l.None()), l.Typed(th)}
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
	return string(th.Glyphs.FocusLeft) + th.Focus.Render(text) + string(th.Glyphs.FocusRight)
}

// Filtered reports whether the list has a filter, or one is being typed.
func (l *List) Filtered() bool { return l.typing || l.filter.Value() != "" }

// Typed returns the filter as it is typed.
func (l *List) Typed(th theme.Theme) string {
	words := l.filter.Value()
	shown := th.Value.Render(words)
	hint := "  esc shows all"
	if l.typing {
		shown = l.filter.View()
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

// None says that no line has the words of the filter.
func (l *List) None() string { return "no " + l.Thing + " has these words" }

// Words returns the words of the filter, in lower case.
func (l *List) Words() []string { return strings.Fields(strings.ToLower(l.filter.Value())) }

// Chosen returns the elements of a list whose text contains all words of its filter, in any case.
func Chosen[T any](l *List, all []T, text func(T) string) []T {
	words := l.Words()
	lacks := func(thing T) bool {
		line := strings.ToLower(text(thing))
		return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) })
	}
	return slices.DeleteFunc(slices.Clone(all), lacks)
}

// All clears the filter and selects the first line.
func (l *List) All() {
	l.Line = 0
	l.filter = textinput.Model{}
}

// Leave closes the dialog that lists the lines, and carries out a key below: one that is not among its commands.
func (l *List) Leave(d ui.Dialog, msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	l.Dialogs.Close(d)
	return l.Dialogs.Press(keys.Lookup(press.String()))
}

// Offer returns the commands of a dialog that lists the lines.
func (l *List) Offer(d ui.Dialog, verb string) []ui.Command {
	take := ui.Command{Key: keys.Enter, Word: verb, Do: l.Take}
	back := ui.Command{Key: keys.Cancel, Word: "back", Do: ui.Now(func() { l.Dialogs.Close(d) })}
	list := []ui.Command{take.When(l.Count() > 0, l.None())}
	list = append(list, l.Moves(keys.Up, keys.Down)...)
	list = append(list, l.Filters()...)
	list = append(list, l.Moves(keys.PageUp, keys.PageDown, keys.First, keys.Last)...)
	return append(list, back) // last, because the first command of a key counts: esc shows all of a filtered list
}

// things returns the name of several lines.
func (l *List) things() string {
	if before, ok := strings.CutSuffix(l.Thing, "y"); ok {
		return before + "ies"
	}
	return l.Thing + "s"
}

// Moves returns the commands of some keys that move in the list.
func (l *List) Moves(list ...keys.Key) []ui.Command {
	n := l.Count()
	var commands []ui.Command
	for _, k := range list {
		word, help := l.move(k)
		command := ui.Command{Key: k, Word: word, Help: help, Do: ui.Now(func() { l.Walk(k, n) })}
		commands = append(commands, command.When(n > 0, "there is nothing in the list"))
	}
	return commands
}

// move returns the word of a key that moves in the list, and its line in the help.
func (l *List) move(k keys.Key) (word, help string) {
	lines := fmt.Sprintf("%d %s", page, l.things())
	switch k {
	case keys.Up:
		return l.Thing, "previous " + l.Thing
	case keys.Down:
		return l.Thing, "next " + l.Thing
	case keys.PageUp:
		return lines, lines + " back"
	case keys.PageDown:
		return lines, lines + " on"
	case keys.First:
		return "first", "first " + l.Thing
	case keys.Last:
		return "last", "last " + l.Thing
	}
	panic("widget: " + string(k) + " does not move in a list")
}

// Filters returns the commands that filter the list, or show all again.
func (l *List) Filters() []ui.Command {
	filter := ui.Command{
		Key:  keys.Filter,
		Word: "filter",
		Help: "show only " + l.things() + " with some words",
		Do:   ui.Now(func() { l.Seek(keys.Filter) }),
	}
	if !l.Filtered() {
		return []ui.Command{filter}
	}
	all := ui.Command{
		Key:  keys.Cancel,
		Word: "all",
		Help: "show all " + l.things() + " again",
		Do:   ui.Now(l.All),
	}
	return []ui.Command{filter, all}
}

// Rank is a position among samples in the order of their errors, counted from 0.
type Rank int

// Median returns the rank of the median of n samples.
func Median(n int) Rank { return Rank((n - 1) / 2) }

// Commands returns the keys that choose one of n samples: neighbours, then best, median and worst, then pages.
func (r *Rank) Commands(n int) []ui.Command {
	to := func(key keys.Key, word, help string, rank func() Rank) ui.Command {
		move := func() { *r = min(max(rank(), 0), Rank(n)-1) }
		command := ui.Command{Key: key, Word: word, Help: help, Do: ui.Now(move)}
		return command.When(n > 0, "there are no samples yet")
	}
	by := func(samples Rank) func() Rank { return func() Rank { return *r + samples } }
	at := func(rank Rank) func() Rank { return func() Rank { return rank } }
	return []ui.Command{
		to(keys.Left, "sample", "the next better sample", by(-1)),
		to(keys.Right, "sample", "the next worse sample", by(1)),
		to(keys.First, "best", "sample with the smallest error", at(0)),
		to(keys.Median, "median", "sample with the median error", at(Median(n))),
		to(keys.Last, "worst", "sample with the largest error", at(Rank(n)-1)),
		to(keys.PageUp, "10 samples", "ten samples back", by(-10)),
		to(keys.PageDown, "10 samples", "ten samples on", by(10)),
	}
}
