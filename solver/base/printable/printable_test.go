package printable

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

func TestControlCharactersBecomeVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain ü 漢 😀":               "plain ü 漢 😀",
		"clipboard\x1b]52;c;cHg=\a": `clipboard\u001b]52;c;cHg=\u0007`,
		"two\nlines\tand":           `two\nlines\tand`,
		"\r\x1b[2K":                 `\u000d\u001b[2K`,
		"C1 \u009b31m \x9b":         `C1 \u009b31m \x9b`,
		"right \u202eto left\u2069": `right \u202eto left\u2069`,
		"\x7f\u2028":                `\u007f\u2028`,
		"\xff\xfe \xe2\x82":         `\xff\xfe \xe2\x82`,
		"the sign \ufffd itself":    "the sign \ufffd itself",
		"u\u200bx \u200e\u200f":     `u\u200bx \u200e\u200f`,
		"\ufeffa\u00adb\u061c":      `\ufeffa\u00adb\u061c`,
		"tag \U000e0041":            `tag \U000e0041`,
		"\u115f\u1160\u3164\uffa0":  `\u115f\u1160\u3164\uffa0`,
		"\u2800\u2801":              `\u2800` + "\u2801",
		"e\u0301\u0323 ệ":           "e\u0301\u0323 ệ",
		"z" + strings.Repeat("\u0300", 6) + "a\u0300": "z" + strings.Repeat("\u0300", 4) + `\u0300\u0300` +
			"a\u0300",
	} {
		if got := Line(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if Is(text) != (want == text) {
			t.Errorf("%q: Is says %v", text, Is(text))
		}
	}
	if got := Text("a\n\tb\r\x1b[m"); got != "a\n\tb\\u000d\\u001b[m" {
		t.Errorf("text is %q", got)
	}
}

// Every format character of Unicode is escaped, also by the last filter before a terminal.
func TestFormatsAreEscaped(t *testing.T) {
	for r := range rune(unicode.MaxRune) {
		if !unicode.Is(unicode.Cf, r) {
			continue
		}
		var out bytes.Buffer
		w := Writer{To: &out}
		if _, err := w.Write([]byte("a" + string(r) + "b")); err != nil || out.String() != Line("a"+string(r)+"b") ||
			strings.ContainsRune(out.String(), r) {
			t.Errorf("%U: got %q, %v, want it as Line shows it", r, out.String(), err)
		}
	}
}

func TestWriterPassesStylesAlone(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b[1;38;5;8mbold\x1b[m and\n\tmore":   "\x1b[1;38;5;8mbold\x1b[m and\n\tmore",
		"\x1b[38;2;8;8;8mgrey\x1b[0m":            "\x1b[38;2;8;8;8mgrey\x1b[0m",
		"\x1b[4:3mcurly\x1b[m":                   "\x1b[4:3mcurly\x1b[m",
		"\x1b[31mopen\nnext":                     "\x1b[31mopen\x1b[m\nnext",
		"\x1b[8mhidden\x1b[m":                    `\u001b[8mhidden` + "\x1b[m",
		"\x1b[38;5;1;8mhidden":                   `\u001b[38;5;1;8mhidden`,
		"\x1b]52;c;cHg=\a\x1b[2J\x1b[1A\x1bc":    `\u001b]52;c;cHg=\u0007\u001b[2J\u001b[1A\u001bc`,
		"\x1b[?25l\x1b[>4m\x1bP\x1b\\":           `\u001b[?25l\u001b[>4m\u001bP\u001b\`,
		"ends in \x1b[1":                         `ends in \u001b[1`,
		"ends in \xe2\x82":                       `ends in \xe2\x82`,
		"\x1b[" + strings.Repeat("1;", 99) + "m": `\u001b[` + strings.Repeat("1;", 99) + "m",
	} {
		for _, piece := range []int{1, 3, len(text)} { // as many bytes at once
			var out bytes.Buffer
			w := Writer{To: &out}
			for rest := []byte(text); len(rest) > 0; {
				n := min(piece, len(rest))
				if wrote, err := w.Write(rest[:n]); wrote != n || err != nil {
					t.Fatal(wrote, err)
				}
				rest = rest[n:]
			}
			if err := w.Flush(); err != nil || out.String() != want {
				t.Errorf("%q in pieces of %d: %q, want %q, %v", text, piece, out.String(), want, err)
			}
		}
	}
}

func TestJSONStaysTheSame(t *testing.T) {
	text := "\x1b]52;\a \u009b \u202e \u2028 \x7f \r\n\t"
	encoded, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := Writer{To: &out}
	if _, err := w.Write(encoded); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != text || !Is(out.String()) {
		t.Errorf("%q: got %v, %q, want printable JSON of %q", out.String(), err, back, text)
	}
}

func FuzzWriter(f *testing.F) {
	f.Add([]byte("\x1b[1mx\x1b[8m\x1b]52;c;\a\n\x9b"), 2)
	f.Fuzz(func(t *testing.T, text []byte, piece int) {
		var out bytes.Buffer
		w := Writer{To: &out}
		for rest := text; len(rest) > 0; {
			n := min(max(piece, 1), len(rest))
			if _, err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		rest := out.String()
		for rest != "" {
			if style := leadingStyle(rest); style != "" {
				rest = rest[len(style):]
			} else if !Is(strings.NewReplacer("\n", "", "\t", "").Replace(rest[:1])) && rest[0] < 0x80 {
				t.Fatalf("%q becomes %q", text, out.String())
			} else {
				rest = rest[1:]
			}
		}
	})
}

func TestRangesOfTimeHaveOneUnit(t *testing.T) {
	for _, c := range []struct {
		least, most float64
		want        string
	}{{0.42, 1.6, "0.4 to 2 s"}, {3.1, 9.2, "3 to 10 s"}, {24, 96, "24 to 96 s"}, {31, 124, "0.5 to 3 min"}, {900, 3600, "15 to 60 min"},
		{3600, 9000, "1 to 3 h"}, {0.032, 0.069, "0.03 to 0.07 s"}, {5, 124, "5.0 s to 3 min"}} {
		if got := DurationRange(c.least, c.most); got != c.want {
			t.Errorf("%g to %g s is %q, want %q", c.least, c.most, got, c.want)
		}
	}
}
