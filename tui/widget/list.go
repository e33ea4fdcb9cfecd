package widget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// List is the position in a list of lines, of which as many are visible as fit. It may be filtered: then it contains
// only lines with some words.
type List struct {
	Line   int
	Prompt string // before the filter; empty is a slash
	filter string // words that lines must contain
	typing bool   // the filter is being typed
}

// A Filter is the dialog in which the filter of a list is typed; the list draws it.
type Filter struct {
	Dialogs *ui.Dialogs
	List    *List
	Count   func() int // number of lines that match
	Changed func()     // runs after a key; nil for nothing
}

// Seek opens the dialog.
func (f *Filter) Seek() {
	f.List.typing = true
	f.Dialogs.Open(f)
}

// Commands implements ui.Dialog, as do Update and View.
func (f *Filter) Commands() []ui.Command {
	return []ui.Command{{Key: keys.Enter, Word: "keep", Help: "keep the filter"},
		{Key: keys.Cancel, Word: "all", Help: "show all lines again"}}
}

func (f *Filter) Update(msg tea.Msg) tea.Cmd {
	f.List.Type(msg, f.Count())
	if f.Changed != nil {
		f.Changed()
	}
	if !f.List.typing {
		f.Dialogs.Close(f)
	}
	return nil
}

func (f *Filter) View(ui.Canvas) string { return "" }

// Keep keeps the selected line within a list of n lines.
func (l *List) Keep(n int) { l.Line = max(0, min(l.Line, n-1)) }

// page is the number of lines of a page.
const page = 10

// Walk moves in a list of n lines: up and down wrap around, pages stop at the ends. It ignores other keys.
func (l *List) Walk(key keys.Key, n int) {
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

// Window returns the visible lines around the selected one, of n lines and in rows rows. The filter takes a row.
func (l *List) Window(n, rows int) (first, last int) {
	if l.Filtered() {
		rows--
	}
	first = max(0, min(l.Line-rows/2, n-rows))
	return first, min(n, first+max(0, rows))
}

// Draw returns the visible lines, the selected one between marks, and the filter as typed. A line that is not selected
// may have more than the text in the list.
func (l *List) Draw(th theme.Theme, n, rows int, line func(i int) string) []string {
	first, last := l.Window(n, rows)
	var lines []string
	for i := first; i < last; i++ {
		lines = append(lines, Marked(th, i == l.Line, line(i)))
	}
	Beyond(th, lines, first, n-last)
	if l.Filtered() {
		lines = append(lines, l.Typed(th))
	}
	return lines
}

// Beyond replaces the first and the last line of a part of a list by the numbers of lines above and below it. It leaves
// parts of one or two lines as they are.
func Beyond(th theme.Theme, lines []string, above, below int) {
	const least = 3 // the selected line is between
	if above > 0 && len(lines) >= least {
		lines[0] = th.Muted.Render(fmt.Sprintf(" %c %d more above", th.Glyphs.Up, above+1))
	}
	if below > 0 && len(lines) >= least {
		lines[len(lines)-1] = th.Muted.Render(fmt.Sprintf(" %c %d more below", th.Glyphs.Down, below+1))
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
func (l *List) Filtered() bool { return l.typing || l.filter != "" }

// Typed returns the filter as it is typed.
func (l *List) Typed(th theme.Theme) string {
	text := " " + th.Key.Render(cmp.Or(l.Prompt, "/")) + th.Value.Render(l.filter)
	switch {
	case l.typing && l.filter == "":
		return text + th.Focus.Render(" ") + th.Muted.Render("  words that are typed leave the lines that have them")
	case l.typing:
		return text + th.Focus.Render(" ")
	}
	return text + th.Muted.Render("  esc shows all")
}

// Words returns the words of the filter, in lower case.
func (l *List) Words() []string { return strings.Fields(strings.ToLower(l.filter)) }

// Chosen returns the elements of a list whose text contains all words of its filter, in any case.
func Chosen[T any](l *List, all []T, text func(T) string) []T {
	words := l.Words()
	return slices.DeleteFunc(slices.Clone(all), func(thing T) bool {
		line := strings.ToLower(text(thing))
		return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) })
	})
}

// Type edits the filter by a key or a paste; other keys move in the n lines that match. Enter keeps the filter, esc
// clears it.
func (l *List) Type(msg tea.Msg, n int) {
	before := l.filter
	switch msg := msg.(type) {
	case tea.PasteMsg:
		l.filter += strings.Map(printed, msg.Content)
	case tea.KeyPressMsg:
		switch key := keys.Lookup(msg.String()); {
		case key == keys.Enter:
			l.typing = false
		case key == keys.Cancel:
			l.All()
		case key == keys.Reset && l.filter != "":
			letters := []rune(l.filter)
			l.filter = string(letters[:len(letters)-1])
		case msg.Text != "":
			l.filter += msg.Text
		case n > 0:
			l.Walk(key, n)
		}
	}
	if l.filter != before {
		l.Line = 0
	}
}

// printed drops control characters.
func printed(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return -1
}

// All clears the filter and selects the first line.
func (l *List) All() { *l = List{Prompt: l.Prompt} }

// A Menu is a dialog that lists things. Typed words leave the lines that have them, enter takes the selected one.
type Menu struct {
	Dialogs *ui.Dialogs
	List
}

// Seek begins to type the filter of a menu that was made without.
func (m *Menu) Seek() { m.typing = true }

// Typing reports whether letters are words of the filter.
func (m *Menu) Typing() bool { return m.typing }

// NewMenu returns a menu with a text before its filter.
func NewMenu(d *ui.Dialogs, prompt string) Menu { return Menu{d, List{Prompt: prompt, typing: true}} }

// Follow handles a key or a paste for the dialog of the menu, which shows n lines.
func (m *Menu) Follow(d ui.Dialog, msg tea.Msg, n int, take func() tea.Cmd) tea.Cmd {
	key := keys.None
	if press, ok := msg.(tea.KeyPressMsg); ok {
		key = keys.Lookup(press.String())
	}
	switch {
	case key == keys.Enter && n > 0:
		return take()
	case key == keys.Enter, key == keys.Filter && m.filter == "":
	case key == keys.Cancel:
		m.Dialogs.Close(d)
	default:
		m.Type(msg, n)
	}
	return nil
}

// Offer returns the keys of a menu of n things.
func (m *Menu) Offer(thing, verb string, n int) []ui.Command {
	why := ""
	if n == 0 {
		why = "no " + thing + " has these words"
	}
	return append([]ui.Command{{Key: keys.Enter, Word: verb, Help: verb, Why: why}},
		append(m.Commands(thing, n, keys.Up, keys.Down, keys.PageUp, keys.PageDown, keys.First, keys.Last),
			ui.Command{Key: keys.Cancel, Word: "back", Help: "close the list"})...)
}

// Commands returns the keys that move in a list of n things.
func (l *List) Commands(thing string, n int, list ...keys.Key) []ui.Command {
	why, things := "", thing+"s"
	if before, ok := strings.CutSuffix(thing, "y"); ok {
		things = before + "ies"
	}
	if n == 0 {
		why = "there is nothing in the list"
	}
	pages := fmt.Sprintf("%d %s", page, things)
	words := map[keys.Key][2]string{keys.Up: {thing, "previous " + thing}, keys.Down: {thing, "next " + thing},
		keys.PageUp: {pages, pages + " back"}, keys.PageDown: {pages, pages + " on"},
		keys.First: {"first", "first " + thing}, keys.Last: {"last", "last " + thing}}
	var commands []ui.Command
	for _, k := range list {
		commands = append(commands, ui.Command{Key: k, Word: words[k][0], Help: words[k][1], Why: why,
			Do: ui.Now(func() { l.Walk(k, n) })})
	}
	return commands
}

// Offer returns the keys that filter a list of things, or show all again.
func (f *Filter) Offer(things string) []ui.Command {
	list := []ui.Command{{Key: keys.Filter, Word: "filter", Help: "show only " + things + " with some words",
		Do: ui.Now(f.Seek)}}
	if !f.List.Filtered() {
		return list
	}
	return append(list, ui.Command{Key: keys.Cancel, Word: "all", Help: "show all " + things + " again",
		Do: ui.Now(func() {
			f.List.All()
			if f.Changed != nil {
				f.Changed()
			}
		})})
}
