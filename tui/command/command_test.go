package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"rfm/model/check"
	"rfm/model/engine"
	"rfm/solver/printable"
)

// tinyArgs describe an experiment that takes a fraction of a second.
var tinyArgs = []string{"run", "quick", "-n", "20", "-m", "16", "--test", "10", "-K", "33", "--set", "data.grid=257",
	"--set", "tolerance=1e-6", "--no-baselines"}

// call runs the program and returns its exit code and output.
func call(t *testing.T, environ []string, args ...string) (code int, out, errors string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), with(args), streams{in: strings.NewReader(""), out: &stdout, err: &stderr}, environ)
	return code, stdout.String(), stderr.String()
}

func with(args []string, more ...string) []string {
	return append(append([]string{}, args...), more...)
}

// decode reads the only JSON object of a text.
func decode(t *testing.T, text string, into any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil || decoder.More() {
		t.Fatalf("%v in %.200q", err, text)
	}
}

func TestRunPrintsOneJSONObject(t *testing.T) {
	out := gives(t, exitDone, "n=20 m=16 K=33", with(tinyArgs, "--json", "--no-save")...)
	var s engine.Summary
	if decode(t, out, &s); s.Problem != "burgers" || s.N != 20 || s.M != 16 || s.Grid != 33 || s.Rank < 1 ||
		s.Test.ExpectedRelative <= 0 || s.Run != "" {
		t.Errorf("got %+v", s)
	}
}

// The problem is set before its values, wherever it stands.
func TestDarcyFromTheShell(t *testing.T) {
	code, out, errors := call(t, nil, "run", "quick", "-n", "8", "-m", "8", "--test", "6", "-K", "9", "--set",
		"data.grid=17", "--set", "problem=darcy", "--no-save", "--quiet")
	expect(t, code, exitDone, out+errors, "darcy  n=8  m=8  r=9  lambda=1e-08", "untrained, twice", "full solve")
	if errors != "" {
		t.Errorf("with --quiet it says %q", errors)
	}
}

// full is a stream on which every write fails, like a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestUnwrittenResultIsAnError(t *testing.T) {
	for _, args := range [][]string{{"--json"}, {}} {
		var stderr bytes.Buffer
		code := run(t.Context(), with(tinyArgs, append(args, "--no-save", "--quiet")...),
			streams{in: strings.NewReader(""), out: full{}, err: &stderr}, nil)
		if code != exitData ||
			!strings.Contains(stderr.String(), "standard output: cannot be written: no space left on device") {
			t.Errorf("%v: exit code %d, %q", args, code, stderr.String())
		}
	}
}

func TestCheckPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	code, out, errors := call(t, []string{"TERM=xterm", "SSH_TTY=/dev/pts/1"}, "check", "--json", "--workers", "1")
	var report struct {
		check.Report
		Terminal string
	}
	if decode(t, out, &report); code != exitDone || !report.Passed || report.Workers != 1 || report.Cores < 1 ||
		!strings.HasPrefix(report.Terminal, "none: ") || len(report.Findings) != 5 {
		t.Errorf("exit code %d: %s %s", code, out, errors)
	}
	if exitCode(errUnsound) != exitUnsound {
		t.Error("a failed check has another exit code")
	}
}

func TestStoredConfigurationRepeatsTheRun(t *testing.T) {
	root := t.TempDir()
	gives(t, exitDone, "expected relative|"+filepath.Join(root, "first"),
		with(tinyArgs, "--runs", root, "--name", "first")...)
	done(t, "run", filepath.Join(root, "first", "config.toml"), "--runs", root, "--name", "second", "--workers", "3")
	sameRuns(t, filepath.Join(root, "first"), filepath.Join(root, "second"))
}

func TestFlagBeatsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.toml")
	if err := os.WriteFile(file,
		[]byte("preset = \"quick\"\nseed = 5\n[data]\ntrain = 20\ntest = 10\ngrid = 257\n[features]\ncount = "+
			"9\n[train]\ngrid = 33\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errors := call(t, []string{"RFM_WORKERS=0", "RFM_RUNS=elsewhere"}, "run", file, "-m", "11", "--workers",
		"1", "--json", "--no-save", "--no-baselines")
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	var s engine.Summary
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	if s.N != 20 || s.Seed != 5 || s.M != 11 {
		t.Errorf("n=%d and seed=%d from the file, m=%d from the flag", s.N, s.Seed, s.M)
	}
}

// cancelled runs the program under a context that has ended.
func cancelled(t *testing.T, args ...string) (code int, errors string) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	code = run(ctx, args, streams{in: strings.NewReader(""), out: &stdout, err: &stderr}, nil)
	return code, stderr.String()
}

func TestCancelledRunGoesOn(t *testing.T) {
	root := t.TempDir()
	directory := filepath.Join(root, "x")
	if code, errors := cancelled(t, with(tinyArgs, "--runs", root, "--name", "x")...); code != exitInterrupted ||
		!strings.Contains(errors, "rfm run "+printable.Path(directory)) {
		t.Fatalf("exit code %d, %q", code, errors)
	}
	gives(t, exitData, "n=20 there, n=21 here", with(tinyArgs, "--runs", root, "--name", "x", "-n", "21")...)
	gives(t, exitDone, "  "+directory+"  next: rfm predict "+printable.Path(directory), "run", directory)
	gives(t, exitDone, "complete already", with(tinyArgs, "--runs", root, "--name", "x")...)
}

func TestCancelledRunThatIsNotStoredLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	code, errors := cancelled(t, with(tinyArgs, "--no-save")...)
	if entries, err := os.ReadDir("."); code != exitCancelled || err != nil || len(entries) != 0 ||
		!strings.Contains(errors, "cancelled") {
		t.Errorf("exit code %d, %d entries, %q, %v", code, len(entries), errors, err)
	}
}

func TestColour(t *testing.T) {
	run := storeRun(t, t.TempDir(), "x")
	for _, test := range []struct {
		environ []string
		colors  bool
	}{
		{nil, false}, // not a terminal
		{[]string{"TERM=xterm-256color", "CLICOLOR_FORCE=1"}, true},
		{[]string{"TERM=xterm-256color", "NO_COLOR=1"}, false},
	} {
		_, out, _ := call(t, test.environ, "show", run)
		if got := strings.Contains(out, "\x1b["); got != test.colors || !strings.Contains(out, "expected relative") {
			t.Errorf("%v: escape sequences %v: %s", test.environ, got, out)
		}
	}
}

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
		a := newApp(streams{}, test.environ)
		if got := a.appearance().Dots(); got != test.dots && os.PathSeparator != '\\' {
			t.Errorf("%v: dots %v", test.environ, got)
		}
		if got := utf8Locale(test.environ); got != test.want {
			t.Errorf("%v: %v", test.environ, got)
		}
	}
}

// TestMain lets tests start the program itself, on a terminal of its own.
func TestMain(m *testing.M) {
	if os.Getenv("COMMAND_TEST_MAIN") != "" {
		os.Exit(Main())
	}
	debug.SetGCPercent(400) // hundreds of small calls would spend a quarter of their time in collections
	var err error
	if scratch, err = os.MkdirTemp("", "rfm-command-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

// scratch is a directory of all tests.
var scratch string

// program returns a command that runs the program in a process of its own.
func program(t *testing.T, directory string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir = directory
	cmd.Env = append(os.Environ(), "COMMAND_TEST_MAIN=1", "TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=")
	return cmd
}
