package shell

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/ui"
)

// helpKeys are the lines of the help page, made of the commands: those that count now in full strength, and below a
// heading those that count at other times, with the reason, or on other screens.
func (m *Model) helpKeys() (here, elsewhere []string) {
	th, own := m.look.Theme, m.Commands()
	elsewhere = []string{th.Title.Render(" At other times, or on other screens")}
	for _, key := range keys.Every() {
		c, ok := ui.Find(own, key)
		switch {
		case ok && c.Why == "":
			here = append(here, th.Value.Render(helpLine(key, c.Help)))
			continue
		case !ok:
			c = m.elsewhere(key)
		}
		if c.Help != "" {
			elsewhere = append(elsewhere, th.Muted.Render(helpLine(key, c.Help)))
		}
	}
	return here, elsewhere
}

// helpLine is a key by all its names, and what it does.
func helpLine(key keys.Key, help string) string { return fmt.Sprintf("  %-11s %s", key.All(), help) }

// elsewhere is what a key does on the first of the other screens that has a use for it.
func (m *Model) elsewhere(key keys.Key) ui.Command {
	for _, s := range m.screens {
		if c, ok := ui.Find(s.Commands(), key); ok {
			c.Help = s.Name() + ": " + c.Help
			return c
		}
	}
	c, _ := ui.Find(m.common(), key)
	return c
}

// helpTop is the line that was scrolled to, of so many lines of which rows fit; the last page is full.
func (m *Model) helpTop(lines, rows int) int { return max(0, min(m.helpFirst, lines-rows)) }

// helpPage lists the keys of this screen and of others beside each other if there is room, and else below each other,
// as many as fit from the line on that was scrolled to.
func (m *Model) helpPage(width, height int) string {
	th := m.look.Theme
	here, elsewhere := m.helpKeys()
	title, rows := th.Title.Render(" Keys of this screen"), height-1
	half := width / 2
	left, right := strings.Join(append([]string{title}, here...), "\n"), strings.Join(elsewhere, "\n")
	if max(len(here), len(elsewhere)-1) <= rows && max(lipgloss.Width(left), lipgloss.Width(right)) < half {
		return layout.Beside(height, "", left, half, right)
	}
	all := append(here, elsewhere...)
	top := m.helpTop(len(all), rows)
	bottom := min(len(all), top+rows)
	if bottom-top < len(all) {
		title = layout.Opposite(width, title, th.Muted.Render(fmt.Sprintf("%d to %d of %d lines ", top+1, bottom, len(all))))
	}
	return title + "\n" + strings.Join(all[top:bottom], "\n")
}

// helpFooter says how to go on from the help page.
func (m *Model) helpFooter() string {
	return layout.Fit(m.footerItem("up/down", "scroll")+m.footerItem("any other key", "goes back"), m.width, 1)
}

// scrollHelp moves the help page, or closes it for a key that does not.
func (m *Model) scrollHelp(key keys.Key) {
	here, elsewhere := m.helpKeys()
	lines, rows := len(here)+len(elsewhere), m.bodyHeight()-1
	top := m.helpTop(lines, rows)
	switch key {
	case keys.Up:
		top--
	case keys.Down:
		top++
	case keys.PageUp:
		top -= rows
	case keys.PageDown:
		top += rows
	case keys.First:
		top = 0
	case keys.Last:
		top = lines
	default:
		m.help = false
	}
	m.helpFirst = top
}
