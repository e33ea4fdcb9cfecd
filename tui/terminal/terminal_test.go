package terminal

import (
	"image/color"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/theme"
)

func TestLocaleDecidesAboutUnicode(t *testing.T) {
	for _, test := range []struct {
		environ []string
		want    bool
		dots    bool
	}{
		{[]string{"LANG=en_US.UTF-8"}, true, true},
		{[]string{"LANG=C.utf8"}, true, true},
		{[]string{"LANG=C.utf8", "TERM=linux"}, true, false},
		{[]string{"LANG=en_US.UTF-8", "LC_ALL=C"}, false, false},
		{[]string{"LC_ALL=POSIX"}, false, false},
		{[]string{"TERM=xterm-256color"}, true, true},
		{[]string{"TERM=linux"}, false, false},
		{[]string{"TERM=dumb"}, os.PathSeparator == '\\', false},
	} {
		a := New(nil, nil, nil, test.environ)
		if got := a.Appearance().Dots(); got != test.dots && os.PathSeparator != '\\' {
			t.Errorf("%v: dots %v", test.environ, got)
		}
		if got := utf8Locale(test.environ); got != test.want {
			t.Errorf("%v: %v", test.environ, got)
		}
	}
}

// RFM_THEME decides about the background, else COLORFGBG until the terminal answers.
func TestEnvironmentDecidesAboutTheBackground(t *testing.T) {
	for _, test := range []struct {
		environ      []string
		light, fixed bool
	}{
		{nil, false, false},
		{[]string{"COLORFGBG=0;15"}, true, false},
		{[]string{"COLORFGBG=0;default;7"}, true, false},
		{[]string{"COLORFGBG=15;0"}, false, false},
		{[]string{"COLORFGBG=7;8"}, false, false},
		{[]string{"COLORFGBG=15;default"}, false, false},
		{[]string{"RFM_THEME=light", "COLORFGBG=15;0"}, true, true},
		{[]string{"RFM_THEME=dark", "COLORFGBG=0;15"}, false, true},
	} {
		o := New(nil, nil, nil, test.environ).Appearance()
		if o.Light != test.light || o.Fixed != test.fixed {
			t.Errorf("%v: light %t, fixed %t", test.environ, o.Light, o.Fixed)
		}
		heard := theme.New(o).Hear(tea.BackgroundColorMsg{Color: color.White})
		if want := test.light || !test.fixed; heard.Light != want {
			t.Errorf("%v: light %t once the terminal has said that it is white", test.environ, heard.Light)
		}
	}
}

// A bar leaves room for the progress of many predictions that take milliseconds.
func TestBarLeavesRoomForText(t *testing.T) {
	const text = "1000 of 2500 predictions, 1.2 ms left"
	state := State(func() (string, float64, func(int) string) {
		return "evaluate", 0.4, func(int) string { return text }
	})
	if line := state.line(64); !strings.HasSuffix(line, text) {
		t.Errorf("%q", line)
	}
}

// While workers compute and garbage is collected, which takes a quarter of what runs at once, something is left for keys.
func TestKeysDoNotWaitForWorkers(t *testing.T) {
	for workers := 1; workers <= 128; workers++ {
		n := processors(workers)
		collectors := int(0.25*float64(n) + 0.5) // as in runtime/mgcpacer.go
		if left := n - workers - collectors; left < 1 || left > 2 {
			t.Errorf("%d workers and %d collectors of %d leave %d", workers, collectors, n, left)
		}
	}
}
