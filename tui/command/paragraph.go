// This file breaks sentences into lines.

package command

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// paragraph breaks text into lines of at most helpWidth columns, at blanks only: file names and flags stay whole. The
// first line begins with begin, the others with as many blanks as indent has.
func paragraph(begin, text string, indent int) string {
	var b strings.Builder
	line := begin
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case ansi.StringWidth(line)+1+ansi.StringWidth(word) > helpWidth:
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", indent) + word
		default:
			line += " " + word
		}
	}
	return b.String() + line
}
