// Package printable makes text of other origin safe to show: names and contents of files, typed text. A terminal obeys
// control characters: some write its clipboard or its title, or overwrite earlier output. Here they become visible
// escapes: \u001b, \u202e, and \xff for a byte that is not UTF-8. The package also formats counts and durations.
package printable

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns text on one line, with all control characters as escapes, a new line as \n and a tab as \t. Characters
// that cannot be seen, and marks that pile up on a letter, become escapes, too: two names that look alike are alike.
func Line(text string) string { return visible(text, false) }

// Text returns text as Line does, but keeps new lines and tabs.
func Text(text string) string { return visible(text, true) }

// Is reports whether Line would leave text as it is.
func Is(text string) bool { return Line(text) == text }

func visible(text string, lines bool) string {
	var b strings.Builder
	marks := 0 // on the last letter
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		raw := text[i : i+size]
		i += size
		if r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me) {
			marks++
		} else {
			marks = 0
		}
		if marks > mostMarks || slices.Contains(blanks, r) {
			b.WriteString(escaped(r))
		} else {
			b.WriteString(shown(r, raw, lines))
		}
	}
	return b.String()
}

// mostMarks is the number of marks on a letter that languages need.
const mostMarks = 4

// blanks are letters and patterns that look like blanks. The interface itself draws the last one.
var blanks = []rune{0x115f, 0x1160, 0x3164, 0xffa0, 0x2800}

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
		return escaped(r)
	}
	return raw
}

// escaped returns the escape of a character: as JSON has it, and as Python has those that JSON cannot write in one.
func escaped(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// acts reports whether a terminal obeys a character instead of showing it: the control characters C0 and C1, separators
// of lines and paragraphs, and formats, which change the direction of writing, join letters or have no width.
func acts(r rune) bool {
	if r >= 0x20 && r < 0x7f { // most of all text
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Cut returns the first characters of a text, at most most of them, with "..." in place of others.
func Cut(text string, most int) string {
	for at := range text {
		if most--; most < 0 {
			return text[:at] + "..."
		}
	}
	return text
}

// Duration formats a time in seconds with two or three significant digits: 0.21 s, 12 s, 3 min 20 s, 2 h 5 min.
func Duration(seconds float64) string {
	switch {
	case math.IsNaN(seconds) || seconds < 0:
		return "? s"
	case seconds == 0:
		return "0 ms"
	case seconds < 0.0000995:
		return fmt.Sprintf("%.2g us", seconds*1e6)
	case seconds < 0.00995:
		return fmt.Sprintf("%.2g ms", seconds*1e3)
	case seconds < 0.0995:
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	case seconds < 0.995:
		return fmt.Sprintf("%.2f s", seconds)
	case seconds < 9.95:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 99.5:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 3600:
		s := int(math.Round(seconds))
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	case seconds < 360000:
		m := int(math.Round(seconds / 60))
		return fmt.Sprintf("%d h %d min", m/60, m%60)
	}
	return fmt.Sprintf("%.0f days", seconds/86400)
}

// DurationRange formats a range of times in one unit with one digit, or without a fraction from 10 on: 3 to 9 s, 0.5 to 3
// min. The range that is printed contains the other. Times of which one is far shorter have two units: 5.0 s to 3 min.
func DurationRange(least, most float64) string {
	unit := "s"
	size := 1.0 // in seconds
	switch {
	case most >= 2*3600:
		unit = "h"
		size = 3600
	case most >= 100:
		unit = "min"
		size = 60
	}
	to := rounded(most/size, math.Ceil)
	const far = 0.1
	if size > 1 && least < far*size {
		return fmt.Sprintf("%s to %g %s", Duration(least), to, unit)
	}
	from := rounded(least/size, math.Floor)
	return fmt.Sprintf("%g to %g %s", from, to, unit)
}

// rounded rounds a number to one digit, or to a whole number from 10 on.
func rounded(x float64, round func(float64) float64) float64 {
	if x >= 1 || !(x > 0) {
		return round(x)
	}
	scale := math.Pow(10, math.Ceil(-math.Log10(x)))
	return round(x*scale) / scale
}

// Several formats a count of things: 1 worker, 2 workers.
func Several(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Sentence returns a clause as a sentence, with a capital letter and a full stop.
func Sentence(clause string) string {
	first, size := utf8.DecodeRuneInString(clause)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + clause[size:] + "."
}

// Names lists names in quotation marks: "a", "u" and "x".
func Names(names []string) string {
	var text strings.Builder
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			text.WriteString(" and ")
		default:
			text.WriteString(", ")
		}
		text.WriteString(strconv.Quote(name))
	}
	return text.String()
}

// plain contains the characters without a meaning to a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-"

// Quote returns a word quoted for a shell. It passes unprintable characters through printf(1), which loses new lines at
// the end.
func Quote(word string) string {
	if !Is(word) {
		return unprintable(word)
	}
	withoutSign := strings.Replace(word, "=", "", 1)
	isPlain := word != "" && strings.Trim(withoutSign, plain) == ""
	if isPlain && word[0] != '=' {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Path returns the name of a file as an argument: quoted, and never mistaken for a flag.
func Path(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return Quote(name)
}

// unprintable quotes a word with bytes that cannot be shown.
func unprintable(word string) string {
	var b strings.Builder
	for i := range len(word) {
		if c := word[i]; strings.IndexByte(plain, c) >= 0 && c != '%' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03o`, c)
		}
	}
	return `"$(printf -- '` + b.String() + `')"`
}
