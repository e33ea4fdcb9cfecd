package configure

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/tui/theme"
)

// A markedText is the text of a value with places in it, counted in characters. It is drawn in rows.
type markedText struct {
	text   string
	cursor int // where it is edited; -1 where it is not
	wrong  int // where an error is; -1 without one
}

// textRow is a part of a text that is drawn in one row.
type textRow struct {
	first int // its first character, counted in the text
	chars []rune
}

// width returns the cells that a row takes.
func (r textRow) width() int { return lipgloss.Width(string(r.chars)) }

// rowsOf cuts a text into rows of at most width cells: behind each semicolon and the blanks after it, so that each
// equation of a system has rows of its own, and where a row is full.
func rowsOf(text string, width int) []textRow {
	rows := []textRow{{}}
	cells := 0
	ended := false // a semicolon came, and after it only blanks
	for i, char := range []rune(text) {
		needs := lipgloss.Width(string(char))
		if ended && char != ' ' || cells+needs > width {
			rows = append(rows, textRow{first: i})
			cells = 0
		}
		ended = char == ';' || ended && char == ' '
		last := &rows[len(rows)-1]
		last.chars = append(last.chars, char)
		cells += needs
	}
	return rows
}

// draw returns at most most rows of the text in a style, width cells wide, among them the row of the cursor or else of
// the error. Where rows are left out above or below, an ellipsis stands for the first or the last character of the others.
func (t markedText) draw(th theme.Theme, style lipgloss.Style, width, most int) []string {
	rows := rowsOf(t.text, width-1) // with a cell for the cursor behind the last character
	place := t.cursor
	if place < 0 {
		place = t.wrong
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
func (t markedText) drawRow(th theme.Theme, style lipgloss.Style, row textRow, last bool) string {
	reversed := lipgloss.NewStyle().Reverse(true)
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
		case t.cursor:
			flush()
			line += reversed.Render(string(char))
		case t.wrong:
			flush()
			line += th.Bad.Underline(true).Render(string(char))
		default:
			plain += string(char)
		}
	}
	flush()
	end := row.first + len(row.chars)
	switch {
	case last && t.cursor >= end:
		line += reversed.Render(" ")
	case last && t.wrong >= end: // something is missing at the end
		line += th.Bad.Underline(true).Render(string(th.Glyphs.Cross))
	}
	return line
}

// A located error is an error of the configuration at a setting, and its place in the text of the setting.
type located struct {
	key   string
	place int // in characters; -1 if the error has none
	err   *config.Error
}

// locate finds the setting of an error, and the place in its text. Errors of an equation have the place in lines of
// their own: the text that is wrong, and below it a mark.
func locate(e *config.Error, c config.Config) located {
	f := located{key: e.Key, place: -1, err: e}
	said, marked, has := strings.Cut(e.Problem, "\n")
	if !has {
		return f
	}
	line, mark, has := strings.Cut(marked, "\n")
	if !has || !strings.HasSuffix(mark, "^") {
		return f
	}
	const margin = "  " // of both lines
	line = strings.TrimPrefix(line, margin)
	at := utf8.RuneCountInString(strings.TrimPrefix(mark, margin)) - 1
	if _, name, of := strings.Cut(said, `parameter "`); of {
		name, _, _ = strings.Cut(name, `"`)
		f.key = parameterKeys + name
		line = strings.TrimPrefix(line, name+" = ")
		at -= utf8.RuneCountInString(name + " = ")
	} else if strings.Contains(said, ": initial value,") {
		f.key = "equation.initial"
	}
	k, err := c.Lookup(f.key)
	if err != nil {
		return located{key: e.Key, place: -1, err: e}
	}
	before, _, found := strings.Cut(k.Text(c), line)
	if found && at >= 0 {
		f.place = utf8.RuneCountInString(before) + at
	}
	return f
}

// number writes a number as the form shows it: with few digits.
func number(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
