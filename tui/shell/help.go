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

// A help lies over a screen: its keys in groups, its terms, or the lines of both that match the typed words.
type help struct {
	at    viewport.Model
	find  widget.List
	terms bool
}

// helpCommand opens the help page.
func (m *Model) helpCommand() ui.Command {
	return ui.Command{Key: keys.Help, Word: "help", Help: "the keys, and the terms on show",
		Do: ui.Now(func() {
			m.help = &help{at: viewport.New()}
			m.help.find.Seek()
		})}
}

// helpKeys returns the lines about keys that contain some words, in full colour if the key is available now.
func (m *Model) helpKeys(words []string) []string {
	th, own, others := m.look.Theme, m.Commands(), m.elsewhere()
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
		for _, c := range s.Commands() {
			c.Help = s.Name() + ": " + c.Help
			all = append(all, c)
		}
	}
	return append(all, m.common()...)
}

// termsOnShow returns the terms of the selected setting, or of the rows and columns of the screen.
func (m *Model) termsOnShow() []glossary.Entry {
	if f, ok := m.visible.(ui.Form); ok && f.Selected() != "" {
		if list := glossary.Of(f.Selected()); len(list) > 0 {
			return list
		}
		for _, k := range m.session.Config().Keys() {
			if k.Name == f.Selected() {
				return []glossary.Entry{{Term: k.Name, Text: k.Help}}
			}
		}
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

// helpLines returns all lines of the help page.
func (m *Model) helpLines() (lines []string) {
	words := m.help.find.Words()
	switch {
	case len(words) > 0:
		lines = append(m.helpKeys(words), m.helpTerms(slices.DeleteFunc(glossary.Entries(), func(e glossary.Entry) bool {
			return !has(e.Term+" "+strings.Join(e.Shown, " ")+" "+e.Text, words)
		}), m.width)...)
		if len(lines) == 0 {
			lines = []string{m.look.Theme.Muted.Render(" nothing has these words")}
		}
	case !m.help.terms:
		lines = m.helpKeys(nil)
	default:
		if lines = m.helpTerms(m.termsOnShow(), m.width); len(lines) == 0 {
			lines = []string{m.look.Theme.Muted.Render(" none is on this screen; words that are typed are found among all terms")}
		}
	}
	return lines
}

// helpPage returns the visible part of the help page.
func (m *Model) helpPage() string {
	th := m.look.Theme
	tabs := widget.Tabs{Names: []string{"keys", "terms on show"}}
	if m.help.terms {
		tabs.At = 1
	}
	title := tabs.Draw(th, m.width)
	if len(m.help.find.Words()) > 0 {
		title = m.help.find.Typed(th)
	}
	v := m.helpView()
	if v.VisibleLineCount() < v.TotalLineCount() {
		title = layout.Opposite(m.width, title, th.Muted.Render(fmt.Sprintf("%d to %d of %d lines ", v.YOffset()+1,
			v.YOffset()+v.VisibleLineCount(), v.TotalLineCount())))
	}
	return title + "\n" + v.View()
}

// helpView returns the help page below its title, scrolled to its position.
func (m *Model) helpView() viewport.Model {
	v := m.help.at
	v.SetWidth(m.width)
	v.SetHeight(m.bodyHeight() - 1)
	v.SetContentLines(m.helpLines())
	return v
}

// helpFooter describes the keys of the help page.
func (m *Model) helpFooter() string {
	other := "terms on show"
	if m.help.terms {
		other = "keys"
	}
	return layout.Fit(m.footerItem("up/down", "scroll")+m.footerItem("tab", other)+m.footerItem("letters", "find")+
		m.footerItem("esc", "back"), m.width, 1)
}

// read handles a key while the help page is open: it scrolls, searches, or closes the page.
func (m *Model) read(msg tea.KeyPressMsg) {
	searching := len(m.help.find.Words()) > 0
	switch key := keys.Lookup(msg.String()); {
	case key == keys.Enter, key == keys.Help, key == keys.Cancel && !searching, key == keys.Quit && !searching:
		m.help = nil
	case key == keys.Filter && !searching:
	case key == keys.Cancel:
		m.help.find.All()
		m.help.find.Seek()
	case key == keys.NextTab || key == keys.PreviousTab:
		m.help.terms = !m.help.terms
		m.help.at.GotoTop()
	case msg.Text != "" || key == keys.Reset:
		m.help.find.Type(msg, 0)
		m.help.at.GotoTop()
	default:
		m.scrollHelp(key)
	}
}

// scrollHelp scrolls the help page.
func (m *Model) scrollHelp(key keys.Key) {
	v := m.helpView()
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
	m.help.at = v
}
