// This file writes words such that a shell (sh, bash, zsh, ksh) reads them as they are, for commands that a person is
// advised to type.

package printable

import (
	"fmt"
	"strings"
)

// plain are the characters that mean nothing to a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-"

// Quote is a word as a shell takes it. Characters that cannot be printed are left to printf(1); of these, new lines at
// the end are lost.
func Quote(word string) string {
	switch {
	case !Is(word):
		return unprintable(word)
	case word != "" && strings.Trim(strings.Replace(word, "=", "", 1), plain) == "" && word[0] != '=':
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Path is the name of a file as an argument: quoted, and never taken for a flag.
func Path(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return Quote(name)
}

// unprintable is a word with bytes that cannot be shown.
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
