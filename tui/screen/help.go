// This file is the help page, made from the table of keys.

package screen

import (
	"fmt"
	"strings"

	"rfm/tui/keys"
)

// helpPage lists all keys, in two columns if one is not enough, those that are valid now in full strength.
func (m *Model) helpPage(width, height int) string {
	th := m.session.theme
	valid := map[keys.Action]bool{keys.Kill: true}
	for _, a := range m.actions() {
		valid[a] = true
	}
	var lines []string
	table := keys.Table()
	columns := 1
	if len(table) > height-2 {
		columns = 2
	}
	columnWidth := width / columns
	for _, b := range table {
		text := fmt.Sprintf("%-9s %s", b.Show, b.Help)
		if columns > 1 && len(text) > columnWidth-3 {
			text = fmt.Sprintf("%-9s %s", b.Show, b.Desc)
		}
		style := th.Muted
		if valid[b.Action] {
			style = th.Value
		}
		lines = append(lines, "  "+style.Render(text))
	}
	title := th.Title.Render(" Keys") + th.Muted.Render("   any key goes back")
	if columns == 1 {
		return title + "\n\n" + strings.Join(lines, "\n")
	}
	half := (len(lines) + 1) / 2
	return title + "\n" + beside(half, "", strings.Join(lines[:half], "\n"), columnWidth, strings.Join(lines[half:], "\n"))
}
