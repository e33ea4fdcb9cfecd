package terminal

import (
	"os"
	"testing"
	"time"

	"github.com/charmbracelet/ultraviolet"
)

// Esc and a key that arrive together are esc, then the key; sequences and pastes stay as they are.
func TestEscBeforeAKeyIsAKeyOfItsOwn(t *testing.T) {
	for input, want := range map[string]string{
		"q":                             "q",
		"\x1b":                          "\x1b",
		"\x1bq":                         escape + "q",
		"\x1b\t":                        escape + "\t",
		"\x1b\r5":                       escape + "\r5",
		"x\x1b\x1b[Ay":                  "x" + escape + "\x1b[Ay",
		"\x1b\x1b":                      escape + "\x1b",
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

// The key may arrive a moment after esc, in another packet: it is held back until esc has been taken.
func TestKeyShortlyAfterEsc(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	k := &keyboard{File: in, gone: func() {}}
	begin := time.Now()
	for _, c := range []struct {
		packet, want string
		held         bool
	}{{"\x1b", "\x1b", false}, {"[A", "[A", false}, {"\x1b", "\x1b", false}, {"q", "q", true}, {"q", "q", false}} {
		if _, err := out.WriteString(c.packet); err != nil {
			t.Fatal(err)
		}
		part := make([]byte, 4096)
		before := time.Now()
		n, err := k.Read(part)
		if err != nil || string(part[:n]) != c.want {
			t.Errorf("%q becomes %q (%v)", c.packet, part[:n], err)
		}
		if took := time.Since(before); c.held && took < 40*time.Millisecond {
			t.Errorf("%q %v after esc is held for %v", c.packet, time.Since(begin), took)
		}
	}
}
