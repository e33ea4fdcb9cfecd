// This file quotes words for a shell (sh, bash, zsh, ksh), for commands that the program advises a person to type.

package printable

import (
	"fmt"
	"strings"
)

// plain contains the characters without a meaning to a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+:,./-"

// Quote returns a word quoted for a shell. It passes unprintable characters through printf(1), which loses new lines at
// the end.
func Quote(word string) string {
	switch {
	case !Is(word):
		return unprintable(word)
	case word != "" && strings.Trim(strings.Replace(word, "=", "", 1), plain) == "" && word[0] != '=':
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
