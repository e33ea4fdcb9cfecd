package terminal

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/charmbracelet/ultraviolet"
)

// Esc and a key that arrive together are esc, then the key; sequences and pastes stay as they are.
func TestEscBeforeAKeyIsAKeyOfItsOwn(t *testing.T) {
	for input, want := range map[string]string{
		"q":                             "q",
		"\x1b":                          escape,
		"\x1bq":                         escape + "q",
		"\x1b\t":                        escape + "\t",
		"\x1b\r5":                       escape + "\r5",
		"x\x1b\x1b[Ay":                  "x" + escape + "\x1b[Ay",
		"\x1b\x1b":                      escape + escape,
		"\x1b[A\x1bOP":                  "\x1b[A\x1bOP",
		"\x1b[1;3D":                     "\x1b[1;3D",
		"\x1b[98;3u":                    "\x1b[98;3u",
		"é\x1b漢":                        "é" + escape + "漢",
		"\x1b]11;rgb:0/0/0\x1b\\q":      "\x1b]11;rgb:0/0/0\x1b\\q",
		"\x1b\\":                        "\x1b\\",
		"\x1b[200~a\x1bq\x1b[201~\x1bq": "\x1b[200~a\x1bq\x1b[201~" + escape + "q",
		"\xff\x1b\xfe":                  "\xff" + escape + "\xfe",
	} {
		k := &keyboard{}
		if got := string(k.apart([]byte(input))); got != want {
			t.Errorf("%q becomes %q, want %q", input, got, want)
		}
	}
	var decoder uv.EventDecoder
	if n, event := decoder.Decode([]byte(escape)); n != len(escape) || event.(uv.KeyPressEvent).String() != "esc" {
		t.Errorf("%q is read as %v", escape, event)
	}
}

// The key, or the rest of a sequence, may arrive a moment after esc, in another packet.
func TestInputShortlyAfterEsc(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"\x1b", "", escape}, {"\x1b", "q", escape + "q"}, {"\x1b", "[A", "\x1b[A"}, {"x\x1b", "\t", "x" + escape + "\t"},
		{"\x1b]11;rgb:0/0/0\x1b", "\\", "\x1b]11;rgb:0/0/0\x1b\\"},
	} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.WriteString(c.first); err != nil {
			t.Fatal(err)
		}
		written := make(chan error, 1)
		time.AfterFunc(5*time.Millisecond, func() {
			_, err := out.WriteString(c.second)
			written <- err
		})
		k := &keyboard{File: in, gone: func() {}}
		late := string(new(keyboard).apart([]byte(c.first))) // on a machine that is too busy to be in time
		part := make([]byte, 4096)
		n, err := k.Read(part)
		if text := string(part[:n]); err != nil || text != c.want && text != late {
			t.Errorf("%q, then %q, is %q (%v), want %q", c.first, c.second, text, err, c.want)
		}
		if err := errors.Join(<-written, out.Close(), in.Close()); err != nil {
			t.Error(err)
		}
	}
}
