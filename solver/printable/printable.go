// Package printable makes text of other origin safe to show: names and contents of files, typed text. A terminal obeys
// control characters: some write its clipboard or its title, or overwrite earlier output. Here they become visible
// escapes: \u001b, \u202e, and \xff for a byte that is not UTF-8. The package also formats counts and durations.
package printable

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Line returns text on one line, with all control characters as escapes, a new line as \n and a tab as \t.
func Line(text string) string { return visible(text, false) }

// Text returns text as Line does, but keeps new lines and tabs.
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

// shown returns the character r, whose bytes are raw, or its escape.
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
		return fmt.Sprintf(`\u%04x`, r) // as JSON does
	}
	return raw
}

// acts reports whether a terminal obeys a character instead of showing it: the control characters C0 and C1, separators
// of lines and paragraphs, and characters that change the direction of writing.
func acts(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}
