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
		Terminal string
	}
	if err := json.Unmarshal([]byte(out), &report); code != exitDone || err != nil {
		t.Fatalf("exit code %d, %v: %s %s", code, err, out, errors)
	}
	if !strings.HasPrefix(report.Terminal, "none: ") || report.Cores < 1 {
		t.Errorf("%d cores, %s", report.Cores, report.Terminal)
	}
}
