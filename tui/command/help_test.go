package command

import (
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/solver/dataset/arraytest"
	"rfm/tui/terminal"
)

func TestHelpFitsATerminal(t *testing.T) {
	root := (&app{Terminal: terminal.New(nil, io.Discard, io.Discard, nil)}).root()
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
			if ansi.StringWidth(line) > terminal.Usual {
				t.Errorf("%s: %d columns: %s", cmd.Name(), ansi.StringWidth(line), line)
			}
		}
	}
}

// The text of `rfm run` and `rfm show` fits into 80 columns.
func TestResultsFitIntoTheWidth(t *testing.T) {
	t.Chdir(t.TempDir())
	const n, K = 12, 17
	arraytest.NPY(t, "pairs.npy", arrayOf(func(at []int) float64 {
		i, s := float64(at[0]), float64(at[1]%(K-1))/(K-1)
		v := (1 + float64(at[0]*at[0]%7)) * s * (1 - s) * (1 + i*s)
		if at[2] == 1 {
			v = (1+s*(1-s))*v*v + float64(at[0]%3)
		}
		return v
	}, n, K, 2)) // not one of the usual layouts
	for _, args := range [][]string{
		{"run", "functions", "--train-data", "pairs.npy", "-m", "8", "--name", "x", "--set", "evaluation.baselines=yes"},
		{"run", "quick", "-n", "40", "--test", "10", "-m", "8", "--no-save", "--no-baselines"},
		{"show", "pairs.npy", "runs/x/model.npz"}, {"show", "runs/x"}, {"check"},
	} {
		code, out, errors := call(t, nil, args...)
		expect(t, code, exitDone, errors)
		for _, line := range strings.Split(out+errors, "\n") {
			if ansi.StringWidth(line) > terminal.Usual {
				t.Errorf("rfm %s: %d columns: %q", args[0], ansi.StringWidth(line), line)
			}
		}
	}
}
