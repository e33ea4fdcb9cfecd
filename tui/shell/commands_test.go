package shell

import (
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/session"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// one is a screen with one command.
type one struct {
	blank
	command ui.Command
}

func (o one) Commands() []ui.Command { return []ui.Command{o.command} }

// Few functions of the interface lie between a key press and what it does: whoever looks for that reads them all.
func TestWayOfAKeyPressIsShort(t *testing.T) {
	const most = 6
	var way []string
	do := func() tea.Cmd {
		callers := make([]uintptr, 100)
		frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
		for {
			frame, more := frames.Next()
			if strings.HasPrefix(frame.Function, "rfm/tui/") {
				way = append(way, frame.Function)
			}
			if !more || strings.HasSuffix(frame.Function, "Model).Update") {
				return nil
			}
		}
	}
	s := session.New(session.Options{Config: tuitest.Tiny(t)})
	m := New(s, new(ui.Dialogs), Options{}, &one{command: ui.Command{Key: ui.KeyMedian, Do: do}})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.Update(tea.KeyPressMsg{Code: 'm', Text: "m"})
	if len(way) == 0 || len(way) > most {
		t.Errorf("%d functions, want at most %d: %s", len(way), most, strings.Join(way, " "))
	}
}

// counting is a screen that counts how often it is laid out.
type counting struct {
	blank
	arranged int
}

func (c *counting) Arrange(ui.Canvas) { c.arranged++ }

// A frame lays its screen out once: the footer, the help and the drawing read that layout.
func TestScreenIsLaidOutOnceAFrame(t *testing.T) {
	screen := &counting{}
	m := New(session.New(session.Options{Config: tuitest.Tiny(t)}), new(ui.Dialogs), Options{}, screen)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	for _, key := range []tea.KeyPressMsg{{Code: 'L', Text: "L"}, {Code: '?', Text: "?"}, {Code: 'x', Text: "x"}} {
		before := screen.arranged
		m.Update(key)
		m.View()
		if n := screen.arranged - before; n != 1 {
			t.Errorf("after %s it is laid out %d times", key, n)
		}
	}
}
