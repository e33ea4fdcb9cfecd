package page

import (
	"charm.land/lipgloss/v2"

	"rfm/tui/layout"
	"rfm/tui/theme"
)

// Text is the text of a value with places in it, counted in characters. It is drawn in rows.
type Text struct {
	Text   string
	Cursor int // where it is edited; -1 where it is not
	Wrong  int // where an error is; -1 without one
}

// textRow is a part of a text that is drawn in one row.
type textRow struct {
	first int // its first character, counted in the text
	chars []rune
}

// rowsOf cuts a text into rows of at most width cells: where a row is full and, if divided is set, behind each semicolon
// and the blanks after it, so that each equation of a system has rows of its own.
func rowsOf(text string, width int, divided bool) []textRow {
	rows := []textRow{{}}
	cells := 0
	ended := false // a semicolon came, and after it only blanks
	for i, char := range []rune(text) {
		needs := lipgloss.Width(string(char))
		if ended && char != ' ' || cells+needs > width {
			rows = append(rows, textRow{first: i})
			cells = 0
		}
		ended = divided && char == ';' || ended && char == ' '
		last := &rows[len(rows)-1]
		last.chars = append(last.chars, char)
		cells += needs
	}
	return rows
}

// Draw returns at most most rows of the text in a style, width cells wide, among them the row of the cursor or else of
// the error. Where rows are left out above or below, an ellipsis stands for the first or the last character of the others.
func (t Text) Draw(th theme.Theme, style lipgloss.Style, width, most int) []string {
	rows := rowsOf(t.Text, width-1, most > 1) // with a cell for the cursor behind the last character
	place := t.Cursor
	if place < 0 {
		place = t.Wrong
	}
	at := 0
	for i, row := range rows {
		if row.first <= place {
			at = i
		}
	}
	first := max(0, min(at-most/2, len(rows)-most))
	last := min(len(rows), first+most)
	var lines []string
	for i := first; i < last; i++ {
		line := t.drawRow(th, style, rows[i], i == len(rows)-1)
		if i == last-1 && last < len(rows) {
			line += th.Muted.Render(string(th.Glyphs.Ellipsis))
		}
		lines = append(lines, line)
	}
	return lines
}

// drawRow returns a row with the cursor, which may stand behind the last character of the text, and the place of the
// error.
func (t Text) drawRow(th theme.Theme, style lipgloss.Style, row textRow, last bool) string {
	line := ""
	plain := "" // characters that wait to be drawn in one piece
	flush := func() {
		if plain != "" {
			line += style.Render(plain)
			plain = ""
		}
	}
	for i, char := range row.chars {
		switch row.first + i {
		case t.Cursor:
			flush()
			line += layout.CursorMark + style.Render(string(char))
		case t.Wrong:
			flush()
			line += th.Bad.Underline(true).Render(string(char))
		default:
			plain += string(char)
		}
	}
	flush()
	end := row.first + len(row.chars)
	switch {
	case last && t.Cursor >= end:
		line += layout.CursorMark + " "
	case last && t.Wrong >= end: // something is missing at the end
		line += th.Bad.Underline(true).Render(string(th.Glyphs.Cross))
	}
	return line
}
