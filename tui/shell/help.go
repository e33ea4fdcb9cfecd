package shell

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/tui/glossary"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// A help is the dialog of a screen's keys in groups, of its terms, or of the lines of both that match the typed words.
type help struct {
	shell       *Model
	widget.List // of nothing: its filter is the search
	at          viewport.Model
	terms       bool
}

// helpCommand opens the help page.
func (m *Model) helpCommand() ui.Command {
	return ui.Command{Key: keys.Help, Word: "help", Help: "the keys, and the terms shown",
		Do: ui.Now(func() {
			h := &help{shell: m, List: widget.List{Dialogs: m.dialogs, Count: func() int { return 0 }}, at: viewport.New()}
			h.Seek()
			m.dialogs.OpenOverAll(h)
		})}
}

// helpKeys returns the lines about keys that contain some words, in full colour if the key is available now.
func (m *Model) helpKeys(words []string) []string {
	th, own, others := m.look.Theme, m.below(), m.elsewhere()
	var lines []string
	for _, g := range keys.Groups() {
		first := len(lines)
		for _, line := range g.Lines {
			var texts []string
			style := th.Muted
			for _, key := range line {
				c, ok := ui.Find(own, key)
				if !ok {
					c, _ = ui.Find(others, key)
				} else if c.Why == "" {
					style = th.Value
				}
				texts = append(texts, c.Help)
			}
			if text := fmt.Sprintf("  %-15s %s", keys.Label(line), joined(texts)); has(g.Title+text, words) {
				lines = append(lines, style.Render(text))
			}
		}
		if len(lines) > first {
			lines = slices.Insert(lines, first, th.Title.Render(" "+g.Title))
		}
	}
	return lines
}

// joined returns the help of the keys of a line, with their common beginning once.
func joined(texts []string) string {
	texts = slices.Compact(slices.DeleteFunc(texts, func(text string) bool { return text == "" }))
	if len(texts) == 0 {
		return ""
	}
	const show = "show "
	if all := strings.Join(texts, ", "); strings.Count(all, show) == len(texts) && strings.HasPrefix(all, show) {
		return show + strings.ReplaceAll(all, show, "")
	}
	first, name, ok := texts[0], "", false
	if name, _, ok = strings.Cut(first, ": "); ok {
		for i, text := range texts[1:] {
			texts[i+1] = strings.TrimPrefix(text, name+": ")
		}
	}
	return strings.Join(texts, "; ")
}

// has reports whether a text contains all words.
func has(text string, words []string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// elsewhere returns the commands of the other screens, in their order, and of all screens.
func (m *Model) elsewhere() []ui.Command {
	var all []ui.Command
	for _, s := range m.screens {
		for _, c := range s.Commands(m.room()) {
			c.Help = s.Name() + ": " + c.Help
			all = append(all, c)
		}
	}
	return append(all, m.common()...)
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

// helpTerms returns the lines about terms.
func (m *Model) helpTerms(list []glossary.Entry, width int) []string {
	const indent = 2
	var lines []string
	for _, e := range list {
		lines = append(lines, m.look.Theme.Title.Render(" "+e.Term))
		for _, line := range layout.Paragraph(m.look.Theme.Value, e.Text, width-2*indent) {
			lines = append(lines, strings.Repeat(" ", indent)+line)
		}
	}
	return lines
}

// lines returns all lines of the page.
func (h *help) lines() (lines []string) {
	m, words := h.shell, h.Words()
	switch {
	case len(words) > 0:
		lines = append(m.helpKeys(words), m.helpTerms(slices.DeleteFunc(glossary.Entries(), func(e glossary.Entry) bool {
			return !has(e.Term+" "+strings.Join(e.Shown, " ")+" "+e.Text, words)
		}), m.width)...)
		if len(lines) == 0 {
			lines = []string{m.look.Theme.Muted.Render(" nothing has these words")}
		}
	case !h.terms:
		lines = m.helpKeys(nil)
	default:
		if lines = m.helpTerms(m.termsOnShow(), m.width); len(lines) == 0 {
			lines = []string{m.look.Theme.Muted.Render(" none is on this screen; words that are typed are found among all terms")}
		}
	}
	return lines
}

// View implements ui.Dialog, as do Commands and Update.
func (h *help) View(c ui.Canvas) string {
	th := c.Theme
	tabs := widget.Tabs{Names: []string{"keys", "terms shown"}}
	if h.terms {
		tabs.At = 1
	}
	title := tabs.Draw(th, c.Width)
	if len(h.Words()) > 0 {
		title = h.Typed(th)
	}
	v := h.page(c)
	if v.VisibleLineCount() < v.TotalLineCount() {
		title = layout.Opposite(c.Width, title, th.Muted.Render(fmt.Sprintf("%d to %d of %d lines ", v.YOffset()+1,
			v.YOffset()+v.VisibleLineCount(), v.TotalLineCount())))
	}
	return layout.Fit(title+"\n"+v.View(), c.Width, c.Height)
}

// page returns the lines below the title, scrolled to their position.
func (h *help) page(c ui.Canvas) viewport.Model {
	v := h.at
	v.SetWidth(c.Width)
	v.SetHeight(c.Height - 1)
	v.SetContentLines(h.lines())
	return v
}

func (h *help) Commands() []ui.Command {
	other := "terms shown"
	if h.terms {
		other = "keys"
	}
	return []ui.Command{{Show: "up/down", Word: "scroll"}, {Key: keys.NextTab, Word: other},
		{Show: "letters", Word: "find"}, {Key: keys.Cancel, Word: "back"}}
}

func (h *help) Update(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	searching := len(h.Words()) > 0
	switch key := keys.Lookup(press.String()); {
	case key == keys.Enter, !searching && (key == keys.Help || key == keys.Quit):
		h.Dialogs.Close(h)
	case key == keys.Cancel && searching:
		h.All()
		h.Seek()
	case key == keys.NextTab || key == keys.PreviousTab:
		h.terms = !h.terms
		h.at.GotoTop()
	case press.Text != "" || key == keys.Reset || key == keys.Cancel:
		h.at.GotoTop()
		return h.Follow(h, msg, nil)
	default:
		h.scroll(key)
	}
	return nil
}

// scroll moves the page.
func (h *help) scroll(key keys.Key) {
	v := h.page(h.shell.room())
	switch key {
	case keys.Up:
		v.ScrollUp(1)
	case keys.Down:
		v.ScrollDown(1)
	case keys.PageUp:
		v.PageUp()
	case keys.PageDown:
		v.PageDown()
	case keys.First:
		v.GotoTop()
	case keys.Last:
		v.GotoBottom()
	}
	h.at = v
}
