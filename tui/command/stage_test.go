// Programs on virtual terminals: scripts and recordings.

package command

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// written writes a file in a new directory and returns its name.
func written(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestDemoIsScriptedAndRecordedWithoutATerminal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "demo.cast")
	steps := written(t, "steps.txt",
		"until Functions in, functions out 5m\nkey right\nuntil Inputs are drawn at random 5m\nresize 100x30\nkey "+
			"space\nuntil paused 5m\n")
	code, out, errors := call(t, nil, "demo", "--script", steps, "--record", name)
	if code != exitDone || out != "" {
		t.Fatalf("exit code %d: %s%s", code, out, errors)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), `{"version":2,"width":80,"height":24,`) ||
		!strings.Contains(string(text), `"r","100x30"]`) {
		t.Errorf("the recording is\n%s", text)
	}
}

func TestInterfaceIsScriptedWithoutATerminal(t *testing.T) {
	steps := written(t, "steps.txt", "until 1 configure 5m\nkey a\nuntil errors  transfer 5m\n")
	code, out, errors := call(t, nil, "--script", steps, "--no-save", "-n", "20", "-m", "16", "--test", "10", "-K", "33",
		"--set", "data.grid=257", "--size", "100x40")
	if code != exitDone || !strings.Contains(out, "expected relative test error") {
		t.Errorf("exit code %d: %s%s", code, out, errors)
	}
}

func TestUnmetScriptShowsTheScreenAndEndsWithItsCode(t *testing.T) {
	steps := written(t, "steps.txt", "until 1/21 5m\nuntil no such text 10ms\n")
	code, _, errors := call(t, nil, "demo", "--script", steps)
	if code != exitUnsound || !strings.Contains(errors, "line 2: the screen does not show \"no such text\"") ||
		!strings.Contains(errors, "A simulation, learned from examples") {
		t.Errorf("exit code %d: %s", code, errors)
	}
}

func TestStagingMistakes(t *testing.T) {
	steps := written(t, "steps.txt", "key enter\npress x\n")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"demo"}, exitUsage, "needs a terminal"},
		{[]string{"demo", "--script", steps}, exitData, "line 2"},
		{[]string{"demo", "--script", steps + ".no"}, exitData, "cannot be read"},
		{[]string{"demo", "--record", filepath.Join(steps, "a.cast")}, exitData, "cannot be made"},
		{[]string{"demo", "--size", "80"}, exitUsage, "--size 80"},
		{[]string{"demo", "--size", "80x24", "--speed", "0"}, exitUsage, "--speed 0"},
		{[]string{"demo", "--size", "80x24", "--speed", "NaN"}, exitUsage, "--speed NaN"},
		{[]string{"demo", "extra"}, exitUsage, "no arguments"},
	} {
		if code, _, errors := call(t, nil, c.args...); code != c.code || !strings.Contains(errors, c.want) {
			t.Errorf("%q: exit code %d: %s", c.args, code, errors)
		}
	}
}

func TestVirtualTerminalsHaveColoursUnlessNotWanted(t *testing.T) {
	steps := written(t, "steps.txt", "until 1/21 5m\n")
	for _, c := range []struct {
		args    []string
		environ []string
		colors  bool
	}{
		{nil, nil, true},
		{nil, []string{"NO_COLOR=1"}, false},
		{[]string{"--color", "always"}, []string{"NO_COLOR=1"}, true},
		{[]string{"--color", "never"}, nil, false},
	} {
		name := filepath.Join(t.TempDir(), "demo.cast")
		if code, _, errors := call(t, c.environ, slices.Concat([]string{"demo", "--script", steps, "--record", name},
			c.args)...); code != exitDone {
			t.Fatalf("exit code %d: %s", code, errors)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(text, []byte(`[38;5;`)); got != c.colors {
			t.Errorf("%q with %q: colours %v", c.args, c.environ, got)
		}
	}
}
