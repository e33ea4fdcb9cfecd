// This file is the help page, made from the table of keys.

package screen

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/tui/keys"
	"rfm/tui/layout"
)

// helpKeys are the lines of the help page: the keys that are valid now in full strength, and those of other screens below
// a heading.
func (m *Model) helpKeys() (here, elsewhere []string) {
	th := m.session.Theme
	valid := map[keys.Action]bool{keys.Kill: true}
	for _, a := range m.actions() {
		valid[a] = true
	}
	elsewhere = []string{th.Title.Render(" On other screens, or at other times")}
	for _, b := range keys.Table() {
		text := b.Help
		if word := m.means(b.Action); valid[b.Action] && word != b.Desc && !slices.Contains([]keys.Action{keys.Help, keys.Quit}, b.Action) {
			text = word // what it does here
			switch b.Action {
			case keys.Up, keys.Left, keys.PageUp:
				text = "previous " + word
			case keys.Down, keys.Right, keys.PageDown:
				text = "next " + word
			}
		}
		line := fmt.Sprintf("  %-9s %s", b.Show, text)
		if valid[b.Action] {
			here = append(here, th.Value.Render(line))
		} else {
			elsewhere = append(elsewhere, th.Muted.Render(line))
		}
	}
	return here, elsewhere
}

// helpTop is the line that was scrolled to, of so many lines of which rows fit; the last page is full.
func (m *Model) helpTop(lines, rows int) int { return max(0, min(m.helpFirst, lines-rows)) }

// helpPage lists the keys of this screen and of others beside each other if there is room, and else below each other, as
// many as fit from the line on that was scrolled to.
func (m *Model) helpPage(width, height int) string {
	th := m.session.Theme
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

// scrollHelp moves the help page, or closes it for an action that does not.
func (m *Model) scrollHelp(action keys.Action) {
	here, elsewhere := m.helpKeys()
	lines, rows := len(here)+len(elsewhere), m.bodyHeight()-1
	top := m.helpTop(lines, rows)
	switch action {
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
