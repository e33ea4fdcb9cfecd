package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// A help is the menu of all commands, each with its key, and of the terms shown. Enter carries out a command, and so
// does its key. Words that are typed leave the lines that have them, of all terms.
type help struct {
	page.Menu
	shell *Model
	lines []helpLine // those that match the words, as of the end of the last Update
	words string     // the typed words then
}

// A helpLine is a command or a term.
type helpLine struct {
	group string // of keys; "Terms" for a term
	name  string // the keys, or the term
	text  string
	of    ui.Offer // without Do for a term
}

// help opens the dialog; with search set, words are typed at once.
func (m *Model) help(search bool) {
	h := &help{shell: m}
	count := func() int { return len(h.lines) }
	h.Menu = page.NewMenu(h, "line", m.dialogs, count)
	h.Offer(nil, "do it", h.take, []ui.Command{
		{Key: ui.KeyHelp, Do: ui.Now(h.Close)},
		{Key: ui.KeyQuit, Do: ui.Now(h.Close)},
	})
	h.Follow()
	m.dialogs.Open(h)
	if search {
		h.Seek(ui.KeyPalette)
	}
}

// Follow makes the lines anew, since the screen below may have changed: its commands, their reasons, its terms. The
// selected line stays selected unless other words were typed.
func (h *help) Follow() {
	before := h.selected()
	words := strings.Join(h.Words(), " ")
	h.lines = h.found()
	at := slices.IndexFunc(h.lines, before.same)
	if at >= 0 && words == h.words {
		h.Line = at
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
func (l helpLine) same(other helpLine) bool {
	return l.group == other.group && l.name == other.name
}

// found returns the lines: the keys that act now, by their purpose, and the terms on the screen. Once words are typed they
// are those of all keys and terms that match, names before texts, available keys before others with the reason.
func (h *help) found() []helpLine {
	commands := ui.Offers(h.shell.below())
	var all []helpLine
	for _, g := range ui.KeyGroups() {
		if h.Filtered() {
			all = append(all, everyLine(commands, g.Title)...)
		} else {
			all = append(all, h.lineOfEachThatActs(commands, g.Title)...)
		}
	}
	terms := h.shell.termsOnShow()
	if h.Filtered() {
		terms = words.Terms()
	}
	for _, term := range terms {
		line := helpLine{
			group: "Terms",
			name:  term.Name,
			text:  term.Text,
		}
		line.of.Word = term.Name
		all = append(all, line)
	}
	searched := func(l helpLine) string { return l.of.Word + " " + l.name + " " + l.text }
	chosen := page.Chosen(h.List, all, searched)
	words := h.Words()
	if len(words) > 0 {
		byRank := func(a, b helpLine) int { return a.rank(words) - b.rank(words) }
		slices.SortStableFunc(chosen, byRank)
	}
	return chosen
}

// ofGroup returns the commands of a group that have a help text, one for each key.
func ofGroup(commands []ui.Offer, group string) []ui.Offer {
	var list []ui.Offer
	seen := map[ui.Key]bool{}
	for _, c := range commands {
		if c.Help != "" && !seen[c.Key] && ui.KeyGroupOf(c.Key) == group {
			seen[c.Key] = true
			list = append(list, c)
		}
	}
	return list
}

// everyLine returns a line for each command of a group, with the reason why it cannot act.
func everyLine(commands []ui.Offer, group string) []helpLine {
	var lines []helpLine
	for _, c := range ofGroup(commands, group) {
		line := helpLine{
			group: group,
			name:  c.Key.All(),
			text:  c.Help,
			of:    c,
		}
		if c.Why != "" {
			line.text += " (not now: " + c.Why + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

// lineOfEachThatActs returns a line for each command of a group that can act. The screens share one, the first.
func (h *help) lineOfEachThatActs(commands []ui.Offer, group string) []helpLine {
	var lines []helpLine
	var screens []string // names of those that can be shown
	for _, c := range ofGroup(commands, group) {
		isDigit := c.Key >= "1" && c.Key <= "9"
		switch {
		case c.Why != "":
		case isDigit:
			screens = append(screens, string(c.Key)+" "+h.shell.screenOf(c.Key))
		default:
			lines = append(lines, helpLine{
				group: group,
				name:  c.Key.All(),
				text:  c.Help,
				of:    c,
			})
		}
	}
	if len(screens) == 0 {
		return lines
	}
	line := helpLine{
		group: group,
		name:  "1-6",
		text:  "show " + strings.Join(screens, ", "),
	}
	return append([]helpLine{line}, lines...)
}

// screenOf returns the name of the screen that a digit shows.
func (m *Model) screenOf(digit ui.Key) string {
	i, _ := strconv.Atoi(string(digit))
	return m.Screens[i-1].Name()
}

// rank orders lines that match words.
func (l helpLine) rank(words []string) (rank int) {
	named := strings.Fields(strings.ToLower(l.of.Word))
	for _, word := range words {
		if !slices.Contains(named, word) {
			rank += 2
		}
	}
	if l.of.Why != "" {
		rank++
	}
	return rank
}

// termsOnShow returns the terms of the selected setting, or of the rows and columns of the screen.
func (m *Model) termsOnShow() []words.Term {
	k, err := m.session.Draft.Config().Lookup(m.visible.Page().Heading)
	if err != nil {
		return words.TermsOn(ansi.Strip(m.visible.View()))
	}
	list := words.TermsOf(k.Name)
	if len(list) > 0 {
		return list
	}
	return []words.Term{{Name: k.Name, Text: k.Help}}
}

// Covers implements ui.Covering.
func (h *help) Covers() {}

// View implements ui.Dialog.
func (h *help) View(c ui.Canvas) string {
	const (
		groups = 10 // cells of the column of groups
		about  = 3  // lines for the whole text of the selected line, behind a blank one
	)
	th := c.Theme
	line := func(i int) string {
		l := h.lines[i]
		group := ""
		if i == 0 || h.lines[i-1].group != l.group {
			group = l.group
		}
		text := fmt.Sprintf("%-12s %s", l.name, l.text)
		if l.of.Why != "" {
			text = th.Muted.Render(text)
		}
		title := th.Title.Render(fmt.Sprintf("%-*s", groups, group))
		return layout.Cut(title+" "+text, c.Width-2)
	}
	lines := h.Draw(th, len(h.lines), c.Height-about-1, line)
	lines = append(lines, "")
	whole := layout.Paragraph(th.Value, h.selected().text, c.Width)
	lines = append(lines, layout.Head(whole, c.Width, about)...)
	return layout.Fit(strings.Join(lines, "\n"), c.Width, c.Height)
}

// take carries out the selected command.
func (h *help) take() tea.Cmd {
	key := h.selected().of.Key
	h.Close()
	if key == ui.KeyNone { // a term
		return nil
	}
	return h.Below(key)()
}
