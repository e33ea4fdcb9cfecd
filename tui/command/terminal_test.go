package command

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCheckDescribesMachineAndTerminal(t *testing.T) {
	code, out, errors := call(t, []string{"TERM=xterm", "SSH_TTY=/dev/pts/1", "LANG=C"}, "check", "--json", "--workers",
		"2")
	var report struct {
		Cores    int
		Terminal terminalReport
	}
	if err := json.Unmarshal([]byte(out), &report); code != exitDone || err != nil {
		t.Fatalf("exit code %d, %v: %s %s", code, err, out, errors)
	}
	if want := (terminalReport{Term: "xterm", Colors: "none", Remote: true}); report.Terminal != want ||
		report.Cores < 1 {
		t.Errorf("%d cores, %+v", report.Cores, report.Terminal)
	}
}

func TestTerminalsInWords(t *testing.T) {
	for _, c := range []struct {
		of   terminalReport
		want string
	}{
		{terminalReport{}, "none: "},
		{terminalReport{Terminal: true, Term: "xterm-256color", Colors: "256", Width: 80, Height: 24, Unicode: true},
			"xterm-256color, 80x24, colours: 256, UTF-8"},
		{terminalReport{Terminal: true, Term: "vt100", Colors: "none", Width: 40, Height: 24, Remote: true},
			"vt100, 40x24, colours: none, no UTF-8 locale: drawn in ASCII, over SSH; too small for the interface, which " +
				"needs 60x15"},
	} {
		if got := c.of.String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %q", c.of, got)
		}
	}
}
