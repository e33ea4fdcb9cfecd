package layout

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// CursorMark stands in a drawn text before the character at which the person types, where the cursor of the terminal is to
// be: it may be styled as its user likes, input methods open their windows there, and screen readers read on from there.
// The mark takes no cell, so that whatever puts texts beside and over each other carries it along. It is the last one of
// Unicode's variation selectors, which no keyboard types.
const CursorMark = "\U000E01EF"

// A Place is a cell of a text: a column and a line.
type Place struct {
	X, Y int
}

// TakeCursor returns a text without marks of cursors, and the place of the last one, which is on top.
func TakeCursor(text string) (plain string, at Place, found bool) {
	last := strings.LastIndex(text, CursorMark)
	if last < 0 {
		return text, Place{}, false
	}
	before := text[:last]
	line := before[strings.LastIndex(before, "\n")+1:]
	at = Place{
		X: ansi.StringWidth(line),
		Y: strings.Count(before, "\n"),
	}
	return strings.ReplaceAll(text, CursorMark, ""), at, true
}
