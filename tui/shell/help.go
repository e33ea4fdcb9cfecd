package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/tui/glossary"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// A help is the dialog of all commands, each with its key, and of the terms shown. Enter carries out a command, and so
// does its key. Words that are typed leave the lines that have them, of all terms.
type help struct {
	shell *Model
	widget.List
	lines []helpLine // those that match the words, as of the end of the last Update
	words string     // the typed words then
}

// A helpLine is a command or a term.
type helpLine struct {
	where, name, text string
	of                ui.Command // without Do for a term
}

// help opens the dialog; with search set, words are typed at once.
func (m *Model) help(search bool) {
	h := &help{shell: m, List: widget.List{Thing: "line", Dialogs: m.dialogs}}
	h.Count = func() int { return len(h.lines) }
	h.Take = h.take
	h.Follow()
	m.dialogs.Open(h)
	if search {
		h.Seek(keys.Palette)
	}
}

// Follow makes the lines anew, since the screen below may have changed: its commands, their reasons, its terms. The
// selected line stays selected unless other words were typed.
func (h *help) Follow() {
	before, words := h.selected(), strings.Join(h.Words(), " ")
	h.lines = h.found()
	if i := slices.IndexFunc(h.lines, before.same); i >= 0 && words == h.words {
		h.Line = i
	}
	h.words = words
	h.Keep(len(h.lines))
}

// selected returns the selected line; one without text if there are none.
func (h *help) selected() helpLine {
	if len(h.lines) == 0 {
		return helpLine{}
	}
	return h.lines[h.Line]
}

// same reports whether two lines are about the same command or term.
func (l helpLine) same(other helpLine) bool { return l.where == other.where && l.name == other.name }

// found returns the lines: the keys that act now, by their purpose, and the terms on the screen. Once words are typed they
// are those of all keys and terms that match, names before texts, available keys before others with the reason.
func (h *help) found() []helpLine {
	m := h.shell
	commands := m.below()
	var all []helpLine
	for _, g := range keys.Groups() {
		all = append(all, h.keyLines(commands, g.Title)...)
	}
	terms := m.termsOnShow()
	if h.Filtered() {
		terms = glossary.Entries()
	}
	for _, e := range terms {
		all = append(all, helpLine{"Terms", e.Term, e.Text, ui.Command{Word: e.Term}})
	}
	words := h.Words()
	all = widget.Chosen(&h.List, all, func(l helpLine) string { return l.of.Word + " " + l.name + " " + l.text })
	if len(words) > 0 {
		slices.SortStableFunc(all, func(a, b helpLine) int { return a.rank(words) - b.rank(words) })
	}
	return all
}

// keyLines returns the lines of the commands of a group. The screens share one, unless words are typed.
func (h *help) keyLines(commands []ui.Command, group string) []helpLine {
	var lines []helpLine
	var shown []string // names of the screens that can be shown
	seen := map[keys.Key]bool{}
	for _, c := range commands {
		if c.Help == "" || seen[c.Key] || keys.GroupOf(c.Key) != group {
			continue
		}
		seen[c.Key] = true
		if h.Filtered() {
			line := helpLine{group, c.Key.All(), c.Help, c}
			if c.Why != "" {
				line.text += " (not now: " + c.Why + ")"
			}
			lines = append(lines, line)
			continue
		}
		switch {
		case c.Why != "":
		case c.Key >= "1" && c.Key <= "9":
			shown = append(shown, string(c.Key)+" "+h.shell.screenOf(c.Key))
		default:
			lines = append(lines, helpLine{group, c.Key.All(), c.Help, c})
		}
	}
	if len(shown) > 0 {
		line := helpLine{where: group, name: "1-6", text: "show " + strings.Join(shown, ", ")}
		lines = append([]helpLine{line}, lines...)
	}
	return lines
}

// screenOf returns the name of the screen that a digit shows.
func (m *Model) screenOf(digit keys.Key) string {
	i, _ := strconv.Atoi(string(digit))
	return m.Screens[i-1].Name()
}

// rank orders lines that match words.
func (l helpLine) rank(words []string) (rank int) {
	for _, word := range words {
		if !slices.Contains(strings.Fields(strings.ToLower(l.of.Word)), word) {
			rank += 2
		}
	}
	if l.of.Why != "" {
		rank++
	}
	return rank
}

// termsOnShow returns the terms of the selected setting, or of the rows and columns of the screen.
func (m *Model) termsOnShow() []glossary.Entry {
	if k, err := m.session.Draft.Config().Lookup(m.visible.Exhibit(m.room()).Heading); err == nil {
		if list := glossary.Of(k.Name); len(list) > 0 {
			return list
		}
		return []glossary.Entry{{Term: k.Name, Text: k.Help}}
	}
	return glossary.On(ansi.Strip(m.visible.View(m.room())))
}

// View implements ui.Dialog, as do Commands and Update.
func (h *help) View(c ui.Canvas) string {
	const below = 4 // a blank, and the whole text of the selected line
	th, list := c.Theme, h.lines
	lines := h.Draw(th, len(list), c.Height-below, func(i int) string {
		l, where := list[i], ""
		if i == 0 || list[i-1].where != l.where {
			where = l.where
		}
		text := fmt.Sprintf("%-12s %s", l.name, l.text)
		if l.of.Why != "" {
			text = th.Muted.Render(text)
		}
		return layout.Cut(th.Title.Render(fmt.Sprintf("%-10s", where))+" "+text, c.Width-2)
	})
	lines = append(append(lines, ""), layout.Head(layout.Paragraph(th.Value, h.selected().text, c.Width), c.Width, below-1)...)
	return layout.Fit(strings.Join(lines, "\n"), c.Width, c.Height)
}

func (h *help) Commands() []ui.Command {
	back := ui.Now(func() { h.Dialogs.Close(h) })
	return append(h.Offer(h, "do it"), ui.Command{Key: keys.Help, Do: back}, ui.Command{Key: keys.Quit, Do: back})
}

func (h *help) Update(msg tea.Msg) tea.Cmd { return h.Leave(h, msg) }

// take carries out the selected command.
func (h *help) take() tea.Cmd {
	key := h.selected().of.Key
	h.Dialogs.Close(h)
	if key == keys.None { // a term
		return nil
	}
	return h.Dialogs.Press(key)
}
