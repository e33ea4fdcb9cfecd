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
		for line := range strings.SplitSeq(text, "\n") {
			if ansi.StringWidth(line) > helpWidth {
				t.Errorf("%s: %d columns: %s", cmd.Name(), ansi.StringWidth(line), line)
			}
		}
	}
}

func TestTablesOfTheHelpAreAligned(t *testing.T) {
	long := strings.Repeat("word ", 30)
	lines := strings.Split(strings.TrimSuffix(helpTable([]string{"a", "burgers-fno-tuned"}, []string{long, "short"}),
		"\n"), "\n")
	for i, line := range lines {
		if strings.TrimLeft(line[21:22], " ") == "" || len(line) > helpWidth {
			t.Errorf("line %d: %q", i, line)
		}
	}
	if len(lines) < 3 || !strings.HasPrefix(lines[len(lines)-1], "  burgers-fno-tuned  short") ||
		strings.Index(lines[0], "word") != 21 {
		t.Errorf("%q", lines)
	}
}
