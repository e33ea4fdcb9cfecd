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

// Every kind of flag names the expected values, and a flag that would be ignored is refused.
func TestFlagsNameTheirValues(t *testing.T) {
	for want, args := range map[string]string{
		"--points x: a whole number from 1 to ":                              "invert x --points x",
		"--seed -1: a whole number from 0 to ":                               "demo --seed -1",
		"--noise 11: a number above 0, at most 10, is expected":              "invert x --noise 11",
		"--level 1: a number between 0 and 1 is expected":                    "predict x --level 1",
		"--time x: a time such as 90s or 3m is expected":                     "tune --time x",
		"--out y: the name of a .npy or .csv file, or - is expected":         "predict x --out y",
		"--layout x: auto, functions-first or points-first is expected":      "predict x --layout x",
		"--json maybe: true or false is expected":                            "show --json=maybe",
		"--format xls: npz, npy or csv is expected":                          "export x --format xls",
		"--level describes --bands, which is not given; leave it out":        "predict x --in a.npy --out u.npy --level 0.5",
		"--name does not go with --no-save, which stores nothing; leave it ": "run --no-save --name x",
	} {
		fails(t, exitUsage, want, strings.Fields(args)...)
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
