package command

import (
	"os/exec"
	"strings"
	"testing"
)

func TestShellsGetTheirCode(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish", "powershell"} {
		code, out, errors := call(t, nil, "completion", name)
		if code != exitDone || !strings.Contains(out, "rfm") || !strings.Contains(out, "__complete") {
			t.Errorf("%s: exit code %d, %d bytes: %s", name, code, len(out), errors)
		}
		if shell, err := exec.LookPath(name); err == nil && name != "powershell" {
			cmd := exec.Command(shell, "-n")
			cmd.Stdin = strings.NewReader(out)
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s does not read its code: %v: %s", name, err, text)
			}
		}
	}
}
