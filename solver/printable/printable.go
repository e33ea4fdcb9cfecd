// Package printable makes text that others have written safe to show: names of files, what is in them, what was typed.
// A terminal obeys control characters; some write its clipboard, its title or over what was said before. Here they
// become visible escapes: \u001b, \u202e, and \xff for a byte that is not UTF-8. It also writes how many there are of a
// thing.
package printable

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Line is text on one line: all control characters are shown as escapes, a new line as \n and a tab as \t.
func Line(text string) string { return visible(text, false) }

// Text is Line but for new lines and tabs, which stay.
func Text(text string) string { return visible(text, true) }

// Is reports whether Line would leave text as it is.
func Is(text string) bool { return Line(text) == text }

func visible(text string, lines bool) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		b.WriteString(shown(r, text[i:i+size], lines))
		i += size
	}
	return b.String()
}

// shown is the character r, which is written in the bytes raw, or the escape that stands for it.
func shown(r rune, raw string, lines bool) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case lines && (r == '\n' || r == '\t'):
		return raw
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case acts(r):
		return fmt.Sprintf(`\u%04x`, r) // as JSON writes it
	}
	return raw
}

// acts reports whether a terminal does not show a character but obeys it: the control characters C0 and C1, separators
// of lines and paragraphs, and what turns the direction of writing.
func acts(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}
