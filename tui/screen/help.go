// This file is the help page, made from the table of keys.

package screen

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/tui/keys"
)

// helpPage lists the keys that are valid now in full strength, then those of other screens, as many as fit, in two columns
// if one is not enough.
func (m *Model) helpPage(width, height int) string {
	th := m.session.theme
	valid := map[keys.Action]bool{keys.Kill: true}
	for _, a := range m.actions() {
		valid[a] = true
	}
	var here, elsewhere []keys.Binding
	for _, b := range keys.Table() {
		if valid[b.Action] {
			here = append(here, b)
		} else {
			elsewhere = append(elsewhere, b)
		}
	}
	rows, columns := height-1, 1
	if len(here)+len(elsewhere) > rows {
		columns = 2
	}
	all := append(here, elsewhere...)
	shown := min(len(all), rows*columns)
	columnWidth := width / columns
	lines := make([]string, shown)
	for i, b := range all[:shown] {
		style, word := th.Value, m.means(b.Action)
		if i >= len(here) {
			style, word = th.Muted, b.Desc
		}
		lines[i] = style.Render(helpLine(b, word, columnWidth))
	}
	note := "any key goes back"
	if shown < len(all) {
		note += fmt.Sprintf("; %d more on other screens", len(all)-shown)
	}
	title := th.Title.Render(" Keys") + th.Muted.Render("   "+note)
	if columns == 1 {
		return title + "\n" + strings.Join(lines, "\n")
	}
	half := (shown + 1) / 2
	return title + "\n" + beside(half, "", strings.Join(lines[:half], "\n"), columnWidth, strings.Join(lines[half:], "\n"))
}

// helpLine is a binding in one line: what it does in a sentence, or in a word or two where that does not fit.
func helpLine(b keys.Binding, word string, width int) string {
	const margin = 2
	text := fmt.Sprintf("  %-9s %s", b.Show, b.Help)
	if lipgloss.Width(text) > width-margin {
		text = fmt.Sprintf("  %-9s %s", b.Show, word)
	}
	return text
}
