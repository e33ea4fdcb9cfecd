package printable

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Writer is the last filter of text before a terminal. It passes text, new lines, tabs and styles (the control
// sequences SGR, except hidden text), and writes every other control character as an escape. A style ends with its
// line. The zero Writer with To set is ready for use.
type Writer struct {
	To io.Writer

	kept   string // an incomplete character or style at the end of the input
	styled bool
}

const (
	escape      = "\x1b"
	introducer  = escape + "["
	reset       = introducer + "m"
	longestName = 64 // bytes of a style; real ones are shorter
)

// Write writes text. It returns the error of To.
func (w *Writer) Write(p []byte) (int, error) {
	if err := w.write(w.kept+string(p), false); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes the incomplete rest that Write has kept. It returns the error of To.
func (w *Writer) Flush() error { return w.write(w.kept, true) }

func (w *Writer) write(text string, last bool) error {
	w.kept = ""
	var b strings.Builder
	for len(text) > 0 {
		if !last && unfinished(text) {
			w.kept = text
			break
		}
		if style := leadingStyle(text); style != "" {
			w.styled = style != reset && style != introducer+"0m"
			b.WriteString(style)
			text = text[len(style):]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		if r == '\n' && w.styled {
			b.WriteString(reset)
			w.styled = false
		}
		b.WriteString(shown(r, text[:size], true))
		text = text[size:]
	}
	if b.Len() == 0 {
		return nil
	}
	_, err := io.WriteString(w.To, b.String())
	return err
}

// unfinished reports whether text may be the beginning of a character or of a style.
func unfinished(text string) bool {
	if !utf8.FullRuneInString(text) {
		return true
	}
	if len(text) > longestName || !strings.HasPrefix(text, escape) {
		return false
	}
	return text == escape || strings.HasPrefix(text, introducer) &&
		strings.Trim(text[len(introducer):], "0123456789;:") == ""
}

// leadingStyle returns the style at the beginning of text, or "".
func leadingStyle(text string) string {
	if !strings.HasPrefix(text, introducer) {
		return ""
	}
	rest := text[len(introducer):]
	isOther := func(r rune) bool { return !strings.ContainsRune("0123456789;:", r) }
	end := strings.IndexFunc(rest, isOther)
	if end < 0 || end > longestName {
		return ""
	}
	if rest[end] != 'm' || hides(rest[:end]) {
		return ""
	}
	return text[:len(introducer)+end+1]
}

// hides reports whether the parameters of a style make text invisible.
func hides(parameters string) bool {
	list := strings.Split(parameters, ";")
	for i := 0; i < len(list); i++ {
		switch strings.TrimLeft(list[i], "0") {
		case "8":
			return true
		case "38", "48", "58": // a colour follows: 5;index or 2;red;green;blue
			isIndexed := i+1 < len(list) && strings.TrimLeft(list[i+1], "0") == "5"
			if isIndexed {
				i += 2
			} else {
				i += 4
			}
		}
	}
	return false
}
