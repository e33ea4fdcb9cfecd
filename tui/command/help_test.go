package command

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestHelpFitsATerminal(t *testing.T) {
	root := newApp(streams{}, nil).root()
	for _, cmd := range append(root.Commands(), root) {
		_, text, _ := call(t, nil, "help", cmd.Name())
		if cmd == root {
			_, text, _ = call(t, nil, "--help")
		}
		if !strings.Contains(text, "Usage:") {
			t.Errorf("%s has the help %q", cmd.Name(), text)
		}
		if lines := strings.Count(text, "\n"); cmd == root && lines > 24 {
			t.Errorf("the help of the program has %d lines", lines)
		}
		if strings.HasSuffix(strings.TrimSpace(text), ":") {
			t.Errorf("the help of %s ends with a title: %q", cmd.Name(), text)
		}
		for line := range strings.SplitSeq(text, "\n") {
			if ansi.StringWidth(line) > helpWidth {
				t.Errorf("%s: %d columns: %s", cmd.Name(), ansi.StringWidth(line), line)
			}
		}
	}
}
