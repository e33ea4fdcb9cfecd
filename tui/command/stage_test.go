// Programs on virtual terminals: scripts and recordings.

package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/tui/emulator"
	"rfm/tui/record"
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

// recorded reads a recording and returns its last screens that are not blank, one for each size.
func recorded(t *testing.T, name string) (h record.Header, screens []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h, events, err := record.Read(f, name)
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	record.Play(h, events, func(e record.Event, screen *emulator.Terminal) bool {
		if e.Kind == record.Resize {
			screens, last = append(screens, last), ""
		}
		if text := screen.String(); strings.TrimSpace(text) != "" {
			last = text
		}
		return true
	})
	return h, append(screens, last)
}

func TestDemoIsScriptedAndRecordedWithoutATerminal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "demo.cast")
	steps := written(t, "steps.txt", "until Functions in, functions out\nkey right\nexpect 2/18\nresize 100x30\nkey space\nuntil paused\n")
	code, out, errors := call(t, nil, "demo", "--script", steps, "--record", name)
	if code != exitDone || out != "" {
		t.Fatalf("exit code %d: %s%s", code, out, errors)
	}
	h, screens := recorded(t, name)
	if h.Width != 80 || h.Height != 24 || len(screens) != 2 {
		t.Fatalf("a recording of %dx%d with %d sizes", h.Width, h.Height, len(screens))
	}
	if !strings.Contains(screens[0], "Inputs are drawn at random") || !strings.Contains(screens[1], "paused") {
		t.Errorf("the recording shows\n%s\nand then\n%s", screens[0], screens[1])
	}
	if lines := strings.Count(screens[1], "\n") + 1; lines != 30 {
		t.Errorf("%d lines after the resize", lines)
	}
}

func TestInterfaceIsScriptedWithoutATerminal(t *testing.T) {
	steps := written(t, "steps.txt", "until 1 configure\nkey a\nuntil errors  transfer\n")
	code, out, errors := call(t, nil, "--script", steps, "--no-save", "-n", "20", "-m", "16", "--test", "10", "-K", "33", "--set", "data.grid=257", "--size", "100x40")
	if code != exitDone || !strings.Contains(out, "expected relative test error") {
		t.Errorf("exit code %d: %s%s", code, out, errors)
	}
}

func TestUnmetScriptShowsTheScreenAndEndsWithItsCode(t *testing.T) {
	steps := written(t, "steps.txt", "until 1/18\nuntil no such text 10ms\n")
	code, _, errors := call(t, nil, "demo", "--script", steps)
	if code != exitUnsound || !strings.Contains(errors, "line 2: the screen does not show \"no such text\"") || !strings.Contains(errors, "Functions in, functions out") {
		t.Errorf("exit code %d: %s", code, errors)
	}
}

func TestScriptThatOutlivesTheProgramFails(t *testing.T) {
	steps := written(t, "steps.txt", "until 1/18\nkey q\nuntil more 10s\n")
	if code, _, errors := call(t, nil, "demo", "--script", steps); code != exitData || !strings.Contains(errors, "the program has ended") {
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

func TestCancelledPerformanceEndsAndLeavesARecording(t *testing.T) {
	name := filepath.Join(t.TempDir(), "demo.cast")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		const begun = 1000 // bytes: more than the first line, the first screen has several thousand
		for ; ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
			if info, err := os.Stat(name); err == nil && info.Size() > begun {
				cancel()
			}
		}
	}()
	var out, errors bytes.Buffer
	code := run(ctx, []string{"demo", "--record", name}, streams{in: strings.NewReader(""), out: &out, err: &errors}, nil)
	if code != exitCancelled {
		t.Errorf("exit code %d: %s", code, errors.String())
	}
	if _, screens := recorded(t, name); len(screens) != 1 {
		t.Errorf("%d sizes", len(screens))
	}
}

func TestVirtualTerminalsHaveColoursUnlessNotWanted(t *testing.T) {
	steps := written(t, "steps.txt", "until 1/18\n")
	for _, c := range []struct {
		args    []string
		environ []string
		colours bool
	}{
		{nil, nil, true},
		{nil, []string{"NO_COLOR=1"}, false},
		{[]string{"--color", "always"}, []string{"NO_COLOR=1"}, true},
		{[]string{"--color", "never"}, nil, false},
	} {
		name := filepath.Join(t.TempDir(), "demo.cast")
		if code, _, errors := call(t, c.environ, slices.Concat([]string{"demo", "--script", steps, "--record", name}, c.args)...); code != exitDone {
			t.Fatalf("exit code %d: %s", code, errors)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(text, []byte(`[38;5;`)); got != c.colours {
			t.Errorf("%q with %q: colours %v", c.args, c.environ, got)
		}
	}
}

// A tty returns the carriage at the end of a line, and so does a recording of what is drawn for one.
func TestRecordingsReturnTheCarriage(t *testing.T) {
	var b bytes.Buffer
	if n, err := (cooked{&b}).Write([]byte("a\nb\n")); n != 4 || err != nil || b.String() != "a\r\nb\r\n" {
		t.Errorf("%d, %v, %q", n, err, b.String())
	}
}
