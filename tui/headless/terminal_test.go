package headless

import (
	"strings"
	"testing"
	"time"
)

func TestTextAppearsWhereTheCursorIs(t *testing.T) {
	e := NewTerminal(20, 3)
	e.Write([]byte("one\r\ntwo\x1b[3;5Hthree\x1b[1;1HO"))
	if want := "One\ntwo\n    three"; e.String() != want {
		t.Errorf("got %q, want %q", e.String(), want)
	}
}

func TestSequencesMayBeSplitAnywhere(t *testing.T) {
	const text = "\x1b[>4;1m\x1b[=1;1u\x1b[31mred ▲ done\x1b[m\x1b[?1049h"
	whole := NewTerminal(30, 2)
	whole.Write([]byte(text))
	for i := range text {
		e := NewTerminal(30, 2)
		e.Write([]byte(text[:i]))
		e.Write([]byte(text[i:]))
		if e.String() != whole.String() {
			t.Fatalf("split before byte %d: %q, whole %q", i, e.String(), whole.String())
		}
	}
}

func TestResizedTerminalHasNewSize(t *testing.T) {
	e := NewTerminal(10, 2)
	e.Resize(12, 4)
	e.Write([]byte("\x1b[4;1Hbottom"))
	if lines := strings.Split(e.String(), "\n"); len(lines) != 4 || lines[3] != "bottom" {
		t.Errorf("%q", lines)
	}
}

func TestTextIsAwaited(t *testing.T) {
	e := NewTerminal(10, 2)
	go e.Write([]byte("late"))
	if !e.Await("late", 5*time.Minute) {
		t.Error("what is written is not seen")
	}
	if e.Await("never", time.Millisecond) {
		t.Error("what is not written is seen")
	}
}
