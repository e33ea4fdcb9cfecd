package shell

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/viewport"
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
	others := m.elsewhere()
	for _, key := range keys.Every() {
		c, ok := ui.Find(own, key)
		switch {
		case ok && c.Why == "":
			here = append(here, th.Value.Render(helpLine(key, c.Help)))
			continue
		case !ok:
			c, _ = ui.Find(others, key)
		}
		if c.Help != "" {
			elsewhere = append(elsewhere, th.Muted.Render(helpLine(key, c.Help)))
		}
	}
	return here, elsewhere
}

// helpLine is a key by all its names, and what it does.
func helpLine(key keys.Key, help string) string { return fmt.Sprintf("  %-13s %s", key.All(), help) }

// elsewhere is what can be asked on the other screens, in their order, and on all.
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
	v := m.helpLines()
	if v.VisibleLineCount() < v.TotalLineCount() {
		title = layout.Opposite(width, title, th.Muted.Render(fmt.Sprintf("%d to %d of %d lines ", v.YOffset()+1,
			v.YOffset()+v.VisibleLineCount(), v.TotalLineCount())))
	}
	return title + "\n" + v.View()
}

// helpLines is the help page below its title, scrolled to where it is.
func (m *Model) helpLines() viewport.Model {
	here, elsewhere := m.helpKeys()
	v := *m.help
	v.SetWidth(m.width)
	v.SetHeight(m.bodyHeight() - 1)
	v.SetContentLines(append(here, elsewhere...))
	return v
}

// helpFooter says how to go on from the help page.
func (m *Model) helpFooter() string {
	return layout.Fit(m.footerItem("up/down", "scroll")+m.footerItem("any other key", "goes back"), m.width, 1)
}

// scrollHelp moves the help page, or closes it for a key that does not.
func (m *Model) scrollHelp(key keys.Key) {
	v := m.helpLines()
	switch m.help = &v; key {
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
	default:
		m.help = nil
	}
}
