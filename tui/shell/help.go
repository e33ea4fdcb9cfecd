package shell

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/tui/glossary"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// A help is the dialog of all commands, each with its key, and of the terms shown. Words that are typed leave the lines
// that have them; then all terms are searched.
type help struct {
	shell *Model
	widget.List
	terms bool // Line is then the first visible line of their text
}

// helpCommand returns a command that opens the dialog.
func (m *Model) helpCommand(key keys.Key, word, about string) ui.Command {
	return ui.Command{Key: key, Word: word, Help: about, Do: ui.Now(func() {
		h := &help{shell: m, List: widget.List{Thing: "line", Prompt: ":", Dialogs: m.dialogs}}
		h.Count = func() int {
			if h.terms {
				return max(1, len(h.text())-m.room().Height+besides+1)
			}
			return len(h.found())
		}
		h.Seek()
		m.dialogs.OpenOverAll(h)
	})}
}

// besides is the number of lines of the dialog without the list: the tabs and the typed words.
const besides = 2

// An offer is a command and where it works.
type offer struct {
	ui.Command
	screen string // empty: on the active screen
	where  string
}

// String returns the text that the filter searches.
func (o offer) String() string { return o.screen + " " + o.Word + " " + o.Help }

// rank orders offers: commands whose name matches the words come first, then those whose help matches; of equal ones
// those that are available. So enter never takes a command that only mentions the name of another one.
func (o offer) rank(words []string) int {
	rank := 0
	for _, word := range words {
		switch {
		case slices.Contains(strings.Fields(strings.ToLower(o.Word)), word):
		case slices.Contains(strings.Fields(strings.ToLower(o.Help)), word):
			rank += 2
		default:
			rank += 4
		}
	}
	if o.Why != "" {
		rank++
	}
	return rank
}

// offers returns the commands of the active screen, those of all screens, and those of the others except keys that only
// move there.
func (m *Model) offers() []offer {
	var list []offer
	seen := map[string]bool{}
	add := func(screen, where string, commands []ui.Command) {
		for _, c := range commands {
			ends := c.Key == keys.First || c.Key == keys.Last // these have names, as the worst sample
			moves := screen != "" && c.Key >= keys.Up && c.Key <= keys.Last && !ends
			if !moves && c.Help != "" && c.Do != nil && !seen[c.Help] {
				list, seen[c.Help] = append(list, offer{c, screen, where}), true
			}
		}
	}
	add("", m.visible.Name(), m.own())
	add("", "everywhere", m.common())
	for _, s := range m.screens {
		commands := s.Commands(m.room())
		for i := range commands {
			commands[i] = commands[i].When(s.Open(), nothingYet(s))
		}
		add(s.Name(), s.Name(), commands)
	}
	return list
}

// found returns the commands that match the typed words, the best match first.
func (h *help) found() []offer {
	list, words := widget.Chosen(&h.List, h.shell.offers(), offer.String), h.Words()
	if len(words) > 0 {
		slices.SortStableFunc(list, func(a, b offer) int { return cmp.Compare(a.rank(words), b.rank(words)) })
	}
	return list
}

// termsOnShow returns the terms of the selected setting, or of the rows and columns of the screen.
func (m *Model) termsOnShow() []glossary.Entry {
	if k, err := m.session.Config().Lookup(m.visible.Exhibit(m.room()).Heading); err == nil {
		if list := glossary.Of(k.Name); len(list) > 0 {
			return list
		}
		return []glossary.Entry{{Term: k.Name, Text: k.Help}}
	}
	return glossary.On(ansi.Strip(m.visible.View(m.room())))
}

// text returns the lines about the terms shown, or about all terms that match the typed words.
func (h *help) text() (lines []string) {
	const indent = 2
	th, list := h.shell.look.Theme, h.shell.termsOnShow()
	if len(h.Words()) > 0 {
		list = widget.Chosen(&h.List, glossary.Entries(), func(e glossary.Entry) string {
			return e.Term + " " + strings.Join(e.Shown, " ") + " " + e.Text
		})
	}
	for _, e := range list {
		lines = append(lines, th.Title.Render(" "+e.Term))
		for _, line := range layout.Paragraph(th.Value, e.Text, h.shell.width-2*indent) {
			lines = append(lines, strings.Repeat(" ", indent)+line)
		}
	}
	if len(lines) == 0 {
		lines = []string{th.Muted.Render(" none is here; words that are typed are found among all terms")}
	}
	return lines
}

// View implements ui.Dialog, as do Commands and Update.
func (h *help) View(c ui.Canvas) string {
	th, rows := c.Theme, c.Height-besides
	tabs := func(at int) string { return widget.Bar(th, []string{"commands", "terms shown"}, at, c.Width) }
	if h.terms {
		lines := h.text()
		first := max(0, min(h.Line, len(lines)-rows))
		lines = slices.Clone(lines[first:min(len(lines), first+rows)])
		widget.Beyond(th, lines, first, len(h.text())-first-len(lines))
		return layout.Fit(strings.Join(append(append([]string{tabs(1)}, lines...), h.Typed(th)), "\n"), c.Width, c.Height)
	}
	list := h.found()
	lines := []string{tabs(0)}
	if len(list) == 0 {
		lines = append(lines, th.Muted.Render(" none has these words; tab searches the terms"))
	}
	lines = append(lines, h.Draw(th, len(list), rows+1, func(i int) string {
		o, where := list[i], ""
		if i == 0 || list[i-1].where != o.where {
			where = o.where
		}
		text := fmt.Sprintf("%-12s %s", o.Key.All(), o.Help)
		if o.Why != "" {
			text = th.Muted.Render(fmt.Sprintf("%s (not now: %s)", text, o.Why))
		}
		return layout.Cut(th.Title.Render(fmt.Sprintf("%-10s", where))+" "+text, c.Width-2)
	})...)
	return layout.Fit(strings.Join(lines, "\n"), c.Width, c.Height)
}

func (h *help) Commands() []ui.Command {
	verb, other := "do it", "terms shown"
	if h.terms {
		verb, other = "close", "commands"
	}
	return slices.Insert(h.Offer(verb), 1, ui.Command{Key: keys.NextTab, Word: other})
}

func (h *help) Update(msg tea.Msg) tea.Cmd {
	press, _ := msg.(tea.KeyPressMsg)
	switch key := keys.Lookup(press.String()); {
	case key == keys.NextTab || key == keys.PreviousTab:
		h.terms, h.Line = !h.terms, 0
		return nil
	case key == keys.Help && len(h.Words()) == 0:
		h.Dialogs.Close(h)
		return nil
	}
	return h.Follow(h, msg, h.take)
}

// take runs the selected command on its screen.
func (h *help) take() tea.Cmd {
	m := h.shell
	if h.terms {
		m.dialogs.Close(h)
		return nil
	}
	chosen := h.found()[h.Line]
	m.dialogs.Close(h)
	switch {
	case chosen.screen == "":
		return m.carryOut(chosen.Key)
	case chosen.Why != "":
		m.session.Complain(chosen.Why)
		return nil
	}
	return tea.Batch(m.show(chosen.screen), m.carryOut(chosen.Key))
}
