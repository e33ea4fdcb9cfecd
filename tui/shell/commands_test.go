package shell

import (
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
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
	m := New(s, new(ui.Dialogs), Options{}, &one{command: ui.Command{Key: keys.Median, Do: do}})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.Update(tea.KeyPressMsg{Code: 'm', Text: "m"})
	if len(way) == 0 || len(way) > most {
		t.Errorf("%d functions, want at most %d: %s", len(way), most, strings.Join(way, " "))
	}
}
