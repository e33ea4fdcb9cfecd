// This file sets words and numbers in columns. The table of lipgloss makes the same text in 47 times the time: a list of
// a hundred runs would miss several frames with every key.

package report

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Lines are rows of equally many cells as lines of text, with columns as wide as they need to be and gap cells between
// them: the first one and those of words to the left, the others, of numbers, to the right. Lines end without blanks.
func Lines(gap int, rows [][]string, words ...int) []string {
	widths := natural(rows)
	lines := make([]string, len(rows))
	for i, row := range rows {
		var line strings.Builder
		for j, text := range row {
			pad := strings.Repeat(" ", widths[j]-ansi.StringWidth(text))
			if j == 0 || slices.Contains(words, j) {
				text, pad = text+pad, ""
			}
			if j > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			line.WriteString(pad + text)
		}
		lines[i] = strings.TrimRight(line.String(), " ")
	}
	return lines
}

// natural is the widths of the columns.
func natural(rows [][]string) []int {
	var widths []int
	for _, row := range rows {
		for j, text := range row {
			if j == len(widths) {
				widths = append(widths, 0)
			}
			widths[j] = max(widths[j], ansi.StringWidth(text))
		}
	}
	return widths
}

// A Column is what becomes of a column where there is not room for all.
type Column struct {
	Words bool
	Least int // cells to which it may be cut; 0 if it stays whole
	Goes  int // it is left out before those with a smaller number; 0 if it stays
}

// Fit is Lines in a width: columns are left out and cut where they do not fit, those in front get what room is left.
func Fit(columns []Column, gap int, rows [][]string, width int) []string {
	widths := natural(rows)
	least := func(j int) int {
		if columns[j].Least > 0 {
			return min(widths[j], columns[j].Least)
		}
		return widths[j]
	}
	var chosen []int
	free := width + gap
	for j := range columns {
		chosen = append(chosen, j)
		free -= gap + least(j)
	}
	for free < 0 {
		at := 0
		for i, j := range chosen {
			if columns[j].Goes > columns[chosen[at]].Goes {
				at = i
			}
		}
		if columns[chosen[at]].Goes == 0 {
			break
		}
		free += gap + least(chosen[at])
		chosen = slices.Delete(chosen, at, at+1)
	}
	fitted, words := make([][]string, len(rows)), []int{}
	for i, j := range chosen {
		room := widths[j]
		if columns[j].Least > 0 {
			room = max(0, min(room, least(j)+free))
			free -= room - least(j)
		}
		if columns[j].Words {
			words = append(words, i)
		}
		for k, row := range rows {
			fitted[k] = append(fitted[k], ansi.Truncate(row[j], room, "…"))
		}
	}
	return Lines(gap, fitted, words...)
}

// Text is the header and the rows as lines, with columns as wide as they need to be.
func (t Table) Text() string {
	return strings.Join(Lines(2, slices.Concat([][]string{t.Header}, t.Rows), t.Words...), "\n")
}
